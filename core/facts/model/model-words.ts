/**
 * model-words: reads a `.words.yaml` file, which is next to a model file and says how people call the model and its
 * fields.
 */
import { isObject } from '../../base/json';
import type { Json } from '../../base/types';
import type { Path, Report } from './definition-schema';
import { isDate } from './dates';
import type {
  ChartWords,
  Column,
  FieldWords,
  Likely,
  LikelyNumbers,
  Model,
  ModelField,
  ModelWords,
  WordsOfLanguage,
} from './model';

const NAME = '__modelname__';
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/;

function isFilledText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * The names of a field, of each of its columns, and of what several columns have in common: `bp`, `bp_systolic`,
 * `bp_systolic_value`.
 */
function fieldNames({ name, columns }: ModelField): readonly string[] {
  return [
    name,
    ...columns.flatMap((column) => {
      const rest = column.slice(name.length + 1).split('_');
      return rest.map((_, index) => [name, ...rest.slice(0, index + 1)].join('_'));
    }),
  ];
}

/** Every field that can have words; nested ones include the path to them. */
function speakable(model: Model, all: readonly Model[], path = ''): readonly string[] {
  return [
    ...model.fields.flatMap((field) => fieldNames(field).map((name) => `${path}${name}`)),
    ...model.relations.flatMap(({ field, model: name }) => {
      const nested = all.find((other) => other.name === name);
      return [`${path}${field}`, ...(nested ? speakable(nested, all, `${path}${field}.`) : [])];
    }),
  ];
}

const FIELD_KEYS = ['label', 'help', 'values'];

/** Value as it is stored -> its words. Numbers and truth values of YAML are values, too. */
function readValues(value: Json | undefined, path: Path, report: Report): Readonly<Record<string, string>> | undefined {
  if (value === undefined) {
    return undefined;
  }
  const entries = isObject(value) ? Object.entries(value) : [];
  const read = entries.filter((entry): entry is [string, string] => isFilledText(entry[1]));
  if (entries.length === 0 || read.length < entries.length) {
    report([...path, 'values'], 'values is a mapping of values as they are stored to their words');
  }
  return Object.fromEntries(read);
}

function readField(value: Json, path: Path, report: Report): FieldWords | undefined {
  if (isFilledText(value)) {
    return { label: value };
  }
  if (
    !isObject(value) ||
    !isFilledText(value['label']) ||
    (value['help'] !== undefined && !isFilledText(value['help']))
  ) {
    report(path, 'write the label of the field, or { label: ..., help: ..., values: { ... } }');
    return undefined;
  }
  for (const key of Object.keys(value).filter((key) => !FIELD_KEYS.includes(key))) {
    report([...path, key], `${key} is none of ${FIELD_KEYS.join(', ')}`);
  }
  const values = readValues(value['values'], path, report);
  const help = value['help'];
  return { label: value['label'], ...(isFilledText(help) ? { help } : {}), ...(values ? { values } : {}) };
}

function readLanguage(value: Json, known: ReadonlySet<string>, path: Path, report: Report): WordsOfLanguage {
  if (!isObject(value)) {
    report(path, 'a language is a mapping of fields to labels');
    return { fields: {} };
  }
  const { [NAME]: names, ...given } = value;
  if (names !== undefined && !(isObject(names) && isFilledText(names['many']) && isFilledText(names['one']))) {
    report([...path, NAME], `${NAME} is { many: ..., one: ... }: what several facts and one are called`);
  }
  const fields = Object.entries(given).flatMap(([field, words]) => {
    if (!known.has(field)) {
      report([...path, field], `there is no field ${field}`);
    }
    const read = readField(words, [...path, field], report);
    return read ? [[field, read] as const] : [];
  });
  const { many, one } = isObject(names) ? names : {};
  return { ...(isFilledText(many) && isFilledText(one) ? { many, one } : {}), fields: Object.fromEntries(fields) };
}

function readFields(value: Json | undefined, known: ReadonlySet<string>, path: Path, report: Report) {
  if (value === undefined) {
    return undefined;
  }
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  for (const field of list) {
    if (typeof field !== 'string' || !known.has(field)) {
      report(path, `there is no field ${JSON.stringify(field).slice(0, 80)}`);
    }
  }
  return list.filter((field): field is string => typeof field === 'string');
}

/** The fields in braces of a title such as `{ear}, {hertz} Hz`. */
const FIELDS_IN_TITLE = /\{([^{}]*)\}/g;

type Title = Pick<ModelWords, 'title' | 'titleText'>;

/** A list of fields of which the first that is filled is the title, or a text with fields in braces. */
function readTitle(value: Json | undefined, known: ReadonlySet<string>, report: Report): Title {
  if (typeof value !== 'string' || !value.includes('{')) {
    const title = readFields(value, known, ['title'], report);
    return title ? { title } : {};
  }
  if (/[{}]/.test(value.replace(FIELDS_IN_TITLE, ''))) {
    report(['title'], 'a title with fields has each field in braces: "{ear}, {hertz} Hz"');
  }
  const fields = [...value.matchAll(FIELDS_IN_TITLE)].map(([, field]) => field!.trim());
  const title = readFields(fields, known, ['title'], report);
  return { titleText: value, ...(title ? { title } : {}) };
}

