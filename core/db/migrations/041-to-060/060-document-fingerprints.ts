/** 060-document-fingerprints: an index that tells whether documents of a record came or were read anew. */
import type { IndexSpec } from '../tables';

export const documentFingerprints: readonly IndexSpec[] = [
  { table: 'document', indexes: [['record_id', 'fingerprint', 'seq']] },
];
