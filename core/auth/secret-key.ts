/**
 * secret-key: finds the installation's key in a setting, a file, the output of a command, or a file next to the
 * embedded database.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from '../base/errors';
import { makeFolders } from '../base/paths';
import { missingKey, type KeyPlaces } from '../config/load';
import type { Config } from '../config/schema';
import { sqliteFile } from '../config/sqlite-url';
import { holdsSecrets } from '../db/sqlite/sealed-file';

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Writes the whole file under another name first, so that two processes that start at once agree on one key. */
function makeKeyFile(file: string): void {
  makeFolders(dirname(file));
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
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SetupError([
      `${file}: the secret key cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}): ` +
        'this user must be allowed to, or give its text in SVC_SECRET_KEY',
    ]);
  }
}

function readKeyFile(file: string, database: string): string {
  if (!existsSync(file)) {
    if (holdsSecrets(database)) {
      throw new SetupError([
        `${file} is gone, but ${database} holds secrets that were sealed with it: restore the file, or give its text in SVC_SECRET_KEY`,
      ]);
    }
    try {
      makeKeyFile(file);
    } catch (error) {
      throw new SetupError([
        `SVC_DATABASE_URL: ${file} cannot be made beside the database (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
      ]);
    }
  }
  return sound(file, readKey(file), 'restore the file, without it stored secrets cannot be read');
}

/** @throws SetupError naming `source` when the text is not a usable key */
function sound(source: string, key: string, advice: string): string {
  if (key.length < 16) {
    throw new SetupError([`${source}: the key is shorter than 16 characters: ${advice}`]);
  }
  if (key.includes('\n')) {
    throw new SetupError([
      `${source}: it has several lines: leave the key that seals, and name the others in SVC_SECRET_KEY_OTHERS`,
    ]);
  }
  return key;
}

const COMMAND_MILLISECONDS = 30_000;
/** The output of commands; each command runs once in a process. */
const printed = new Map<string, string>();

function askCommand(command: string): string {
  const { status, stdout, error } = spawnSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    timeout: COMMAND_MILLISECONDS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error ?? status !== 0) {
    throw new SetupError([
      `SVC_SECRET_KEY_COMMAND: the command failed (${(error as NodeJS.ErrnoException | undefined)?.code ?? `exit code ${status}`})`,
    ]);
  }
  return sound('SVC_SECRET_KEY_COMMAND', stdout.trim(), 'let it print the key and nothing else');
}

function printedBy(command: string): string {
  const key = printed.get(command) ?? askCommand(command);
  printed.set(command, key);
  return key;
}

/** The keys of an installation: the first one seals, all of them open. */
export type SecretKeys = readonly [string, ...string[]];

type KeySettings = KeyPlaces & Pick<Config, 'secretKeyOthers' | 'databaseUrl'>;

function keyFileOf(database: string): string {
  return join(dirname(database), 'secret.key');
}

function firstKey(config: KeySettings): string {
  const [missing] = missingKey(config);
  if (missing !== undefined) {
    throw new SetupError([missing]);
  }
  if (config.secretKey !== '') {
    return config.secretKey;
  }
  if (config.secretKeyFile) {
    return sound(config.secretKeyFile, readKey(config.secretKeyFile), 'give at least 16 random characters');
  }
  if (config.secretKeyCommand) {
    return printedBy(config.secretKeyCommand);
  }
  const database = sqliteFile(config.databaseUrl);
  return database === undefined ? newKey() : readKeyFile(keyFileOf(database), database);
}

/**
 * The keys of this installation. With SQLite and no setting, the first key is made once and kept in `secret.key` next
 * to the database file. A database in memory gets a new key each time.
 * @throws SetupError with MySQL and no setting, and when the key is lost, because a new one could not open anything
 */
export function secretKeysOf(config: KeySettings): SecretKeys {
  return [firstKey(config), ...config.secretKeyOthers];
}

/** As `secretKeysOf`, but undefined instead of a new `secret.key`. */
export function presentSecretKeys(config: KeySettings): SecretKeys | undefined {
  const elsewhere = config.secretKey || config.secretKeyFile || config.secretKeyCommand;
  const database = !elsewhere ? sqliteFile(config.databaseUrl) : undefined;
  return database !== undefined && !existsSync(keyFileOf(database)) ? undefined : secretKeysOf(config);
}
