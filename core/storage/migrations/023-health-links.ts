/** 023-health-links: SMART Health Links: what a person shows of a record to whoever has a link, until it ends. */
import type { TableSpec } from '../tables';

export const healthLinks: readonly TableSpec[] = [
  {
    table: 'health_link',
    columns: {
      id: 'id',
      /** Of the secret in its address. */ secret_hash: 'hash',
      /** Sealed JSON: the secret, and the key of its files. */ sealed: 'text:400',
      record_id: 'id',
      /** Set: it shows what this carenet holds. */ carenet_id: 'id?',
      /** Who made it: it shows no more than they may see, and ends with their rights. */ account_id: 'principal',
      label: 'text:80',
      /** argon2id; null: none is asked for. */ passcode: 'text:200?',
      /** JSON: lineages of the documents that go along. */ lineages: 'long',
      openings: 'int',
      /** JSON: the last openings, the newest first: when, and who it was as they said. */ opened: 'long',
      /** Wrong passcodes, over its whole life. */ failures: 'int',
      created_at: 'stamp',
      expires_at: 'stamp?',
    },
    primary: ['id'],
    unique: [['secret_hash']],
    indexes: [['record_id', 'created_at'], ['account_id', 'record_id'], ['carenet_id'], ['expires_at']],
  },
];
