/**
 * csv-columns: the YAML beside a document.yaml that says what the columns of a CSV are: read, checked against its
 * model.
 */
import Joi from 'joi';
import { isTimeZone } from '../base/time-zones';
import { readShape, type Fault } from '../config/faults';
import { readSetupFile, readYaml } from '../config/read-yaml';
import type { Models } from '../datamodel/model';

export type CsvField = {
  /** Heads of columns; several are joined by a space, such as a date and a time. */
  readonly column?: string | readonly string[];
  /** A text that stands in every row, in place of a column. */
  readonly text?: string;
  /** Unit of the model (UCUM), for a field `value` or `..._value`: it is written to the field `unit` beside it. */
  readonly unit?: string;
  /** What the number in the file is multiplied by, and what is added then, to have it in that unit. */
  readonly times?: number;
  readonly plus?: number;
  /**
   * How a date is written: YYYY, MM, DD, HH, mm, ss, hh with A (AM or PM), M, D, H and h without a leading zero, MMM for
   * Jan to Dec, Z for Z or an offset.
   */
  readonly date?: string;
  /** What words in the file become; others are left out. */
  readonly words?: Readonly<Record<string, string>>;
  /** Further fields of the model, with texts, that go with this one: the code of what was measured. */
  readonly also?: Readonly<Record<string, string>>;
};

export type CsvColumns = {
  readonly model: string;
  readonly delimiter: string;
  /** The sign before the fraction of a number. */
  readonly decimal: '.' | ',';
  /** The sign between the thousands of a number. */
  readonly thousands?: string;
  /** Number of the line with the heads of the columns; those before it are passed over. */
  readonly head: number;
  /** Heads of columns -> the texts of rows that are taken; without it, all rows are. */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  readonly encoding: string;
  /** IANA name; times in the file are those of clocks there. */
  readonly time_zone: string;
  readonly fields: Readonly<Record<string, CsvField>>;
};

const text = Joi.string().max(255);

/** Year, month and day in letters that are known; whatever else is between them. */
const isDateForm = (form: string): boolean =>
  ['YYYY', 'M', 'D'].every((part) => form.includes(part)) &&
  !/[A-Za-z]/.test(form.replace(/YYYY|MM?M?|DD?|HH?|hh?|mm|ss|A|Z|T/g, ''));

const dateForm = text.custom((form: string, { message }) =>
  isDateForm(form)
    ? form
    : message({
        custom:
          '{{#label}} is no way to write a date: it has YYYY, MM, M or MMM, and DD or D, and for a time HH, H, hh or h, mm, ss, A and Z',
      }),
);

const columnsSchema = Joi.object({
  model: text.required(),
  delimiter: Joi.string().length(1).default(','),
  decimal: Joi.valid('.', ',').default('.'),
  thousands: Joi.string().length(1).invalid(Joi.ref('decimal')),
  head: Joi.number().integer().min(1).max(1000).default(1),
  rows: Joi.object().pattern(text, Joi.array().items(Joi.string().allow('')).min(1)),
  encoding: Joi.valid('utf-8', 'windows-1252', 'utf-16le').default('utf-8'),
  time_zone: text
    .default('UTC')
    .custom((name: string, { message }) =>
      isTimeZone(name) ? name : message({ custom: '{{#label}} is no time zone, such as Europe/Berlin' }),
    ),
  fields: Joi.object()
    .pattern(
      text,
      Joi.object({
        column: Joi.alternatives().conditional(Joi.array(), { then: Joi.array().items(text).min(1), otherwise: text }),
        text,
        unit: text,
        times: Joi.number(),
        plus: Joi.number(),
        date: dateForm,
        words: Joi.object().pattern(Joi.string(), text),
        also: Joi.object().pattern(text, text),
      }).xor('column', 'text'),
    )
    .min(1)
    .required(),
})
  .required()
  .label('columns');

/** The field that says in what unit `name` is. */
export const unitFieldOf = (name: string): string => name.replace(/value$/, 'unit');

/** The fields that are filled. */
const filledFields = (fields: CsvColumns['fields']): readonly (readonly [path: readonly string[], name: string])[] =>
  Object.entries(fields).flatMap(([name, { unit, also }]) => [
    [['fields', name], name] as const,
    ...(unit === undefined ? [] : [[['fields', name, 'unit'], unitFieldOf(name)] as const]),
    ...Object.keys(also ?? {}).map((other) => [['fields', name, 'also', other], other] as const),
  ]);

const faultsAgainst = (models: Models, { model: name, fields }: CsvColumns): readonly Fault[] => {
  const model = models.find(name);
  if (model?.name !== name) {
    return [{ path: ['model'], reason: `there is no data model ${name}` }];
  }
  const known = new Set(model.columns.map((column) => column.name));
  return filledFields(fields).flatMap(([path, field]) =>
    known.has(field) ? [] : [{ path, reason: `${name} has no field ${field}` }],
  );
};

/**
 * @returns the columns, or every problem as `file:line: reason`
 * @throws SetupError when the file cannot be read
 */
export const readCsvColumns = (
  file: string,
  vocabBase: string,
  models: Models,
): { readonly columns: CsvColumns } | { readonly problems: readonly string[] } => {
  const yaml = readYaml(readSetupFile(file, vocabBase));
  if (yaml.problems.length > 0) {
    return { problems: yaml.problems.map(({ line, message }) => `${file}:${line}: ${message}`) };
  }
  const read = readShape<CsvColumns>(columnsSchema, yaml.value);
  const faults = 'faults' in read ? read.faults : faultsAgainst(models, read.value);
  return 'faults' in read || faults.length > 0
    ? { problems: faults.map(({ path, reason }) => `${file}:${yaml.lineOf(path)}: ${reason}`) }
    : { columns: read.value };
};
