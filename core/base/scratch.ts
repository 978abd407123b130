/** scratch: where small files that live for a moment go. */
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY_FOLDER = '/dev/shm';

/** A folder in memory where there is one: it can be written when the disk is full, and where the service may write nowhere else. */
export const scratchFolder = (): string => {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    return MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
};
