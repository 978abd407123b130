/** index: every command of `svc`, in the order of its help. */
import type { Command } from 'commander';

type AddCommand = (program: Command) => void;

const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServe,
  migrate: async () => (await import('./upkeep/migrate.js')).addMigrate,
  'sync-apps': async () => (await import('./sync-apps.js')).addSyncApps,
  apps: async () => (await import('./apps.js')).addApps,
  reset: async () => (await import('./upkeep/reset.js')).addReset,
  check: async () => (await import('./check.js')).addCheck,
  reload: async () => (await import('./reload.js')).addReload,
  approve: async () => (await import('./approve.js')).addApprove,
  routes: async () => (await import('./routes.js')).addRoutes,
  ingest: async () => (await import('./ingest.js')).addIngest,
  put: async () => (await import('./put.js')).addPut,
  reprocess: async () => (await import('./upkeep/reprocess.js')).addReprocess,
  codes: async () => (await import('./codes.js')).addCodes,
  'clean-up': async () => (await import('./upkeep/clean-up.js')).addCleanUp,
  outbox: async () => (await import('./outbox.js')).addOutbox,
  'rotate-id-keys': async () => (await import('./upkeep/rotate-id-keys.js')).addRotateIdKeys,
  'rotate-key': async () => (await import('./upkeep/rotate-key.js')).addRotateKey,
  seal: async () => (await import('./upkeep/seal.js')).addSeal,
  export: async () => (await import('./export.js')).addExport,
  import: async () => (await import('./import.js')).addImport,
  forget: async () => (await import('./forget.js')).addForget,
  'verify-audit': async () => (await import('./upkeep/verify-audit.js')).addVerifyAudit,
  backup: async () => (await import('./upkeep/backup.js')).addBackup,
  restore: async () => (await import('./upkeep/restore.js')).addRestore,
  records: async () => (await import('./records.js')).addRecords,
  relations: async () => (await import('./relations.js')).addRelations,
  lines: async () => (await import('./lines.js')).addLines,
  accounts: async () => (await import('./accounts.js')).addAccounts,
  completion: async () => (await import('./completion.js')).addCompletion,
  doctor: async () => (await import('./upkeep/doctor.js')).addDoctor,
  demo: async () => (await import('./demo.js')).addDemo,
};

/**
 * Adds the command of this name to the program, or all commands when none has that name. Underscores may replace
 * hyphens. Only one is loaded, because loading the others would take most of the time of a command.
 */
export async function addCommands(program: Command, name = ''): Promise<void> {
  const wanted = name.replaceAll('_', '-');
  const loaders =
    Object.hasOwn(commands, wanted) && wanted !== 'completion' ? [commands[wanted]!] : Object.values(commands);
  for (const load of loaders) {
    (await load())(program);
  }
}
