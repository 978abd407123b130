/**
 * temp-folder: what is not whole yet is written in a folder of its own beside its place, which nobody but this user may
 * enter, and which goes with the work or with the process, whichever ends first.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupError } from './errors';

const reasonOf = ({ code }: NodeJS.ErrnoException): string =>
  code === 'ENOENT' || code === 'ENOTDIR'
    ? 'there is no such folder'
    : `it cannot be written (${code ?? 'unknown reason'})`;

/**
 * @param file what the draft becomes: its folder has room for it, and a name there is one rename away
 * @throws SetupError when that folder is not there or cannot be written
 */
export const withTempFolder = async <T>(file: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(dirname(file), '.svc-draft-')).catch((error: NodeJS.ErrnoException) => {
    throw new SetupError([`${dirname(file)}: ${reasonOf(error)}`]);
  });
  // Of a process that a signal ends, a write under way may still put a file there.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
};
