/**
 * containment: the SQL rule that says which documents a carenet contains. Lists, contents, counts and reports all use
 * it. The strongest condition comes first: nevershare, then the explicit preference, then the autoshare of the type. A
 * carenet shows only the latest version of a document, because a correction may have removed what nobody should see.
 * Facts exist for latest versions only.
 *
 * A carenet can also be given kinds of facts. Such a fact is seen without its document where nothing stronger was said:
 * the document is active, not nevershare, and neither put in nor taken out.
 */
import type { Knex } from 'knex';
import { ALWAYS, allOf, anyOf, marks, NEVER, type Condition } from '../db/condition';
import type { Reads } from '../db/database';
import type { Id } from '../base/types';

/** Results of some tests: their LOINC codes. */
export type ResultsOf = {
  readonly codes: readonly string[];
  /** Names without a code, in lower case. */ readonly words: readonly string[];
};

/** What a carenet sees of the facts of one model by the kinds that it was given, whatever document they came in. */
export type SeenModel = {
  readonly table: string;
  /** All columns of the model's table. */ readonly columns: readonly string[];
  /** Those that are dates, the first of which orders facts. */ readonly dates: readonly string[];
  /** Those that are empty in facts that are seen by their kind. */ readonly hidden: ReadonlySet<string>;
  /** Absent: all facts of the model are seen. */
  readonly only?: ResultsOf;
  /** Facts that are seen by no kind that was given. */
  readonly except?: ResultsOf;
  /** Of a model whose facts belong to kinds by the code of a field: the codes that are seen, or those that are not. */
  readonly coded?: { readonly column: string; readonly codes: readonly string[]; readonly isOnly: boolean };
  /** Names of the system LOINC, in lower case. */
  readonly systems: readonly string[];
};

/** Whose facts: one record, or what one carenet of it contains. */
export type ReportScope = {
  readonly recordId: Id;
  readonly carenetId?: Id;
  /**
   * What the carenet sees by kinds, by model. Only callers that show facts without their documents ask for it
   * (core/records/seen.ts); without it, a carenet is the documents that it contains.
   */
  readonly kinds?: ReadonlyMap<string, SeenModel>;
  /** Present: only facts that count now, without those of which their sender says something newer. */
  readonly current?: Current;
};

/** Documents whose statements do not count any more, because newer versions of these documents are there. */
export type Current = { readonly replaced: readonly Id[] };

/** @param carenet a column, or `?` for an id, which must then be bound three times */
function ruleText(lineage: string, carenet: string): string {
  return `${lineage}.nevershare = 0 and exists (select 1 from carenet as held_in where held_in.id = ${carenet} and held_in.record_id = ${lineage}.record_id) and coalesce(
    (select shared from carenet_preference as preference where preference.carenet_id = ${carenet} and preference.lineage_id = ${lineage}.id),
    (select 1 from carenet_autoshare as autoshare where autoshare.carenet_id = ${carenet} and autoshare.type = ${lineage}.type), 0) = 1`;
}

/**
 * The condition that the carenet contains a lineage, as text with its values; for statements that are text.
 * @param lineage alias of document_lineage in the statement
 */
function contained(lineage: string, carenetId: string): Condition {
  return {
    text: ruleText(lineage, '?'),
    values: [carenetId, carenetId, carenetId],
  };
}

/**
 * The condition that a lineage is active and, for a carenet, contained in it.
 * @param lineage alias of document_lineage in the statement
 */
export function lineageInUse(lineage: string, { carenetId }: ReportScope): Condition {
  const held = carenetId === undefined ? undefined : contained(lineage, carenetId);
  return { text: `${lineage}.status = 'active'${held ? ` and ${held.text}` : ''}`, values: held?.values ?? [] };
}

/**
 * The condition that a carenet may see single facts of a lineage that it does not contain. One that was taken out shows
 * none.
 * @param lineage alias of document_lineage in the statement
 */
export function lineageOpensFacts(lineage: string, carenetId: string): Condition {
  return {
    text:
      `${lineage}.status = 'active' and ${lineage}.nevershare = 0 and ` +
      `exists (select 1 from carenet as held_in where held_in.id = ? and held_in.record_id = ${lineage}.record_id) and ` +
      `not exists (select 1 from carenet_preference as said where said.carenet_id = ? and said.lineage_id = ${lineage}.id) and ` +
      `not exists (select 1 from carenet_autoshare as typed where typed.carenet_id = ? and typed.type = ${lineage}.type)`,
    values: [carenetId, carenetId, carenetId],
  };
}

/**
 * The condition that a carenet sees facts of a lineage as soon as their kind is given: it contains the lineage, or may
 * see single facts of it.
 */
export function lineageShowsFacts(lineage: string, carenetId: string): Condition {
  return {
    text:
      `${lineage}.status = 'active' and ${lineage}.nevershare = 0 and not exists (select 1 from carenet_preference as said ` +
      `where said.carenet_id = ? and said.lineage_id = ${lineage}.id and said.shared = 0)`,
    values: [carenetId],
  };
}

