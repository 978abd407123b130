/**
 * backup: `svc backup FILE|FOLDER` copies the SQLite database as it is now, while the service goes on; `svc backup
 * verify` practises the restore.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { backUp, type BackedUp } from '../../../core/backup/backup';
import { drill, type Drilled } from '../../../core/backup/drill';
import { isFolder } from '../../../core/base/paths';
import { backupAt, backUpInto } from '../../../core/backup/series';
import { SetupError } from '../../../core/base/errors';
import { withProgress } from '../../../core/base/progress';
import { loadConfig } from '../../../core/config/load';
import { exitOnSignals } from '../../signals';

type Options = { readonly json?: boolean; readonly keep?: number; readonly every?: number };

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86400 };
/** Node's timers can wait for at most 24.8 days; one that is set for longer ends at once. */
const LONGEST = 24 * 86_400_000;

/** A time such as `6h` or `30m`, in milliseconds. */
function span(text: string): number {
  const [, number, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(number) * (SECONDS[unit ?? ''] ?? NaN) * 1000;
  if (!(milliseconds <= LONGEST)) {
    throw new InvalidArgumentError('say 30m, 6h or 1d, and 24d at most.');
  }
  return milliseconds;
}

function countOption(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new InvalidArgumentError('say how many are kept: 1 or more.');
  }
  return Number(text);
}

function backupAsText({ accounts, records, documents, audits, bytes, file, sha256 }: BackedUp): string {
  return `${accounts} accounts, ${records} records, ${documents} documents, ${audits} audit rows: ${bytes} bytes in ${file}\nsha256 ${sha256}\n`;
}

const KEY_TOO =
  'Keep the secret key (SVC_SECRET_KEY or secret.key) as well, in another place: without it the secrets in the copy cannot be read.\n';

async function makeOne(target: string, { keep, json }: Options): Promise<void> {
  const { databaseUrl } = loadConfig();
  const made = await withProgress('pages', (pages) =>
    isFolder(target)
      ? backUpInto(databaseUrl, target, { ...(keep === undefined ? {} : { keep }), now: new Date(), pages })
      : backUp(databaseUrl, target, pages),
  );
  process.stdout.write(json ? `${JSON.stringify(made)}\n` : backupAsText(made));
}

async function makeAgain(folder: string, every: number, options: Options): Promise<void> {
  for (;;) {
    const due = Date.now() + every;
    try {
      await makeOne(folder, options);
    } catch (error) {
      // A full disk today must not prevent the backup of tomorrow.
      process.stderr.write(`svc backup: ${(error as Error).message}; the next one is due in ${every / 1000} s\n`);
    }
    await sleep(Math.max(due - Date.now(), 1000));
  }
}

async function make(target: string, options: Options): Promise<void> {
  exitOnSignals();
  if ((options.every !== undefined || options.keep !== undefined) && !isFolder(target)) {
    throw new SetupError([`${target} is no folder: --every and --keep are for a folder of backups`]);
  }
  if (options.every !== undefined) {
    return makeAgain(target, options.every, options);
  }
  await makeOne(target, options);
  process.stdout.write(options.json ? '' : KEY_TOO);
}

function verifiedText({ file, documentsChecked, auditRows, accounts, records }: Drilled): string {
  return (
    `${file} can be restored: ${accounts} accounts and ${records} records, ${documentsChecked} documents with their ` +
    `digests, ${auditRows} audit rows in whole chains, opened with the key of these settings\n`
  );
}

/** `--json` is also an option of `svc backup`, which reads it first. */
async function verify(path: string, _: Options, command: Command): Promise<void> {
  const { json } = command.optsWithGlobals<Options>();
  exitOnSignals();
  const file = backupAt(path);
  const drilled = await withProgress('documents', (steps) => drill(loadConfig(), file, steps));
  if (json) {
    process.stdout.write(`${JSON.stringify(drilled)}\n`);
  }
  if (drilled.problems.length > 0) {
    throw new SetupError(drilled.problems);
  }
  process.stdout.write(json ? '' : verifiedText(drilled));
}

export function addBackup(program: Command): void {
  const backup = program
    .command('backup')
    .description(
      'copy the SQLite database as it is at one moment, while the service goes on writing; docs/backup.md has the way for MariaDB',
    )
    .argument('<file>', 'the copy to write, never overwritten; or a folder, in which each copy is named by its time')
    .option(
      '--keep <number>',
      'in a folder: remove the oldest copies beyond so many, after the new one is whole',
      countOption,
    )
    .option('--every <time>', 'in a folder: go on and make one after each such time (30m, 6h, 1d)', span)
    .option('--json', 'print what was written as JSON')
    .action(make);
  backup
    .command('verify')
    .description(
      'practise the restore of a backup beside it: pages, digests of all documents, key and audit log; the service is not touched',
    )
    .argument('<file>', 'a file of svc backup, or a folder: its newest one')
    .option('--json', 'print what was found as JSON')
    .action(verify);
}
