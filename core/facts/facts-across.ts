/**
 * facts-across: reads facts of several models with one statement. Each table is a branch of a union. The branches name
 * their columns by number, since the tables have different columns.
 */
import { groupedBy } from '../base/grouped-by';
import { eachInSlices, groupedInSlices, mapInSlices, sortedInSlices } from '../base/turns/slices';
import { columnSql, PACKED } from './apply-plan';
import { marks, type Condition } from '../db/condition';
import type { Value } from '../db/connection';
import type { DatabaseReads, Reads } from '../db/database';
import type { Dialect } from '../db/dialect';
import { factDialect } from './fact-dialect';
import { inParts, SELECTS_IN_STATEMENT, VALUES_IN_STATEMENT } from '../db/in-parts';
import type { PlannedColumn, StoredFact, TablePlan } from './plans';
import { BASE_COLUMNS, toFact, type FactRow, type FactTables } from './store';

/** The facts of one table that meet a condition on `fact`: at most `limit`, the oldest or the newest. */
type Branch = {
  readonly plan: TablePlan;
  readonly where: string;
  readonly values: readonly Value[];
  readonly limit: number;
  /** True: those that were stored last; a column: those with its latest dates. */ readonly newest?: boolean | string;
  /** Where the facts are instead of the stored table, in the order in which they are seen: the newest first. */
  readonly from?: Condition | undefined;
  /** A column `_older`, and the values in it. Then the digests of documents are read, too. */
  readonly older?: Condition;
};

/** A fact with its place in the order of insertion. */
type PlacedFact = StoredFact & {
  readonly seq: number;
  /** What the column `_older` of the branch says. */ readonly isOlder?: boolean;
  /** Of its document, where the branch has that column and the scope contains the document. */ readonly digest?: string;
};

/** A fact that is seen by its kind has another name for its document, so none is found. */
const DIGEST = '(select document.digest from document where document.id = fact._document_id)';

function ownColumns({ columns }: TablePlan): readonly PlannedColumn[] {
  return columns.filter(({ packed }) => !packed);
}

/** A column in a union, where columns of several kinds share a number; `toFact` restores the kind. */
function placed(dialect: Dialect, column: PlannedColumn): string {
  const sql = columnSql(dialect, 'fact', column);
  return column.kind === 'number' ? factDialect(dialect).everyDigit(sql) : sql;
}

function branchOrder({ plan, newest, from }: Branch, dialect: Dialect): string {
  const column = plan.columns.find(({ name }) => name === newest);
  if (column) {
    return `${columnSql(dialect, 'fact', column)} desc, fact._seq desc`;
  }
  return newest && !from ? 'fact._created_at desc, fact._seq desc' : 'fact._seq';
}