const CHART_KEYS = ['field', 'split', 'unit', 'together'];
const DRAWN = ['Number', 'Integer', 'VitalSign', 'QuantitativeResult'];
const SPLITTING = ['String', 'CodedValue', 'Integer', 'Number'];

function readChart(value: Json | undefined, model: Model, report: Report): ChartWords | undefined {
  if (value === undefined) {
    return undefined;
  }
  if (!isObject(value)) {
    report(['chart'], 'chart is { field: ..., split: ..., unit: ..., together: average or sum }');
    return undefined;
  }
  for (const key of Object.keys(value).filter((key) => !CHART_KEYS.includes(key))) {
    report(['chart', key], `${key} is none of ${CHART_KEYS.join(', ')}`);
  }
  const { field, split, unit, together = 'average' } = value;
  const isOf = (name: Json | undefined, types: readonly string[]): name is string =>
    model.fields.some((one) => one.name === name && types.includes(one.type));
  if (!isOf(field, DRAWN)) {
    report(['chart', 'field'], `it must be a field with numbers (${DRAWN.join(', ')})`);
    return undefined;
  }
  if (split !== undefined && !isOf(split, SPLITTING)) {
    report(['chart', 'split'], `it must be a field of the kinds ${SPLITTING.join(', ')}`);
  }
  if (unit !== undefined && !isFilledText(unit)) {
    report(['chart', 'unit'], 'it must be a field or a unit');
  }
  if (together !== 'average' && together !== 'sum') {
    report(['chart', 'together'], 'it must be average or sum');
  }
  return {
    field,
    together: together === 'sum' ? 'sum' : 'average',
    ...(isFilledText(split) ? { split } : {}),
    ...(isFilledText(unit) ? { unit } : {}),
  };
}

/** Languages that have a name: `fr` and `pt-BR` have one, `dee` has none. */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

function isLanguage(text: string): boolean {
  return LANGUAGE.test(text) && names.of(text) !== undefined;
}

/** The column whose values a range is about: `bp_systolic_value` for `bp_systolic`. */
function columnNamed(model: Model, name: string): Column | undefined {
  return (
    model.columns.find((column) => column.name === name) ??
    model.columns.find((column) => column.name === `${name}_value`)
  );
}

function isNumberColumn(column: Column | undefined): boolean {
  return column?.kind === 'number' || column?.kind === 'integer';
}

function readRange(value: Json, column: Column | undefined, model: Model): Likely | undefined {
  const [from, to, above, ...more] = Array.isArray(value) ? (value as readonly Json[]) : [];
  const other = typeof above === 'string' ? columnNamed(model, above) : undefined;
  const isWhole = more.length === 0 && (above === undefined || isNumberColumn(other));
  if (isNumberColumn(column) && typeof from === 'number' && typeof to === 'number' && from < to && isWhole) {
    return { from, to, ...(other ? { atMost: other.name } : {}) };
  }
  const first =
    isObject(value) && typeof value['not_before'] === 'string' ? columnNamed(model, value['not_before']) : undefined;
  if (column !== undefined && isDate(column) && first !== undefined && isDate(first)) {
    return { notBefore: first.name };
  }
  return column !== undefined && isDate(column) && value === 'past' ? value : undefined;
}

export function isLikelyNumbers(likely: Likely | undefined): likely is LikelyNumbers {
  return typeof likely === 'object' && 'from' in likely;
}

function readLikely(value: Json | undefined, model: Model, report: Report): Readonly<Record<string, Likely>> {
  if (value !== undefined && !isObject(value)) {
    report(['likely'], 'likely is a mapping of fields to what is possible, such as { weight: [0.2, 700], date: past }');
  }
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([name, range]) => {
      const column = columnNamed(model, name);
      const read = readRange(range, column, model);
      if (read === undefined) {
        report(
          ['likely', name],
          'what is possible is [least, most] for a number of the model, or for a date of it past or { not_before: another date }',
        );
      }
      return column && read !== undefined ? [[column.name, read] as const] : [];
    }),
  );
}

const KEYS = 'title, line, date, likely, columns and chart';

/** Reads the words of a model. Problems are passed to `report`. */
export function readModelWords(value: Json, model: Model, all: readonly Model[], report: Report): ModelWords {
  if (!isObject(value)) {
    report([], 'words are a mapping of languages to fields and their labels');
    return { languages: {} };
  }
  const known = new Set(speakable(model, all));
  const { title, line, date, likely, columns, chart, ...languages } = value;
  const titles = readTitle(title, known, report);
  const [lines, dates, shown] = [
    readFields(line, known, ['line'], report),
    readFields(date, known, ['date'], report),
    readFields(columns, new Set(model.fields.map(({ name }) => name)), ['columns'], report),
  ];
  const drawn = readChart(chart, model, report);
  const ranges = readLikely(likely, model, report);
  const read = Object.entries(languages).map(([language, words]) => {
    if (!isLanguage(language)) {
      report([language], `${language} is none of ${KEYS}, and no language such as en or pt-BR`);
    }
    return [language, readLanguage(words, known, [language], report)] as const;
  });
  return {
    ...titles,
    ...(shown ? { columns: shown } : {}),
    ...(drawn ? { chart: drawn } : {}),
    ...(lines ? { line: lines } : {}),
    ...(dates?.[0] ? { date: dates[0] } : {}),
    ...(Object.keys(ranges).length > 0 ? { likely: ranges } : {}),
    languages: Object.fromEntries(read),
  };
}
