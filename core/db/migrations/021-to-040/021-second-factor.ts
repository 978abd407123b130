/**
 * 021-second-factor: what a person uses at the website in addition to the password: an app that shows codes, and
 * recovery codes on paper.
 */
import type { ColumnsSpec, TableSpec } from '../tables';

export const secondFactors: readonly TableSpec[] = [
  {
    table: 'second_factor',
    columns: {
      account_id: 'principal',
      /** Sealed. */ secret: 'text:300',
      /** Number of the half minute whose code was accepted last, so that no code is accepted twice. */
      last_step: 'int',
      /** Wrong codes since the last right one. */ failures: 'int',
      failed_at: 'stamp?',
      since: 'stamp',
    },
    primary: ['account_id'],
  },
  {
    table: 'recovery_code',
    columns: { account_id: 'principal', code_hash: 'hash' },
    primary: ['account_id', 'code_hash'],
  },
];

/**
 * Set while a sign-in still needs its code: the time until which the code is accepted. Until the sign-in is complete,
 * the hash of the row belongs to no cookie.
 */
export const waitingSessions: readonly ColumnsSpec[] = [
  { table: 'browser_session', columns: { waits_until: 'stamp?' } },
];
