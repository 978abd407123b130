/**
 * csv-intake: rows of a CSV -> documents with facts of one model, as csv-columns says. Runs in intake processes only.
 */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { momentOf } from '../base/time-zones';
import { parseDay } from '../datamodel/dates';
import { documentsNamespace } from '../documents/document-types';
import { element, writeXml, type XmlElement } from '../xml/write';
import { unitFieldOf, type CsvColumns, type CsvField } from './csv-columns';
import { InvalidFile, type IntakeItem } from './intake-messages';

/** The most facts of one document. */
const FACTS_EACH = 500;
const LONGEST_ROW = 1_000_000;

type Row = Readonly<Record<string, string>>;

const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MMM: '(?<name>[A-Za-z]{3})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  A: '(?<half>[AaPp])\\.?[Mm]\\.?',
  Z: '(?<zone>Z|[+-]\\d{2}:?\\d{2})',
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `DD.MM.YYYY HH:mm` as a regular expression with named groups. */
const dateForm = (form: string): RegExp =>
  new RegExp(`^${form.replace(/YYYY|MM?M?|DD?|HH?|hh?|mm|ss|A|Z|[^\w\s]/g, (part) => PARTS[part] ?? `\\${part}`)}$`);

const to24 = (hour: number, half: string | undefined): number =>
  half === undefined ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);

/** Minutes east of UTC. */
const offsetOf = (zone: string): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (60 * Number(hours ?? 0) + Number(minutes ?? 0));
};

const two = (number: number): string => String(number).padStart(2, '0');

/** A day as it is, a time as a moment in UTC; undefined when it is not written so or there is no such day. */
const dateText = (text: string, form: RegExp, zone: string): string | undefined => {
  const { groups: found } = form.exec(text) ?? {};
  if (!found?.['year'] || !found['day']) {
    return undefined;
  }
  const month = found['month'] ?? MONTHS.indexOf((found['name'] ?? '').toLowerCase()) + 1;
  const day = `${found['year']}-${two(Number(month))}-${two(Number(found['day']))}`;
  if (found['hour'] === undefined || parseDay(day) === undefined) {
    return parseDay(day);
  }
  const time = [to24(Number(found['hour']), found['half']), Number(found['minute'] ?? 0), Number(found['second'] ?? 0)];
  const shown = Date.parse(`${day}T${time.map(two).join(':')}Z`);
  if (Number.isNaN(shown)) {
    return undefined;
  }
  const offset = found['zone'];
  return new Date(offset === undefined ? momentOf(zone, shown) : shown - 60_000 * offsetOf(offset)).toISOString();
};

const numberText = (
  text: string,
  { times = 1, plus = 0 }: CsvField,
  { decimal, thousands }: CsvColumns,
): string | undefined => {
  const [whole = '', fraction = '0', ...more] = text.split(decimal);
  const [first = '', ...groups] = thousands === undefined ? [whole] : whole.split(thousands);
  const grouped = groups.every((group) => group.length === 3);
  const integer = [first, ...groups].join('');
  if (more.length > 0 || !grouped || !/^[+-]?\d+$/.test(integer) || !/^\d+$/.test(fraction)) {
    return undefined;
  }
  const plain = `${integer}.${fraction}`;
  // A number holds fifteen digits exactly; further digits are errors of the multiplication.
  return String(Number((Number(plain) * times + plus).toPrecision(15)));
};

const cell = (row: Row, { column = [], text }: CsvField): string =>
  text ??
  [column]
    .flat()
    .map((name) => (row[name] ?? '').trim())
    .join(' ')
    .trim();

const isNumeric = (name: string, field: CsvField): boolean =>
  field.unit !== undefined || field.times !== undefined || field.plus !== undefined || /(^|_)value$/.test(name);

type Reader = { readonly columns: CsvColumns; readonly forms: ReadonlyMap<string, RegExp> };

/** What one field becomes; undefined when it cannot be read. */
const valueOf = ({ columns, forms }: Reader, name: string, text: string): string | undefined => {
  const field = columns.fields[name]!;
  const form = forms.get(name);
  if (form) {
    return dateText(text, form, columns.time_zone);
  }
  if (field.words) {
    return field.words[text];
  }
  return field.text === undefined && isNumeric(name, field) ? numberText(text, field, columns) : text;
};

type ReadRow = { readonly fields: ReadonlyMap<string, string>; readonly wrong: readonly string[] };

const readRow = (reader: Reader, row: Row): ReadRow => {
  const fields = new Map<string, string>();
  const wrong: string[] = [];
  for (const [name, field] of Object.entries(reader.columns.fields)) {
    const text = cell(row, field);
    const value = text === '' ? '' : valueOf(reader, name, text);
    if (value === undefined) {
      wrong.push([field.column ?? name].flat().join(', '));
    } else if (value !== '') {
      fields.set(name, value);
      if (field.unit !== undefined) {
        fields.set(unitFieldOf(name), field.unit);
      }
      Object.entries(field.also ?? {}).forEach(([other, also]) => fields.set(other, also));
    }
  }
  return { fields, wrong };
};

