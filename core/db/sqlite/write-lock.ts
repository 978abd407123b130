/**
 * write-lock: waits for SQLite's one write lock, which another process may hold. SQLite's own wait would block the
 * event loop, and with it probes and reads. Here SQLite answers at once, and a timer retries the statement.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from '../db-errors';

export type WriteLock = {
  /**
   * Runs a statement, or a transaction from its beginning, until it meets no lock of another process.
   * @param longest milliseconds of waiting, instead of those of this lock
   * @throws the driver's error when the lock is not released in time
   */
  readonly wait: <T>(attempt: () => T | Promise<T>, longest?: number) => Promise<T>;
};

/** Milliseconds before each retry; the last value is for all further ones. */
const PAUSES = [1, 2, 5, 10, 15, 20, 25];

/** After this many milliseconds without a try it is unknown how long the lock has been held. */
const FORGOTTEN = 1000;

/**
 * All callers that wait together share one waiting time. A caller that comes after it is refused at its first try, so
 * that a request that writes several things waits only once before it is refused.
 * @param patience milliseconds after which waiting for the lock ends
 */
export function writeLock(patience: number): WriteLock {
  let busySince = 0;
  let lastTry = -Infinity;

  const waitedFor = (): number => {
    const now = performance.now();
    busySince = now - lastTry > FORGOTTEN ? now : busySince;
    lastTry = now;
    return now - busySince;
  };

  return {
    wait: async (attempt, longest = patience) => {
      for (let tries = 0; ; tries += 1) {
        try {
          const result = await attempt();
          lastTry = -Infinity;
          return result;
        } catch (error) {
          if (!isBusy(error) || waitedFor() >= longest) {
            throw error;
          }
          await pause(PAUSES[Math.min(tries, PAUSES.length - 1)]);
        }
      }
    },
  };
}
