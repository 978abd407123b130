/**
 * document-keys: what a list of all documents is put in order and counted by, without their facts: what they say of
 * themselves, which models they have facts of, and the newest day of these.
 */
import type { DatabaseReads } from '../../core/db/database';
import type { Dialect } from '../../core/db/dialect';
import type { DocumentRow } from '../../core/documents/store';
import { countedInRecord, type CountedIn } from '../../core/facts/facts-across';

export type DocumentKey = Pick<DocumentRow, 'id' | 'type' | 'label' | 'about' | 'own' | 'createdAt' | 'creator'> & {
  readonly contents: readonly { readonly model: string; readonly count: number }[];
  /** The newest date of its facts, as it is stored; undefined where they have none. */
  readonly newest: string | undefined;
};

/** Reads with one statement, whatever the record holds. */
export async function keysOf(
  reads: DatabaseReads,
  dialect: Dialect,
  tables: readonly CountedIn[],
  recordId: string,
  rows: readonly DocumentRow[],
): Promise<readonly DocumentKey[]> {
  const said = await countedInRecord(reads.long, dialect, tables, recordId);
  return rows.map(({ id, type, label, about, own, createdAt, creator }) => {
    const contents = said.get(id) ?? [];
    const dates = contents.flatMap(({ newest }) => newest ?? []);
    return { id, type, label, about, own, createdAt, creator, contents, newest: dates.sort().at(-1) };
  });
}
