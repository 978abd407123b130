/**
 * 013-audit-marks: marks on rows that stand for several calls, on shortened rows, and on imported rows and messages,
 * which describe events of another installation.
 */
import type { ColumnsSpec, TableSpec } from '../tables';

export const auditMarks: readonly ColumnsSpec[] = [
  {
    table: 'audit',
    columns: {
      /** How many further calls in the same minute the row stands for. */ repeats: 'int?',
      /** The operator who imported the row. */ imported_by: 'text:255?',
      imported_at: 'stamp?',
      /** 1: path and address were removed later; `audit_shortened` vouches for the rest. */ shortened: 'flag?',
    },
  },
  { table: 'message', columns: { imported_by: 'text:255?', imported_at: 'stamp?' } },
  { table: 'record_message', columns: { imported_by: 'text:255?', imported_at: 'stamp?' } },
];

export const auditShortened: readonly TableSpec[] = [
  {
    table: 'audit_shortened',
    sequence: true,
    columns: {
      made_at: 'stamp',
      writer_id: 'id',
      /** Numbers of the rows in their chain, as a JSON list. */ numbers: 'long',
      /** Digest of what is left of these rows, with the hash of each row and of the row before it. */ digest: 'hash',
      signature: 'text:128',
    },
    indexes: [['writer_id']],
  },
];
