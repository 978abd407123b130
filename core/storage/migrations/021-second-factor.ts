/**
 * 021-second-factor: what somebody shows at the website beside the password: an app that shows codes, and recovery
 * codes on paper.
 */
import type { ColumnsSpec, TableSpec } from '../tables';

export const secondFactors: readonly TableSpec[] = [
  {
    table: 'second_factor',
    columns: {
      account_id: 'principal',
      /** Sealed. */ secret: 'text:300',
      /** Number of the half minute whose code counted last: no code counts twice. */ last_step: 'int',
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

/** Of a sign-in whose code is still missing: until when it may come. The row's hash is no cookie's then. */
export const waitingSessions: readonly ColumnsSpec[] = [
  { table: 'browser_session', columns: { waits_until: 'stamp?' } },
];
