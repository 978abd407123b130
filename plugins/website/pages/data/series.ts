/** series: lists the readings and numbers of any data model that can be drawn over time. */
import { joinNumbers } from '../../words/measure-words';
import type { Model, ModelField } from '../../../../core/facts/model/model';
import type { ValueOf } from '../../../../core/http/route';
import { fieldLabel, isNeeded, isReading, numberWords, type Fact } from '../../words/facts';
import type { operations } from '../../http/operations';
import type { Words } from '../../words/words';

/** What the operations answer. */
export type FactsView = ValueOf<typeof operations.reports.recordFacts>;
export type SeriesView = ValueOf<typeof operations.reports.recordSeries>;
export type Period = SeriesView['periods'][number];
export type ColumnSummary = Period['columns'][number];

export type Series = {
  /** Field of the model. */
  readonly field: string;
  readonly label: string;
  /** One column, or the upper and the lower value of a pair. */
  readonly columns: readonly string[];
  readonly names: readonly string[];
  /** False for amounts that are text, of which the report makes no averages. */
  readonly numeric: boolean;
  readonly unitColumn?: string;
  /** The unit, if no column has it. */
  readonly unit?: string;
  /** The column that says what is measured, if the field is only the value. */
  readonly choice?: string;
  /** Whether it is measured and not counted, so that a sum makes no sense. */
  readonly measured: boolean;
};

function hasColumn(model: Model, column: string): boolean {
  return model.columns.some(({ name }) => name === column);
}

function unitOf(model: Model, ...names: readonly string[]): { unitColumn?: string } {
  const found = names.find((name) => hasColumn(model, name));
  return found === undefined ? {} : { unitColumn: found };
}

/** The column with the name of what is measured, if the model has a value and a name. */
function choiceOf(model: Model): { choice?: string } {
  const names = model.words?.title ?? model.fields.map(({ name }) => name);
  const naming = names
    .flatMap((name) => model.fields.find((one) => one.name === name) ?? [])
    .filter(
      ({ name, type }) => type === 'CodedValue' || (type === 'String' && /name|title|type|kind|test/i.test(name)),
    );
  // By a field that some facts lack, readings of unlike things would be one series.
  const field = naming.find((one) => isNeeded(model, one)) ?? naming[0];
  if (!field) {
    return {};
  }
  return { choice: field.type === 'CodedValue' ? `${field.name}_title` : field.name };
}

function seriesOfField(model: Model, field: ModelField, words: Words): Series | undefined {
  const { name, type } = field;
  const label = fieldLabel(model, name, words);
  switch (type) {
    case 'BloodPressure':
      return {
        field: name,
        label,
        columns: [`${name}_systolic_value`, `${name}_diastolic_value`],
        names: [fieldLabel(model, `${name}_systolic`, words), fieldLabel(model, `${name}_diastolic`, words)],
        numeric: true,
        measured: true,
        ...unitOf(model, `${name}_systolic_unit`),
      };
    case 'VitalSign':
      return {
        field: name,
        label,
        columns: [`${name}_value`],
        names: [label],
        numeric: true,
        measured: true,
        ...unitOf(model, `${name}_unit`),
      };
    case 'Number':
    case 'Integer': {
      const named = /^(value|amount|result)$/i.test(name) ? choiceOf(model) : {};
      return {
        field: name,
        label,
        columns: [name],
        names: [label],
        numeric: true,
        measured: named.choice !== undefined,
        ...named,
        ...unitOf(model, `${name}_unit`, ...(named.choice === undefined ? [] : ['unit'])),
      };
    }
    case 'QuantitativeResult':
      return {
        field: name,
        label,
        columns: [`${name}_value_value`],
        names: [label],
        numeric: false,
        measured: true,
        ...choiceOf(model),
        ...unitOf(model, `${name}_value_unit`),
      };
    default:
      return undefined;
  }
}

/** Model -> numbers that are not drawn. Nobody asks for the average size of their files. */
const notDrawn: Readonly<Record<string, readonly string[]>> = { StoredFile: ['bytes'] };

/** A series as the words file of its model declares it. */
function declared(model: Model, series: Series): Series {
  const chart = model.words?.chart;
  if (chart?.field !== series.field) {
    return series;
  }
  const { split, unit, together: how } = chart;
  const splitting = model.fields.find(({ name }) => name === split);
  const inColumn = unit !== undefined && hasColumn(model, unit);
  return {
    ...series,
    measured: how === 'average',
    ...(splitting ? { choice: splitting.type === 'CodedValue' ? `${splitting.name}_title` : splitting.name } : {}),
    ...(inColumn ? { unitColumn: unit } : {}),
    ...(unit !== undefined && !inColumn ? { unit } : {}),
  };
}

function isFirst({ words }: Model, { name }: ModelField): boolean {
  return words?.chart?.field === name;
}

/** All series of a model in the order of its fields; readings are in the order in which the title names them. */
export function seriesOf(model: Model, words: Words): readonly Series[] {
  const order = model.words?.title ?? [];
  const place = ({ name }: ModelField): number => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return model.fields
    .filter(({ name }) => !notDrawn[model.name]?.includes(name))
    .sort((a, b) => (isReading(a) && isReading(b) ? place(a) - place(b) : 0))
    .sort((a, b) => Number(isFirst(model, b)) - Number(isFirst(model, a)))
    .flatMap((field) => seriesOfField(model, field, words) ?? [])
    .map((series) => declared(model, series));
}

/** A number, also one that is written as text; null for a text that is not a number, such as <5. */
function numberIn(value: unknown): number | null {
  if (typeof value === 'number') {
    return value;
  }
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null;
}

export function valuesIn(series: Series, fact: Fact): readonly (number | null)[] {
  return series.columns.map((column) => numberIn(fact[column]));
}

export function isIn(series: Series, fact: Fact): boolean {
  return valuesIn(series, fact).some((value) => value !== null);
}

export function unitIn(series: Series, fact: Fact | undefined): string {
  return series.unit ?? (series.unitColumn === undefined ? '' : String(fact?.[series.unitColumn] ?? ''));
}

/** A value of a series: "132 / 84", "73.4". */
export function pairWords(values: readonly (number | null)[], words: Words): string {
  return joinNumbers(
    values.map((value) => (value === null ? '–' : numberWords(value, words))),
    words,
  );
}

const LARGE = 1000;

/** An average with as many digits as mean something: "133 / 84", "73.4", "1.68", "10,432". */
export function averageWords(values: readonly (number | null)[], words: Words): string {
  const options = (value: number): Intl.NumberFormatOptions =>
    values.length > 1 || Math.abs(value) >= LARGE ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return joinNumbers(
    values.map((value) => (value === null ? '–' : words.number(value, options(value)))),
    words,
  );
}
