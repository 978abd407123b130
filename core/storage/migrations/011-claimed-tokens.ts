/** 011-claimed-tokens: request tokens that an account has claimed, which end with its sessions. */
import type { IndexSpec } from '../tables';

export const claimedTokens: readonly IndexSpec[] = [{ table: 'request_token', indexes: [['claimed_by']] }];
