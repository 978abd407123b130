/** model-schemas: describes the JSON form of each data model's facts as a JSON Schema (pure). */
import type { Column, ColumnKind, Model, Models, Relation } from '../../facts/model/model';
import { CLOCKS, PARTIAL_DATES } from '../../facts/partial-dates';
import { isDate } from '../../facts/plans';

type Schema = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<ColumnKind, Schema>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  datetime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
};

function columnSchema({ kind, max, values, equals }: Column): Schema {
  return {
    ...kinds[kind],
    ...(max === undefined || kind !== 'string' ? {} : { maxLength: max }),
    ...(values ? { enum: [...values] } : {}),
    ...(equals === undefined ? {} : { const: equals }),
  };
}

function relationSchema({ model, many }: Relation): Schema {
  const nested = { $ref: `#/components/schemas/${model}` };
  return many ? { type: 'array', items: nested } : nested;
}

/** Queries cannot use relations as fields. */
function exceptions(relations: readonly Relation[]): string {
  return relations.length === 0 ? '' : `, but not by ${relations.map(({ field }) => field).join(', ')}`;
}

/** Reports of a nested fact can also be filtered by the fields of the fact around it. */
function aroundIt({ parent }: Model, sample = ''): string {
  return parent === undefined
    ? ''
    : ` It is nested in ${parent.model}.${parent.field}: its report can be asked by the fields of ${parent.model} ` +
        `as well, such as \`${parent.model.toLowerCase()}.${sample}\`.`;
}

function oneOfWords({ oneof }: Model): string {
  return oneof ? ` One of these is filled at least: ${oneof.map(({ field }) => field).join(', ')}.` : '';
}

const partialDates: Schema = {
  type: 'object',
  description:
    'Dates of which the source knows the month or the year alone; their fields have its first day. Missing where every date is a day.',
  additionalProperties: { enum: ['month', 'year'] },
};

const clocks: Schema = {
  type: 'object',
  description:
    'Times that the source wrote without a zone; their fields have the time as written, as if it were UTC. Missing where there are none.',
  additionalProperties: { enum: ['local'] },
};

function modelSchema(model: Model, sample: string | undefined): Schema {
  return {
    type: 'object',
    description:
      `Facts of this kind are read at /records/{RECORD_ID}/reports/${model.name}/ and filtered, grouped and ` +
      'aggregated by created_at and these ' +
      `fields${exceptions(model.relations)}.${aroundIt(model, sample)}${oneOfWords(model)}`,
    properties: Object.fromEntries([
      ...(model.columns.some(isDate) ? [[PARTIAL_DATES, partialDates]] : []),
      ...(model.columns.some(({ kind }) => kind === 'datetime') ? [[CLOCKS, clocks]] : []),
      ...model.columns.map((column) => [column.name, columnSchema(column)]),
      ...model.relations.map((relation) => [relation.field, relationSchema(relation)]),
    ]),
    required: model.columns.filter(({ required }) => required).map(({ name }) => name),
    ...(model.oneof
      ? { anyOf: model.oneof.flatMap(({ columns }) => columns).map((name) => ({ required: [name] })) }
      : {}),
  };
}

/** One schema for each model that has reports, by its name. */
export function modelSchemas(models: Models): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    models.all
      .filter(({ builtin }) => !builtin)
      .map((model) => {
        const parent = model.parent && models.find(model.parent.model);
        return [model.name, modelSchema(model, parent?.columns[0]?.name)];
      }),
  );
}
