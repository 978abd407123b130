/**
 * 011-claimed-tokens: an index that finds the request tokens that an account has claimed; they end with its sessions.
 */
import type { IndexSpec } from '../tables';

export const claimedTokens: readonly IndexSpec[] = [{ table: 'request_token', indexes: [['claimed_by']] }];