function inList(sql: string, values: readonly string[]): Condition {
  return values.length === 0 ? NEVER : { text: `${sql} in (${marks(values)})`, values };
}

/** The condition that a result has a code of these tests. */
function hasCode(fact: string, { codes }: ResultsOf, systems: readonly string[]): Condition {
  return allOf([
    inList(`${fact}.\`test_name_identifier\``, codes),
    inList(`lower(coalesce(${fact}.\`test_name_system\`, ''))`, systems),
  ]);
}

/** The condition that a result is perhaps one of these tests: by a code of any system, or by its words. */
function isPerhaps(fact: string, { codes, words }: ResultsOf): Condition {
  return anyOf([
    inList(`coalesce(${fact}.\`test_name_identifier\`, '')`, codes),
    ...words.map((word) => ({
      text: `instr(lower(coalesce(${fact}.\`test_name_title\`, '')), ?) > 0`,
      values: [word],
    })),
  ]);
}

/** The condition that the code of a fact is one of those that a kind has, or none of those that it has not. */
function hasName(fact: string, { column, codes, isOnly }: NonNullable<SeenModel['coded']>): Condition {
  const { text, values } = inList(`coalesce(${fact}.\`${column}\`, '')`, codes);
  return { text: isOnly ? text : `not (${text})`, values };
}

/** The condition that a kind that was given covers a fact. @param fact its alias in the statement */
export function isOfSeenKind(fact: string, { only, except, coded, systems }: SeenModel): Condition {
  const rest = except ? isPerhaps(fact, except) : NEVER;
  const seen = only ? hasCode(fact, only, systems) : ALWAYS;
  const named = coded ? hasName(fact, coded) : ALWAYS;
  return {
    text: `(${seen.text}) and (${named.text}) and not (${rest.text})`,
    values: [...seen.values, ...named.values, ...rest.values],
  };
}

/** Limits a query to lineages that the carenet contains. */
export function containedIn(query: Knex.QueryBuilder, lineage: string, carenetId: string): Knex.QueryBuilder {
  const { text, values } = contained(lineage, carenetId);
  return query.whereRaw(text, [...values]);
}

/** Limits a query to versions that the carenet shows. @param document alias of document in the query */
export function shownIn(
  query: Knex.QueryBuilder,
  lineage: string,
  document: string,
  carenetId: string,
): Knex.QueryBuilder {
  return containedIn(query.whereRaw('?? = ??', [`${document}.id`, `${lineage}.latest_id`]), lineage, carenetId);
}

/**
 * Limits a query to pairs of a carenet and a lineage that it contains.
 * @param carenet alias of carenet in the query
 */
export function containing(query: Knex.QueryBuilder, lineage: string, carenet: string): Knex.QueryBuilder {
  return query.whereRaw(ruleText(lineage, `${carenet}.id`));
}

/**
 * The condition that the carenet contains a lineage, as text, for a carenet that a column names.
 * @param carenet the column with its table
 */
export function containedInColumn(lineage: string, carenet: string): string {
  return ruleText(lineage, carenet);
}

/** Whether a pair's carenet contains its lineage, as the expression 1 or 0. */
export function containsText(lineage: string, carenet: string): string {
  return `case when ${ruleText(lineage, `${carenet}.id`)} then 1 else 0 end`;
}

/** One record's carenet. */
type CarenetScope = { readonly recordId: string; readonly carenetId: string };

/** Adds conditions on `lineage` to a query. */
type Narrow = (query: Knex.QueryBuilder) => Knex.QueryBuilder;

function inRecord(query: Knex.QueryBuilder, { recordId }: CarenetScope): Knex.QueryBuilder {
  return query.where({ 'lineage.record_id': recordId, 'lineage.nevershare': 0 });
}

/** Lineages with an explicit preference, found by the index of preferences. */
function withPreference(on: Reads, scope: CarenetScope): Knex.QueryBuilder {
  return inRecord(
    on('carenet_preference as preference')
      .join('document_lineage as lineage', 'lineage.id', 'preference.lineage_id')
      .where('preference.carenet_id', scope.carenetId),
    scope,
  );
}

function withSharedType(on: Reads, scope: CarenetScope): Knex.QueryBuilder {
  return inRecord(
    on('carenet_autoshare as autoshare')
      .join('document_lineage as lineage', 'lineage.type', 'autoshare.type')
      .where('autoshare.carenet_id', scope.carenetId),
    scope,
  );
}

/**
 * Counts the lineages that the carenet contains: those that are shared explicitly, plus those of shared types without
 * an explicit preference.
 */
export async function countContained(on: Reads, scope: CarenetScope, narrow: Narrow): Promise<number> {
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
}

/**
 * Selects `seq` of every lineage that the carenet contains. Use it when the carenet contains few documents of a large
 * record.
 */
export function containedLineages(on: Reads, scope: CarenetScope, narrow: Narrow): Knex.QueryBuilder {
  return narrow(withPreference(on, scope).where('preference.shared', 1))
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
}
