/** 023-health-links: SMART Health Links. Such a link shows parts of a record to whoever has it, until the link ends. */
import type { TableSpec } from '../tables';

export const healthLinks: readonly TableSpec[] = [
  {
    table: 'health_link',
    columns: {
      id: 'id',
      /** Hash of the secret in the link's address. */ secret_hash: 'hash',
      /** Sealed JSON: the secret, and the key of its files. */ sealed: 'text:400',
      record_id: 'id',
      /** When set, the link shows what this carenet holds. */ carenet_id: 'id?',
      /**
       * The person who made the link. It shows no more than this person may see, and ends with this person's rights.
       */
      account_id: 'principal',
      label: 'text:80',
      /** Its argon2id hash; null: the link needs no passcode. */ passcode: 'text:200?',
      /** JSON: lineages of the documents that the link includes. */ lineages: 'long',
      openings: 'int',
      /** JSON: the last openings, the newest first, each with its time and the name that the person gave. */
      opened: 'long',
      /** Wrong passcodes since the link was made. */ failures: 'int',
      created_at: 'stamp',
      expires_at: 'stamp?',
    },
    primary: ['id'],
    unique: [['secret_hash']],
    indexes: [['record_id', 'created_at'], ['account_id', 'record_id'], ['carenet_id'], ['expires_at']],
  },
];
