/**
 * identifiers-store: finds the document that brought a resource with a certain identifier of its sender. An
 * identifier belongs to the first document that has it, as long as this document is active.
 */
import type { Id } from '../base/types';
import type { Reads, Transaction } from '../db/connection';
import type { Dialect } from '../db/dialect';
import { inParts } from '../db/in-parts';
import { insertRows } from '../db/insert-rows';

export type IdentifiedDocument = {
  readonly identifierHash: string;
  readonly documentId: Id;
  /** Null when no statement was made from the resource. */
  readonly statementId: Id | null;
};

/** The latest version of the active document that has the identifier. */
export async function findIdentified(
  on: Reads,
  recordId: Id,
  identifierHash: string,
): Promise<IdentifiedDocument | undefined> {
  const row = (await on('document_identifier as known')
    .join('document', 'document.id', 'known.document_id')
    .join('document_lineage as lineage', 'lineage.id', 'document.lineage_id')
    .where({ 'known.record_id': recordId, 'known.identifier_hash': identifierHash, 'lineage.status': 'active' })
    .first('lineage.latest_id', 'known.statement_id')) as
    { latest_id: string; statement_id: string | null } | undefined;
  return row && { identifierHash, documentId: row.latest_id, statementId: row.statement_id };
}

/** Frees identifiers of documents that are no longer active. */
function releaseIdentifiers(trx: Transaction, recordId: Id, hashes: readonly string[]): Promise<unknown> {
  return trx('document_identifier')
    .where('record_id', recordId)
    .whereIn('identifier_hash', hashes)
    .whereIn(
      'document_id',
      trx('document')
        .join('document_lineage as lineage', 'lineage.id', 'document.lineage_id')
        .where('document.record_id', recordId)
        .where('lineage.status', '<>', 'active')
        .select('document.id'),
    )
    .delete();
}

const COLUMNS = ['record_id', 'identifier_hash', 'document_id', 'statement_id'] as const;

/**
 * Stores the identifiers of a document's resources. Identifiers that another document has stay with it.
 * @param mustBeNew the identifiers for which the driver's duplicate error is thrown when another document has them
 */
export async function noteIdentifiers(
  trx: Transaction,
  { insertIgnore }: Pick<Dialect, 'insertIgnore'>,
  recordId: Id,
  identified: readonly IdentifiedDocument[],
  mustBeNew: readonly string[] = [],
): Promise<void> {
  if (identified.length === 0) {
    return;
  }
  // Always in the same order, so that two callers never deadlock.
  const rows = [...new Map(identified.map((one) => [one.identifierHash, one])).values()].sort((one, other) =>
    one.identifierHash < other.identifierHash ? -1 : 1,
  );
  for (const some of inParts(rows)) {
    await releaseIdentifiers(
      trx,
      recordId,
      some.map(({ identifierHash }) => identifierHash),
    );
  }
  const insert = (some: readonly IdentifiedDocument[], verb?: string): Promise<number> =>
    insertRows(
      trx,
      'document_identifier',
      COLUMNS,
      some.map(({ identifierHash, documentId, statementId }) => ({
        record_id: recordId,
        identifier_hash: identifierHash,
        document_id: documentId,
        statement_id: statementId,
      })),
      verb,
    );
  await insert(rows.filter(({ identifierHash }) => mustBeNew.includes(identifierHash)));
  await insert(
    rows.filter(({ identifierHash }) => !mustBeNew.includes(identifierHash)),
    insertIgnore,
  );
}
