/**
 * tables-store: lists the tables with sealed contents: which columns name a content, and which record's key it needs.
 */
import type { Knex } from 'knex';
import type { Reads, Transaction } from '../db/database';
import { behindKeys, type Keys } from '../db/page';
import type { ContentKey, Contents, ContentPlace, Sealer } from './contents-store';
import { LEFT_OUT_TEXTS } from '../documents/left-out-store';
import { LINK_TEXTS } from '../sharing/health-links-store';
import { MESSAGE_TEXTS, NOTICE_TEXTS } from '../messages/store';
import { openTexts, sealTexts, type StoredTexts } from './sealed-texts-store';

export type SealedTable = {
  readonly table: string;
  /** Columns that name the row in its ContentPlace, in their order. */
  readonly names: readonly string[];
  /** Columns with texts that are sealed together; absent: the content is the bytes in `content`. */
  readonly texts?: readonly string[];
  /** One or more columns that are unique together; all rows are read in their order. */
  readonly order: readonly string[];
  /**
   * The column with the record's id; absent where the rows belong to no record. An empty or missing id is no record.
   */
  readonly record?: { readonly column: string; readonly through?: { readonly table: string; readonly column: string } };
  /** Whether the row has the size and the digest of its content before sealing. */
  readonly digest?: boolean;
};

export const sealedTables: readonly SealedTable[] = [
  { table: 'document', names: ['record_id', 'id'], order: ['seq'], record: { column: 'record_id' }, digest: true },
  {
    table: 'document_part',
    names: ['record_id', 'document_id', 'num'],
    order: ['seq'],
    record: { column: 'record_id' },
  },
  { table: 'record_message', names: ['id'], texts: MESSAGE_TEXTS, order: ['id'], record: { column: 'record_id' } },
  {
    table: 'record_message_attachment',
    names: ['record_message_id', 'num'],
    order: ['record_message_id', 'num'],
    record: { column: 'record_id', through: { table: 'record_message', column: 'record_message_id' } },
  },
  {
    table: 'message',
    names: ['account_id', 'id'],
    texts: MESSAGE_TEXTS,
    order: ['seq'],
    record: { column: 'record_id' },
  },
  {
    table: 'notification',
    names: ['account_id', 'id'],
    texts: NOTICE_TEXTS,
    order: ['seq'],
    record: { column: 'record_id' },
  },
  {
    table: 'fhir_resource',
    names: ['record_id', 'id', 'version'],
    order: ['seq'],
    record: { column: 'record_id' },
  },
  {
    table: 'document_picture',
    names: ['record_id', 'document_id', 'page'],
    order: ['seq'],
    record: { column: 'record_id' },
  },
  {
    table: 'document_text',
    names: ['record_id', 'document_id', 'page'],
    order: ['seq'],
    record: { column: 'record_id' },
  },
  {
    table: 'left_out_fact',
    names: ['record_id', 'document_id', 'num'],
    texts: LEFT_OUT_TEXTS,
    order: ['seq'],
    record: { column: 'record_id' },
  },
  { table: 'health_link', names: ['id'], texts: LINK_TEXTS, order: ['id'], record: { column: 'record_id' } },
  {
    table: 'app_document',
    names: ['app_id', 'scope', 'id'],
    order: ['seq'],
    record: { column: 'scope' },
    digest: true,
  },
  { table: 'app_preference', names: ['account_id', 'app_id'], order: ['account_id', 'app_id'] },
];

const byTable = new Map(sealedTables.map((one) => [one.table, one]));

/** Columns that say how a row is stored, and nothing about its content. An archive has none of them. */
export const STORAGE_COLUMNS: readonly string[] = ['sealed', 'sealed_texts', 'content_key'];

/** The column that tells whether the row is sealed; undefined for a table that has no contents. */
export function markOf(table: string): 'sealed' | 'sealed_texts' | undefined {
  const found = byTable.get(table);
  return found && (found.texts ? 'sealed_texts' : 'sealed');
}

/** Where the content of a row belongs; `row` has the columns of `names`. */
function contentPlace(table: string, row: RawRow): ContentPlace {
  return [table, ...byTable.get(table)!.names.map((name) => String(row[name]))];
}

