/**
 * sheet: reads the first sheet of a workbook (XLSX) as records of text, like those of a CSV. It runs in intake processes
 * only. A formula is its kept value; a date is what its cell's format says.
 */
import { readSheet } from 'read-excel-file/node';
import { InvalidFile } from './invalid-file';

/** The most bytes of a workbook, packed and unpacked, and the most cells of its sheet. */
const MOST_PACKED = 20_000_000;
const MOST_UNPACKED = 150_000_000;
const MOST_CELLS = 2_000_000;

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;

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

/** The end of the archive's list of members; a comment may follow it. */
function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - END_BYTES; at >= Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT); at -= 1) {
    if (bytes.readUInt32LE(at) === END) {
      return at;
    }
  }
  throw notOne();
}

/**
 * How many bytes the members unpack to, as the archive says. An archive that lies about it runs into the memory limit of
 * the process. @throws InvalidFile for what is no archive
 */
function unpackedSize(bytes: Buffer): number {
  const end = findEnd(bytes);
  let at = bytes.readUInt32LE(end + 16);
  let sum = 0;
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) {
      throw notOne();
    }
    sum += bytes.readUInt32LE(at + 24);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return sum;
}

/** Numbers are kept with fifteen digits: further ones are what a spreadsheet adds to 5.4 when it saves it. */
function plainNumber(text: string): string {
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

/** The rows of the first sheet, without empty ones. @throws InvalidFile for what is no workbook, or too large */
export async function* sheetRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const bytes = await collect(chunks);
  if (unpackedSize(bytes) > MOST_UNPACKED) {
    throw new InvalidFile('its sheets are too large: save the one that counts as CSV', 'large');
  }
  let rows: readonly (readonly unknown[])[];
  try {
    rows = (await readSheet(bytes, { parseNumber: plainNumber, trim: true })) as readonly (readonly unknown[])[];
  } catch {
    throw notOne();
  }
  let cells = 0;
  for (const row of rows) {
    cells += row.length;
    if (cells > MOST_CELLS) {
      throw new InvalidFile(`it has more than ${MOST_CELLS} cells: save a part of it`, 'large');
    }
    const record = row.map(cellText);
    if (record.some((text) => text !== '')) {
      yield record;
    }
  }
}
