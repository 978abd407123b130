/** 029-document-digests: an index that finds a document of exactly the same bytes in a record. */
import type { IndexSpec } from '../tables';

export const documentDigests: readonly IndexSpec[] = [{ table: 'document', indexes: [['record_id', 'digest']] }];
