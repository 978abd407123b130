/**
 * 016-handovers: an owner's offer to make somebody else the owner of a record, until the other has answered; one a
 * record.
 */
import type { TableSpec } from '../tables';

export const handovers: readonly TableSpec[] = [
  {
    table: 'record_handover',
    columns: {
      record_id: 'id',
      /** Who owned the record when it was offered; the offer is dead when somebody else does. */ owner_id: 'principal',
      to_id: 'principal',
      /** 1: the owner asks to keep a full share. */ keeps: 'flag',
      offered_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['record_id'],
    indexes: [['to_id'], ['expires_at']],
  },
];
