/** signals: lets a command that is told to end exit in the usual way, so that its unfinished work is cleared away. */
import { constants } from 'node:os';

/** The exit code is the one that shells give to a process that a signal has ended. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
