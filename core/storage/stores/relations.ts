/** relations: which document annotates, interprets or follows which; kept between lineages (specification 2.7). */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import { contained } from '../containment';
import type { Transaction } from '../database';
import { inParts } from '../in-parts';
import type { Reads } from '../connection';

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
export const insertRelation = (trx: Transaction, relation: NewRelation): Promise<unknown> =>
  trx('document_relation')
    .insert({
      type: relation.type,
      subject_lineage_id: relation.subjectLineageId,
      object_lineage_id: relation.objectLineageId,
      created_by: relation.createdBy,
      created_at: relation.createdAt,
    })
    .onConflict(['subject_lineage_id', 'type', 'object_lineage_id'])
    .ignore();

export type RelationCount = {
  readonly lineageId: Id;
  readonly type: RelationType;
  readonly direction: 'relates_to' | 'is_related_from';
  readonly count: number;
};

type CountRow = { lineage_id: string; type: RelationType; direction: RelationCount['direction']; n: number | string };

const countText = (direction: RelationCount['direction'], lineages: number, carenetId: Id | undefined): string => {
  const [own, other] =
    direction === 'relates_to'
      ? ['subject_lineage_id', 'object_lineage_id']
      : ['object_lineage_id', 'subject_lineage_id'];
  const inCarenet = carenetId === undefined ? '' : ` and ${contained('other', carenetId).text}`;
  return `select relation.${own} as lineage_id, relation.type, '${direction}' as direction, count(*) as n from document_relation as relation
    join document_lineage as other on other.id = relation.${other}
    where relation.${own} in (${Array.from({ length: lineages }, () => '?').join(', ')}) and other.status = 'active'${inCarenet}
    group by relation.${own}, relation.type`;
};

/**
 * How many active documents each of the lineages relates to and is related from, in one statement for thousands of them: as many
 * as the lists of relations show unless asked for others.
 * @param carenetId counts only what this carenet contains
 */
export const countRelations = async (
  on: Reads,
  lineageIds: readonly Id[],
  carenetId?: Id,
): Promise<readonly RelationCount[]> => {
  const rows: CountRow[] = [];
  for (const some of inParts(lineageIds)) {
    const side = (direction: RelationCount['direction']): string => countText(direction, some.length, carenetId);
    const values = [...some, ...(carenetId === undefined ? [] : contained('other', carenetId).values)];
    rows.push(
      ...(await on.rows<CountRow>(`${side('relates_to')} union all ${side('is_related_from')}`, [
        ...values,
        ...values,
      ])),
    );
  }
  return rows.map((row) => ({
    lineageId: row.lineage_id,
    type: row.type,
    direction: row.direction,
    count: Number(row.n),
  }));
};
