/**
 * containment: which documents a carenet contains, and which of their versions; the one place of the rule, as SQL, so
 * that lists, contents, counts and reports all ask the same question. In falling strength: nevershare, the explicit
 * preference, the autoshare of the type. Of what is contained only the latest version is there: a correction may have
 * taken out what was not to be seen. Facts exist of latest versions only.
 */
import type { Knex } from 'knex';
import type { Reads } from './database';

/** The rule for the lineage of an alias and a carenet: `?` for an id, which is then needed three times, or a column. */
const ruleText = (lineage: string, carenet: string): string =>
  `${lineage}.nevershare = 0 and exists (select 1 from carenet as held_in where held_in.id = ${carenet} and held_in.record_id = ${lineage}.record_id) and coalesce(
    (select shared from carenet_preference as preference where preference.carenet_id = ${carenet} and preference.lineage_id = ${lineage}.id),
    (select 1 from carenet_autoshare as autoshare where autoshare.carenet_id = ${carenet} and autoshare.type = ${lineage}.type), 0) = 1`;

/**
 * The condition that the carenet contains a lineage, as text with its values.
 * @param lineage alias of document_lineage in the statement
 */
export const contained = (
  lineage: string,
  carenetId: string,
): { readonly text: string; readonly values: readonly string[] } => ({
  text: ruleText(lineage, '?'),
  values: [carenetId, carenetId, carenetId],
});

/** Limits a query to lineages that the carenet contains. */
export const containedIn = (query: Knex.QueryBuilder, lineage: string, carenetId: string): Knex.QueryBuilder => {
  const { text, values } = contained(lineage, carenetId);
  return query.whereRaw(text, values);
};

/** Limits a query to versions that the carenet shows. @param document alias of document in the query */
export const shownIn = (
  query: Knex.QueryBuilder,
  lineage: string,
  document: string,
  carenetId: string,
): Knex.QueryBuilder =>
  containedIn(query.whereRaw('?? = ??', [`${document}.id`, `${lineage}.latest_id`]), lineage, carenetId);

/**
 * Limits a query to pairs of a carenet and a lineage that it contains.
 * @param carenet alias of carenet in the query
 */
export const containing = (query: Knex.QueryBuilder, lineage: string, carenet: string): Knex.QueryBuilder =>
  query.whereRaw(ruleText(lineage, `${carenet}.id`));

/** One record's carenet. */
export type CarenetScope = { readonly recordId: string; readonly carenetId: string };

/** Adds conditions on `lineage` to a query. */
type Narrow = (query: Knex.QueryBuilder) => Knex.QueryBuilder;

const inRecord = (query: Knex.QueryBuilder, { recordId }: CarenetScope): Knex.QueryBuilder =>
  query.where({ 'lineage.record_id': recordId, 'lineage.nevershare': 0 });

/** Lineages with an explicit preference, and those with an autoshared type: the two ways in, each by its own index. */
const withPreference = (on: Reads, scope: CarenetScope): Knex.QueryBuilder =>
  inRecord(
    on('carenet_preference as preference')
      .join('document_lineage as lineage', 'lineage.id', 'preference.lineage_id')
      .where('preference.carenet_id', scope.carenetId),
    scope,
  );

const withSharedType = (on: Reads, scope: CarenetScope): Knex.QueryBuilder =>
  inRecord(
    on('carenet_autoshare as autoshare')
      .join('document_lineage as lineage', 'lineage.type', 'autoshare.type')
      .where('autoshare.carenet_id', scope.carenetId),
    scope,
  );

/**
 * How many lineages the carenet contains: those explicitly shared, and those of shared types but for the ones that have a
 * preference of their own.
 */
export const countContained = async (on: Reads, scope: CarenetScope, narrow: Narrow): Promise<number> => {
  const count = (query: Knex.QueryBuilder): Knex.QueryBuilder => narrow(query).count();
  const spokenFor = withPreference(on, scope).join('carenet_autoshare as autoshare', {
    'autoshare.carenet_id': 'preference.carenet_id',
    'autoshare.type': 'lineage.type',
  });
  const [row] = (await on.select({
    shared: count(withPreference(on, scope).where('preference.shared', 1)),
    typed: count(withSharedType(on, scope)),
    spoken_for: count(spokenFor),
  })) as Record<'shared' | 'typed' | 'spoken_for', number | string>[];
  return row ? Number(row.shared) + Number(row.typed) - Number(row.spoken_for) : 0;
};

/** The `seq` of every lineage that the carenet contains: for carenets that hold little of a large record. */
export const containedLineages = (on: Reads, scope: CarenetScope, narrow: Narrow): Knex.QueryBuilder =>
  narrow(withPreference(on, scope).where('preference.shared', 1))
    .select('lineage.seq')
    .unionAll([
      narrow(withSharedType(on, scope))
        .leftJoin('carenet_preference as preference', {
          'preference.carenet_id': 'autoshare.carenet_id',
          'preference.lineage_id': 'lineage.id',
        })
        .whereNull('preference.lineage_id')
        .select('lineage.seq'),
    ]);