/** The column by which a row is not one of those that are taken. */
const notTaken = ({ rows = {} }: CsvColumns, row: Row): string | undefined =>
  Object.keys(rows).find((name) => !rows[name]!.includes(row[name] ?? ''));

/** A row is empty when it has only the texts that are in every row. */
const saysSomething = ({ fields }: CsvColumns, found: ReadonlyMap<string, string>): boolean =>
  Object.entries(fields).some(
    ([name, { column, date }]) => column !== undefined && date === undefined && found.has(name),
  );

const modelElement = (model: string, fields: ReadonlyMap<string, string>): XmlElement =>
  element(
    'Model',
    { name: model },
    [...fields].map(([name, value]) => element('Field', { name }, value)),
  );

/** @throws InvalidFile when columns are missing that the YAML names */
const checkHeads = (heads: readonly string[], { fields, rows = {}, head }: CsvColumns): void => {
  const missing = [...Object.values(fields).flatMap(({ column = [] }) => [column].flat()), ...Object.keys(rows)].filter(
    (name) => !heads.includes(name),
  );
  if (missing.length > 0) {
    const where = head === 1 ? 'its first line' : `its line ${head}`;
    throw new InvalidFile(`${where} has no column ${[...new Set(missing)].join(', ')}`);
  }
};

async function* decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of chunks) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? new InvalidFile(`it is not written in ${encoding}`) : error;
  }
}

/** Rows that are shorter than the first line lack the last columns. */
const rowsOf = (chunks: AsyncIterable<Buffer>, columns: CsvColumns): AsyncIterable<Row> => {
  const source = Readable.from(decoded(chunks, columns.encoding));
  const parser = parse({
    bom: true,
    columns: (firstLine: string[]) => {
      const heads = firstLine.map((head) => head.trim());
      checkHeads(heads, columns);
      return heads;
    },
    delimiter: columns.delimiter,
    from_line: columns.head,
    max_record_size: LONGEST_ROW,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  source.on('error', (error) => parser.destroy(error));
  return source.pipe(parser) as AsyncIterable<Row>;
};

/**
 * A document for each 500 facts, in the order of the rows, so that a longer file of the same device begins with the
 * same documents. Rows in which something cannot be read are left out, told by their column.
 * @throws InvalidFile when it is not such a CSV
 */
export async function* csvIntake(
  chunks: AsyncIterable<Buffer>,
  columns: CsvColumns,
  vocabBase: string,
): AsyncGenerator<IntakeItem> {
  const forms = new Map(
    Object.entries(columns.fields).flatMap(([name, { date }]) =>
      date === undefined ? [] : [[name, dateForm(date)] as const],
    ),
  );
  /** Columns that could not be read -> in how many rows; without one nothing is said in the row. */
  const leftOut = new Map<string, number>();
  /** Columns by which rows are not taken -> how many. */
  const passed = new Map<string, number>();
  let facts: XmlElement[] = [];
  let rows = 0;
  const document = (): IntakeItem => ({
    xml: writeXml(element('Models', { xmlns: documentsNamespace(vocabBase) }, facts)),
    name: `${columns.model}, rows up to ${rows}`,
  });
  try {
    for await (const row of rowsOf(chunks, columns)) {
      rows += 1;
      const other = notTaken(columns, row);
      if (other !== undefined) {
        passed.set(other, (passed.get(other) ?? 0) + 1);
        continue;
      }
      const { fields, wrong } = readRow({ columns, forms }, row);
      if (wrong.length > 0 || !saysSomething(columns, fields)) {
        const why = wrong.join(', ');
        leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
      } else if (facts.push(modelElement(columns.model, fields)) === FACTS_EACH) {
        yield document();
        facts = [];
      }
    }
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw typeof code === 'string' && /^(CSV|INVALID)_/.test(code)
      ? new InvalidFile(`it is no CSV after row ${rows}`)
      : error;
  }
  if (rows === 0) {
    throw new InvalidFile('it has no rows');
  }
  if (facts.length > 0) {
    yield document();
  }
  for (const [column, count] of passed) {
    yield { leftOut: { what: 'Rows', count, words: `their ${column} is none that is taken`, reason: 'no-place' } };
  }
  for (const [column, count] of leftOut) {
    yield {
      leftOut:
        column === ''
          ? { what: 'Rows', count, words: 'nothing is said in it', reason: 'no-value' }
          : { what: 'Rows', count, words: `${column} cannot be read`, reason: 'cell', column },
    };
  }
}
