/** store: rows of the fact tables: written and deleted with their document, read back as trees. */
import { groupedBy } from '../base/grouped-by';
import { derivedId, newId } from '../base/ids';
import { groupedInSlices, mapInSlices } from '../base/turns/slices';
import type { Id, Timestamp } from '../base/types';
import { PACKED } from './apply-plan';
import type { Database, Reads, Transaction } from '../db/database';
import type { Dialect } from '../db/dialect';
import { deleteValuesOf, SOUGHT } from '../db/delete-search-values';
import { factDialect } from './fact-dialect';
import { factWords } from './fact-words';
import { isSeenByKind, shownId } from './seen-by-kind';
import { inParts } from '../db/in-parts';
import { insertValues } from '../db/insert-rows';
import { partialDatesText, readPartialDates } from './partial-dates';
import {
  allChildren,
  childrenIn,
  idReference,
  type Fact,
  type PlannedColumn,
  type Scalar,
  type StoredFact,
  type TablePlan,
  readReference,
} from './plans';

/** Model name -> its fact table; models without one are not in it. */
export type FactTables = ReadonlyMap<string, TablePlan>;

type FactOwner = {
  readonly recordId: Id;
  readonly documentId: Id;
  readonly lineageId: Id;
  readonly createdAt: Timestamp;
};

/** A row as the driver gives it. */
export type FactRow = Readonly<Record<string, Scalar>>;

export const BASE_COLUMNS = [
  '_id',
  '_record_id',
  '_document_id',
  '_lineage_id',
  '_parent_id',
  '_created_at',
  '_statement',
  '_partial_dates',
] as const;

// SQLite accepts at most 500 selects in one statement.
const TABLES_IN_STATEMENT = 400;

/** The position of a fact in the order of insertion, with its id; null: a new one. */
type Place = { readonly seq: number | null; readonly id: Id | null; readonly statement?: Id | null };

/** The places of facts, by model. */
type Places = ReadonlyMap<string, readonly Place[]>;

/** What a fact has in addition to the values of its model, in the order of BASE_COLUMNS. */
type FactBase = readonly [
  id: Id | null,
  recordId: Id,
  documentId: Id | null,
  lineageId: Id | null,
  parentId: Id | null,
  createdAt: Timestamp,
  statementId: Id | null,
  partialDates: string | null,
];

/** The id of a statement is derived from its lineage and its name in the documents, so it need not be looked up. */
export function statementId(lineageId: Id, { model, statement }: Pick<Fact, 'model' | 'statement'>): Id {
  return derivedId(lineageId, model, statement);
}

/** The statement that a column of a fact of this lineage names; undefined for text that names none. */
export function referredStatement(
  lineageId: Id,
  text: string,
): { readonly model: string; readonly id: Id } | undefined {
  const meant = readReference(text);
  return meant && { model: meant.model, id: meant.id ?? statementId(lineageId, meant) };
}

/** A fact to insert: with a `seq` at that position, otherwise at the end. */
export type NewFact = { readonly seq?: number | null; readonly base: FactBase; readonly values: Fact['values'] };

type Rows = Map<TablePlan, NewFact[]>;

