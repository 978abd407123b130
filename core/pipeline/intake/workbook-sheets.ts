/** workbook-sheets: what the archive of a workbook (XLSX) says of its members, and which of its sheets are hidden. */
import { inflateRawSync } from 'node:zlib';

const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
/** The list of the sheets of a workbook is small. */
const MOST_LISTED = 1_000_000;

type Member = { readonly name: string; readonly size: number; readonly packed: () => Buffer };

/** The end of the archive's list of members; a comment may follow it. */
function findEnd(bytes: Buffer): number | undefined {
  for (let at = bytes.length - END_BYTES; at >= Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT); at -= 1) {
    if (bytes.readUInt32LE(at) === END) {
      return at;
    }
  }
  return undefined;
}

/** The members as the archive lists them; undefined for what is no archive. */
export function membersOf(bytes: Buffer): readonly Member[] | undefined {
  const end = findEnd(bytes);
  if (end === undefined) {
    return undefined;
  }
  const members: Member[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== CENTRAL) {
      return undefined;
    }
    const [length, size, place] = [20, 24, 42].map((from) => bytes.readUInt32LE(at + from)) as [number, number, number];
    const nameLength = bytes.readUInt16LE(at + 28);
    const packed = (): Buffer => {
      const from = place + 30 + bytes.readUInt16LE(place + 26) + bytes.readUInt16LE(place + 28);
      return bytes.subarray(from, from + length);
    };
    members.push({ name: bytes.toString('utf8', at + 46, at + 46 + nameLength), size, packed });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}

/** The places of the sheets that the workbook does not show, counted from 0. */
export function hiddenSheets(members: readonly Member[]): ReadonlySet<number> {
  const list = members.find(({ name }) => name === 'xl/workbook.xml');
  let text = '';
  try {
    text = list ? inflateRawSync(list.packed(), { maxOutputLength: MOST_LISTED }).toString() : '';
  } catch {
    // A list that is not packed, or broken, hides nothing.
  }
  const sheets = [...text.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(([tag]) => /\sstate="(?:very)?hidden"/i.test(tag));
  return new Set(sheets.flatMap((isHidden, at) => (isHidden ? [at] : [])));
}
