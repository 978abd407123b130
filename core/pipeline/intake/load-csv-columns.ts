/** load-csv-columns: reads the YAML file that says what the columns of a CSV are, and checks it against its model. */
import Joi from 'joi';
import { isTimeZone } from '../../base/time-zones';
import { readShape, type Fault } from '../../config/faults';
import { readSetupFile, readYaml } from '../../config/read-yaml';
import type { Models } from '../../facts/model/model';
import type { Likely } from '../../facts/model/model';
import { isLikelyNumbers } from '../../facts/model/model-words';
import {
  formsOf,
  OWN_ZONE,
  tablesOf,
  unitFieldOf,
  waysOf,
  type CsvColumns,
  type CsvField,
  type CsvTable,
} from './csv-columns';

const text = Joi.string().max(255);
const texts = Joi.array().items(text).min(1);
function oneOrMore(one: Joi.Schema): Joi.Schema {
  return Joi.alternatives().conditional(Joi.array(), { then: Joi.array().items(one).min(1), otherwise: one });
}

/** Whether a form has year, month and day, and no unknown letters; other characters may be between them. */
function isDateForm(form: string): boolean {
  return (
    ['YYYY', 'M', 'D'].every((part) => form.includes(part)) &&
    !/[A-Za-z]/.test(form.replace(/YYYY|MM?M?|DD?|HH?|hh?|mm|ss|A|Z|T/g, ''))
  );
}

const dateForm = text.custom((form: string, { message }) =>
  isDateForm(form)
    ? form
    : message({
        custom:
          '{{#label}} is no way to write a date: it has YYYY, MM, M or MMM, and DD or D, and for a time HH, H, hh or h, mm, ss, A and Z',
      }),
);

const conversion = { times: Joi.number(), plus: Joi.number() };
const possible = Joi.object({ from: Joi.number().required(), to: Joi.number().greater(Joi.ref('from')).required() });
const writtenUnit = Joi.object({ ...conversion, unit: text, possible });

const fieldKeys = {
  column: oneOrMore(text),
  text,
  any: texts,
  none: Joi.array().items(Joi.string().max(255)).min(1),
  optional: Joi.boolean(),
  split: text,
  part: Joi.number().integer().min(1),
  unit: text,
  units: Joi.object().pattern(text, Joi.alternatives(Joi.number(), writtenUnit)),
  possible,
  beyond: Joi.object({ below: texts, above: texts }).or('below', 'above'),
  date: oneOrMore(dateForm),
  words: Joi.object().pattern(Joi.string(), text),
  also: Joi.object().pattern(text, text),
  ...conversion,
};

const field = Joi.object(fieldKeys)
  .xor('column', 'text', 'any')
  .and('split', 'part')
  .without('text', 'split')
  .messages({
    'object.and': '{{#label}} needs both: split, the sign between the parts of a cell, and part, the number of one',
    'object.without': '{{#label}} may have split with a column only',
    'object.unknown': `{{#label}} is not allowed: it can be ${Object.keys(fieldKeys).join(', ')}`,
    'object.missing': '{{#label}} needs a column that it comes from, or a text',
  });

const tableKeys = {
  model: text,
  rows: Joi.object().pattern(text, Joi.array().items(Joi.string().allow('')).min(1)),
  fields: Joi.object().pattern(text, oneOrMore(field)).min(1),
};

const fullTable = { ...tableKeys, model: text.required(), fields: tableKeys.fields.required() };
const moreTables = Joi.array().items(Joi.object(fullTable)).min(1);

const columnsSchema = Joi.object({
  ...tableKeys,
  more: moreTables,
  tables: Joi.object()
    .pattern(text, Joi.object({ ...fullTable, more: moreTables }))
    .min(1),
  delimiter: Joi.string().length(1).default(','),
  decimal: oneOrMore(Joi.valid('.', ',')).default('.'),
  thousands: Joi.string()
    .length(1)
    .invalid(Joi.ref('decimal'))
    .when('decimal', { is: Joi.array(), then: Joi.forbidden() }),
  heads: Joi.object().pattern(text, Joi.object().pattern(text, text)),
  ignored: texts,
  head: Joi.number().integer().min(1).max(1000),
  head_lines: Joi.number().integer().min(1).max(5).default(1),
  above: texts,
  continues: text,
  alone: text,
  encoding: Joi.valid('utf-8', 'windows-1252', 'utf-16le').default('utf-8'),
  time_zone: text
    .default(OWN_ZONE)
    .custom((name: string, { message }) =>
      name === OWN_ZONE || isTimeZone(name)
        ? name
        : message({ custom: `{{#label}} is no time zone, such as Europe/Berlin, and not ${OWN_ZONE}` }),
    ),
  zones: texts,
  documents: Joi.valid('rows', 'day').default('rows'),
})
  .xor('model', 'tables')
  .with('model', 'fields')
  .without('tables', ['rows', 'fields', 'head', 'more'])
  .messages({
    'object.missing': '"model" is required, or "tables" where the file has several',
    'object.without': '"{{#peer}}" may not stand beside "tables": each table has its own',
  })
  .required()
  .label('columns');

