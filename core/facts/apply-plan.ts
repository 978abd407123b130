/**
 * apply-plan: brings the fact tables up to the table plans. It deletes no data, so it can run while the service serves.
 */
import { SetupError } from '../base/errors';
import type { Database, Reads, Transaction } from '../db/database';
import { driverCode, isConflict } from '../db/db-errors';
import type { ColumnType, Dialect } from '../db/dialect';
import { factDialect, type ActualColumn } from './fact-dialect';
import type { PlannedColumn, PlannedIndex, TablePlan } from './plans';

/** Something that is missing, or that exists without a model. A step without `sql` changes nothing. */
export type PlanStep = {
  readonly action:
    'create table' | 'add column' | 'widen column' | 'add index' | 'drop index' | 'kept column' | 'kept table';
  readonly table: string;
  readonly name?: string;
  readonly sql?: string;
};

/** Columns of every fact table. The underscore keeps them apart from all fields of models. */
const baseColumns: Readonly<Record<string, ColumnType | `${ColumnType}?`>> = {
  _id: 'id',
  _record_id: 'id',
  _document_id: 'id',
  _lineage_id: 'id',
  _parent_id: 'id?',
  _created_at: 'stamp',
  _statement: 'id?',
  _partial_dates: 'text:255?',
  /** The words of long texts, by which people search (fact-words). */ _words: 'long?',
};

/** Base columns that tables of earlier releases lack. They are null in the rows of earlier releases. */
const laterColumns: readonly { readonly name: string; readonly type: ColumnType }[] = [
  { name: '_statement', type: 'id' },
  { name: '_partial_dates', type: 'text:255' },
  { name: '_words', type: 'long' },
];

export const PACKED = '_packed';

function quote(name: string): string {
  return `\`${name}\``;
}

function baseText(dialect: Dialect): readonly string[] {
  return Object.entries(baseColumns).map(([name, spec]) => {
    const nullable = spec.endsWith('?');
    return `${name} ${dialect.columnType((nullable ? spec.slice(0, -1) : spec) as ColumnType)}${nullable ? '' : ' not null'}`;
  });
}

/**
 * The model's own columns that the table really has; all may be null, because old facts have nothing in a new column.
 */
function ownColumns({ columns }: TablePlan): readonly { readonly name: string; readonly type: ColumnType }[] {
  return [
    ...columns.filter(({ packed }) => !packed),
    ...(columns.some(({ packed }) => packed) ? [{ name: PACKED, type: 'long' as const }] : []),
  ];
}

function typeText(dialect: Dialect, type: ColumnType): string {
  return factDialect(dialect).typeNames[type] ?? dialect.columnType(type);
}

function createStep(dialect: Dialect, plan: TablePlan): PlanStep {
  const own = ownColumns(plan).map(({ name, type }) => `${quote(name)} ${typeText(dialect, type)}`);
  const parts = [`_seq ${dialect.sequenceKey}`, ...baseText(dialect), ...own];
  return {
    action: 'create table',
    table: plan.table,
    sql: `create table if not exists ${quote(plan.table)} (${parts.join(', ')}) ${dialect.tableSuffix}`,
  };
}

function isTextType(type: string): boolean {
  return /char|text/.test(type);
}
function isWhole(type: string): boolean {
  return /int/.test(type);
}
function isFlag(type: string): boolean {
  return type.startsWith('tinyint');
}

function lengthIn(type: string): number {
  return Number(/\((\d+)\)/.exec(type)?.[1] ?? Infinity);
}

/**
 * Whether the existing column can hold the values of the model's field. Points in time and days differ from other text
 * by their length. Tables that an earlier release made on SQLite only declare `text` and `integer`, which may hold any
 * kind of text or whole number.
 */
function columnHolds(actual: ActualColumn, wanted: ColumnType, type: string): boolean {
  if (isTextType(actual.type) !== isTextType(type) || isWhole(actual.type) !== isWhole(type)) {
    return false;
  }
  if (wanted === 'stamp' || wanted === 'date') {
    return actual.length === null || actual.length === lengthIn(type);
  }
  return actual.type === 'integer' || isFlag(actual.type) === isFlag(type);
}

