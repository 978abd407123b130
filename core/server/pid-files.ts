/**
 * pid-files: lets a command find the processes that serve a database on this machine. Each process writes a file beside
 * the database, or in var/ for a database server, and removes it at its end.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { sha256 } from '../base/ids';
import { inProject, makeFolders } from '../base/paths';
import type { Config } from '../config/schema';
import { parseMysqlUrl } from '../config/mysql-url';
import { sqliteFile, sqlitePath } from '../config/sqlite-url';

/** The result of reading the configuration again. */
export type Reloaded = {
  /** Why the old configuration stays; empty when the new one is in force. */
  readonly problems: readonly string[];
  /** Apps that stay as they were, or that look odd. */
  readonly warnings: readonly string[];
};

export type Serving = {
  readonly pid: number;
  readonly url: string;
  /** When the process began, according to its system, because another process may get the same number later. */
  readonly began: string;
  /** How often the process has read its configuration again. */
  readonly reloads: number;
  readonly last?: Reloaded;
};

type Place = Pick<Config, 'databaseUrl'>;

/** @returns undefined for a database in memory, which no other process can serve or change */
function pidFilePlace({ databaseUrl }: Place): { readonly folder: string; readonly prefix: string } | undefined {
  const file = sqliteFile(databaseUrl);
  if (file !== undefined) {
    return { folder: dirname(file), prefix: `${basename(file)}.` };
  }
  if (sqlitePath(databaseUrl) !== undefined) {
    return undefined;
  }
  const { hosts, database } = parseMysqlUrl(databaseUrl);
  const server = hosts.map(({ host, port }) => `${host}:${port}`).join();
  return { folder: inProject('var'), prefix: `svc-${sha256(`${server}/${database}`).slice(0, 12)}.` };
}

/** @returns undefined when there is no such process */
function beganOf(pid: number): string | undefined {
  try {
    // The name in brackets may hold anything; the start time is the twentieth field after it.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19];
  } catch {
    if (process.platform === 'linux') {
      return undefined;
    }
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

function readServing(file: string): Serving | undefined {
  try {
    const serving = JSON.parse(readFileSync(file, 'utf8')) as Serving;
    return Number.isInteger(serving.pid) && serving.pid > 0 ? serving : undefined;
  } catch {
    return undefined;
  }
}

function filesOf(place: Place): readonly string[] {
  const found = pidFilePlace(place);
  if (!found) {
    return [];
  }
  try {
    return readdirSync(found.folder)
      .filter((name) => name.startsWith(found.prefix) && /^\d+\.pid$/.test(name.slice(found.prefix.length)))
      .map((name) => join(found.folder, name));
  } catch {
    return [];
  }
}

/** True while the process that wrote the file is running. */
function lives({ pid, began }: Serving): boolean {
  return beganOf(pid) === began;
}

/** The processes that serve this database here and now. */
export function servingProcesses(place: Place): readonly Serving[] {
  return filesOf(place).flatMap((file) => {
    const serving = readServing(file);
    return serving && lives(serving) ? [serving] : [];
  });
}

/** Writes the file under another name first, because a command may be reading it. */
function writePidFile(file: string, serving: Serving): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(serving)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export type Announced = (reloaded: Reloaded) => void;

/**
 * Announces that this process serves the database, until it ends. Files of processes that were killed are removed.
 * @returns a function that announces the outcome of a reload to the process that asked for it
 * @throws Error when the folder cannot be written
 */
export function announceServing(place: Place, url: string): Announced {
  const found = pidFilePlace(place);
  if (!found) {
    return () => undefined;
  }
  for (const file of filesOf(place)) {
    const serving = readServing(file);
    if (!serving || !lives(serving)) {
      rmSync(file, { force: true });
    }
  }
  makeFolders(found.folder);
  const file = join(found.folder, `${found.prefix}${process.pid}.pid`);
  let serving: Serving = { pid: process.pid, url, began: beganOf(process.pid) ?? '', reloads: 0 };
  writePidFile(file, serving);
  process.once('exit', () => rmSync(file, { force: true }));
  return (last) => {
    serving = { ...serving, reloads: serving.reloads + 1, last };
    writePidFile(file, serving);
  };
}
