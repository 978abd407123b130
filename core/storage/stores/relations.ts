/** relations: which document annotates, interprets or follows which; kept between lineages (specification 2.7). */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import { containedIn } from '../containment';
import type { Connection } from '../database';

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
export const insertRelation = (connection: Connection, relation: NewRelation): Promise<unknown> =>
  connection('document_relation').insert({
    type: relation.type,
    subject_lineage_id: relation.subjectLineageId,
    object_lineage_id: relation.objectLineageId,
    created_by: relation.createdBy,
    created_at: relation.createdAt,
  }).onConflict(['subject_lineage_id', 'type', 'object_lineage_id']).ignore();

export type RelationCount = { readonly lineageId: Id; readonly type: RelationType; readonly direction: 'relates_to' | 'is_related_from'; readonly count: number };

/**
 * How many documents each of the lineages relates to and is related from, in one statement.
 * @param carenetId counts only what this carenet contains
 */
export const countRelations = async (connection: Connection, lineageIds: readonly Id[], carenetId?: Id): Promise<readonly RelationCount[]> => {
  if (lineageIds.length === 0) {
    return [];
  }
  const side = (direction: RelationCount['direction']): Knex.QueryBuilder => {
    const [own, other] = direction === 'relates_to' ? ['subject_lineage_id', 'object_lineage_id'] : ['object_lineage_id', 'subject_lineage_id'];
    const counts = connection('document_relation as relation').whereIn(`relation.${own}`, lineageIds).groupBy(`relation.${own}`, 'relation.type')
      .select({ lineage_id: `relation.${own}`, type: 'relation.type', direction: connection.raw('?', [direction]) }).count({ n: '*' });
    return carenetId === undefined
      ? counts
      : containedIn(counts.join('document_lineage as other', 'other.id', `relation.${other}`), 'other', carenetId);
  };
  // Each side is a table of its own: the builder would put one side's groups behind the other.
  const counted = (direction: RelationCount['direction']): Knex.QueryBuilder => connection.select('*').from(side(direction).as(direction));
  const rows = (await counted('relates_to').unionAll([counted('is_related_from')])) as { lineage_id: string; type: RelationType; direction: RelationCount['direction']; n: number | string }[];
  return rows.map((row) => ({ lineageId: row.lineage_id, type: row.type, direction: row.direction, count: Number(row.n) }));
};
