/**
 * history-store: reads the names of people, apps, carenets and documents with which a page describes a record's audit rows.
 */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { storedAbout, type About } from '../facts/about';
import type { Reads } from '../db/database';

/** Names by id; unknown ids are left out. */
export async function findNames(on: Reads, ids: readonly PrincipalId[]): Promise<ReadonlyMap<PrincipalId, string>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = (await on('principal')
    .whereIn('id', [...ids])
    .select('id', 'name')) as { id: string; name: string }[];
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function carenetNames(on: Reads, recordId: Id): Promise<ReadonlyMap<Id, string>> {
  const rows = (await on('carenet').where({ record_id: recordId }).select('id', 'name')) as {
    id: string;
    name: string;
  }[];
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type NamedDocument = { readonly type: string; readonly label: string | null; readonly about: About | null };

/** Names of documents in one record only, because an audit row may name a document of another record. */
export async function documentNames(
  on: Reads,
  recordId: Id,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, NamedDocument>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = (await on('document')
    .join('document_lineage as lineage', 'lineage.id', 'document.lineage_id')
    .whereIn('document.id', [...ids])
    .where('document.record_id', recordId)
    .select('document.id', 'document.type', 'document.about', 'lineage.label')) as {
    id: string;
    type: string;
    about: string | null;
    label: string | null;
  }[];
  return new Map(rows.map(({ id, type, label, about }) => [id, { type, label, about: storedAbout(about) }]));
}

/** The principals in the audit rows of a record. */
export async function peopleInAudit(on: Reads, recordId: Id): Promise<readonly PrincipalId[]> {
  return (
    (await on('audit')
      .where({ record_id: recordId })
      .whereNotNull('principal_id')
      .groupBy('principal_id')
      .orderBy('principal_id')
      .limit(200)
      .select('principal_id')) as { principal_id: string }[]
  ).map(({ principal_id: id }) => id);
}

/** The number of audit rows of a record, and when the first of them was written. */
export async function extentOfAudit(
  on: Reads,
  recordId: Id,
): Promise<{ readonly total: number; readonly since: Timestamp | null }> {
  const row = (await on('audit')
    .where({ record_id: recordId })
    .count({ n: '*' })
    .min({ since: 'requested_at' })
    .first()) as { n: number | string; since: string | null } | undefined;
  return { total: Number(row?.n ?? 0), since: row?.since ?? null };
}
