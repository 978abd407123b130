/**
 * containment: which documents a carenet contains; the one place of the rule, as SQL, so that lists, contents, counts and
 * reports all ask the same question. In falling strength: nevershare, the explicit preference, the autoshare of the type.
 */
import type { Knex } from 'knex';

/** `carenet` is `?` for an id or `??` for a column. Its places: nevershare, carenet, record, carenet, lineage, carenet, type. */
const ruleText = (carenet: '?' | '??'): string =>
  `?? = 0 and exists (select 1 from carenet as held_in where held_in.id = ${carenet} and held_in.record_id = ??) and coalesce(
    (select shared from carenet_preference as preference where preference.carenet_id = ${carenet} and preference.lineage_id = ??),
    (select 1 from carenet_autoshare as autoshare where autoshare.carenet_id = ${carenet} and autoshare.type = ??), 0) = 1`;

const places = (lineage: string, carenet: string): string[] =>
  [`${lineage}.nevershare`, carenet, `${lineage}.record_id`, carenet, `${lineage}.id`, carenet, `${lineage}.type`];

/**
 * Limits a query to lineages that the carenet contains.
 * @param lineage alias of document_lineage in the query
 */
export const containedIn = (query: Knex.QueryBuilder, lineage: string, carenetId: string): Knex.QueryBuilder =>
  query.whereRaw(ruleText('?'), places(lineage, carenetId));

/**
 * Limits a query to pairs of a carenet and a lineage that it contains.
 * @param carenet alias of carenet in the query
 */
export const containing = (query: Knex.QueryBuilder, lineage: string, carenet: string): Knex.QueryBuilder =>
  query.whereRaw(ruleText('??'), places(lineage, `${carenet}.id`));
