/**
 * 012-browser-sessions: the session of a browser: the hash of its cookie, its row in session_token, and the language of
 * its pages.
 */
import type { IndexSpec, TableSpec } from '../tables';

export const browserSessions: readonly TableSpec[] = [
  {
    table: 'browser_session',
    columns: {
      cookie_hash: 'hash',
      /** Hash of the token in session_token; this row ends with that one. */ token_hash: 'hash',
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
