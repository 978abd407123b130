/**
 * 029-document-digests: whether a record has a document of exactly these bytes, found without reading through the
 * record.
 */
import type { IndexSpec } from '../tables';

export const documentDigests: readonly IndexSpec[] = [{ table: 'document', indexes: [['record_id', 'digest']] }];
