/** secret-key: where the installation's key comes from: the setting, or a file beside the embedded database. */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { SetupError } from '../base/errors';
import { inProject } from '../base/paths';
import type { Config } from '../config/schema';
import { holdsSecrets } from '../storage/sealed-file';

const newKey = (): string => randomBytes(32).toString('base64url');

/** Written whole under another name first, so that two processes that start at once agree on one key. */
const makeKeyFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  writeSync(handle, `${newKey()}\n`);
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    rmSync(draft);
  }
};

const readKeyFile = (file: string, database: string): string => {
  if (!existsSync(file)) {
    if (holdsSecrets(database)) {
      throw new SetupError([`${file} is gone, but ${database} holds secrets that were sealed with it: restore the file, or give its text in SVC_SECRET_KEY`]);
    }
    try {
      makeKeyFile(file);
    } catch (error) {
      throw new SetupError([`SVC_DATABASE_URL: ${file} cannot be made beside the database (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`]);
    }
  }
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < 16) {
    throw new SetupError([`${file}: the key is shorter than 16 characters: restore the file, without it stored secrets cannot be read`]);
  }
  return key;
};

/**
 * The keys of this installation, one a line: the first seals, all open. With SQLite and no setting it is made once and kept in `secret.key` beside the
 * database file; a database in memory gets a new one each time.
 * @throws SetupError with MySQL and no setting, and where the key is lost: a new one would open nothing
 */
export const secretKeyOf = ({ secretKey, secretKeyOthers = [], databaseUrl }: Pick<Config, 'secretKey' | 'databaseUrl'> & Partial<Pick<Config, 'secretKeyOthers'>>): string => {
  if (secretKey !== '') {
    return [secretKey, ...secretKeyOthers].join('\n');
  }
  if (!databaseUrl.startsWith('sqlite:')) {
    throw new SetupError(['SVC_SECRET_KEY: required with MySQL, so that all processes share one key: give at least 16 random characters']);
  }
  const database = databaseUrl.slice('sqlite:'.length);
  if (database === ':memory:') {
    return newKey();
  }
  const file = isAbsolute(database) ? database : inProject(database);
  return readKeyFile(join(dirname(file), 'secret.key'), file);
};
