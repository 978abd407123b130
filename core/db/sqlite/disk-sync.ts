/**
 * disk-sync: makes SQLite's commits safe from a power cut without blocking the event loop. A commit writes to the end
 * of the write-ahead log, so one sync of that file covers every commit before it. Callers that come while a sync is
 * running share the next one.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { errors } from '../../base/errors';

type DiskSync = {
  /** Resolves when everything committed before the call is on the disk. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * @param file of the database
 * @param wrote called when something new is on the disk
 */
export function diskSync(file: string, wrote: () => void): DiskSync {
  let log: FileHandle | undefined;
  let failure: unknown;
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  const syncOnce = async (): Promise<void> => {
    if (failure === undefined) {
      try {
        log ??= await open(`${file}-wal`, 'r+');
        await log.datasync();
        wrote();
        return;
      } catch (error) {
        // A second sync may succeed although the pages of the first are lost. Therefore every sync fails from now on
        // until a restart.
        failure = error;
      }
    }
    throw Object.assign(
      errors.outOfOrder('the database could not be written to the disk, and the service has to be started again'),
      { cause: failure },
    );
  };

  const begin = (): Promise<void> => {
    const begun = syncOnce().finally(() => {
      running = running === begun ? undefined : running;
    });
    running = begun;
    return begun;
  };

  return {
    sync: () => {
      if (!running) {
        return begin();
      }
      following ??= running
        .catch(() => undefined)
        .then(() => {
          following = undefined;
          return begin();
        });
      return following;
    },
    close: async () => {
      await running?.catch(() => undefined);
      await log?.close();
      log = undefined;
    },
  };
}
