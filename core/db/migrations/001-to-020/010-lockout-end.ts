/** 010-lockout-end: an index that finds accounts whose lock-out is over without reading all accounts. */
import type { IndexSpec } from '../tables';

export const lockoutEnd: readonly IndexSpec[] = [{ table: 'account', indexes: [['state', 'last_failed_login_at']] }];
