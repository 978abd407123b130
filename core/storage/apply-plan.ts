/** apply-plan: table plans -> the fact tables; only ever adds, so that it can run while the service serves. */
import { SetupError } from '../base/errors';
import type { Connection, Database } from './database';
import type { ColumnType, Dialect } from './dialect';
import { factDialect, type ActualColumn } from './fact-dialect';
import type { PlannedColumn, TablePlan } from './plans';

/** One thing that is missing, or that is there without a model; `sql` is absent when nothing is to be done. */
export type PlanStep = {
  readonly action: 'create table' | 'add column' | 'widen column' | 'add index' | 'kept column' | 'kept table';
  readonly table: string;
  readonly name?: string;
  readonly sql?: string;
};

/** Columns of every fact table. The underscore keeps them apart from all fields of models. */
const baseColumns: Readonly<Record<string, ColumnType | `${ColumnType}?`>> = {
  _id: 'id', _record_id: 'id', _document_id: 'id', _lineage_id: 'id', _parent_id: 'id?', _created_at: 'stamp',
};
export const PACKED = '_packed';

const quote = (name: string): string => `\`${name}\``;

const baseText = (dialect: Dialect): readonly string[] =>
  Object.entries(baseColumns).map(([name, spec]) => {
    const nullable = spec.endsWith('?');
    return `${name} ${dialect.columnType((nullable ? spec.slice(0, -1) : spec) as ColumnType)}${nullable ? '' : ' not null'}`;
  });

/** The model's own columns that the table really has; all may be null, because old facts have nothing in a new column. */
const ownColumns = ({ columns }: TablePlan): readonly { readonly name: string; readonly type: ColumnType }[] => [
  ...columns.filter(({ packed }) => !packed),
  ...(columns.some(({ packed }) => packed) ? [{ name: PACKED, type: 'long' as const }] : []),
];

const createStep = (dialect: Dialect, plan: TablePlan): PlanStep => {
  const own = ownColumns(plan).map(({ name, type }) => `${quote(name)} ${dialect.columnType(type)}`);
  const parts = [`_seq ${dialect.sequenceKey}`, ...baseText(dialect), ...own];
  return { action: 'create table', table: plan.table, sql: `create table if not exists ${quote(plan.table)} (${parts.join(', ')}) ${dialect.tableSuffix}` };
};

const isText = (type: string): boolean => /char|text/.test(type);
const isWhole = (type: string): boolean => /int/.test(type);

/** Does the present column hold what the model wants to put there: text, whole numbers or fractions? */
const holds = (actual: ActualColumn, wanted: string): boolean =>
  isText(actual.type) === isText(wanted) && isWhole(actual.type) === isWhole(wanted);

const isTooNarrow = ({ type, length }: ActualColumn, wanted: string): boolean => {
  const wantedLength = Number(/\((\d+)\)/.exec(wanted)?.[1] ?? Infinity);
  return (/char/.test(type) && length !== null && length < wantedLength) || (type === 'tinyint' && !wanted.startsWith('tinyint'));
};

const columnStep = (dialect: Dialect, table: string, wanted: { name: string; type: ColumnType }, actual: ActualColumn | undefined): PlanStep | undefined => {
  const type = dialect.columnType(wanted.type);
  if (!actual) {
    return { action: 'add column', table, name: wanted.name, sql: `alter table ${quote(table)} add column ${quote(wanted.name)} ${type}` };
  }
  if (!holds(actual, type)) {
    throw new SetupError([`the column ${table}.${wanted.name} holds ${actual.type} and the model now wants ${type}: give the field another name`]);
  }
  const { widen } = factDialect(dialect);
  return widen && isTooNarrow(actual, type) ? { action: 'widen column', table, name: wanted.name, sql: widen(table, wanted.name, type) } : undefined;
};

const indexSteps = (plan: TablePlan, present: readonly string[]): readonly PlanStep[] =>
  plan.indexes
    .filter(({ name }) => !present.includes(name))
    .map(({ name, columns, unique }) => ({
      action: 'add index', table: plan.table, name,
      sql: `create ${unique ? 'unique ' : ''}index ${quote(name)} on ${quote(plan.table)} (${columns.map(quote).join(', ')})`,
    }));

const sameName = (a: string) => (b: { readonly name: string }): boolean => a.toLowerCase() === b.name.toLowerCase();

const tableSteps = async (connection: Connection, dialect: Dialect, plan: TablePlan): Promise<readonly PlanStep[]> => {
  const actual = await factDialect(dialect).actualColumns(connection, plan.table);
  if (actual.length === 0) {
    return [createStep(dialect, plan), ...indexSteps(plan, [])];
  }
  const wanted = ownColumns(plan);
  const changed = wanted.map((column) => columnStep(dialect, plan.table, column, actual.find(sameName(column.name))));
  const kept = actual
    .filter(({ name }) => !name.startsWith('_') && !wanted.some(sameName(name)))
    .map(({ name }): PlanStep => ({ action: 'kept column', table: plan.table, name }));
  return [...changed.filter((step) => step !== undefined), ...indexSteps(plan, await dialect.indexesOf(connection, plan.table)), ...kept];
};

const allSteps = async (connection: Connection, dialect: Dialect, plans: readonly TablePlan[]): Promise<readonly PlanStep[]> => {
  const steps: PlanStep[] = [];
  for (const plan of plans) {
    steps.push(...(await tableSteps(connection, dialect, plan)));
  }
  const tables = await factDialect(dialect).factTables(connection);
  const kept = tables.filter((table) => !plans.some((plan) => plan.table === table));
  return [...steps, ...kept.map((table): PlanStep => ({ action: 'kept table', table }))];
};

/**
 * What has to be done to bring the fact tables up to the models, and what is there without a model.
 * @throws SetupError when a column holds another kind of value than its field now has
 */
export const planSteps = ({ knex, dialect }: Database, plans: readonly TablePlan[]): Promise<readonly PlanStep[]> =>
  allSteps(knex, dialect, plans);

/** Does it, one process at a time, and answers what it did; what is there already is left alone. */
export const applyPlans = ({ knex, dialect }: Database, plans: readonly TablePlan[]): Promise<readonly PlanStep[]> =>
  dialect.exclusively(knex, async (connection) => {
    const steps = await allSteps(connection, dialect, plans);
    for (const { sql } of steps) {
      if (sql !== undefined) {
        await connection.raw(sql);
      }
    }
    return steps;
  });

/** One line for an operator. */
export const describeStep = ({ action, table, name }: PlanStep): string =>
  `${action} ${name === undefined ? table : `${table}.${name}`}${action.startsWith('kept') ? ' (no model has it any more)' : ''}`;

/** Where a column is read from: itself, or its place in the packed text. */
export const columnSql = (dialect: Dialect, alias: string, { name, kind, packed }: PlannedColumn): string =>
  packed ? factDialect(dialect).unpack(`${quote(alias)}.${PACKED}`, name, kind) : `${quote(alias)}.${quote(name)}`;
