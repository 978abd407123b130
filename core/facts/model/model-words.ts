/**
 * model-words: reads a `.words.yaml` file, which is next to a model file and says how people call the model and its
 * fields.
 */
import { isObject } from '../../base/json';
import type { Json } from '../../base/types';
import type { Path, Report } from './definition-schema';
import { isDate } from './dates';
import type { Column, FieldWords, Likely, Model, ModelField, ModelWords, WordsOfLanguage } from './model';

const NAME = '__modelname__';
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/;

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * The names of a field, of each of its columns, and of what several columns have in common: `bp`, `bp_systolic`,
 * `bp_systolic_value`.
 */
const partsOf = ({ name, columns }: ModelField): readonly string[] => [
  name,
  ...columns.flatMap((column) => {
    const rest = column.slice(name.length + 1).split('_');
    return rest.map((_, index) => [name, ...rest.slice(0, index + 1)].join('_'));
  }),
];

/** Every field that can have words; nested ones include the path to them. */
const speakable = (model: Model, all: readonly Model[], path = ''): readonly string[] => [
  ...model.fields.flatMap((field) => partsOf(field).map((name) => `${path}${name}`)),
  ...model.relations.flatMap(({ field, model: name }) => {
    const nested = all.find((other) => other.name === name);
    return [`${path}${field}`, ...(nested ? speakable(nested, all, `${path}${field}.`) : [])];
  }),
];

const readField = (value: Json, path: Path, report: Report): FieldWords | undefined => {
  if (isText(value)) {
    return { label: value };
  }
  if (isObject(value) && isText(value['label']) && (value['help'] === undefined || isText(value['help']))) {
    return { label: value['label'], ...(isText(value['help']) ? { help: value['help'] } : {}) };
  }
  report(path, 'write the label of the field, or { label: ..., help: ... }');
  return undefined;
};

const readLanguage = (value: Json, known: ReadonlySet<string>, path: Path, report: Report): WordsOfLanguage => {
  if (!isObject(value)) {
    report(path, 'a language is a mapping of fields to labels');
    return { fields: {} };
  }
  const { [NAME]: names, ...given } = value;
  if (names !== undefined && !(isObject(names) && isText(names['many']) && isText(names['one']))) {
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
  return { ...(isText(many) && isText(one) ? { many, one } : {}), fields: Object.fromEntries(fields) };
};

const readFields = (value: Json | undefined, known: ReadonlySet<string>, path: Path, report: Report) => {
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
};

/** The column whose values a range is about: `bp_systolic_value` for `bp_systolic`. */
const columnNamed = (model: Model, name: string): Column | undefined =>
  model.columns.find((column) => column.name === name) ??
  model.columns.find((column) => column.name === `${name}_value`);

function readRange(value: Json, column: Column | undefined): Likely | undefined {
  const [from, to, ...more] = Array.isArray(value) ? (value as readonly Json[]) : [];
  const isNumber = column?.kind === 'number' || column?.kind === 'integer';
  if (isNumber && typeof from === 'number' && typeof to === 'number' && from < to && more.length === 0) {
    return { from, to };
  }
  return column !== undefined && isDate(column) && value === 'past' ? value : undefined;
}

function readLikely(value: Json | undefined, model: Model, report: Report): Readonly<Record<string, Likely>> {
  if (value !== undefined && !isObject(value)) {
    report(['likely'], 'likely is a mapping of fields to what is possible, such as { weight: [0.2, 700], date: past }');
  }
  return Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([name, range]) => {
      const column = columnNamed(model, name);
      const read = readRange(range, column);
      if (read === undefined) {
        report(
          ['likely', name],
          'what is possible is [least, most] for a number of the model, or past for a date of it',
        );
      }
      return column && read !== undefined ? [[column.name, read] as const] : [];
    }),
  );
}

/** Reads the words of a model. Problems are passed to `report`. */
export const readModelWords = (value: Json, model: Model, all: readonly Model[], report: Report): ModelWords => {
  if (!isObject(value)) {
    report([], 'words are a mapping of languages to fields and their labels');
    return { languages: {} };
  }
  const known = new Set(speakable(model, all));
  const { title, line, date, likely, ...languages } = value;
  const [titles, lines, dates] = [
    readFields(title, known, ['title'], report),
    readFields(line, known, ['line'], report),
    readFields(date, known, ['date'], report),
  ];
  const ranges = readLikely(likely, model, report);
  const read = Object.entries(languages).map(([language, words]) => {
    if (!LANGUAGE.test(language)) {
      report([language], `${language} is none of title, line, date and likely, and no language such as en or pt-BR`);
    }
    return [language, readLanguage(words, known, [language], report)] as const;
  });
  return {
    ...(titles ? { title: titles } : {}),
    ...(lines ? { line: lines } : {}),
    ...(dates?.[0] ? { date: dates[0] } : {}),
    ...(Object.keys(ranges).length > 0 ? { likely: ranges } : {}),
    languages: Object.fromEntries(read),
  };
};
