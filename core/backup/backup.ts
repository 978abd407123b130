/** backup: copies the SQLite database as it is at one moment, while the service goes on writing. */
import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, existsSync, openSync, closeSync, fsyncSync, renameSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withTempFolder } from '../base/temp-folder';
import { SetupError } from '../base/errors';
import { Sqlite } from '../db/sqlite/better-sqlite';
import {
  checkIntegrity,
  databaseFile,
  holdings,
  migrationNames,
  requireSqlite,
  withFile,
  type Holdings,
} from './sqlite-file';

export type BackedUp = Holdings & {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly migrations: readonly string[];
};

/** Called with the number of pages first, then with how many are done. */
export type Pages = { readonly begin: (pages: number) => void; readonly step: (pages: number) => void };

const PAGES_AT_ONCE = 1000;

/** Flushes a file and its folder to the disk: only then does the file survive a power cut. */
export function settle(path: string): void {
  for (const one of [path, dirname(path)]) {
    const handle = openSync(one, 'r');
    fsyncSync(handle);
    closeSync(handle);
  }
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece);
  }
  return hash.digest('hex');
}

/**
 * Copies the database page by page within one read transaction. So writers need not wait, their changes do not appear
 * in the copy, and a busy service cannot make it begin again.
 */
async function copy(source: string, target: string, pages: Pages): Promise<void> {
  const database = new Sqlite(source, { fileMustExist: true });
  try {
    database.pragma('busy_timeout = 15000');
    database.exec('begin');
    database.prepare('select count(*) from sqlite_master').get();
    let done = -1;
    const { totalPages: all } = await database.backup(target, {
      progress: ({ totalPages, remainingPages }) => {
        if (done < 0) {
          pages.begin(totalPages);
          done = 0;
        }
        pages.step(totalPages - remainingPages - done);
        done = totalPages - remainingPages;
        return PAGES_AT_ONCE;
      },
    });
    // The last pages are not reported.
    pages.step(all - Math.max(done, 0));
  } finally {
    database.close();
  }
}

/**
 * Copies the database of the settings. The file appears only when it is complete and checked.
 * @throws SetupError for MySQL, when the file exists already, and when the copy is damaged
 */
export async function backUp(databaseUrl: string, target: string, pages: Pages): Promise<BackedUp> {
  const source = databaseFile(databaseUrl);
  const file = resolve(target);
  requireSqlite(source);
  if (existsSync(file)) {
    throw new SetupError([`${file} is there already: give another name`]);
  }
  return withTempFolder(file, async (folder) => {
    const draft = join(folder, 'copy');
    await copy(source, draft, pages);
    chmodSync(draft, 0o600);
    // The service turns the log of the copy (WAL) on again when it opens it.
    withFile(draft, (database) => database.pragma('journal_mode = delete'), {});
    const found = withFile(draft, (database) => {
      checkIntegrity(database, file);
      return { ...holdings(database), migrations: migrationNames(database) };
    });
    settle(draft);
    renameSync(draft, file);
    settle(file);
    return { file, ...found, bytes: (await stat(file)).size, sha256: await digestOfFile(file) };
  });
}