function stored(value: Scalar | undefined): Scalar {
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

function packedText(columns: readonly PlannedColumn[], values: Fact['values']): string {
  return JSON.stringify(
    Object.fromEntries(
      columns.map(({ name }) => [name, stored(values[name])] as const).filter(([, value]) => value !== null),
    ),
  );
}

/** Writes facts of one model in their order, without what is nested in them, and answers how many. */
export function insertFactRows(
  trx: Transaction,
  { table, columns }: TablePlan,
  facts: readonly NewFact[],
): Promise<number> {
  const own = columns.filter(({ packed }) => !packed);
  const packed = columns.filter((column) => column.packed);
  const placed = facts.some(({ seq }) => seq !== undefined);
  const names = [
    ...(placed ? ['_seq'] : []),
    ...BASE_COLUMNS,
    '_words',
    ...own.map(({ name }) => name),
    ...(packed.length > 0 ? [PACKED] : []),
  ];
  const rowOf = ({ seq, base, values }: NewFact): readonly Scalar[] => [
    ...(placed ? [seq ?? null] : []),
    ...base,
    factWords(columns, values),
    ...own.map(({ name }) => stored(values[name])),
    ...(packed.length > 0 ? [packedText(packed, values)] : []),
  ];
  return insertValues(trx, table, names, facts.map(rowOf));
}

/** The statements of facts and of those nested in them, by model, in the order in which the facts are written. */
function statementsOf(facts: readonly Fact[], lineageId: Id, found = new Map<string, Id[]>()): Map<string, Id[]> {
  for (const fact of facts) {
    const own = found.get(fact.model) ?? [];
    found.set(fact.model, own);
    own.push(statementId(lineageId, fact));
    statementsOf(allChildren(fact), lineageId, found);
  }
  return found;
}

/** The old positions in their order, with the ids of those that state the same as before; others get new ids. */
function placesByStatement(old: readonly Place[], statements: readonly Id[]): readonly Place[] {
  const open = new Map([...groupedBy(old, ({ statement }) => statement)].map(([key, list]) => [key, [...list]]));
  return statements.map((statement, index) => ({
    seq: old[index]?.seq ?? null,
    id: open.get(statement)?.shift()?.id ?? null,
  }));
}

/**
 * The places of new facts. They get the places of before in their order. When there are as many as before, they keep
 * their ids, so that their addresses stay valid; otherwise those of the same statements do.
 */
function placesFor(places: Places, facts: readonly Fact[], lineageId: Id): Places {
  if (places.size === 0) {
    return places;
  }
  const statements = statementsOf(facts, lineageId);
  return new Map(
    [...places].map(([model, old]) => {
      const now = statements.get(model) ?? [];
      return [model, now.length === old.length ? old : placesByStatement(old, now)];
    }),
  );
}

/**
 * The values of a fact. References to other facts of its document become ids, so that a search finds who refers to a
 * fact.
 */
function withIdReferences({ columns }: TablePlan, lineageId: Id, values: Fact['values']): Fact['values'] {
  const naming = columns.filter(({ statement }) => statement === true);
  const named = naming.flatMap(({ name }) => {
    const meant = referredStatement(lineageId, String(values[name] ?? ''));
    return meant ? [[name, idReference(meant.model, meant.id)] as const] : [];
  });
  return naming.length === 0 ? values : { ...values, ...Object.fromEntries(named) };
}

type Collecting = {
  readonly tables: FactTables;
  readonly owner: FactOwner;
  readonly places: Places;
  readonly rows: Rows;
};

function collectRows(collecting: Collecting, fact: Fact, parentId: Id | null): void {
  const { tables, owner, places, rows } = collecting;
  const plan = tables.get(fact.model);
  if (!plan) {
    return;
  }
  const list = rows.get(plan) ?? [];
  rows.set(plan, list);
  const place = places.get(plan.model)?.[list.length];
  const id = place?.id ?? newId();
  const { recordId, documentId, lineageId, createdAt } = owner;
  const base: FactBase = [
    id,
    recordId,
    documentId,
    lineageId,
    parentId,
    createdAt,
    statementId(lineageId, fact),
    partialDatesText(fact.partialDates),
  ];
  list.push({
    ...(places.has(plan.model) ? { seq: place?.seq ?? null } : {}),
    base,
    values: withIdReferences(plan, lineageId, fact.values),
  });
  for (const { field } of plan.relations) {
    for (const child of childrenIn(fact, field)) {
      collectRows(collecting, child, id);
    }
  }
}

const NOWHERE: Places = new Map();

/**
 * Writes the facts of one document with those nested in them, with a few statements for each table and in the order of
 * the document. Answers their models.
 * @param places the positions of the document's earlier facts. The new facts get them, so that pages of reports still
 * fit together
 */
export async function insertFacts(
  trx: Transaction,
  tables: FactTables,
  owner: FactOwner,
  facts: readonly Fact[],
  places = NOWHERE,
): Promise<ReadonlySet<string>> {
  const collecting = { tables, owner, places: placesFor(places, facts, owner.lineageId), rows: new Map() as Rows };
  for (const fact of facts) {
    collectRows(collecting, fact, null);
  }
  const { rows } = collecting;
  for (const [plan, list] of rows) {
    await insertFactRows(trx, plan, list);
  }
  return new Set([...rows.keys()].map(({ model }) => model));
}

/** Asks hundreds of tables the same question about one document with one statement. */
async function askTables<R>(
  on: Reads,
  tables: readonly string[],
  documentId: Id,
  question: (table: string) => string,
): Promise<readonly R[]> {
  const rows: R[] = [];
  for (const some of inParts(tables, TABLES_IN_STATEMENT)) {
    const text = some.map((table) => question(table)).join(' union all ');
    rows.push(
      ...(await on.rows<R>(
        text,
        some.flatMap((table) => [table, documentId]),
      )),
    );
  }
  return rows;
}

/** Tables with rows that are made of a document beside its facts; their column is `document_id`. */
const MADE_BESIDE: readonly string[] = ['sent_statement', 'sent_document', 'statement_coding'];

/** SQL that finds a row of a document in a table. The resources of a document stay; what searches find of them goes. */
function rowsIn(table: string): string {
  return SOUGHT.includes(table)
    ? `select 1 from fhir_resource as kept join \`${table}\` as found on found.resource = kept.seq where kept.document_id = ?`
    : `select 1 from \`${table}\` where ${documentColumnOf(table)} = ?`;
}

function documentColumnOf(table: string): string {
  return MADE_BESIDE.includes(table) ? 'document_id' : '_document_id';
}

/** Those of the given tables in which a document has rows. */
async function tablesWith(on: Reads, tables: readonly string[], documentId: Id): Promise<readonly string[]> {
  const found = await askTables<{ holder: string }>(
    on,
    tables,
    documentId,
    (table) => `select ? as holder where exists (${rowsIn(table)})`,
  );
  return found.map(({ holder }) => holder);
}

function plansOf(tables: FactTables, names: readonly string[]): readonly TablePlan[] {
  return [...tables.values()].filter(({ table }) => names.includes(table));
}

function factTableNames(tables: FactTables): readonly string[] {
  return [...tables.values()].map(({ table }) => table);
}

/** Models of which a document has facts. */
export async function findFactModels(on: Reads, tables: FactTables, documentId: Id): Promise<ReadonlySet<string>> {
  return new Set(plansOf(tables, await tablesWith(on, factTableNames(tables), documentId)).map(({ model }) => model));
}

/** The positions of a document's facts in the order of insertion. */
async function factPlaces(on: Reads, tables: FactTables, documentId: Id): Promise<Places> {
  const found = await askTables<Place & { holder: string; seq: number }>(
    on,
    factTableNames(tables),
    documentId,
    (table) =>
      `select ? as holder, _seq as seq, _id as id, _statement as statement from \`${table}\` where _document_id = ?`,
  );
  const byTable = new Map([...tables.values()].map(({ table, model }) => [table, model]));
  return groupedBy(
    [...found].sort((a, b) => a.seq - b.seq),
    ({ holder }) => byTable.get(holder)!,
  );
}

/**
 * Deletes all that was made of one document, its facts and what stands beside them, and answers the models of the
 * facts. Tables that no model has at present are included: if the model comes back, its table must not have facts of a
 * version that has been replaced meanwhile. A table without such rows gets no statement.
 */
export async function deleteFacts(
  trx: Transaction,
  dialect: Dialect,
  tables: FactTables,
  documentId: Id,
): Promise<ReadonlySet<string>> {
  const factTables = await factDialect(dialect).factTables(trx);
  const found = await tablesWith(trx, [...factTables, ...MADE_BESIDE, ...SOUGHT], documentId);
  for (const table of found) {
    await (SOUGHT.includes(table)
      ? deleteValuesOf(trx, table, documentId)
      : trx(table).where(documentColumnOf(table), documentId).delete());
  }
  return new Set(plansOf(tables, found).map(({ model }) => model));
}

/** Replaces the facts of a document. */
export async function replaceFacts(
  trx: Transaction,
  dialect: Dialect,
  tables: FactTables,
  owner: FactOwner,
  facts: readonly Fact[],
): Promise<void> {
  const places = await factPlaces(trx, tables, owner.documentId);
  await deleteFacts(trx, dialect, tables, owner.documentId);
  await insertFacts(trx, tables, owner, facts, places);
}

function fromStored({ kind }: PlannedColumn, value: Scalar | undefined): Scalar {
  if (value === null || value === undefined) {
    return null;
  }
  if (kind === 'boolean') {
    return Number(value) === 1;
  }
  if (kind !== 'number' && kind !== 'integer') {
    return value;
  }
  // Packed columns of a wide model are not checked, so a number may have been text in an earlier release.
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

function valuesOf({ columns }: TablePlan, row: FactRow): Record<string, Scalar> {
  const packed = typeof row[PACKED] === 'string' ? (JSON.parse(row[PACKED]) as FactRow) : {};
  const values: Record<string, Scalar> = {};
  for (const column of columns) {
    values[column.name] = fromStored(column, column.packed ? packed[column.name] : row[column.name]);
  }
  return values;
}

/** What to select so that `toFact` can read the row. */
export function factColumns(dialect: Dialect, { columns }: TablePlan): string {
  const { everyDigit } = factDialect(dialect);
  const own = columns.filter(({ packed }) => !packed);
  const named = own.map(
    ({ name, kind }) => `${kind === 'number' ? everyDigit(`fact.\`${name}\``) : `fact.\`${name}\``} as \`${name}\``,
  );
  return [
    ...BASE_COLUMNS.map((name) => `fact.${name}`),
    ...named,
    ...(own.length < columns.length ? [`fact.${PACKED}`] : []),
  ].join(', ');
}

