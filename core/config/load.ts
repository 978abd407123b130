/**
 * load: reads the environment and the .env file into a Config, or reports every setting that is wrong, one line each.
 */
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { parse } from 'dotenv';
import { SetupError } from '../base/errors';
import { nearest } from '../base/nearest';
import { isFolder, projectRoot } from '../base/paths';
import { limits } from './limits';
import { settings, SITE, type Config } from './schema';
import { sqliteFile, sqlitePath } from './sqlite-url';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that name files: relative ones are read from the folder that holds package.json. */
function absolute(value: string): string {
  return isAbsolute(value) ? value : resolve(projectRoot, value);
}

function readIfThere(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    const why =
      code === 'EISDIR'
        ? 'this is a folder: settings are lines of a file'
        : `the file cannot be read (${code}): let the user of the service read it`;
    throw new SetupError([`${file}: ${why}`]);
  }
}

/** A value in quotation marks may have lines of any kind. */
const QUOTED = /=[ \t]*(['"`])(?:\\[^]|(?!\1)[^\\])*\1/g;
const ASSIGNMENT = /^\s*(?:#|$|(?:export\s+)?[\w.-]+(?:\s*=|:\s))/;

/** Numbers of the lines that would be ignored: a misspelt setting must not go unnoticed. */
function strayLines(text: string): readonly number[] {
  return text
    .replace(QUOTED, (value) => `=${'\n#'.repeat(value.split('\n').length - 1)}`)
    .split('\n')
    .flatMap((line, index) => (ASSIGNMENT.test(line) ? [] : [index + 1]));
}

/**
 * The settings in a .env file; none when it is missing.
 * @throws SetupError naming the file when it cannot be read, and its lines that are no settings
 */
export function readDotEnv(file = resolve(projectRoot, '.env')): Environment {
  const text = readIfThere(file);
  const stray = strayLines(text);
  if (stray.length > 0) {
    throw new SetupError(
      stray.map((line) => `${file}:${line}: this line is no setting: write NAME=value, or put # before it`),
    );
  }
  return parse(text);
}

/** Folders that deployers name; without one of them the service would quietly know less. */
const folderSettings = ['SVC_PIPELINE_CONFIG_DIR', 'SVC_DATAMODELS_DIR', 'SVC_MANIFESTS_DIR'] as const;

function missingFolders(values: Readonly<Record<string, unknown>>): readonly string[] {
  return folderSettings.flatMap((name) =>
    ((values[settings[name]?.key ?? ''] as readonly string[] | undefined) ?? [])
      .map(absolute)
      .filter((folder) => !isFolder(folder))
      .map((folder) => `${name}: there is no folder ${folder}: make it, or correct the setting`),
  );
}

/** Without a mail server, mails become files in a folder that is made for the first one. */
function wrongMailFolder({ smtpUrl, mailDir }: Readonly<Record<string, unknown>>): readonly string[] {
  const folder = absolute(String(mailDir));
  return smtpUrl === '' && existsSync(folder) && !isFolder(folder)
    ? [`SVC_MAIL_DIR: ${folder} is no folder: name one`]
    : [];
}

/** Folders that the service makes itself. */
function ownFolders(databaseUrl: unknown): readonly string[] {
  const file = typeof databaseUrl === 'string' ? sqliteFile(databaseUrl) : undefined;
  return [absolute('var'), ...(file === undefined ? [] : [dirname(file)])];
}

/** In a folder that is not there, the ends of the audit log would lie in the wrong place, such as below a mount. */
function wrongHeads({ auditHead, auditSyslog, databaseUrl }: Readonly<Record<string, unknown>>): readonly string[] {
  if (auditHead === 'syslog:') {
    return auditSyslog === ''
      ? ['SVC_AUDIT_HEAD: syslog: needs the address of a server: set SVC_AUDIT_SYSLOG to it']
      : [];
  }
  const file = absolute(String(auditHead));
  if (isFolder(file)) {
    return ['SVC_AUDIT_HEAD: this is a folder: name a file'];
  }
  const folder = dirname(file);
  return isFolder(folder) || ownFolders(databaseUrl).includes(folder)
    ? []
    : [`SVC_AUDIT_HEAD: there is no folder ${folder}: make it, or name a file in another one`];
}

/** Settings that are gone and whose lines have to be replaced, not only removed. */
const replaced: Readonly<Record<string, string>> = {
  SVC_SECRET_KEY_OTHERS: 'write these keys into SVC_SECRET_KEY, behind the key that seals and a comma',
  SVC_UPLOAD_DIR: 'files that wait lie in uploads beside the SQLite file, or beside the file of SVC_AUDIT_HEAD',
};

function hintFor(name: string): string {
  const advice = replaced[name];
  if (advice !== undefined) {
    return ` any more: ${advice}`;
  }
  const near = nearest(name, Object.keys(settings));
  return near.length > 0 ? `; the nearest: ${near.join(', ')}` : ': remove it';
}

/** Names that only the tests use. A misspelt setting must not look like one of them. */
const OF_TESTS = /^SVC_(?:TEST_\w+|REQUIRE_(?:MYSQL|GALERA|BROWSER|SANDBOX))$/;

/** Where the key comes from; at most one of them is given. */
export type KeyPlaces = Pick<Config, 'secretKey'> & Partial<Pick<Config, 'secretKeyFile' | 'secretKeyCommand'>>;

function keyPlaces({ secretKey, secretKeyFile = '', secretKeyCommand = '' }: KeyPlaces): readonly string[] {
  return Object.entries({
    SVC_SECRET_KEY: secretKey,
    SVC_SECRET_KEY_FILE: secretKeyFile,
    SVC_SECRET_KEY_COMMAND: secretKeyCommand,
  }).flatMap(([name, given]) => (given === '' ? [] : [name]));
}

function severalKeys(values: Readonly<Record<string, unknown>>): readonly string[] {
  const [first, second] = keyPlaces(values as KeyPlaces);
  return second === undefined ? [] : [`${second}: ${first} gives the key already: set one of them only`];
}

/**
 * A process that seals secrets needs a key. Only with the embedded database is one made; commands that seal nothing
 * need none.
 */
export function missingKey({ databaseUrl, ...keys }: KeyPlaces & Pick<Config, 'databaseUrl'>): readonly string[] {
  return keyPlaces(keys).length === 0 && sqlitePath(databaseUrl) === undefined
    ? ['SVC_SECRET_KEY: required with MySQL, so that all processes share one key: give at least 16 random characters']
    : [];
}

/** The website's address, or that of the service if there is no website. */
export function defaultUiBase(baseUrl: string, { website }: Pick<Config, 'website'>): string {
  return website ? `${baseUrl}${SITE}` : baseUrl;
}

/**
 * The folder of files that wait to be added: on the disk of the database or of the heads, which is there for long,
 * because a folder for temporary files may be memory.
 */
function uploadFolder({ databaseUrl, auditHead }: Pick<Config, 'databaseUrl' | 'auditHead'>): string {
  const head = auditHead === 'syslog:' ? undefined : absolute(auditHead);
  const neighbour = sqliteFile(databaseUrl) ?? head;
  return neighbour === undefined
    ? join(tmpdir(), `svc-uploads-${userInfo().uid}`)
    : join(dirname(neighbour), 'uploads');
}

function placeFiles(config: Config): Config {
  return {
    ...config,
    pipelineConfigDirs: config.pipelineConfigDirs.map(absolute),
    datamodelsDirs: config.datamodelsDirs.map(absolute),
    manifestsDirs: config.manifestsDirs.map(absolute),
    mailDir: absolute(config.mailDir),
    uploadDir: uploadFolder(config),
    auditHead: config.auditHead === 'syslog:' ? config.auditHead : absolute(config.auditHead),
    secretKeyFile: config.secretKeyFile && absolute(config.secretKeyFile),
    uiBaseUrl: config.uiBaseUrl || (config.baseUrl && defaultUiBase(config.baseUrl, config)),
  };
}

/**
 * Reads the settings. Unknown SVC_ names are refused, so that a misspelt one is noticed.
 * @throws SetupError with one line per wrong setting
 */
export function loadConfig(environment: Environment = { ...readDotEnv(), ...process.env }): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { key, schema }] of Object.entries(settings)) {
    const given = environment[name];
    const { value, error } = schema.validate(given === '' ? undefined : given, { convert: true });
    if (error) {
      problems.push(`${name}: ${error.message.replace(/^"value" /, '')}`);
    }
    values[key] = value as unknown;
  }
  for (const name of Object.keys(environment)) {
    if (name.startsWith('SVC_') && !settings[name] && !OF_TESTS.test(name)) {
      problems.push(`${name}: there is no such setting${hintFor(name)}`);
    }
  }
  problems.push(...missingFolders(values), ...wrongMailFolder(values), ...wrongHeads(values), ...severalKeys(values));
  if (problems.length > 0) {
    throw new SetupError(problems);
  }
  return placeFiles({ ...limits, ...values } as Config);
}
