/**
 * temp-folder: a file is written in a temporary folder beside its place until it is whole. Only this user may enter the
 * folder, which is removed when the work or the process ends.
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
  // When a signal ends the process, a write that is under way may still put a file there: therefore the retries.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
};
