/** 027-passkeys: keys that browsers and security keys hold, and the challenges that they have already signed. */
import type { ColumnsSpec, TableSpec } from '../tables';

export const passkeys: readonly TableSpec[] = [
  {
    table: 'passkey',
    columns: {
      id: 'id',
      account_id: 'principal',
      /** Hash of the credential's id, so that a passkey belongs to one account only. */ credential_hash: 'hash',
      /** In base64url, like everything that browsers send. */ credential_id: 'text:1400',
      public_key: 'text:1500',
      /** The passkey's own count of its signatures; 0: it does not count them. */ counter: 'int',
      /** How a browser reaches the passkey: words separated by commas. */ transports: 'text:100',
      name: 'text:80',
      created_at: 'stamp',
      last_used_at: 'stamp?',
    },
    primary: ['id'],
    unique: [['credential_hash']],
    indexes: [['account_id', 'created_at']],
  },
  {
    table: 'used_challenge',
    columns: { challenge_hash: 'hash', expires_at: 'stamp' },
    primary: ['challenge_hash'],
    indexes: [['expires_at']],
  },
];

/** 1: no app shows codes for this account; its secret is known to nobody. */
export const factorsWithoutApp: readonly ColumnsSpec[] = [
  { table: 'second_factor', columns: { without_app: 'flag?' } },
];
