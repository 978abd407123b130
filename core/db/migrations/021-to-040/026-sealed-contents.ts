/**
 * 026-sealed-contents: a key for each record, under which its contents are sealed, and the columns that mark a row as
 * sealed.
 */
import type { ColumnsSpec } from '../tables';

/** 1: the column `content` is sealed. */
const SEALED = { sealed: 'flag?' } as const;
/** The row's texts, sealed together; their own columns are empty then. */
const SEALED_TEXTS = { sealed_texts: 'bytes?' } as const;

export const sealedContents: readonly ColumnsSpec[] = [
  /** Sealed under the service's key; null before `svc seal`, and as soon as the record is being forgotten. */
  { table: 'record', columns: { content_key: 'text:200?' } },
  { table: 'document', columns: SEALED },
  { table: 'record_message_attachment', columns: SEALED },
  { table: 'app_document', columns: SEALED },
  { table: 'app_preference', columns: SEALED },
  { table: 'record_message', columns: SEALED_TEXTS },
  { table: 'message', columns: SEALED_TEXTS },
  { table: 'notification', columns: SEALED_TEXTS },
];
