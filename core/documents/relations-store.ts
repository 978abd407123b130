/** relations-store: which document annotates, interprets or follows which; kept between lineages (specification 2.7). */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Builder } from '../db/builder';
import { containedIn } from '../sharing/containment';
import type { Transaction } from '../db/database';
import { inParts } from '../db/in-parts';
import { keptStatement, padded } from '../db/kept-statement';
import type { Reads } from '../db/connection';

export type RelationType = 'annotation' | 'interpretation' | 'followup';

export type NewRelation = {
  readonly type: RelationType;
  /** The annotation. */
  readonly subjectLineageId: Id;
  /** The annotated document. */
  readonly objectLineageId: Id;
  readonly createdBy: PrincipalId;
  readonly createdAt: Timestamp;
};

/** Relating the same two documents again changes nothing. */
export function insertRelation(trx: Transaction, relation: NewRelation): Promise<unknown> {
  return trx('document_relation')
    .insert({
      type: relation.type,
      subject_lineage_id: relation.subjectLineageId,
      object_lineage_id: relation.objectLineageId,
      created_by: relation.createdBy,
      created_at: relation.createdAt,
    })
    .onConflict(['subject_lineage_id', 'type', 'object_lineage_id'])
    .ignore();
}

export type RelationCount = {
  readonly lineageId: Id;
  readonly type: RelationType;
  readonly direction: 'relates_to' | 'is_related_from';
  readonly count: number;
};

type CountRow = { lineage_id: string; type: RelationType; direction: RelationCount['direction']; n: number | string };

function countSide(
  on: Builder,
  direction: RelationCount['direction'],
  lineageIds: readonly Id[],
  carenetId?: Id,
): Knex.QueryBuilder {
  const [own, other] =
    direction === 'relates_to'
      ? ['relation.subject_lineage_id', 'relation.object_lineage_id']
      : ['relation.object_lineage_id', 'relation.subject_lineage_id'];
  const query = on('document_relation as relation')
    .join('document_lineage as other', 'other.id', other)
    .whereIn(own, lineageIds)
    .where('other.status', 'active')
    .groupBy(own, 'relation.type')
    .select({ lineage_id: own }, 'relation.type', on.raw('? as direction', [direction]))
    .count({ n: '*' });
  return carenetId === undefined ? query : containedIn(query, 'other', carenetId);
}

function countBoth(on: Builder, lineageIds: readonly Id[], carenetId?: Id): Knex.QueryBuilder {
  return on
    .queryBuilder()
    .unionAll((['relates_to', 'is_related_from'] as const).map((side) => countSide(on, side, lineageIds, carenetId)));
}

/**
 * A power of two, since lists are padded. Both sides of the statement name all lineages, and SQLite accepts 32,766
 * values in one statement.
 */
const LINEAGES_IN_STATEMENT = 8192;

const countInRecord = keptStatement<CountRow, readonly Id[]>((on, ...lineageIds) => countBoth(on, lineageIds));

const countInCarenet = keptStatement<CountRow, readonly [carenetId: Id, ...lineageIds: Id[]]>(
  (on, carenetId, ...lineageIds) => countBoth(on, lineageIds, carenetId),
);

/**
 * The number of active documents that each of the lineages relates to, and that relate to it, with one statement for
 * thousands of lineages. The lists of relations show the same number unless asked for others.
 * @param carenetId counts only what this carenet contains
 */
export async function countRelations(
  on: Reads,
  lineageIds: readonly Id[],
  carenetId?: Id,
): Promise<readonly RelationCount[]> {
  const rows: CountRow[] = [];
  for (const some of inParts(lineageIds, LINEAGES_IN_STATEMENT)) {
    const ids = padded(some);
    rows.push(...(await (carenetId === undefined ? countInRecord(on, ...ids) : countInCarenet(on, carenetId, ...ids))));
  }
  return rows.map((row) => ({
    lineageId: row.lineage_id,
    type: row.type,
    direction: row.direction,
    count: Number(row.n),
  }));
}
