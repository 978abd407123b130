/** scratch: the folder for small files that exist for a moment only. */
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';

/**
 * A folder in memory, if there is one: it can be written even when the disk is full, or when the service may write
 * nowhere else.
 */
export function scratchFolder(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    return MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
}