function branchText(dialect: Dialect, branch: Branch, holder: number, places: number): string {
  const { plan, where, from, older } = branch;
  const own = ownColumns(plan);
  const shown = [
    `${holder} as holder`,
    older?.text ?? '0 as _older',
    `${older ? DIGEST : 'null'} as _digest`,
    'fact._seq as _seq',
    ...BASE_COLUMNS.map((name) => `fact.${name} as ${name}`),
    `${own.length < plan.columns.length ? `fact.${PACKED}` : 'null'} as ${PACKED}`,
    ...Array.from({ length: places }, (_, place) => {
      const column = own[place];
      return `${column ? placed(dialect, column) : 'null'} as place_${place}`;
    }),
  ];
  return `select * from (select ${shown.join(', ')} from ${from?.text ?? `\`${plan.table}\` as fact`} where ${where} order by ${branchOrder(branch, dialect)} limit ?) as facts_${holder}`;
}

/**
 * Answers a function that gives the numbered columns of a row their names. A row has as many numbered columns as the
 * widest table; only those of its own table are copied.
 */
function naming(plan: TablePlan): (row: FactRow) => FactRow {
  const places = ownColumns(plan).map(({ name }, place) => [name, `place_${place}`] as const);
  const common = [...BASE_COLUMNS, PACKED];
  return (row) => {
    const own: Record<string, FactRow[string]> = {};
    for (const name of common) {
      own[name] = row[name]!;
    }
    for (const [name, place] of places) {
      own[name] = row[place] ?? null;
    }
    return own;
  };
}

function valuesIn({ from, older, values, limit }: Branch): readonly Value[] {
  return [...(older?.values ?? []), ...(from?.values ?? []), ...values, limit];
}

/** The branches in their order, in groups that each fit into one statement. */
function inStatements(branches: readonly Branch[]): readonly (readonly Branch[])[] {
  const statements: Branch[][] = [];
  let room = 0;
  for (const branch of branches) {
    room -= valuesIn(branch).length;
    const last = statements.at(-1);
    if (last && last.length < SELECTS_IN_STATEMENT && room >= 0) {
      last.push(branch);
    } else {
      statements.push([branch]);
      room = VALUES_IN_STATEMENT - valuesIn(branch).length;
    }
  }
  return statements;
}

function besideOf(row: FactRow): Pick<PlacedFact, 'isOlder' | 'digest'> {
  const digest = row['_digest'] ?? null;
  return { isOlder: Number(row['_older']) === 1, ...(digest === null ? {} : { digest: String(digest) }) };
}

/**
 * The facts of all branches in the order of the branches, without nested facts. One statement reads hundreds of tables.
 */
export async function readAcross(
  on: Reads,
  dialect: Dialect,
  branches: readonly Branch[],
): Promise<readonly PlacedFact[]> {
  const facts: PlacedFact[] = [];
  for (const some of inStatements(branches)) {
    const places = Math.max(...some.map(({ plan }) => ownColumns(plan).length));
    const text = some.map((branch, holder) => branchText(dialect, branch, holder, places)).join(' union all ');
    const rows = await on.rows<FactRow>(text, some.flatMap(valuesIn));
    const numbered = await mapInSlices(rows, (row) => ({
      row,
      holder: Number(row['holder']),
      seq: Number(row['_seq']),
    }));
    const inOrder = await sortedInSlices(numbered, (a, b) => a.holder - b.holder || a.seq - b.seq);
    const named = some.map(({ plan }) => naming(plan));
    await eachInSlices(inOrder, ({ row, holder, seq }) => {
      const { plan, older } = some[holder]!;
      const fact = { ...toFact(plan, named[holder]!(row)), seq };
      facts.push(older ? { ...fact, ...besideOf(row) } : fact);
    });
  }
  return facts;
}

/**
 * A document has at most this many facts (pipeline/stages/transform.ts), so all facts that are nested in a single one
 * are read.
 */
const MOST_IN_DOCUMENT = 20_000;
/** When many facts are read, each may have this many nested facts on average. */
const MOST_IN_EACH = 1000;

/** Branches for the facts that are nested directly in these. */
async function nestedBranches(tables: FactTables, facts: readonly StoredFact[]): Promise<readonly Branch[]> {
  const byModel = await groupedInSlices(facts, ({ model }) => model);
  return [...byModel].flatMap(([model, parents]) =>
    (tables.get(model)?.relations ?? []).flatMap((relation): readonly Branch[] => {
      const plan = tables.get(relation.model);
      return inParts(plan ? parents : []).map((some) => ({
        plan: plan!,
        where: `fact._parent_id in (${marks(some)})`,
        values: some.map(({ id }) => id),
        limit: Math.max(MOST_IN_DOCUMENT, some.length * MOST_IN_EACH),
      }));
    }),
  );
}

/** Facts with the facts that are nested directly in them. */
function assembled<F extends StoredFact>(
  tables: FactTables,
  facts: readonly F[],
  byParent: ReadonlyMap<string | null, readonly StoredFact[]>,
): Promise<readonly F[]> {
  return mapInSlices(facts, (fact) => {
    const own = groupedBy(byParent.get(fact.id) ?? [], ({ model }) => model);
    const children = (tables.get(fact.model)?.relations ?? []).map(({ field, model, many }) => {
      const found = own.get(model) ?? [];
      return [field, many ? found : (found[0] ?? null)] as const;
    });
    return { ...fact, children: Object.fromEntries(children) };
  });
}

/** More rows are not read in the event loop, if the database has threads for long reads. */
const FEW = 1000;

/** The facts of a level of nesting: a few are read at once, and many by a long read. */
async function readLevel(
  on: Reads | DatabaseReads,
  dialect: Dialect,
  branches: readonly Branch[],
): Promise<readonly PlacedFact[]> {
  if (!('long' in on) || on.long === on) {
    return readAcross(on, dialect, branches);
  }
  const few = await readAcross(
    on,
    dialect,
    branches.map((branch) => ({ ...branch, limit: Math.min(branch.limit, FEW) })),
  );
  return few.length < FEW ? few : readAcross(on.long, dialect, branches);
}

/** Adds all nested facts, with one statement for each level of nesting. */
export async function withNested<F extends StoredFact>(
  on: Reads | DatabaseReads,
  dialect: Dialect,
  tables: FactTables,
  facts: readonly F[],
): Promise<readonly F[]> {
  const levels: (readonly StoredFact[])[] = [];
  for (let branches = await nestedBranches(tables, facts); branches.length > 0;) {
    const level = await readLevel(on, dialect, branches);
    levels.unshift(level);
    branches = await nestedBranches(tables, level);
  }
  let byParent: ReadonlyMap<string | null, readonly StoredFact[]> = new Map();
  for (const level of levels) {
    byParent = await groupedInSlices(await assembled(tables, level, byParent), ({ parentId }) => parentId);
  }
  return assembled(tables, facts, byParent);
}

/** How many facts of one model a document has, and which comes first. */
type Said = {
  readonly documentId: string;
  readonly plan: TablePlan;
  readonly count: number;
  readonly first: number;
};

/**
 * The condition that a `fact` is nested in no other. Asked for null, SQLite took the unique index of the facts in which
 * others are nested, and read those of the whole installation that are in none.
 */
export const NOT_NESTED = "coalesce(fact._parent_id, '') = ''";

/** What is never nested is counted in the index of documents alone. */
function unlessNested({ indexes }: TablePlan): string {
  return indexes.some(({ columns }) => columns.includes('_parent_id')) ? ` and ${NOT_NESTED}` : '';
}

/** Answers of which models each document has facts. Nested facts are not counted. */
export async function saidIn(
  on: Reads,
  plans: readonly TablePlan[],
  documentIds: readonly string[],
): Promise<readonly Said[]> {
  if (documentIds.length === 0) {
    return [];
  }
  const said: Said[] = [];
  const size = Math.min(SELECTS_IN_STATEMENT, Math.floor(VALUES_IN_STATEMENT / documentIds.length));
  for (const some of inParts(plans, size)) {
    const text = some.map(
      (plan, holder) =>
        `select ${holder} as holder, fact._document_id as document_id, count(*) as n, min(fact._seq) as first_seq from ` +
        `\`${plan.table}\` as fact where fact._document_id in (${marks(documentIds)})${unlessNested(plan)} ` +
        'group by fact._document_id',
    );
    const rows = await on.rows<{ holder: number; document_id: string; n: number | string; first_seq: number | string }>(
      text.join(' union all '),
      some.flatMap(() => documentIds),
    );
    said.push(
      ...rows.map((row) => ({
        documentId: row.document_id,
        plan: some[Number(row.holder)]!,
        count: Number(row.n),
        first: Number(row.first_seq),
      })),
    );
  }
  return said;
}

