/** log: structured JSON lines on stderr; never health data, secrets or tokens. */
import pino, { type Logger } from 'pino';

/** Lines are written at once (synchronously), so that the last line before a crash is not lost. */
export function makeLog(level: string): Logger {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
