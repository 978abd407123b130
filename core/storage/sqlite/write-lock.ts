/**
 * write-lock: waiting for SQLite's one write lock, which another process may hold. SQLite itself would wait inside the
 * statement and so stop the event loop, and with it probes and reads; here it answers at once, and the statement is
 * tried again from a timer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from '../db-errors';

export type WriteLock = {
  /**
   * Runs a statement, or a transaction from its beginning, until it meets no lock of another process.
   * @param longest milliseconds of waiting, instead of those of this lock
   * @throws the driver's error when the lock is not let go in time
   */
  readonly wait: <T>(attempt: () => T | Promise<T>, longest?: number) => Promise<T>;
};

/** Milliseconds before each next try; the last one stays. */
const PAUSES = [1, 2, 5, 10, 15, 20, 25];

/** After this time without a try nobody knows how long the lock has been held. */
const FORGOTTEN = 1000;

/**
 * The time is counted for all who wait together: one who comes when it has passed already is refused at its first try, so
 * that a request that writes several things is refused once and not after as many waits.
 * @param patience milliseconds for which a lock that is never let go is waited for
 */
export const writeLock = (patience: number): WriteLock => {
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
};