function isTooNarrow({ type, length }: ActualColumn, wanted: string): boolean {
  return /char/.test(type) && length !== null && length < lengthIn(wanted);
}

type Looking = {
  readonly on: Reads;
  readonly dialect: Dialect;
  readonly plans: readonly TablePlan[];
  readonly problems: string[];
};

function columnStep(
  { dialect, problems }: Looking,
  table: string,
  wanted: { name: string; type: ColumnType },
  actual: ActualColumn | undefined,
): PlanStep | undefined {
  const type = typeText(dialect, wanted.type);
  if (!actual) {
    return {
      action: 'add column',
      table,
      name: wanted.name,
      sql: `alter table ${quote(table)} add column ${quote(wanted.name)} ${type}`,
    };
  }
  if (!columnHolds(actual, wanted.type, type)) {
    const present = `${actual.type}${actual.length === null ? '' : `(${actual.length})`}`;
    problems.push(
      `the column ${table}.${wanted.name} holds ${present} and the model now wants ${type}: give the field another name`,
    );
    return undefined;
  }
  const { widen } = factDialect(dialect);
  return widen && isTooNarrow(actual, type)
    ? { action: 'widen column', table, name: wanted.name, sql: widen(table, wanted.name, type) }
    : undefined;
}

/** Indexes are compared by their columns, because earlier releases gave them other names. */
function sameIndex(a: PlannedIndex) {
  return (b: PlannedIndex): boolean =>
    a.unique === b.unique && a.columns.join().toLowerCase() === b.columns.join().toLowerCase();
}

function isOnlyParent({ unique, columns }: PlannedIndex): boolean {
  return unique && columns.join() === '_parent_id';
}

function isDescending(column: string): boolean {
  return column.endsWith(' desc');
}

function indexedColumn(column: string): string {
  return isDescending(column) ? `${quote(column.slice(0, -' desc'.length))} desc` : quote(column);
}

function indexSteps(dialect: Dialect, plan: TablePlan, present: readonly PlannedIndex[]): readonly PlanStep[] {
  return plan.indexes
    .filter(
      (index) =>
        !present.some(sameIndex(index)) && (factDialect(dialect).descends || !index.columns.some(isDescending)),
    )
    .map(({ name, columns, unique }) => ({
      action: 'add index',
      table: plan.table,
      name,
      sql: `create ${unique ? 'unique ' : ''}index ${quote(name)} on ${quote(plan.table)} (${columns.map(indexedColumn).join(', ')})`,
    }));
}

/** Reports a list that is to become a single fact although documents have several facts in it. */
async function checkOnlyOne({ on, plans, problems }: Looking, { model, table }: TablePlan): Promise<void> {
  const several = (await on(table)
    .distinct('_document_id')
    .whereNotNull('_parent_id')
    .groupBy('_document_id', '_parent_id')
    .havingRaw('count(*) > 1')) as unknown[];
  if (several.length > 0) {
    const parent = plans.find(({ relations }) => relations.some((relation) => relation.model === model));
    const field = parent?.relations.find((relation) => relation.model === model)?.field;
    problems.push(
      `the field ${parent?.model}.${field} holds several facts in ${several.length} ` +
        `${several.length === 1 ? 'document' : 'documents'}: keep the list`,
    );
  }
}

function sameName(a: string) {
  return (b: { readonly name: string }): boolean => a.toLowerCase() === b.name.toLowerCase();
}

async function tableSteps(
  looking: Looking,
  plan: TablePlan,
  present: readonly PlannedIndex[],
): Promise<readonly PlanStep[]> {
  const { on, dialect } = looking;
  const actual = await factDialect(dialect).actualColumns(on, plan.table);
  if (actual.length === 0) {
    return [createStep(dialect, plan), ...indexSteps(dialect, plan, [])];
  }
  if (plan.indexes.some(isOnlyParent) && !present.some(isOnlyParent)) {
    await checkOnlyOne(looking, plan);
  }
  const wanted = ownColumns(plan);
  const changed = [...laterColumns, ...wanted].map((column) =>
    columnStep(looking, plan.table, column, actual.find(sameName(column.name))),
  );
  const kept = actual
    // A model that has become too wide keeps its fields in the packed text. Their old columns still belong to it.
    .filter(({ name }) => !name.startsWith('_') && ![...wanted, ...plan.columns].some(sameName(name)))
    .map(({ name }): PlanStep => ({ action: 'kept column', table: plan.table, name }));
  return [...changed.filter((step) => step !== undefined), ...indexSteps(dialect, plan, present), ...kept];
}

