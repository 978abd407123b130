/**
 * signals: a command that is told to end does so as a process that exits, so that what it has begun is cleared away.
 */
import { constants } from 'node:os';

/** The exit code is the one that shells give to what a signal has ended. */
export const exitOnSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
};
