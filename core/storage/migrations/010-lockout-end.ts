/** 010-lockout-end: accounts whose lock-out is over, found without reading through all accounts. */
import type { IndexSpec } from '../tables';

export const lockoutEnd: readonly IndexSpec[] = [{ table: 'account', indexes: [['state', 'last_failed_login_at']] }];
