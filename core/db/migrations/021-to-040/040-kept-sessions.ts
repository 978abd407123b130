/** 040-kept-sessions: sessions that people keep on their own devices, and how the website looks there. */
import type { ColumnsSpec } from '../tables';

export const keptSessions: readonly ColumnsSpec[] = [
  /** 1: the session has no idle end. Its age still ends it. */
  { table: 'session_token', columns: { kept: 'flag?' } },
  {
    table: 'browser_session',
    columns: {
      /** What the person chose; empty or null: as the device has it, the usual size, as the laboratory writes. */
      theme: 'text:10?',
      size: 'text:10?',
      units: 'text:10?',
      /** The time zone of the browser, which counts while the person has chosen none. */ browser_zone: 'text:60?',
    },
  },
];
