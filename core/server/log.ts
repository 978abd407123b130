/** log: structured JSON lines on stderr; never health data, secrets or tokens. */
import pino, { type Logger } from 'pino';

/** Written in one piece before the process can end, so that the last line of a crash is there. */
export const makeLog = (level: string): Logger =>
  pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ dest: 2, sync: true }));