export function placeColumns(table: string): readonly string[] {
  return byTable.get(table)?.names ?? [];
}

/** Seals a row; rows of other tables stay as they are. */
export function sealRow(table: string, sealer: Sealer, row: RawRow): RawRow {
  const found = byTable.get(table);
  if (!found) {
    return row;
  }
  const place = contentPlace(table, row);
  return found.texts
    ? { ...row, ...sealTexts(sealer, place, found.texts, row as Readonly<Record<string, string>>) }
    : { ...row, ...sealer.seal(place, row['content'] as Buffer) };
}

/** Decrypts a row; rows of other tables stay as they are. @throws UnreadableContent */
export function openRow(table: string, sealer: Sealer, row: RawRow): RawRow {
  const found = byTable.get(table);
  if (!found) {
    return row;
  }
  const place = contentPlace(table, row);
  if (found.texts) {
    return { ...row, ...openTexts(sealer, place, found.texts, row as unknown as StoredTexts<string>) };
  }
  const { content, sealed } = row as { readonly content: Buffer; readonly sealed: number | null };
  return { ...row, content: sealer.open(place, { content, sealed }) };
}

/** A row with its content, and the key that the content needs. */
export type KeyedRow = {
  readonly row: RawRow;
  /** Undefined: it belongs to no record. */ readonly key: ContentKey | undefined;
};

/** The most rows and bytes of one portion. */
const [ROWS, BYTES] = [100, 4_000_000];

/** The values by which pages are read, in the order of the columns. */
export function valuesOf(row: RawRow, order: readonly string[]): Keys {
  return order.map((name) => row[name] as Keys[number]);
}

/** The column in which the row itself names its record, if there is one. */
function ownRecord({ record }: SealedTable): readonly string[] {
  return record && !record.through ? [record.column] : [];
}

function inTable(columns: readonly string[]): readonly string[] {
  return columns.map((name) => `t.${name}`);
}

function sealedColumns(sealed: SealedTable): readonly string[] {
  const { table, names, texts = ['content'], order, digest } = sealed;
  const columns = [
    ...names,
    ...order,
    ...ownRecord(sealed),
    ...texts,
    markOf(table)!,
    ...(digest ? ['size', 'digest'] : []),
  ];
  return inTable([...new Set(columns)]);
}

/** Adds the record of each row. */
function withRecord(query: Knex.QueryBuilder, { record }: SealedTable): Knex.QueryBuilder {
  if (!record) {
    return query;
  }
  const { column, through } = record;
  const joined = through
    ? query
        .join(`${through.table} as via`, 'via.id', `t.${through.column}`)
        .join('record', 'record.id', `via.${column}`)
    : query.leftJoin('record', 'record.id', `t.${column}`);
  return joined.select('record.seq as record_there', 'record.content_key', 'record.creator_id');
}

/** Rows of a table: all, or only those that are in clear. */
function sealedRows(on: Reads, { table }: SealedTable, onlyClear: boolean): Knex.QueryBuilder {
  const query = on(`${table} as t`);
  return onlyClear ? query.whereNull(`t.${markOf(table)}`) : query;
}

/**
 * The keys of the next rows, without their contents, which may be large. With `onlyClear` only rows that are in clear.
 */
async function nextKeys(
  on: Reads,
  sealed: SealedTable,
  last: RawRow | undefined,
  onlyClear: boolean,
): Promise<readonly RawRow[]> {
  const { order, texts = ['content'] } = sealed;
  const rows = sealedRows(on, sealed, onlyClear);
  const keys = inTable(order);
  return (await (last ? behindKeys(rows, keys, valuesOf(last, order)) : rows)
    .orderBy([...keys])
    .limit(ROWS)
    .select(...keys, { bytes: on.raw('length(??)', [`t.${texts.at(-1)}`]) })) as RawRow[];
}

function portionOf(keys: readonly RawRow[]): readonly RawRow[] {
  let bytes = 0;
  const end = keys.findIndex((key) => (bytes += Number(key['bytes'])) > BYTES);
  return end < 0 ? keys : keys.slice(0, end + 1);
}

