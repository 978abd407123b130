/**
 * format: what an archive of one record looks like. It is a gzipped tar file (POSIX ustar) with one folder. Its JSON
 * files hold the stored rows by their column names, its other files hold stored bytes, and `sha256sum -c` can read its
 * manifest.
 */
import type { Json } from '../base/types';

/** This number is raised when archives of the earlier format can no longer be read in the same way. */
export const FORMAT = 1;

export const RECORD_FILE = 'record.json';
export const PRINCIPALS_FILE = 'principals.jsonl';
export const INDEX_FILE = 'index.html';
export const MANIFEST_FILE = 'manifest.sha256';

/** A row in the form of a JSON line. */
export type Row = Readonly<Record<string, Json>>;

export type RecordFile = {
  readonly format: number;
  readonly service: string;
  readonly exported_at: string;
  /** The address that stands for `{vocab_base}` in document types. */
  readonly vocab_base: string;
  readonly record: Row;
  readonly demographics: Row | null;
};

/** An account or app that the rows name. */
export type PrincipalLine = { readonly id: string; readonly kind: string; readonly name: string };

export function folderOf(recordId: string): string {
  return `record-${recordId}`;
}

/** The file with the facts of a model. */
export function factFile(model: string): string {
  return `facts/${model}.jsonl`;
}