/**
 * Whether an index must be dropped first: it limits a field to one fact although the field is a list now, or it has the
 * name of a planned table.
 */
function isInTheWay(plans: readonly TablePlan[], table: string, index: PlannedIndex): boolean {
  return (
    plans.some((plan) => sameName(plan.table)(index)) ||
    (isOnlyParent(index) && plans.some((plan) => plan.table === table && !plan.indexes.some(isOnlyParent)))
  );
}

async function allSteps(on: Reads, dialect: Dialect, plans: readonly TablePlan[]): Promise<readonly PlanStep[]> {
  const { factTables, actualIndexes } = factDialect(dialect);
  const looking: Looking = { on, dialect, plans, problems: [] };
  const tables = await factTables(on);
  const drops: PlanStep[] = [];
  const present = new Map<string, readonly PlannedIndex[]>();
  for (const table of tables) {
    const indexes = await actualIndexes(on, table);
    const inTheWay = indexes.filter((index) => isInTheWay(plans, table, index));
    drops.push(
      ...inTheWay.map(({ name }): PlanStep => ({
        action: 'drop index',
        table,
        name,
        sql: dialect.dropIndex(table, name),
      })),
    );
    present.set(
      table,
      indexes.filter((index) => !inTheWay.includes(index)),
    );
  }
  const steps: PlanStep[] = [];
  for (const plan of plans) {
    steps.push(...(await tableSteps(looking, plan, present.get(plan.table) ?? [])));
  }
  if (looking.problems.length > 0) {
    throw new SetupError(looking.problems);
  }
  const kept = tables.filter((table) => !plans.some((plan) => plan.table === table));
  return [...drops, ...steps, ...kept.map((table): PlanStep => ({ action: 'kept table', table }))];
}

/**
 * Answers the steps that bring the fact tables up to the models, and the tables and columns that no model has.
 * @throws SetupError with every column that holds another kind of value than its field now has, and every list that
 * cannot become a single fact
 */
export function planSteps({ reads, dialect }: Database, plans: readonly TablePlan[]): Promise<readonly PlanStep[]> {
  return allSteps(reads, dialect, plans);
}

async function runStep(trx: Transaction, step: PlanStep, plans: readonly TablePlan[]): Promise<void> {
  try {
    await trx.raw(step.sql as string);
  } catch (error) {
    const code = driverCode(error);
    const model = plans.find(({ table }) => table === step.table)?.model ?? 'none';
    throw code === undefined || isConflict(error)
      ? error
      : new SetupError([`${describeStep(step)} (model ${model}): the database refused it (${code})`]);
  }
}

/**
 * Carries out the steps, one process at a time, and answers the steps that it carried out. Tables and columns that
 * exist stay as they are.
 */
export function applyPlans({ dialect }: Database, plans: readonly TablePlan[]): Promise<readonly PlanStep[]> {
  return dialect.exclusively(async (trx) => {
    const steps = await allSteps(trx, dialect, plans);
    for (const step of steps.filter(({ sql }) => sql !== undefined)) {
      await runStep(trx, step, plans);
    }
    return steps;
  });
}

/** What an operator should know about a step besides its name. */
function remark({ action, name }: PlanStep): string {
  if (action.startsWith('kept')) {
    return ' (no model has it any more)';
  }
  return action === 'add column' && name === PACKED
    ? ' (the model is too wide for a row: run svc reprocess, so that its facts follow)'
    : '';
}

/** One line for an operator. */
export function describeStep(step: PlanStep): string {
  return `${step.action} ${step.name === undefined ? step.table : `${step.table}.${step.name}`}${remark(step)}`;
}

/** The SQL that reads a column: the column itself, or its entry in the packed text. */
export function columnSql(dialect: Dialect, alias: string, { name, kind, packed }: PlannedColumn): string {
  return packed
    ? factDialect(dialect).unpack(`${quote(alias)}.${PACKED}`, name, kind)
    : `${quote(alias)}.${quote(name)}`;
}
