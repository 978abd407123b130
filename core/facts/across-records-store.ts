/** across-records-store: facts of one model in several records, each with a fixed number of queries for all of them. */
import type { Id } from '../base/types';
import { marks } from '../db/condition';
import type { Database } from '../db/database';
import type { StoredFact, TablePlan } from './plans';
import type { SentDocument, Source } from './sent';
import { isCurrent } from './facts-in-scope';
import { factColumns, toFact, type FactRow } from './store';

type Reading = Pick<Database, 'reads' | 'dialect'>;
type SentRow = { readonly record_id: Id; readonly document_id: Id; readonly said: string; readonly source: string };

/** What the active documents of these records say of themselves. */
export async function readSentAcross(
  { reads }: Reading,
  recordIds: readonly Id[],
): Promise<readonly (SentDocument & { readonly recordId: Id })[]> {
  const rows = await reads.rows<SentRow>(
    'select sent.record_id, sent.document_id, sent.said, sent.source from sent_document as sent ' +
      'join document_lineage as lineage on lineage.id = sent.lineage_id ' +
      `where sent.record_id in (${marks(recordIds)}) and lineage.status = 'active'`,
    [...recordIds],
  );
  return rows.map(({ record_id: recordId, document_id: documentId, said, source }) => ({
    recordId,
    documentId,
    said,
    source: JSON.parse(source) as Source,
  }));
}

/** What a person calls wrong is taken out of lists of what is so. */
type Words = { readonly word: TablePlan; readonly about: TablePlan };

function notCalledWrong({ word, about }: Words): string {
  return (
    `not exists (select 1 from \`${about.table}\` as about join \`${word.table}\` as word on word._id = about._parent_id ` +
    'join document_lineage as told on told.id = word._lineage_id ' +
    "where word._record_id = fact._record_id and about.statement = fact._statement and word.verdict = 'wrong' " +
    "and told.status = 'active')"
  );
}

type Across = {
  readonly plan: TablePlan;
  readonly words: Words | undefined;
  readonly recordIds: readonly Id[];
  /** Documents that newer ones took the place of. */ readonly replaced: readonly Id[];
  /** How many facts of one record at most. */ readonly most: number;
};

/** What counts now of a model in these whole records: of each record the newest facts. */
export async function readCurrentAcross(
  database: Reading,
  { plan, words, recordIds, replaced, most }: Across,
): Promise<readonly StoredFact[]> {
  const current = isCurrent({ recordId: '', current: { replaced } })!;
  const rows = await database.reads.long.rows<FactRow>(
    `select * from (select ${factColumns(database.dialect, plan)}, ` +
      'row_number() over (partition by fact._record_id order by fact._seq desc) as _nth ' +
      `from \`${plan.table}\` as fact join document_lineage as lineage on lineage.id = fact._lineage_id ` +
      `where fact._record_id in (${marks(recordIds)}) and lineage.status = 'active' and ${current.text}` +
      `${words ? ` and ${notCalledWrong(words)}` : ''}) as newest where _nth <= ?`,
    [...recordIds, ...current.values, most],
  );
  return rows.map((row) => toFact(plan, row));
}