function partialDatesIn(row: FactRow): Pick<StoredFact, 'partialDates'> {
  const partialDates = readPartialDates(row['_partial_dates']);
  return partialDates ? { partialDates } : {};
}

/** Dates that are not seen are not said to be partial either. */
function partialDatesOf(row: FactRow, values: StoredFact['values']): Pick<StoredFact, 'partialDates'> {
  const all = readPartialDates(row['_partial_dates']);
  const entries = Object.entries(all ?? {}).filter(([name]) => values[name] !== null);
  return entries.length > 0 ? { partialDates: Object.fromEntries(entries) } : {};
}

export function toFact(plan: TablePlan, row: FactRow, children: StoredFact['children'] = {}): StoredFact {
  const id = String(row['_id']);
  const values = valuesOf(plan, row);
  return {
    model: plan.model,
    values,
    ...(isSeenByKind(id) ? { ...partialDatesOf(row, values), isSeenByKind: true } : partialDatesIn(row)),
    children,
    id: shownId(id),
    recordId: String(row['_record_id']),
    documentId: shownId(String(row['_document_id'])),
    lineageId: shownId(String(row['_lineage_id'])),
    parentId: row['_parent_id'] === null ? null : String(row['_parent_id']),
    createdAt: String(row['_created_at'] ?? ''),
    // Facts that an earlier release made are statements by themselves.
    statementId: shownId(String(row['_statement'] ?? id)),
  };
}

