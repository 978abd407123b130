/**
 * head-file: a file of lines that any number of processes append to, and that one of them shortens now and then without
 * a lock. The process that shortens it renames it first. From then on others append to a new file, and the process
 * copies the lines that still matter into that one. A process that appends checks afterwards whether its file still has
 * the name; if not, it appends again.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolders } from '../base/paths';

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Undefined if there is no such file. */
function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  });
}

/** Files that were renamed; their lines may not be in the new file yet. */
async function oldFiles(path: string): Promise<readonly string[]> {
  const names = (await orMissing(readdir(dirname(path)))) ?? [];
  return names
    .filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.old'))
    .map((name) => join(dirname(path), name));
}

async function linesInFile(path: string): Promise<readonly string[]> {
  return ((await orMissing(readFile(path, 'utf8'))) ?? '').split('\n').filter((line) => line !== '');
}

/** While six programs rename the file without a pause, twenty were too few. */
const ATTEMPTS = 100;

async function append(path: string, lines: readonly string[], isDurable: boolean): Promise<number> {
  makeFolders(dirname(path));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const file = await open(path, 'a', 0o600);
    try {
      // This is one write, so that lines of several processes never mix. The line break at its beginning ends a line
      // that a full disk or a power cut left unfinished.
      const text = Buffer.from(`\n${lines.join('\n')}\n`);
      const { bytesWritten } = await file.write(text);
      if (bytesWritten < text.length) {
        throw new Error('the disk is full');
      }
      const [here, named] = [await file.stat(), await orMissing(stat(path))];
      if (named?.ino === here.ino && named.dev === here.dev) {
        if (isDurable) {
          // This uses the handle, because the name may belong to another process's new file already, or to none for a
          // moment.
          await file.sync();
        }
        return here.size;
      }
    } finally {
      await file.close();
    }
  }
  throw new Error('the file is renamed again and again');
}

/**
 * Appends lines to the file.
 * @returns how long the file is now
 * @throws when it cannot be written
 */
export function appendLines(path: string, lines: readonly string[]): Promise<number> {
  return append(path, lines, false);
}

/** All lines; undefined when there is no file. */
export async function readLines(path: string): Promise<readonly string[] | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const before = await orMissing(stat(path));
    const lines = [...(await linesInFile(path))];
    const old = await oldFiles(path);
    for (const one of old) {
      lines.push(...(await linesInFile(one)));
    }
    const after = await orMissing(stat(path));
    if (before?.ino === after?.ino || attempt >= ATTEMPTS) {
      return before === undefined && after === undefined && old.length === 0 ? undefined : lines;
    }
  }
}

/**
 * Shortens the file to the lines that `keep` chooses. Nothing is lost when it is interrupted, nor when several
 * processes do it at once.
 * @returns how long the file is now
 */
export async function compactLines(
  path: string,
  keep: (lines: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  await orMissing(rename(path, `${path}.${randomBytes(6).toString('hex')}.old`));
  const old = await oldFiles(path);
  const lines = (await Promise.all(old.map(linesInFile))).flat();
  const size = await append(path, await keep(lines), true);
  await Promise.all(old.map((one) => rm(one, { force: true })));
  return size;
}
