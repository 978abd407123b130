/** rows: rows of a record as JSON lines, and back (pure). */
import type { Json } from '../base/types';
import type { RawRow } from '../sealing/tables-store';
import type { Row } from './format';
import { columnsOf, type Column } from './parts';

function columnToJson(kind: Column['kind'], value: RawRow[string]): Json {
  if (value === null || value === undefined || Buffer.isBuffer(value)) {
    return null;
  }
  if (kind === 'flag') {
    return Number(value) === 1;
  }
  return kind === 'number' ? Number(value) : value;
}

/** The columns that an archive has: all except bytes and those that are made from other columns. */
function columnsToArchive(table: string): readonly Column[] {
  return columnsOf(table).filter(({ kind, derivedFrom }) => kind !== 'bytes' && derivedFrom === undefined);
}

/** The names of the columns that must be selected for `toArchivedRow`. */
export function archivedColumns(table: string): readonly string[] {
  return columnsToArchive(table).map(({ name }) => name);
}

/** A row as an archive has it. */
export function toArchivedRow(table: string, row: RawRow): Row {
  return Object.fromEntries(
    columnsToArchive(table).map(({ name, kind }) => [name, columnToJson(kind, row[name] ?? null)]),
  );
}

function columnFromJson({ kind }: Column, value: Json | undefined, idFor: (id: string) => string): RawRow[string] {
  if (value === null || value === undefined) {
    return null;
  }
  if (kind === 'flag') {
    return value === true ? 1 : 0;
  }
  if (kind === 'id') {
    return idFor(String(value));
  }
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number);
}

/** The row for a line of an archive, under the ids that it has here. */
export function toStoredRow(table: string, row: Row, idFor: (id: string) => string, content?: Buffer): RawRow {
  const valueOf = (column: Column): RawRow[string] => {
    if (column.kind === 'bytes') {
      return content ?? Buffer.alloc(0);
    }
    return column.derivedFrom === undefined
      ? columnFromJson(column, row[column.name], idFor)
      : String(row[column.derivedFrom] ?? '').toLowerCase();
  };
  return Object.fromEntries(columnsOf(table).map((column) => [column.name, valueOf(column)]));
}

const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/xml/, 'xml'],
  [/json/, 'json'],
  [/^text\/plain/, 'txt'],
  [/^application\/pdf/, 'pdf'],
  [/^image\/png/, 'png'],
  [/^image\/jpeg/, 'jpg'],
];

/** Name of the file that holds a row's content; the number keeps the files in the order of the lines. */
export function contentFile(folder: string, number: number, row: Row): string {
  const extension = EXTENSIONS.find(([pattern]) => pattern.test(String(row['media_type'] ?? '')))?.[1] ?? 'bin';
  // XML that no schema has checked may be a page with a script, which a browser would run when somebody opens the file.
  const ending = extension === 'xml' && typeof row['entry'] !== 'string' ? 'xml.txt' : extension;
  const id = row['id'] === undefined ? `${String(row['record_message_id'])}-${String(row['num'])}` : String(row['id']);
  return `${folder}/${String(number).padStart(7, '0')}-${id}.${ending}`;
}

/** The key that finds the row with the content again. */
export function contentKey(row: Row): Readonly<Record<string, string | number>> {
  return row['id'] === undefined
    ? { record_message_id: String(row['record_message_id']), num: Number(row['num']) }
    : { id: String(row['id']) };
}