/** The fields that the table fills. */
function filledFields({ fields }: CsvTable): readonly (readonly [path: readonly string[], name: string])[] {
  return Object.entries(fields).flatMap(([name, ways]) =>
    waysOf(ways).flatMap(({ unit, also }) => [
      [['fields', name], name] as const,
      ...(unit === undefined ? [] : [[['fields', name, 'unit'], unitFieldOf(name)] as const]),
      ...Object.keys(also ?? {}).map((other) => [['fields', name, 'also', other], other] as const),
    ]),
  );
}

const FIELDS_TOLD = 30;
function firstNames(names: readonly string[]): string {
  return names.slice(0, FIELDS_TOLD).join(', ') + (names.length > FIELDS_TOLD ? ' and others' : '');
}

function saysWhen({ fields }: CsvTable): boolean {
  return Object.values(fields).some((ways) => waysOf(ways).some((way) => formsOf(way).length > 0));
}

function faultsOfTable(models: Models, table: CsvTable, place: readonly string[]): readonly Fault[] {
  const model = models.find(table.model);
  if (model?.name !== table.model) {
    const others = models.all.map(({ name }) => name).join(', ');
    return [{ path: [...place, 'model'], reason: `there is no data model ${table.model}: there are ${others}` }];
  }
  const known = new Set(model.columns.map((column) => column.name));
  return filledFields(table).flatMap(([path, name]) =>
    known.has(name)
      ? []
      : [
          {
            path: [...place, ...path],
            reason: `${table.model} has no field ${name}: it has ${firstNames([...known])}`,
          },
        ],
  );
}

function faultsAgainst(models: Models, columns: CsvColumns): readonly Fault[] {
  return [
    ...[...tablesOf(columns)].flatMap(([name, table]) => {
      const place = name === '' ? [] : ['tables', name];
      const more = (table.more ?? []).flatMap((one, index) =>
        faultsOfTable(models, one, [...place, 'more', String(index)]),
      );
      return [...faultsOfTable(models, table, place), ...more];
    }),
    ...(columns.documents === 'day' && ![...tablesOf(columns).values()].every(saysWhen)
      ? [{ path: ['documents'], reason: 'a document for each day needs a field with date' }]
      : []),
  ];
}

/** The field with the range that the words of its model say, unless the YAML says another. */
function withLikely(likely: Likely | undefined, field: CsvField): CsvField {
  return isLikelyNumbers(likely) && field.possible === undefined ? { ...field, likely } : field;
}

function tableWithLikely<T extends CsvTable>(models: Models, table: T): T {
  const likely = models.find(table.model)?.words?.likely ?? {};
  const fields = Object.entries(table.fields).map(([name, ways]) => [
    name,
    waysOf(ways).map((way) => withLikely(likely[name], way)),
  ]);
  return {
    ...table,
    fields: Object.fromEntries(fields) as CsvTable['fields'],
    ...(table.more === undefined ? {} : { more: table.more.map((one) => tableWithLikely(models, one)) }),
  };
}

/** The columns with the ranges of possible values that the words of the models say. */
export function addLikely(models: Models, columns: CsvColumns): CsvColumns {
  return 'tables' in columns
    ? {
        ...columns,
        tables: Object.fromEntries(
          Object.entries(columns.tables).map(([name, table]) => [name, tableWithLikely(models, table)]),
        ),
      }
    : tableWithLikely(models, columns);
}

/**
 * @returns the columns, or every problem as `file:line: reason`
 * @throws SetupError when the file cannot be read
 */
export function readCsvColumns(
  file: string,
  vocabBase: string,
  models: Models,
): { readonly columns: CsvColumns } | { readonly problems: readonly string[] } {
  const yaml = readYaml(readSetupFile(file, vocabBase));
  if (yaml.problems.length > 0) {
    return { problems: yaml.problems.map(({ line, message }) => `${file}:${line}: ${message}`) };
  }
  const read = readShape<CsvColumns>(columnsSchema, yaml.value);
  const faults = 'faults' in read ? read.faults : faultsAgainst(models, read.value);
  return 'faults' in read || faults.length > 0
    ? { problems: faults.map(({ path, reason }) => `${file}:${yaml.lineOf(path)}: ${reason}`) }
    : { columns: addLikely(models, read.value) };
}
