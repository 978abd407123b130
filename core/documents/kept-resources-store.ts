/**
 * kept-resources: the resources that documents state, those of FHIR as they came, sealed under the key of their record,
 * and what searches find of the latest ones.
 */
import { flatMapInSlices, mapInSlices } from '../base/turns/slices';
import type { Id, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/connection';
import { isCurrent } from '../facts/facts-in-scope';
import { lineageInUse, type ReportScope } from '../sharing/containment';
import { deleteSearchValues, EARLIER } from '../db/delete-search-values';
import { insertNumberedRow, insertRows, insertValues } from '../db/insert-rows';
import { inParts } from '../db/in-parts';
import { openText } from './opened-texts-store';
import { packText } from './resource-texts-store';
import { BY_RESOURCE, countByRows, type SoughtCondition, placesIn, placesOf } from './sought-rows-store';
import { allOf, comesAfter, marks, NEVER, orderText, type Condition } from '../db/condition';
import type { ContentKey, ContentPlace, Contents, Sealer } from '../sealing/contents-store';

/** The greatest `part` of resources that are made of facts; those that came as FHIR have the number of their entry. */
export const MADE_OF_FACTS = -1;

/** What a search finds of a resource. */
export type SearchValue = {
  /** The search parameter. */
  readonly name: string;
  /**
   * A code, the beginning of a text in lower case without accents, an address, `Type/id`, or the beginning of a time,
   * which ends before `high`.
   */
  readonly word?: string;
  /** The system of a code or a unit; empty: it has none. Undefined: the element is a plain code. */
  readonly system?: string;
  /** The whole text, as it came. */
  readonly exact?: string;
  /** The beginning of a time that stands beside a code. */
  readonly low?: string;
  readonly high?: string;
  readonly from?: number;
  readonly to?: number;
};

export type NewResource = {
  readonly id: Id;
  readonly type: string;
  readonly version: string;
  /** Hash over what names it in its documents; empty where the id alone does. */
  readonly sourceKey: string;
  readonly part: number;
  readonly updatedAt: Timestamp;
  readonly text: string;
  readonly values: readonly SearchValue[];
};

export type ResourceOwner = { readonly recordId: Id; readonly documentId: Id; readonly lineageId: Id };

/** A resource as it is read. */
export type KeptRow = {
  readonly seq: number;
  readonly id: Id;
  readonly type: string;
  readonly version: string;
  readonly documentId: Id;
  readonly lineageId: Id;
  readonly part: number;
  readonly updatedAt: Timestamp;
  readonly text: string;
};

function keptResourcePlace(recordId: Id, id: Id, version: string): ContentPlace {
  return ['fhir_resource', recordId, id, version];
}

const RESOURCE = [
  'record_id',
  'id',
  'type',
  'version',
  'document_id',
  'lineage_id',
  'source_key',
  'part',
  'updated_at',
  'content',
  'sealed',
] as const;
const VALUE = ['place', 'resource', 'word', 'system', 'exact', 'low', 'high', 'num_from', 'num_to'];

/** A document may have thousands of resources. */
const AT_ONCE = 500;

/** One statement may be resources of several types. */
function typedName({ type, id }: Pick<NewResource, 'type' | 'id'>): string {
  return `${type}/${id}`;
}

/** The `seq` of the resources of a document, by their types and ids. */
async function seqsOf(trx: Transaction, documentId: Id): Promise<ReadonlyMap<string, number>> {
  const rows = (await trx('fhir_resource').where({ document_id: documentId }).select('seq', 'type', 'id')) as {
    seq: number;
    type: string;
    id: string;
  }[];
  return new Map(rows.map((row) => [typedName(row), row.seq]));
}

/** Stores the resources of the latest version of a document, with what searches find of them. */
export async function insertResources(
  trx: Transaction,
  sealer: Sealer,
  { recordId, documentId, lineageId }: ResourceOwner,
  resources: readonly NewResource[],
): Promise<void> {
  if (resources.length === 0) {
    return;
  }
  const rowOf = ({ id, type, version, sourceKey, part, updatedAt, text }: NewResource) => ({
    record_id: recordId,
    id,
    type,
    version,
    document_id: documentId,
    lineage_id: lineageId,
    source_key: sourceKey,
    part,
    updated_at: updatedAt,
    ...sealer.seal(keptResourcePlace(recordId, id, version), packText(text)),
  });
  const [first, ...others] = resources;
  if (others.length === 0) {
    // Most of what people type in is one resource.
    const seq = await insertNumberedRow(trx, 'fhir_resource', RESOURCE, rowOf(first!));
    await insertSearchValues(trx, recordId, [{ ...first!, seq }]);
    return;
  }
  for (const some of inParts(resources, AT_ONCE)) {
    await insertRows(trx, 'fhir_resource', RESOURCE, await mapInSlices(some, rowOf));
  }
  const seqs = await seqsOf(trx, documentId);
  await insertSearchValues(
    trx,
    recordId,
    resources.map((resource) => ({ ...resource, seq: seqs.get(typedName(resource))! })),
  );
}

/** Stores what searches find of resources. */
export async function insertSearchValues(
  trx: Transaction,
  recordId: Id,
  resources: readonly (Pick<NewResource, 'type' | 'values'> & { readonly seq: number })[],
): Promise<void> {
  const place = placesIn(recordId);
  for (const some of inParts(resources, AT_ONCE)) {
    const rows = await flatMapInSlices(some, ({ seq, type, values }) =>
      values.map(
        ({ name, word = null, system = null, exact = null, low = null, high = null, from = null, to = null }) => [
          place(`${type}.${name}`),
          seq,
          word,
          system,
          exact,
          low,
          high,
          from,
          to,
        ],
      ),
    );
    await insertValues(trx, 'search_value', VALUE, rows);
  }
}

/** Whether searches find anything of the resources of a document. */
export async function isSought(trx: Transaction, documentId: Id): Promise<boolean> {
  const [row] = await trx.rows<{ found: number }>(
    'select exists (select 1 from fhir_resource as kept join search_value as found on found.resource = kept.seq ' +
      'where kept.document_id = ?) as found',
    [documentId],
  );
  return Number(row?.found) === 1;
}

/** Removes what an earlier release wrote for searches of the resources of a document. */
export async function dropOldSearchValues(trx: Transaction, documentId: Id): Promise<void> {
  await deleteSearchValues(trx, trx('fhir_resource').where({ document_id: documentId }), [EARLIER]);
}

/** Removes the resources of a document, which is read anew. */
export async function dropResources(trx: Transaction, documentId: Id): Promise<void> {
  const resources = trx('fhir_resource').where({ document_id: documentId });
  await deleteSearchValues(trx, resources);
  await resources.delete();
}

/** The ids of the resources of a lineage, by what names them in its documents. */
export async function idsOfLineage(on: Reads, lineageId: Id): Promise<ReadonlyMap<string, Id>> {
  const rows = (await on('fhir_resource').where({ lineage_id: lineageId }).distinct('source_key', 'type', 'id')) as {
    source_key: string;
    type: string;
    id: string;
  }[];
  return new Map(rows.map(({ source_key: key, type, id }) => [`${type} ${key}`, id]));
}

type Row = {
  seq: number | string;
  id: string;
  record_id: string;
  type: string;
  version: string;
  document_id: string;
  lineage_id: string;
  part: number;
  updated_at: string;
  content: Buffer;
  sealed: number | null;
  content_key: ContentKey;
};

const COLUMNS = [...RESOURCE.filter((name) => name !== 'source_key'), 'seq']
  .map((name) => `kept.\`${name}\``)
  .join(', ');

function openResource(contents: Contents, row: Row): KeptRow {
  return {
    seq: Number(row.seq),
    id: row.id,
    type: row.type,
    version: row.version,
    documentId: row.document_id,
    lineageId: row.lineage_id,
    part: Number(row.part),
    updatedAt: row.updated_at,
    text: openText(contents, {
      seq: Number(row.seq),
      place: keptResourcePlace(row.record_id, row.id, row.version),
      key: row.content_key,
      stored: { content: row.content, sealed: row.sealed },
    }),
  };
}

/** The id of a resource begins with that of its statement. */
const OF_RESOURCE = {
  record: 'kept.record_id',
  document: 'kept.document_id',
  statement: 'substr(kept.id, 1, 36)',
} as const;

/** The condition that a resource is of an active document in the scope, and in its latest version. */
function resourcesInScope(scope: ReportScope, latest: boolean): Condition {
  const { text, values } = lineageInUse('lineage', scope);
  const current = isCurrent(scope, OF_RESOURCE);
  return {
    text:
      `kept.record_id = ? and ${latest ? 'lineage.latest_id = kept.document_id and ' : ''}${text}` +
      (current ? ` and ${current.text}` : ''),
    values: [scope.recordId, ...values, ...(current?.values ?? [])],
  };
}

const FROM = 'fhir_resource as kept join document_lineage as lineage on lineage.id = kept.lineage_id';
const WITH_KEY = `${FROM} join record on record.id = kept.record_id`;

async function select(on: Reads, contents: Contents, { text, values }: Condition): Promise<readonly KeptRow[]> {
  const rows = await on.rows<Row>(`select ${COLUMNS}, record.content_key from ${WITH_KEY} where ${text}`, [...values]);
  return mapInSlices(rows, (row) => openResource(contents, row));
}

/** The resources of one version of a document, whatever its status. */
export function resourcesOfDocument(on: Reads, contents: Contents, documentId: Id): Promise<readonly KeptRow[]> {
  return select(on, contents, { text: 'kept.document_id = ?', values: [documentId] });
}

/** The ids of the resources of one type that these versions of documents state, whatever their status. */
export async function idsOfDocuments(on: Reads, type: string, documentIds: readonly Id[]): Promise<readonly Id[]> {
  const ids: Id[] = [];
  for (const some of inParts(documentIds)) {
    const rows = await on.rows<{ readonly id: Id }>(
      `select id from fhir_resource where document_id in (${marks(some)}) and type = ?`,
      [...some, type],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** The latest version of a resource; undefined when the scope does not hold it. */
export async function findResource(
  on: Reads,
  contents: Contents,
  scope: ReportScope,
  { type, id }: { readonly type: string; readonly id: string },
): Promise<KeptRow | undefined> {
  const held = resourcesInScope(scope, true);
  const [row] = await select(on, contents, {
    text: `${held.text} and kept.type = ? and kept.id = ?`,
    values: [...held.values, type, id],
  });
  return row;
}

/** One version of a resource; in a carenet only the latest. */
export async function findVersion(
  on: Reads,
  contents: Contents,
  scope: ReportScope,
  { type, id, version }: { readonly type: string; readonly id: string; readonly version: string },
): Promise<KeptRow | undefined> {
  const held = resourcesInScope(scope, scope.carenetId !== undefined);
  const [row] = await select(on, contents, {
    text: `${held.text} and kept.type = ? and kept.id = ? and kept.version = ?`,
    values: [...held.values, type, id, version],
  });
  return row;
}

/** All versions of a resource, the newest first; in a carenet only the latest. */
export async function versionsOfResource(
  on: Reads,
  contents: Contents,
  scope: ReportScope,
  { type, id }: { readonly type: string; readonly id: string },
  limit: number,
): Promise<readonly KeptRow[]> {
  const held = resourcesInScope(scope, scope.carenetId !== undefined);
  return select(on, contents, {
    text: `${held.text} and kept.type = ? and kept.id = ? order by kept.seq desc limit ?`,
    values: [...held.values, type, id, limit],
  });
}

/** The latest versions of resources by their `seq`, in no order. */
export async function resourcesBySeq(
  on: Reads,
  contents: Contents,
  scope: ReportScope,
  seqs: readonly number[],
): Promise<readonly KeptRow[]> {
  const found: KeptRow[] = [];
  const held = resourcesInScope(scope, true);
  for (const some of inParts(seqs)) {
    found.push(
      ...(await select(on, contents, {
        text: `${held.text} and kept.seq in (${marks(some)})`,
        values: [...held.values, ...some],
      })),
    );
  }
  return found;
}

/** The latest versions of resources by type and id, in no order. */
export async function resourcesNamed(
  on: Reads,
  contents: Contents,
  scope: ReportScope,
  names: readonly { readonly type: string; readonly id: string }[],
): Promise<readonly KeptRow[]> {
  const found: KeptRow[] = [];
  const held = resourcesInScope(scope, true);
  const wanted = new Set(names.map(({ type, id }) => `${type}/${id}`));
  for (const some of inParts([...new Set(names.map(({ id }) => id))])) {
    const types = [...new Set(names.map(({ type }) => type))];
    const rows = await select(on, contents, {
      text: `${held.text} and kept.type in (${marks(types)}) and kept.id in (${marks(some)})`,
      values: [...held.values, ...types, ...some],
    });
    found.push(...rows.filter(({ type, id }) => wanted.has(`${type}/${id}`)));
  }
  return found;
}

/** What the newest documents of a scope say of the person, the newest first. */
export function personsStated(
  on: Reads,
  contents: Contents,
  scope: ReportScope,
  limit: number,
): Promise<readonly KeptRow[]> {
  const held = resourcesInScope(scope, true);
  return select(on, contents, {
    text: `${held.text} and kept.type = 'Patient' order by kept.lineage_id desc limit ?`,
    values: [...held.values, limit],
  });
}

/** A place in an order: the values by which it is sorted, and the `seq`. */
export type ResourceKey = { readonly sorts: readonly string[]; readonly seq: number };

/** A search parameter by which resources are sorted, and whether each has one row of it at most. */
type Named = { readonly name: string; readonly isOne?: boolean };

/** One of the values by which resources are sorted, the first of them first. */
export type ResourceOrder = {
  /** `stored`: the order in which documents were first stored. A name: that of a date or a text of the resource. */
  readonly by: 'stored' | 'updated' | 'id' | 'seq' | Named;
  readonly descending: boolean;
};

/** Where a match without a value is sorted: last. */
const UNSAID = { ascending: '~', descending: '' };

function sortSql(recordId: Id, { by, descending }: ResourceOrder): Condition {
  if (typeof by === 'object') {
    const best = descending ? 'max' : 'min';
    const unsaid = descending ? UNSAID.descending : UNSAID.ascending;
    // Of a bare column SQLite seeks the greatest value by the index of all resources, from the end of the whole record.
    return {
      text:
        `coalesce((select ${best}(coalesce(sorting.word, '${unsaid}')) from search_value as sorting ` +
        `where sorting.resource = kept.seq and sorting.place = ?), '${unsaid}')`,
      values: placesOf(recordId, [by.name]),
    };
  }
  const columns = { stored: 'kept.lineage_id', updated: 'kept.updated_at', id: 'kept.id', seq: 'kept.seq' } as const;
  return { text: columns[by], values: [] };
}

export type ResourceSearch = {
  readonly types: readonly string[];
  readonly conditions: readonly SoughtCondition[];
  /** For a large record; see `Way`. */ readonly leading?: Condition | undefined;
  /** Few resources are of these types: they are not looked for among all in the order of the answer. */
  readonly isFew?: boolean;
  /** Very many meet each condition. */
  readonly isMany?: boolean;
  /** Only the first in the order of those that are of one kind. */
  readonly ofEach?: OfEach;
};

/** So many of those that have the same values of some search parameters. */
export type OfEach = { readonly names: readonly string[]; readonly most: number };

function matching(scope: ReportScope, { types, conditions }: ResourceSearch): Condition {
  const held = resourcesInScope(scope, true);
  return {
    text: [held.text, `kept.type in (${marks(types)})`, ...conditions.map(({ text }) => `(${text})`)].join(' and '),
    values: [...held.values, ...types, ...conditions.flatMap(({ values }) => values)],
  };
}

type Page = {
  readonly scope: ReportScope;
  readonly search: ResourceSearch;
  readonly orders: readonly ResourceOrder[];
  readonly after: ResourceKey | undefined;
  readonly limit: number;
};

/** The tables of a search. Both databases would rather go through all resources than begin with the few that lead. */
function fromOf({ database }: Reads, { leading }: ResourceSearch): Condition {
  const [first, then] = database === 'sqlite' ? ['cross join', 'join'] : ['straight_join', 'straight_join'];
  return leading === undefined
    ? { text: FROM, values: [] }
    : {
        text:
          `(select distinct listed.seq as seq from (${leading.text}) as listed) as led ${first} fhir_resource as kept ` +
          `on kept.seq = led.seq ${then} document_lineage as lineage on lineage.id = kept.lineage_id`,
        values: leading.values,
      };
}

const FEW_OF_TYPES: Condition = {
  text: FROM.replace('as kept', '$& indexed by fhir_resource_record_id_type_lineage_id_document_id'),
  values: [],
};

/** Where the matches of a page stand, and what they must meet. */
type Among = {
  readonly from: Condition;
  readonly where: Condition;
  /** SQL of the first value of the order, which an index of `from` has in this order. */ readonly walked?: string;
};

/**
 * MariaDB takes an order from an index only if it is that of the index. So the first value of the last match is sought
 * in the order of this value alone, and only what stands before it is sorted by the others.
 */
async function withinPage(
  on: Reads,
  { orders: [order], limit }: Page,
  among: Among,
  matches: Condition,
): Promise<Among> {
  const { walked, where } = among;
  if (walked === undefined || on.database === 'sqlite') {
    return among;
  }
  const { descending } = order!;
  const rows = await on.rows<{ readonly sort_0: string }>(
    `select sort_0 from ${matches.text} order by sort_0 ${descending ? 'desc' : 'asc'} limit ?`,
    [...matches.values, limit],
  );
  const last = rows.at(-1)?.sort_0;
  const bound = `${walked} ${descending ? '>=' : '<='} ?`;
  return { ...among, where: last === undefined ? NEVER : allOf([where, { text: bound, values: [last] }]) };
}

/** SQL of what those have in common of which only some are read. */
function kindSql(recordId: Id, { names }: OfEach): Condition {
  const ofOne =
    "coalesce((select min(concat(coalesce(own.system, ''), ' ', own.word)) from search_value as own " +
    "where own.resource = kept.seq and own.place = ?), '')";
  return { text: `concat(${names.map(() => ofOne).join(", ' ', ")})`, values: placesOf(recordId, names) };
}

/** Reads the first matches of each kind, in the order of the page. */
async function readFirstKeys(on: Reads, page: Page, ofEach: OfEach): Promise<readonly ResourceKey[]> {
  const { scope, search, orders, limit } = page;
  const [sort, kind] = [sortSql(scope.recordId, orders[0]!), kindSql(scope.recordId, ofEach)];
  const where = matching(scope, search);
  const by = orderText([{ sql: 'sort_0', descending: orders[0]!.descending }]);
  const rows = await on.rows<{ readonly sort_0: string; readonly seq: number | string }>(
    `select sort_0, seq from (select sort_0, seq, row_number() over (partition by kind order by ${by}, seq) as nth ` +
      `from (select ${sort.text} as sort_0, ${kind.text} as kind, kept.seq as seq from ${FROM} where ${where.text}) ` +
      `as matches) as numbered where nth <= ? order by ${by}, seq limit ?`,
    [...sort.values, ...kind.values, ...where.values, ofEach.most, limit],
  );
  return rows.map((row) => ({ sorts: [row.sort_0], seq: Number(row.seq) }));
}

/** Reads a page of matches. */
async function readPageKeys(on: Reads, page: Page, among: Among): Promise<readonly ResourceKey[]> {
  const { scope, orders, after, limit } = page;
  const sorts = orders.map((order, index) =>
    index === 0 && among.walked !== undefined ? { text: among.walked, values: [] } : sortSql(scope.recordId, order),
  );
  const columns = sorts.map((sort, index) => `${sort.text} as sort_${index}`);
  const by = orders.map(({ descending }, index) => ({ sql: `sort_${index}`, descending }));
  const place = after && comesAfter(by, after.sorts, { text: 'seq > ?', values: [after.seq] });
  const matchesAmong = ({ from, where }: Among): Condition => ({
    text:
      `(select ${columns.join(', ')}, kept.seq as seq from ${from.text} where ${where.text}) as matches` +
      (place ? ` where ${place.text}` : ''),
    values: [...sorts.flatMap((sort) => sort.values), ...from.values, ...where.values, ...(place?.values ?? [])],
  });
  const { text, values } = matchesAmong(await withinPage(on, page, among, matchesAmong(among)));
  const rows = await on.rows<Readonly<Record<string, string>> & { readonly seq: number | string }>(
    `select * from ${text} order by ${orderText(by)}, seq limit ?`,
    [...values, limit],
  );
  return rows.map((row) => ({ sorts: by.map(({ sql }) => row[sql]!), seq: Number(row.seq) }));
}

const ORDER_INDEX = 'fhir_resource_record_id_type_lineage_id_document_id';
const SORTING_INDEX = 'search_value_place_word_system_high_num_from_num_to';

/** The tables of a search that goes through resources in the order in which their documents were stored. */
const WALK_STORED: Condition = {
  text:
    `fhir_resource as kept force index (${ORDER_INDEX}) straight_join document_lineage as lineage ` +
    'force index (document_lineage_id) on lineage.id = kept.lineage_id',
  values: [],
};

/** The tables of a search that goes through rows of the parameter by which it is sorted. */
const WALK: Readonly<Record<Reads['database'], Condition>> = {
  sqlite: {
    text:
      `search_value as sorting indexed by ${SORTING_INDEX} ` +
      'cross join fhir_resource as kept on kept.seq = sorting.resource ' +
      'join document_lineage as lineage on lineage.id = kept.lineage_id',
    values: [],
  },
  mysql: {
    text:
      `search_value as sorting force index (${SORTING_INDEX}) ` +
      'straight_join fhir_resource as kept force index (primary) on kept.seq = sorting.resource ' +
      'straight_join document_lineage as lineage force index (document_lineage_id) on lineage.id = kept.lineage_id',
    values: [],
  },
};

/** The condition that the row `sorting` is the one by which its resource is sorted; there is none for one without. */
function isSorting({ scope: { recordId }, orders, after }: Page, { name, isOne }: Named): Condition {
  const { descending } = orders[0]!;
  const [place] = placesOf(recordId, [name]);
  const isBefore = `other.word ${descending ? '>' : '<'} sorting.word or (other.word = sorting.word and other.seq < sorting.seq)`;
  const beyond = after ? `sorting.word ${descending ? '<=' : '>='} ?` : '';
  return {
    text: [
      'sorting.place = ?',
      descending ? `sorting.word > '${UNSAID.descending}'` : `sorting.word < '${UNSAID.ascending}'`,
      ...(after ? [beyond] : []),
      ...(isOne
        ? []
        : [
            'not exists (select 1 from search_value as other where other.resource = sorting.resource ' +
              `and other.place = sorting.place and (${isBefore}))`,
          ]),
    ].join(' and '),
    values: [place!, ...(after ? [after.sorts[0]!] : [])],
  };
}

/** The search with what its conditions say of the parameter by which it is sorted asked of the row that sorts. */
function askedOfSorting(search: ResourceSearch, { name, isOne }: Named): ResourceSearch {
  const conditions = search.conditions.map((one): SoughtCondition => {
    const of = isOne && one.sought && !one.sought.isNot ? one.sought.of : undefined;
    return of?.name === name ? { text: of.test.text.replaceAll('found.', 'sorting.'), values: of.test.values } : one;
  });
  return { ...search, conditions };
}

/**
 * Goes through the rows of the parameter by which the page is sorted, in their order, until it is full. Resources
 * without such a row come last.
 */
async function walkSorted(on: Reads, page: Page, named: Named): Promise<readonly ResourceKey[]> {
  const { scope, search, limit, orders } = page;
  const sorting = isSorting(page, named);
  const where = allOf([sorting, matching(scope, askedOfSorting(search, named))]);
  const found = await readPageKeys(on, page, { from: WALK[on.database], where, walked: 'sorting.word' });
  if (found.length === limit) {
    return found;
  }
  const said = orders[0]!.descending ? `> '${UNSAID.descending}'` : `< '${UNSAID.ascending}'`;
  const isUnsaid: Condition = {
    text:
      `not exists (select 1 from search_value as sorting ${on.database === 'sqlite' ? BY_RESOURCE : ''} ` +
      `where sorting.resource = kept.seq and sorting.place = ? and sorting.word ${said})`,
    values: placesOf(scope.recordId, [named.name]),
  };
  const unsaid: Among = { from: fromOf(on, search), where: allOf([matching(scope, search), isUnsaid]) };
  return [...found, ...(await readPageKeys(on, { ...page, limit: limit - found.length }, unsaid))];
}

/** One page of matches in their order, without their contents. */
export function searchResources(
  on: Reads,
  scope: ReportScope,
  search: ResourceSearch,
  orders: readonly ResourceOrder[],
  after: ResourceKey | undefined,
  limit: number,
): Promise<readonly ResourceKey[]> {
  const page: Page = { scope, search, orders, after, limit };
  if (search.ofEach) {
    return readFirstKeys(on, page, search.ofEach);
  }
  const named = orders[0]?.by;
  const isWalk = Object.hasOwn(search, 'leading') && search.leading === undefined;
  if (isWalk && typeof named === 'object') {
    return walkSorted(on, page, named);
  }
  const where = matching(scope, search);
  if (isWalk && named === 'stored' && orders[0]!.descending && on.database === 'mysql') {
    const before = { text: 'kept.lineage_id <= ?', values: [after?.sorts[0] ?? UNSAID.ascending] };
    return readPageKeys(on, page, { from: WALK_STORED, where: allOf([where, before]), walked: 'kept.lineage_id' });
  }
  const from = search.isFew === true && on.database === 'sqlite' ? FEW_OF_TYPES : fromOf(on, search);
  return readPageKeys(on, page, { from, where });
}

/** How many matches there are. @param most undefined is answered for more */
export async function countResources(
  on: Reads,
  scope: ReportScope,
  search: ResourceSearch,
  most?: number,
): Promise<number | undefined> {
  const isWhole = scope.carenetId === undefined && scope.current === undefined;
  const [condition, another] = search.conditions;
  const counted =
    search.isMany === true && isWhole && most === undefined && condition && !another
      ? await countByRows(on, scope.recordId, condition)
      : undefined;
  if (counted !== undefined) {
    return counted;
  }
  const { text, values } = matching(scope, search);
  const from = fromOf(on, search);
  const all = `from ${from.text} where ${text}`;
  const [row] = await on.rows<{ n: number | string }>(
    most === undefined
      ? `select count(*) as n ${all}`
      : `select count(*) as n from (select 1 ${all} limit ?) as counted`,
    [...from.values, ...values, ...(most === undefined ? [] : [most + 1])],
  );
  const n = Number(row?.n ?? 0);
  return most !== undefined && n > most ? undefined : n;
}

/** A document whose facts have no resources yet. */
export type MissingResources = { readonly seq: number; readonly recordId: Id; readonly lineageId: Id };

/** The next documents whose resources are to be made, of one record or of all. */
export function readMissingResources(
  on: Reads,
  recordId: Id | undefined,
  after: number,
  limit: number,
): Promise<readonly MissingResources[]> {
  return on.rows<MissingResources>(
    `select seq, record_id as recordId, lineage_id as lineageId from missing_resource where seq > ?${recordId === undefined ? '' : ' and record_id = ?'} order by seq limit ?`,
    [after, ...(recordId === undefined ? [] : [recordId]), limit],
  );
}

export async function noLongerMissing(trx: Transaction, lineageId: Id): Promise<void> {
  await trx('missing_resource').where({ lineage_id: lineageId }).delete();
}

/** Notes that the resources of all documents of a record are to be made. */
export async function missAllResources(trx: Transaction, recordId: Id): Promise<void> {
  await trx.raw(
    'insert into missing_resource (record_id, lineage_id) select record_id, id from document_lineage where record_id = ?',
    [recordId],
  );
}

type Latest = { readonly id: Id; readonly createdAt: Timestamp; readonly isMade: boolean };

/** Locks the lineage until the transaction ends, and answers its latest version, and whether that has resources. */
export async function lockUnmade(trx: Transaction, lineageId: Id): Promise<Latest | undefined> {
  const lineage = (await trx('document_lineage').where({ id: lineageId }).forUpdate().first('latest_id')) as
    { latest_id: string } | undefined;
  const [row] = lineage
    ? await trx.rows<{ created: string; made: number }>(
        'select created_at as created, exists (select 1 from fhir_resource where document_id = document.id) as made from document where id = ?',
        [lineage.latest_id],
      )
    : [];
  return lineage && row && { id: lineage.latest_id, createdAt: row.created, isMade: Number(row.made) === 1 };
}

/** Whether a record has many resources or documents. It counts no further than it must. */
export async function holdsMany(on: Reads, recordId: Id, most: number): Promise<boolean> {
  const counted = ['fhir_resource', 'document']
    .map((table) => `(select count(*) from (select 1 from ${table} where record_id = ? limit ?) as of_${table})`)
    .join(' + ');
  const [row] = await on.rows<{ n: number | string }>(`select ${counted} as n`, [
    recordId,
    most + 1,
    recordId,
    most + 1,
  ]);
  return Number(row?.n ?? 0) > most;
}
