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
import { SHORTEST_KEY, type Config } from '../config/schema';
import { sqliteFile } from '../config/sqlite-url';
import { holdsSecrets } from './sealed-file';

/** The keys of an installation: the first one seals, all of them open. */
export type SecretKeys = readonly [string, ...string[]];

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

function readKeyFile(file: string, database: string): SecretKeys {
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
  return keysIn(file, readKey(file), 'restore the file, without it stored secrets cannot be read');
}

/** A remark, or the frame of a certificate or of a key for TLS: everybody knows such lines. */
const NO_KEY = /^(#|-----)/;

/**
 * The keys in a text, one on each line.
 * @throws SetupError naming `source` when a line is not a usable key
 */
function keysIn(source: string, text: string, advice: string): SecretKeys {
  const [first = '', ...others] = text.split('\n').map((line) => line.trim());
  for (const key of [first, ...others]) {
    if (key.length < SHORTEST_KEY) {
      throw new SetupError([`${source}: the key is shorter than ${SHORTEST_KEY} characters: ${advice}`]);
    }
    if (NO_KEY.test(key)) {
      throw new SetupError([`${source}: a line begins with # or -----: leave the keys alone, one on each line`]);
    }
  }
  return [first, ...others];
}

const COMMAND_MILLISECONDS = 30_000;
/** The output of commands; each command runs once in a process. */
const printed = new Map<string, SecretKeys>();

function askCommand(command: string): SecretKeys {
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
  return keysIn('SVC_SECRET_KEY_COMMAND', stdout.trim(), 'let it print the key and nothing else');
}

function printedBy(command: string): SecretKeys {
  const keys = printed.get(command) ?? askCommand(command);
  printed.set(command, keys);
  return keys;
}

type KeySettings = KeyPlaces & Pick<Config, 'databaseUrl'>;

function keyFileOf(database: string): string {
  return join(dirname(database), 'secret.key');
}

/**
 * The keys of this installation. With SQLite and no setting, the first key is made once and kept in `secret.key` next
 * to the database file. A database in memory gets a new key each time.
 * @throws SetupError with MySQL and no setting, and when the key is lost, because a new one could not open anything
 */
export function secretKeysOf(config: KeySettings): SecretKeys {
  const [missing] = missingKey(config);
  if (missing !== undefined) {
    throw new SetupError([missing]);
  }
  if (config.secretKey !== '') {
    return config.secretKey.split(',') as [string, ...string[]];
  }
  if (config.secretKeyFile) {
    return keysIn(config.secretKeyFile, readKey(config.secretKeyFile), 'give at least 16 random characters');
  }
  if (config.secretKeyCommand) {
    return printedBy(config.secretKeyCommand);
  }
  const database = sqliteFile(config.databaseUrl);
  return database === undefined ? [newKey()] : readKeyFile(keyFileOf(database), database);
}

/** As `secretKeysOf`, but undefined instead of a new `secret.key`. */
export function presentSecretKeys(config: KeySettings): SecretKeys | undefined {
  const elsewhere = config.secretKey || config.secretKeyFile || config.secretKeyCommand;
  const database = !elsewhere ? sqliteFile(config.databaseUrl) : undefined;
  return database !== undefined && !existsSync(keyFileOf(database)) ? undefined : secretKeysOf(config);
}
