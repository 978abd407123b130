/**
 * sheet: reads the first sheet of a workbook (XLSX) that has a table as records of text, like those of a CSV. It runs in
 * intake processes only. A formula is its kept value; a date is what its cell's format says.
 */
import readSheets, { type Sheet } from 'read-excel-file/node';
import { InvalidFile } from './invalid-file';
import { hiddenSheets, membersOf } from './workbook-sheets';

/** The most bytes of a workbook, packed and unpacked, and the most cells of its sheet. */
const MOST_PACKED = 20_000_000;
const MOST_UNPACKED = 150_000_000;
const MOST_CELLS = 2_000_000;

function notOne(): InvalidFile {
  return new InvalidFile('it is no workbook of a spreadsheet (XLSX): save it once more, or save its sheet as CSV');
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length > MOST_PACKED) {
      throw new InvalidFile(`it has more than ${MOST_PACKED} bytes: save its sheet as CSV`, 'large');
    }
  }
  return Buffer.concat(held);
}

/** Numbers are kept with fifteen digits: further ones are what a spreadsheet adds to 5.4 when it saves it. */
function shortNumber(text: string): string {
  const number = Number(text);
  const short = String(Number(number.toPrecision(15)));
  return Number.isFinite(number) && !short.includes('e') ? short : text;
}

/** The first days of Excel's calendar stand for times without a day. */
const FIRST_YEARS = /^(?:1899|1900|1904)-/;

/** A day, a day with a time, or a time, as ISO 8601 writes them. */
function dateText(date: Date): string {
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  const [day, time] = [text.slice(0, 10), text.slice(11, 19)];
  if (FIRST_YEARS.test(day)) {
    return time;
  }
  return time === '00:00:00' ? day : `${day} ${time}`;
}

function cellText(value: unknown): string {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? '' : dateText(value);
  }
  return value === null || value === undefined ? '' : String(value as string | boolean).trim();
}

/** The rows of a sheet, without empty ones. @throws InvalidFile for too many cells */
function filledRows({ data }: Sheet<string>): readonly (readonly string[])[] {
  let cells = 0;
  return (data as readonly (readonly unknown[])[]).flatMap((row) => {
    cells += row.length;
    if (cells > MOST_CELLS) {
      throw new InvalidFile(`it has more than ${MOST_CELLS} cells: save a part of it`, 'large');
    }
    const record = row.map(cellText);
    return record.some((text) => text !== '') ? [record] : [];
  });
}

/** Whether there are rows of several cells, as in no cover. */
function isTable(rows: readonly (readonly string[])[]): boolean {
  return rows.filter((row) => row.filter((text) => text !== '').length > 1).length > 1;
}

/** @throws InvalidFile for what is no workbook, or too large */
async function readShown(bytes: Buffer): Promise<readonly Sheet<string>[]> {
  const members = membersOf(bytes);
  if (!members) {
    throw notOne();
  }
  // An archive that lies about its sizes runs into the memory limit of the process.
  if (members.reduce((sum, { size }) => sum + size, 0) > MOST_UNPACKED) {
    throw new InvalidFile('its sheets are too large: save the one that counts as CSV', 'large');
  }
  const sheets = await readSheets(bytes, { parseNumber: shortNumber, trim: true }).catch(() => {
    throw notOne();
  });
  const hidden = hiddenSheets(members);
  const shown = sheets.filter((_, at) => !hidden.has(at));
  return shown.length > 0 ? shown : sheets;
}

/** The names of the sheets with tables, if there are several, and which of them is read. */
export type SheetsSeen = { readonly names: readonly string[]; readonly chosen: string };

/**
 * The rows of a sheet that is shown and has a table, without empty ones: of the one that is wanted, else of the first.
 * @param seen called if there are several
 * @throws InvalidFile for what is no workbook, or too large
 */
export async function* sheetRecords(
  chunks: AsyncIterable<Buffer>,
  wanted: string | undefined,
  seen: (sheets: SheetsSeen) => void,
): AsyncGenerator<readonly string[]> {
  const sheets = (await readShown(await collect(chunks))).map((one) => ({ name: one.sheet, rows: filledRows(one) }));
  const tables = sheets.filter(({ rows }) => isTable(rows));
  const chosen = tables.find(({ name }) => name === wanted) ?? tables[0] ?? sheets[0];
  if (tables.length > 1) {
    seen({ names: tables.map(({ name }) => name), chosen: chosen!.name });
  }
  yield* chosen?.rows ?? [];
}
