/** restore: replaces the SQLite database with a backup, while no process has the database open. */
import { chmodSync, constants, existsSync, renameSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withTempFolder } from '../base/temp-folder';
import { SetupError } from '../base/errors';
import { makeFolders } from '../base/paths';
import { ASIDE_ENDS } from '../audit/left-aside';
import { migrations } from '../db/migrations';
import { settle } from './backup';
import {
  checkIntegrity,
  Damaged,
  databaseFile,
  holdings,
  isBlank,
  migrationNames,
  requireSqlite,
  requireStopped,
  withFile,
  type Holdings,
} from './sqlite-file';

export type Restored = Holdings & {
  readonly file: string;
  /** Where the earlier database is now. */ readonly before: string | null;
};

/** Raised when the target holds data of people, or may hold some, and the operator did not agree to replace it. */
export class NotEmpty extends Error {
  override readonly name = 'NotEmpty';
}

function checkBackup(file: string): Holdings {
  requireSqlite(file);
  return withFile(file, (database) => {
    checkIntegrity(database, file);
    const names = migrationNames(database);
    const strange = names.filter((name) => !migrations.some((migration) => migration.name === name));
    if (names.length === 0) {
      throw new SetupError([`${file} is no database of this service`]);
    }
    if (strange.length > 0) {
      throw new SetupError([
        `${file} was written by a newer release (${strange.join(', ')}): restore it with that one`,
      ]);
    }
    return holdings(database);
  });
}

/** @throws Damaged when the content of the target cannot be read */
function holdingsOf(target: string): Holdings {
  if (isBlank(target)) {
    throw new Damaged([`${target} is empty`]);
  }
  requireStopped(target);
  return withFile(target, holdings);
}

function lookAtTarget(target: string, yes: boolean): void {
  if (!existsSync(target)) {
    return;
  }
  try {
    const { accounts, records, documents } = holdingsOf(target);
    if (accounts + records + documents > 0 && !yes) {
      throw new NotEmpty(
        `${target} holds ${accounts} accounts, ${records} records and ${documents} documents: add --yes to replace ` +
          'them with the backup',
      );
    }
  } catch (error) {
    if (!(error instanceof Damaged)) {
      throw error;
    }
    if (!yes) {
      throw new NotEmpty(`${error.message}: add --yes to put it aside`);
    }
  }
}

/** SQLite treats a log beside a file as the file's own, whatever the file itself says. */
const LOGS = ['-wal', '-shm', '-journal'];

async function copyWithLog(backup: string, draft: string): Promise<void> {
  await copyFile(backup, draft, constants.COPYFILE_EXCL);
  chmodSync(draft, 0o600);
  // The last transactions may still be in the log of a file that was put aside or copied in another way.
  if (existsSync(`${backup}-wal`)) {
    await copyFile(`${backup}-wal`, `${draft}-wal`);
    withFile(
      draft,
      (database) => {
        database.pragma('journal_mode = delete');
        checkIntegrity(database, backup);
      },
      {},
    );
  }
  settle(draft);
}

/** The endings of further files of the database: its logs, and what an earlier release may have left. */
const BESIDE = [...LOGS, ...ASIDE_ENDS];

/**
 * Renames the database together with its logs, so that it can be read under the other name.
 * @returns the new names of the files that existed
 */
function putAside(target: string, before: string): readonly string[] {
  return ['', ...BESIDE]
    .filter((end) => existsSync(`${target}${end}`))
    .map((end) => {
      renameSync(`${target}${end}`, `${before}${end}`);
      return `${before}${end}`;
    });
}

/**
 * Replaces the database of the settings with a backup. The earlier database is kept beside it under another name.
 * @param now the time in the name of the earlier database
 * @throws SetupError when the backup is damaged or newer than this release, or the database is in use
 * @throws NotEmpty without `yes`, when the database holds accounts, records or documents, or cannot be read
 */
export async function restore(
  databaseUrl: string,
  source: string,
  { yes, now }: { readonly yes: boolean; readonly now: Date },
): Promise<Restored> {
  const target = databaseFile(databaseUrl);
  const backup = resolve(source);
  const found = checkBackup(backup);
  lookAtTarget(target, yes);
  makeFolders(dirname(target));
  return withTempFolder(target, async (folder) => {
    const draft = join(folder, 'copy');
    await copyWithLog(backup, draft);
    // Copying takes its time: somebody may have started the service meanwhile.
    lookAtTarget(target, yes);
    const [before = null] = putAside(target, `${target}.before-${now.toISOString().replace(/[:.]/g, '-')}`);
    renameSync(draft, target);
    settle(target);
    return { ...found, file: target, before };
  });
}
