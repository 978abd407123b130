/** sent: rows of what senders say of their statements and documents; they are written and deleted with the facts. */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import { marks } from '../db/condition';
import { lineageInUse, type ReportScope } from '../sharing/containment';
import type { Reads, Transaction } from '../db/database';
import { newerFrom } from './facts-in-scope';
import { inParts } from '../db/in-parts';
import { insertRow, insertRows } from '../db/insert-rows';
import type { ListedStatement, SentDocument, SentStatement, Source } from './sent';

type Owner = { readonly recordId: Id; readonly documentId: Id; readonly lineageId: Id };

/** What is kept of one document. */
export type SentRows = { readonly statements: readonly SentStatement[]; readonly document: SentDocument | undefined };

const COLUMNS = [
  'record_id',
  'document_id',
  'lineage_id',
  'statement_id',
  'model',
  'name',
  'system',
  'value',
  'line',
  'said',
  'content',
] as const;

/** Writes what is kept of a document that has no rows yet. A document without ids needs no statement. */
export async function insertSent(trx: Transaction, owner: Owner, { statements, document }: SentRows): Promise<void> {
  const own = { record_id: owner.recordId, document_id: owner.documentId, lineage_id: owner.lineageId };
  if (statements.length > 0) {
    await insertRows(
      trx,
      'sent_statement',
      COLUMNS,
      statements.map(({ statementId, ...row }) => ({ ...own, statement_id: statementId, ...row })),
    );
  }
  if (document) {
    const { said, source } = document;
    await insertRow(trx, 'sent_document', { ...own, said, source: JSON.stringify(source) });
  }
}

type DocumentRow = {
  /** Null in a row about the state. */ readonly document_id: Id | null;
  readonly said: string;
  readonly source: string;
  readonly documents: number | string;
  readonly last: number | string | null;
};

export type SentInScope = {
  readonly documents: readonly SentDocument[];
  /**
   * Of a whole record: a text that is another one as soon as documents come or are read anew, or change their status.
   * All facts, and what is said beside them, are then perhaps others. Documents are never changed in place, and numbers
   * of rows are given once; the status of a document of another record may change the text, too. What is taken in later
   * has a row less.
   */
  readonly state?: string;
};

const STATE =
  "union all select null, coalesce(fingerprint, ''), '', count(*), max(seq) from document where record_id = ? " +
  "group by fingerprint union all select null, 'status', '', 0, max(seq) from document_status " +
  "union all select null, 'left out', '', count(*), max(seq) from left_out_fact where record_id = ?";

/** What the active documents of the scope say of themselves. */
export async function readSentDocuments(on: Reads, scope: ReportScope): Promise<SentInScope> {
  const { text, values } = lineageInUse('lineage', scope);
  const isWhole = scope.carenetId === undefined;
  const rows = await on.rows<DocumentRow>(
    'select sent.document_id, sent.said, sent.source, 0 as documents, 0 as last from sent_document as sent ' +
      `join document_lineage as lineage on lineage.id = sent.lineage_id where sent.record_id = ? and ${text} ` +
      (isWhole ? STATE : ''),
    [scope.recordId, ...values, ...(isWhole ? [scope.recordId, scope.recordId] : [])],
  );
  const documents = rows.flatMap(({ document_id: documentId, said, source }): readonly SentDocument[] =>
    documentId === null ? [] : [{ documentId, said, source: JSON.parse(source) as Source }],
  );
  return isWhole ? { documents, state: stateIn(rows) } : { documents };
}

function stateIn(rows: readonly DocumentRow[]): string {
  return rows
    .filter(({ document_id: documentId }) => documentId === null)
    .map(({ said, documents, last }) => `${said} ${documents} ${last ?? ''}`)
    .sort()
    .join();
}

type ListedRow = {
  readonly statement_id: Id;
  readonly document_id: Id;
  readonly model: string;
  readonly name: string;
};

/** The statements of these models that belong to lists of their senders. */
export async function readListed(
  on: Reads,
  scope: ReportScope,
  models: readonly string[],
): Promise<readonly ListedStatement[]> {
  if (models.length === 0) {
    return [];
  }
  const { text, values } = lineageInUse('lineage', scope);
  const rows = await on.rows<ListedRow>(
    'select sent.statement_id, sent.document_id, sent.model, sent.name from sent_statement as sent ' +
      'join document_lineage as lineage on lineage.id = sent.lineage_id ' +
      `where sent.record_id = ? and sent.model in (${marks(models)}) and sent.name is not null and ${text}`,
    [scope.recordId, ...models, ...values],
  );
  return rows.map(({ statement_id: statementId, document_id: documentId, model, name }) => ({
    statementId,
    documentId,
    model,
    name,
  }));
}

/**
 * The newer documents in which the sender of a document says something else about its statements, each with the number
 * of these statements.
 */
export async function countNewer(
  on: Reads,
  scope: ReportScope & Required<Pick<ReportScope, 'current'>>,
  documentId: Id,
): Promise<ReadonlyMap<Id, number>> {
  const newer = newerFrom(scope, scope.current);
  const rows = await on.rows<{ newer_id: Id; n: number | string }>(
    `select newer_id, count(*) as n from (select (select newer.document_id ${newer.text} and newer.content <> sent.content ` +
      'order by newer.said desc, newer.statement_id limit 1) as newer_id from sent_statement as sent ' +
      'where sent.document_id = ? and sent.line is not null) as found where newer_id is not null group by newer_id',
    [...newer.values, documentId],
  );
  return new Map(rows.map(({ newer_id: id, n }) => [id, Number(n)]));
}

/** The documents of the scope that say the same as each of these statements, itself included. */
export async function readSayers(
  on: Reads,
  scope: ReportScope,
  statementIds: readonly Id[],
): Promise<ReadonlyMap<Id, readonly Id[]>> {
  const { text, values } = lineageInUse('lineage', scope);
  const rows: { statement_id: Id; document_id: Id }[] = [];
  for (const ids of inParts(statementIds)) {
    rows.push(
      ...(await on.rows<{ statement_id: Id; document_id: Id }>(
        // SQLite keeps the order of a cross join: it would begin with all statements of the record.
        'select distinct sent.statement_id, other.document_id from sent_statement as sent ' +
          'cross join sent_statement as other on other.record_id = sent.record_id and other.line = sent.line ' +
          'and other.content = sent.content ' +
          'cross join document_lineage as lineage on lineage.id = other.lineage_id ' +
          `where sent.record_id = ? and sent.statement_id in (${marks(ids)}) and ${text}`,
        [scope.recordId, ...ids, ...values],
      )),
    );
  }
  const groups = groupedBy(rows, ({ statement_id: id }) => id);
  return new Map([...groups].map(([id, said]) => [id, said.map(({ document_id: document }) => document)]));
}
