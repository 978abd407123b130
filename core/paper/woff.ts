/**
 * woff: unpacks a font of the Web (WOFF 1.0) into the form that programs on a computer read, under a name of its own
 * (pure).
 */
import { inflateSync } from 'node:zlib';

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;
const SIGNATURE = 0x774f4646;

type Table = { readonly tag: number; readonly sum: number; readonly data: Buffer };

function tableAt(woff: Buffer, index: number): Table {
  const at = HEADER_BYTES + ENTRY_BYTES * index;
  const [tag, offset, packed, size, sum] = [0, 4, 8, 12, 16].map((part) => woff.readUInt32BE(at + part)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const raw = woff.subarray(offset, offset + packed);
  return { tag, sum, data: packed < size ? inflateSync(raw, { maxOutputLength: size }) : raw };
}

const NAMES = 0x6e616d65;
/** Unicode on Windows, in English; and the numbers of the family, of its style, and of both in PostScript. */
const [PLATFORM, ENCODING, LANGUAGE, FAMILY, STYLE, BOTH] = [3, 1, 0x409, 1, 2, 6];
const NAMES_HEADER_BYTES = 6;
const NAME_BYTES = 12;

/** The table of names of one font. */
function namesTable(family: string, style: string): Buffer {
  const both = `${family.replaceAll(' ', '')}-${style}`;
  const texts = [family, style, both].map((text) => Buffer.from(text, 'utf16le').swap16());
  const head = Buffer.alloc(NAMES_HEADER_BYTES + NAME_BYTES * texts.length);
  head.writeUInt16BE(texts.length, 2);
  head.writeUInt16BE(head.length, 4);
  let offset = 0;
  texts.forEach((text, index) => {
    [PLATFORM, ENCODING, LANGUAGE, [FAMILY, STYLE, BOTH][index]!, text.length, offset].forEach((value, part) =>
      head.writeUInt16BE(value, NAMES_HEADER_BYTES + NAME_BYTES * index + 2 * part),
    );
    offset += text.length;
  });
  return Buffer.concat([head, ...texts]);
}

type FontName = { readonly family: string; readonly style: string };

/** @throws Error for what is no such font */
export function unpackedFont(woff: Buffer, { family, style }: FontName): Buffer {
  if (woff.readUInt32BE(0) !== SIGNATURE) {
    throw new Error('this is no WOFF font');
  }
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => tableAt(woff, index)).map((table) =>
    table.tag === NAMES ? { ...table, data: namesTable(family, style) } : table,
  );
  const log = Math.floor(Math.log2(count));
  const range = SFNT_ENTRY_BYTES * 2 ** log;
  const head = Buffer.alloc(SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * count);
  head.writeUInt32BE(woff.readUInt32BE(4), 0);
  [count, range, log, SFNT_ENTRY_BYTES * count - range].forEach((value, index) =>
    head.writeUInt16BE(value, 4 + 2 * index),
  );
  let offset = head.length;
  const parts = tables.flatMap(({ tag, sum, data }, index) => {
    const at = SFNT_HEADER_BYTES + SFNT_ENTRY_BYTES * index;
    [tag, sum, offset, data.length].forEach((value, part) => head.writeUInt32BE(value, at + 4 * part));
    const filler = Buffer.alloc((4 - (data.length % 4)) % 4);
    offset += data.length + filler.length;
    return [data, filler];
  });
  return Buffer.concat([head, ...parts]);
}
