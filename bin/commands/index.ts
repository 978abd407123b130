/** index: every command of `svc`, in the order of its help. */
import type { Command } from 'commander';
import { addAccounts } from './accounts';
import { addBackup } from './backup';
import { addCheck } from './check';
import { addCleanUp } from './clean-up';
import { addCodes } from './codes';
import { addCompletion } from './completion';
import { addDemo } from './demo';
import { addDoctor } from './doctor';
import { addExport } from './export';
import { addForget } from './forget';
import { addImport } from './import';
import { addIngest } from './ingest';
import { addMigrate } from './migrate';
import { addOutbox } from './outbox';
import { addReprocess } from './reprocess';
import { addReset } from './reset';
import { addRestore } from './restore';
import { addRotateKey } from './rotate-key';
import { addRoutes } from './routes';
import { addServe } from './serve';
import { addSyncApps } from './sync-apps';
import { addVerifyAudit } from './verify-audit';

export const commands: readonly ((program: Command) => void)[] = [
  addServe, addMigrate, addSyncApps, addReset, addCheck, addRoutes, addIngest, addReprocess, addCodes, addCleanUp, addOutbox, addRotateKey, addExport, addImport, addForget, addVerifyAudit, addBackup, addRestore, addAccounts, addCompletion, addDoctor, addDemo,
];
