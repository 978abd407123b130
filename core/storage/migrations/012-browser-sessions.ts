/**
 * 012-browser-sessions: which session a browser holds: its cookie's hash beside the row of the session, and the
 * language it is spoken to.
 */
import type { IndexSpec, TableSpec } from '../tables';

export const browserSessions: readonly TableSpec[] = [
  {
    table: 'browser_session',
    columns: {
      cookie_hash: 'hash',
      /** Of the row in session_token; the pair ends with it. */ token_hash: 'hash',
      device: 'text:200',
      language: 'text:20',
      zone: 'text:60',
      expires_at: 'stamp',
    },
    primary: ['cookie_hash'],
    unique: [['token_hash']],
    indexes: [['expires_at']],
  },
];

/** Accounts are found by e-mail address, which may be all that a person who forgot the password knows. */
export const accountAddresses: readonly IndexSpec[] = [{ table: 'account', indexes: [['search_email']] }];