type Joined = RawRow & { readonly record_there: number | null; readonly content_key: ContentKey };

/**
 * Leaves out rows of records that are being forgotten, which have no key any more, and of records that are being
 * imported, which have none yet.
 */
function keyedRows(sealed: SealedTable, row: Joined): readonly KeyedRow[] {
  if (sealed.record === undefined || ownRecord(sealed).some((column) => (row[column] ?? '') === '')) {
    return [{ row, key: undefined }];
  }
  return row.record_there === null || row['creator_id'] === '' ? [] : [{ row, key: row.content_key }];
}

/** The rows of these keys. @param toSeal true: only rows that are in clear, which are locked */
async function readPortion(
  on: Reads,
  sealed: SealedTable,
  keys: readonly RawRow[],
  toSeal: boolean,
): Promise<readonly KeyedRow[]> {
  const query = withRecord(sealedRows(on, sealed, toSeal), sealed)
    .select(...sealedColumns(sealed))
    .where((any) => {
      for (const key of keys) {
        void any.orWhere(Object.fromEntries(sealed.order.map((name) => [`t.${name}`, key[name]])));
      }
    });
  const rows = (await (toSeal ? query.forUpdate() : query)) as Joined[];
  return rows.flatMap((row) => keyedRows(sealed, row));
}

/** Rows with their contents, portion by portion. */
export async function* contentPages(on: Reads, sealed: SealedTable): AsyncGenerator<readonly KeyedRow[]> {
  let last: RawRow | undefined;
  for (;;) {
    const keys = portionOf(await nextKeys(on, sealed, last, false));
    if (keys.length === 0) {
      return;
    }
    yield await readPortion(on, sealed, keys, false);
    last = keys.at(-1);
  }
}

/** The keys of the next rows in clear; an empty list at the end. */
export async function nextInClear(
  on: Reads,
  sealed: SealedTable,
  last: RawRow | undefined,
): Promise<readonly RawRow[]> {
  return portionOf(await nextKeys(on, sealed, last, true));
}

/** Seals those rows that are still in clear. @returns how many */
export async function sealPortion(
  trx: Transaction,
  contents: Contents,
  sealed: SealedTable,
  keys: readonly RawRow[],
): Promise<number> {
  const common = await contents.common(trx);
  let done = 0;
  for (const { row, key } of await readPortion(trx, sealed, keys, true)) {
    if (key !== null) {
      const stored = sealRow(sealed.table, key === undefined ? common : contents.under(key), row);
      const changed = [...(sealed.texts ?? ['content']), markOf(sealed.table)!];
      await trx(sealed.table)
        .where(Object.fromEntries(sealed.order.map((name) => [name, row[name]])))
        .update(Object.fromEntries(changed.map((name) => [name, stored[name]])));
      done += 1;
    }
  }
  return done;
}

/** Whether there is anything that could be sealed. */
export async function holdsContents(on: Reads): Promise<boolean> {
  for (const table of ['record', ...sealedTables.map((one) => one.table)]) {
    if ((await on(table).first(on.raw('1'))) !== undefined) {
      return true;
    }
  }
  return false;
}

/** Whether there is a record whose contents are stored in clear. */
export async function holdsUnkeyed(on: Reads): Promise<boolean> {
  return (await on('record').whereNull('content_key').whereNot('creator_id', '').first('seq')) !== undefined;
}

/** Gives keys to some records that have none. @returns where the next ones begin; undefined when there are no more */
export async function giveKeys(trx: Transaction, contents: Contents, after: number): Promise<number | undefined> {
  const seqs = (await trx('record')
    .where('seq', '>', after)
    .whereNull('content_key')
    .whereNot('creator_id', '')
    .orderBy('seq')
    .limit(ROWS)
    .pluck('seq')) as number[];
  for (const seq of seqs) {
    await trx('record')
      .where({ seq })
      .whereNull('content_key')
      .whereNot('creator_id', '')
      .update({ content_key: await contents.newKey(trx) });
  }
  return seqs.length < ROWS ? undefined : seqs.at(-1);
}
/** A row as the driver gives it, by column name. */
export type RawRow = Readonly<Record<string, string | number | null | Buffer>>;
