/**
 * 013-audit-marks: rows that stand for several calls, rows that were shortened, and what an import brought in and
 * nobody here has seen happen.
 */
import type { ColumnsSpec, TableSpec } from '../tables';

export const auditMarks: readonly ColumnsSpec[] = [
  {
    table: 'audit',
    columns: {
      /** How many further calls of its minute the row stands for. */ repeats: 'int?',
      /** The operator who brought the row in. */ imported_by: 'text:255?',
      imported_at: 'stamp?',
      /** 1: path and address were taken out later; `audit_shortened` vouches for the rest. */ shortened: 'flag?',
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
      /** Over what is left of these rows, with the hashes before and of each. */ digest: 'hash',
      signature: 'text:128',
    },
    indexes: [['writer_id']],
  },
];
