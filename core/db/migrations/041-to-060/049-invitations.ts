/**
 * 049-invitations: people who are invited to see a record or circles of it, by a mail whose link is good for one account.
 * Nobody sees anything before the inviter says yes.
 */
import type { TableSpec } from '../tables';

export const invitations: readonly TableSpec[] = [
  {
    table: 'record_invitation',
    columns: {
      id: 'id',
      record_id: 'id',
      account_id: 'principal',
      /** Hash of the link's secret. */ secret_hash: 'hash',
      /** Sealed JSON: name and address, as the inviter typed them. */ sealed: 'long',
      /** `whole`, or ids of carenets with spaces between them. */ gives: 'text:1900',
      /** Who came by the link. */ guest_id: 'principal?',
      created_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['id'],
    unique: [['secret_hash']],
    indexes: [['record_id'], ['account_id'], ['expires_at']],
  },
];
