/** workbook: writes a workbook (XLSX) of one sheet, as small as spreadsheets can read it. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A number with a format is a date; `formula` has a kept value. */
export type Cell = string | number | { readonly value: number; readonly format: 'day' | 'moment' | 'time' } | Formula;
type Formula = { readonly formula: string; readonly value: number };

const FORMATS = { day: 1, moment: 2, time: 3 };
const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="20" applyNumberFormat="1"/></cellXfs></styleSheet>`;
const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`;
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const BOOK = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"><sheets><sheet name="Readings" sheetId="1" r:id="rId1"/></sheets></workbook>`;
const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const cellXml = (cell: Cell, place: string): string => {
  if (typeof cell === 'string') {
    return cell === '' ? '' : `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
  }
  if (typeof cell === 'number') {
    return `<c r="${place}"><v>${cell}</v></c>`;
  }
  return 'formula' in cell
    ? `<c r="${place}"><f>${cell.formula}</f><v>${cell.value}</v></c>`
    : `<c r="${place}" s="${FORMATS[cell.format]}"><v>${cell.value}</v></c>`;
};

const sheetXml = (rows: readonly (readonly Cell[])[]): string =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map((row, y) => {
      const cells = row.map((cell, x) => cellXml(cell, `${String.fromCharCode(65 + x)}${y + 1}`)).join('');
      return `<row r="${y + 1}">${cells}</row>`;
    })
    .join('')}</sheetData></worksheet>`;

type Member = {
  readonly name: string;
  readonly data: Buffer;
  /** The size that it claims. */ readonly claims?: number;
};

const header = (sign: number, { name, data, claims = data.length }: Member, packed: Buffer, place?: number): Buffer => {
  const isCentral = place !== undefined;
  const bytes = Buffer.alloc(isCentral ? 46 : 30);
  const at = isCentral ? 2 : 0;
  bytes.writeUInt32LE(sign, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(8, 8 + at);
  bytes.writeUInt32LE(crc32(data), 14 + at);
  bytes.writeUInt32LE(packed.length, 18 + at);
  bytes.writeUInt32LE(claims, 22 + at);
  bytes.writeUInt16LE(Buffer.byteLength(name), 26 + at);
  if (isCentral) {
    bytes.writeUInt32LE(place, 42);
  }
  return Buffer.concat([bytes, Buffer.from(name)]);
};

/** An archive with its directory. */
export const archiveOf = (members: readonly Member[]): Buffer => {
  let place = 0;
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  for (const member of members) {
    const packed = deflateRawSync(member.data);
    const local = Buffer.concat([header(0x04034b50, member, packed), packed]);
    centrals.push(header(0x02014b50, member, packed, place));
    locals.push(local);
    place += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...locals, directory, end]);
};

/** The members of a workbook with these rows. */
export const workbookMembers = (sheet: string): readonly Member[] =>
  (
    [
      ['[Content_Types].xml', TYPES],
      ['_rels/.rels', relations(['rId1', 'officeDocument', 'xl/workbook.xml'])],
      ['xl/workbook.xml', BOOK],
      [
        'xl/_rels/workbook.xml.rels',
        relations(['rId1', 'worksheet', 'worksheets/sheet1.xml'], ['rId2', 'styles', 'styles.xml']),
      ],
      ['xl/styles.xml', STYLES],
      ['xl/worksheets/sheet1.xml', sheet],
    ] as const
  ).map(([name, text]) => ({ name, data: Buffer.from(text) }));

export const workbookOf = (rows: readonly (readonly Cell[])[]): Buffer => archiveOf(workbookMembers(sheetXml(rows)));

/** A workbook of two sheets; the first may be hidden. */
export const workbookOfTwo = (
  first: readonly (readonly Cell[])[],
  second: readonly (readonly Cell[])[],
  state?: 'hidden',
): Buffer => {
  const entry =
    '<Override PartName="/xl/worksheets/sheet2.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>';
  const members = workbookMembers(sheetXml(first)).map(({ name, data }) => {
    const text = data
      .toString()
      .replace(
        'r:id="rId1"/>',
        `${state ? `state="${state}" ` : ''}r:id="rId1"/><sheet name="Second" sheetId="2" r:id="rId3"/>`,
      )
      .replace('</Types>', `${entry}</Types>`)
      .replace(
        /<Relationship Id="rId1"([^>]*)sheet1.xml"\/>/,
        (all, type: string) => `${all}<Relationship Id="rId3"${type}sheet2.xml"/>`,
      );
    return { name, data: Buffer.from(text) };
  });
  return archiveOf([...members, { name: 'xl/worksheets/sheet2.xml', data: Buffer.from(sheetXml(second)) }]);
};
