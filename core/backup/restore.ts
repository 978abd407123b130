/** restore: a backup takes the place of the SQLite database, while nobody has that one open. */
import { chmodSync, constants, existsSync, renameSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withDrafts } from '../base/drafts';
import { SetupError } from '../base/errors';
import { makeFolders } from '../base/paths';
import { migrations } from '../storage/migrations';
import { settle } from './backup';
import { checkIntegrity, databaseFile, holdings, migrationNames, requireSqlite, requireStopped, withFile, type Holdings } from './sqlite-file';

export type Restored = Holdings & { readonly file: string; /** Where the database that was there before is now. */ readonly before: string | null };

/** Raised when the target holds people's data and nobody said that it may go. */
export class NotEmpty extends Error {
  override readonly name = 'NotEmpty';
}

const checkBackup = (file: string): Holdings => {
  requireSqlite(file);
  return withFile(file, (database) => {
    checkIntegrity(database, file);
    const names = migrationNames(database);
    const strange = names.filter((name) => !migrations.some((migration) => migration.name === name));
    if (names.length === 0) {
      throw new SetupError([`${file} is no database of this service`]);
    }
    if (strange.length > 0) {
      throw new SetupError([`${file} was written by a newer release (${strange.join(', ')}): restore it with that one`]);
    }
    return holdings(database);
  });
};

const lookAtTarget = (target: string, yes: boolean): void => {
  requireStopped(target);
  const { accounts, records, documents } = withFile(target, holdings);
  if (accounts + records + documents > 0 && !yes) {
    throw new NotEmpty(`${target} holds ${accounts} accounts, ${records} records and ${documents} documents: add --yes when the backup shall take their place`);
  }
};

/**
 * Puts a backup in the place of the database of the settings. What was there is kept beside it under another name.
 * @param now names what is put aside
 * @throws SetupError when the backup is damaged or newer than this release, or the database is in use
 * @throws NotEmpty without `yes`, when the database holds accounts, records or documents
 */
export const restore = async (databaseUrl: string, source: string, { yes, now }: { readonly yes: boolean; readonly now: Date }): Promise<Restored> => {
  const target = databaseFile(databaseUrl);
  const backup = resolve(source);
  const found = checkBackup(backup);
  const there = existsSync(target);
  if (there) {
    lookAtTarget(target, yes);
  }
  makeFolders(dirname(target));
  return withDrafts(target, async (folder) => {
    const draft = join(folder, 'copy');
    await copyFile(backup, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, 0o600);
    settle(draft);
    const before = there ? `${target}.before-${now.toISOString().replace(/[:.]/g, '-')}` : null;
    if (before !== null) {
      renameSync(target, before);
    }
    renameSync(draft, target);
    settle(target);
    return { ...found, file: target, before };
  });
};
