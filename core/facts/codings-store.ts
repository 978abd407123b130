/** codings: rows of the codes that senders give beside those in facts; they are written and deleted with the facts. */
import { groupedBy } from '../base/grouped-by';
import { derivedId } from '../base/ids';
import type { Id } from '../base/types';
import type { Transaction } from '../db/database';
import { insertRows } from '../db/insert-rows';
import type { Fact, GivenCode } from './plans';

type Owner = { readonly recordId: Id; readonly documentId: Id; readonly lineageId: Id };

/** A code of a statement, as it is stored. */
type StatementCoding = GivenCode & { readonly statementId: Id; readonly model: string; readonly field: string };

/** The other codes of a document's facts, each once. Nested facts have none of their own, because no line compares them. */
function codingsOf(facts: readonly Fact[], lineageId: Id): readonly StatementCoding[] {
  const all = facts.flatMap(({ model, statement, codings = {} }) =>
    Object.entries(codings).flatMap(([field, codes]) =>
      codes.map((one) => ({ ...one, statementId: derivedId(lineageId, model, statement), model, field })),
    ),
  );
  return [...new Map(all.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}

const COLUMNS = [
  'record_id',
  'document_id',
  'lineage_id',
  'statement_id',
  'place',
  'model',
  'field',
  'system',
  'code',
] as const;

/** Writes the other codes of a document that has no such rows yet. */
export async function insertCodings(trx: Transaction, owner: Owner, facts: readonly Fact[]): Promise<void> {
  const { recordId, documentId, lineageId } = owner;
  const own = { record_id: recordId, document_id: documentId, lineage_id: lineageId };
  const groups = groupedBy(codingsOf(facts, lineageId), ({ statementId }) => statementId);
  const rows = [...groups.values()].flatMap((codings) =>
    codings.map(({ statementId, ...row }, place) => ({ ...own, statement_id: statementId, place, ...row })),
  );
  if (rows.length > 0) {
    await insertRows(trx, 'statement_coding', COLUMNS, rows);
  }
}
