/** index: every command of `svc`, in the order of its help. */
import type { Command } from 'commander';
import { addCheck } from './check';
import { addCleanUp } from './clean-up';
import { addDemo } from './demo';
import { addIngest } from './ingest';
import { addMigrate } from './migrate';
import { addOutbox } from './outbox';
import { addReprocess } from './reprocess';
import { addReset } from './reset';
import { addRoutes } from './routes';
import { addServe } from './serve';
import { addSyncApps } from './sync-apps';

export const commands: readonly ((program: Command) => void)[] = [
  addServe, addMigrate, addSyncApps, addReset, addCheck, addRoutes, addIngest, addReprocess, addCleanUp, addOutbox, addDemo,
];
