/** model-schemas: data models as JSON Schemas, as their facts are written in JSON (pure). */
import type { Column, ColumnKind, Model, Models, Relation } from '../datamodel/model';

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

const columnSchema = ({ kind, max, values, equals }: Column): Schema => ({
  ...kinds[kind],
  ...(max === undefined || kind !== 'string' ? {} : { maxLength: max }),
  ...(values ? { enum: [...values] } : {}),
  ...(equals === undefined ? {} : { const: equals }),
});

const relationSchema = ({ model, many }: Relation): Schema => {
  const nested = { $ref: `#/components/schemas/${model}` };
  return many ? { type: 'array', items: nested } : nested;
};

/** Relations are no fields of a query. */
const exceptions = (relations: readonly Relation[]): string =>
  relations.length === 0 ? '' : `, but not by ${relations.map(({ field }) => field).join(', ')}`;

const modelSchema = ({ name, columns, relations }: Model): Schema => ({
  type: 'object',
  description: `Facts of this kind are read at /records/{RECORD_ID}/reports/${name}/ and filtered, grouped and aggregated by created_at and these fields${exceptions(relations)}.`,
  properties: Object.fromEntries([
    ...columns.map((column) => [column.name, columnSchema(column)]),
    ...relations.map((relation) => [relation.field, relationSchema(relation)]),
  ]),
  required: columns.filter(({ required }) => required).map(({ name: column }) => column),
});

/** One schema for each model that has reports, by its name. */
export const modelSchemas = (models: Models): Readonly<Record<string, Schema>> =>
  Object.fromEntries(models.all.filter(({ builtin }) => !builtin).map((model) => [model.name, modelSchema(model)]));
