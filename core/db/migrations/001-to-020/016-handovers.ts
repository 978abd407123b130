/**
 * 016-handovers: offers of owners to make somebody else the owner of a record, kept until that person answers. A record
 * has at most one offer.
 */
import type { TableSpec } from '../tables';

export const handovers: readonly TableSpec[] = [
  {
    table: 'record_handover',
    columns: {
      record_id: 'id',
      /** The owner at the time of the offer. The offer ends when somebody else owns the record. */
      owner_id: 'principal',
      to_id: 'principal',
      /** 1: the owner asks to keep a full share. */ keeps: 'flag',
      offered_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['record_id'],
    indexes: [['to_id'], ['expires_at']],
  },
];
