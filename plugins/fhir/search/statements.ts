/** statements: reads the facts of statements by the statements' ids, and walks through all statements of a table. */
import type { Id } from '../../../core/base/types';
import { inScope } from '../../../core/facts/facts-in-scope';
import type { Reads } from '../../../core/db/database';
import type { Dialect } from '../../../core/db/dialect';
import { type FactTest, NOT_KEPT, testSql } from './fact-search';
import { type PlacedFact, readAcross, withNested } from '../../../core/facts/facts-across';
import { SELECTS_IN_STATEMENT, inParts } from '../../../core/db/in-parts';
import type { TablePlan } from '../../../core/db/plans';
import type { DocumentScope } from '../../../core/documents/store';
import type { FactTables } from '../../../core/facts/store';
import type { Condition } from '../../../core/db/condition';

/** Facts in the scope, except those of documents whose resources are kept as they came. */
const saidByFacts = (scope: DocumentScope): Condition => {
  const { text, values } = inScope(scope);
  return { text: `${text} and ${NOT_KEPT}`, values };
};

const DOCUMENTS = { table: 'document', column: 'record_id' };

/** The most ids that one statement asks for in each table. */
const IDS_AT_ONCE = 200;
/** The most facts that one statement of a document has. */
const FACTS_OF_STATEMENT = 1000;

/**
 * The facts of statements, with all nested facts. It runs one SQL statement for some hundred ids, and one for each
 * level of nesting.
 * @param plans the tables that are searched, including those of nested facts
 */
export const readStatementFacts = async (
  on: Reads,
  dialect: Dialect,
  tables: FactTables,
  plans: readonly TablePlan[],
  scope: DocumentScope,
  ids: readonly string[],
): Promise<readonly PlacedFact[]> => {
  const { text, values } = saidByFacts(scope);
  const found: PlacedFact[] = [];
  for (const some of inParts(ids, IDS_AT_ONCE)) {
    const marks = some.map(() => '?').join(', ');
    // Facts of earlier releases are statements by themselves. Two branches instead of `or` make the database use an
    // index for each.
    const branches = plans.flatMap((plan) =>
      [`fact._statement in (${marks})`, `fact._id in (${marks}) and fact._statement is null`].map((named) => ({
        plan,
        where: `${text} and ${named}`,
        values: [...values, ...some],
        limit: FACTS_OF_STATEMENT * some.length,
      })),
    );
    found.push(...(await readAcross(on, dialect, branches)));
  }
  return withNested(on, dialect, tables, found);
};

/**
 * All facts of the tables that have few in this scope, with nested facts. It runs one SQL statement, and one for each
 * level of nesting. The other tables are only named.
 * @param few the most facts of a table that is read
 */
export const readFew = async (
  on: Reads,
  { dialect, tables }: { readonly dialect: Dialect; readonly tables: FactTables },
  plans: readonly TablePlan[],
  scope: DocumentScope,
  few: number,
): Promise<{ readonly facts: readonly PlacedFact[]; readonly larger: readonly TablePlan[] }> => {
  const { text, values } = saidByFacts(scope);
  // The newest are found by an index, so that a large table is not read to its end.
  const branches = plans.map((plan) => ({ plan, where: text, values, limit: few + 1, newest: true }));
  const found = await readAcross(on, dialect, branches);
  const larger = plans.filter(({ model }) => found.filter((fact) => fact.model === model).length > few);
  const names = new Set(larger.map(({ model }) => model));
  return {
    facts: await withNested(
      on,
      dialect,
      tables,
      found.filter(({ model }) => !names.has(model)),
    ),
    larger,
  };
};

/** Whether a record has many facts in some tables, or many documents. It counts no further than it must. */
export const hasMany = async (on: Reads, plans: readonly TablePlan[], recordId: Id, most: number): Promise<boolean> => {
  const sources = [...plans.map(({ table }) => ({ table, column: '_record_id' })), DOCUMENTS];
  const counted = sources.map(
    ({ table, column }, holder) =>
      `select count(*) as n from (select 1 from \`${table}\` where ${column} = ? limit ?) as counted_${holder}`,
  );
  let count = 0;
  for (const some of inParts(counted, SELECTS_IN_STATEMENT)) {
    const rows = await on.rows<{ n: number | string }>(
      some.join(' union all '),
      some.flatMap(() => [recordId, most + 1]),
    );
    count += rows.reduce((sum, { n }) => sum + Number(n), 0);
  }
  return count > most;
};

type Walk = {
  /** The portion begins after this statement; empty: at the first one. */
  readonly after: string;
  readonly limit: number;
  /** Only statements that changed at this time or later; empty: all of them. */
  readonly since: string;
  /** One of the statement's facts must pass this test. */
  readonly test: FactTest;
};

/**
 * Facts of an earlier release, which are statements by themselves, come last. Their places begin with this character.
 */
const BY_ITSELF = '~';

/**
 * The statements of one table after a place, read along the index of statements. No later version of a document changes
 * this order. A portion that is shorter than its limit may not be the last one; only `isLast` tells the end.
 */
export const walkStatements = async (
  on: Reads,
  { dialect, tables }: { readonly dialect: Dialect; readonly tables: FactTables },
  plan: TablePlan,
  scope: DocumentScope,
  { after, limit, since, test }: Walk,
): Promise<{ readonly ids: readonly string[]; readonly after: string; readonly isLast: boolean }> => {
  const isLast = after.startsWith(BY_ITSELF);
  const held = saidByFacts(scope);
  const wanted = testSql({ dialect, tables }, plan, test);
  const key = isLast ? '_id' : '_statement';
  const rows = await on.rows<{ id: string }>(
    `select fact.${key} as id from \`${plan.table}\` as fact
    where ${held.text} and ${isLast ? 'fact._statement is null and ' : ''}fact.${key} > ? and fact._created_at >= ? and (${wanted.text})
    group by fact.${key} order by fact.${key} limit ?`,
    [...held.values, after.slice(isLast ? BY_ITSELF.length : 0), since, ...wanted.values, limit],
  );
  const ids = rows.map(({ id }) => id);
  const last = ids.at(-1) ?? '';
  if (ids.length < limit) {
    return { ids, after: BY_ITSELF, isLast };
  }
  return { ids, after: isLast ? `${BY_ITSELF}${last}` : last, isLast: false };
};

/** The place of a statement that `walkStatements` has answered after the place `behind`. */
export const placeOf = (id: string, behind: string): string =>
  behind.startsWith(BY_ITSELF) ? `${BY_ITSELF}${id}` : id;