/** A table, and the column of the dates by which its facts are ordered, if it has one. */
export type CountedIn = { readonly plan: TablePlan; readonly date: string | undefined };

type Counted = { readonly model: string; readonly count: number; readonly newest: string | null };

/** How many facts of each table every document of a record has, and the newest date of these. Nested ones do not count. */
export async function countedInRecord(
  on: Reads,
  dialect: Dialect,
  tables: readonly CountedIn[],
  recordId: string,
): Promise<ReadonlyMap<string, readonly Counted[]>> {
  const found = new Map<string, Counted[]>();
  for (const some of inParts(tables, SELECTS_IN_STATEMENT)) {
    const text = some.map(({ plan, date }, holder) => {
      const column = plan.columns.find(({ name }) => name === date);
      const newest = column ? `max(${columnSql(dialect, 'fact', column)})` : 'null';
      return (
        `select ${holder} as holder, fact._document_id as document_id, count(*) as n, ${newest} as newest from ` +
        `\`${plan.table}\` as fact where fact._record_id = ?${unlessNested(plan)} group by fact._document_id`
      );
    });
    type Row = { holder: number; document_id: string; n: number | string; newest: string | null };
    const rows = await on.rows<Row>(
      text.join(' union all '),
      some.map(() => recordId),
    );
    for (const { holder, document_id: id, n, newest } of rows) {
      const counted = { model: some[Number(holder)]!.plan.model, count: Number(n), newest };
      found.set(id, [...(found.get(id) ?? []), counted]);
    }
  }
  return found;
}
