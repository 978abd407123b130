/** 027-passkeys: keys that browsers and security keys hold, and what they were asked to sign once already. */
import type { ColumnsSpec, TableSpec } from '../tables';

export const passkeys: readonly TableSpec[] = [
  {
    table: 'passkey',
    columns: {
      id: 'id',
      account_id: 'principal',
      /** Of the credential's id: nobody has the passkey of somebody else. */ credential_hash: 'hash',
      /** In base64url, as everything that browsers send. */ credential_id: 'text:1400',
      public_key: 'text:1500',
      /** How often it signed, as it says itself; 0: it does not count. */ counter: 'int',
      /** How a browser reaches it: words with commas between. */ transports: 'text:100',
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

/** 1: no app shows codes for this account; its secret is one that nobody has. */
export const factorsWithoutApp: readonly ColumnsSpec[] = [
  { table: 'second_factor', columns: { without_app: 'flag?' } },
];
