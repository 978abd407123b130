/** index: every command of `svc`, in the order of its help. */
import type { Command } from 'commander';
import { addCheck } from './check';
import { addCleanUp } from './clean-up';
import { addCodes } from './codes';
import { addDemo } from './demo';
import { addExport } from './export';
import { addForget } from './forget';
import { addImport } from './import';
import { addIngest } from './ingest';
import { addMigrate } from './migrate';
import { addOutbox } from './outbox';
import { addReprocess } from './reprocess';
import { addReset } from './reset';
import { addRoutes } from './routes';
import { addServe } from './serve';
import { addSyncApps } from './sync-apps';
import { addVerifyAudit } from './verify-audit';

export const commands: readonly ((program: Command) => void)[] = [
  addServe, addMigrate, addSyncApps, addReset, addCheck, addRoutes, addIngest, addReprocess, addCodes, addCleanUp, addOutbox, addExport, addImport, addForget, addVerifyAudit, addDemo,
];
