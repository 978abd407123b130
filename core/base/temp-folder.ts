/**
 * temp-folder: lets a file be written in a temporary folder beside its place until it is complete. Only this user may
 * enter the folder, which is removed when the work or the process ends.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupError } from './errors';

function folderReason({ code }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? 'there is no such folder'
    : `it cannot be written (${code ?? 'unknown reason'})`;
}

/**
 * @param file the path that the file will have; the temporary folder is in the same folder, so that a rename is enough
 * @throws SetupError when that folder does not exist or cannot be written
 */
export async function withTempFolder<T>(file: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(file), '.svc-draft-')).catch((error: NodeJS.ErrnoException) => {
    throw new SetupError([`${dirname(file)}: ${folderReason(error)}`]);
  });
  // The retries are for a write in progress: it may still put a file there when a signal ends the process.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