/** Rows whose `column` is one of some ids, in the order of insertion. */
async function readTableRows(
  on: Reads,
  dialect: Dialect,
  plan: TablePlan,
  column: '_id' | '_parent_id',
  wanted: readonly Id[],
): Promise<readonly FactRow[]> {
  const rows: FactRow[] = [];
  for (const ids of inParts(wanted)) {
    rows.push(
      ...((await on(`${plan.table} as fact`)
        .whereIn(`fact.${column}`, ids)
        .orderBy('fact._seq')
        .select(on.raw(factColumns(dialect, plan)))) as FactRow[]),
    );
  }
  return rows;
}

/** Rows of one table -> facts with all that is nested in them: one statement for each relation, however many rows. */
export async function withChildren(
  on: Reads,
  dialect: Dialect,
  tables: FactTables,
  plan: TablePlan,
  rows: readonly FactRow[],
): Promise<readonly StoredFact[]> {
  const children: Record<string, StoredFact | readonly StoredFact[] | null>[] = rows.map(() => ({}));
  for (const { field, model, many } of plan.relations) {
    const child = tables.get(model);
    const childRows = child
      ? await readTableRows(
          on,
          dialect,
          child,
          '_parent_id',
          rows.map((row) => String(row['_id'])),
        )
      : [];
    const nested = child ? await withChildren(on, dialect, tables, child, childRows) : [];
    const groups = await groupedInSlices(nested, ({ parentId }) => parentId);
    rows.forEach((row, index) => {
      const found = groups.get(String(row['_id'])) ?? [];
      (children[index] as Record<string, unknown>)[field] = many ? found : (found[0] ?? null);
    });
  }
  return mapInSlices(rows.entries(), ([index, row]) => toFact(plan, row, children[index]));
}

/** One fact of a record by its id, with what is nested in it; facts of void documents are not found. */
export function findFact(
  database: Database,
  tables: FactTables,
  plan: TablePlan,
  recordId: Id,
  id: Id,
): Promise<StoredFact | undefined> {
  return database.snapshot(async (on) => {
    const rows = (await on(`${plan.table} as fact`)
      .join('document_lineage as lineage', 'lineage.id', 'fact._lineage_id')
      .where({ 'fact._id': id, 'fact._record_id': recordId })
      .where('lineage.status', '<>', 'void')
      .select(on.raw(factColumns(database.dialect, plan)))) as FactRow[];
    return (await withChildren(on, database.dialect, tables, plan, rows))[0];
  });
}

/** The facts in which these are nested, without their other nested facts. */
export async function parentsOf(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  tables: FactTables,
  facts: readonly StoredFact[],
): Promise<readonly StoredFact[]> {
  const found: (readonly StoredFact[])[] = [];
  const inside = await groupedInSlices(
    facts.filter(({ parentId }) => parentId !== null),
    ({ model }) => model,
  );
  for (const plan of tables.values()) {
    const nested = [...new Set(plan.relations.map(({ model }) => model))];
    const ids = new Set(nested.flatMap((model) => (inside.get(model) ?? []).map(({ parentId }) => parentId!)));
    if (ids.size > 0) {
      const rows = await readTableRows(reads, dialect, plan, '_id', [...ids]);
      found.push(await mapInSlices(rows, (row) => toFact(plan, row)));
    }
  }
  return found.flat();
}
