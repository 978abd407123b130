/** definition-schema: reads and checks the content of a model file: SDML and its extended forms. */
import Joi from 'joi';
import { isObject, type JsonObject } from '../../base/json';
import type { Json } from '../../base/types';
import { columnsOf, fieldTypes, isScalarType } from './field-types';
import type { Column, Model, Relation } from './model';
import { operatorNames } from './report-plan';

export type Path = readonly (string | number)[];
/** Receives each problem, with its place inside the file's value. */
export type Report = (path: Path, reason: string) => void;

/** One definition as read from a file; the nested ones follow in `nested`. */
export type Definition = {
  readonly name: string;
  /** True when the model replaces one of an earlier folder. */
  readonly override: boolean;
  readonly path: Path;
  readonly columns: readonly Column[];
  readonly fields: Model['fields'];
  readonly relations: readonly Relation[];
  readonly oneof?: Model['oneof'];
  readonly serializers?: string;
  readonly nested: readonly { readonly field: string; readonly many: boolean; readonly definition: Definition }[];
};

type Constraints = {
  readonly type?: string;
  readonly required?: boolean;
  readonly max?: number;
  readonly index?: boolean;
  readonly values?: readonly (string | number)[];
  readonly equals?: string | number | boolean;
};

const NAME = '__modelname__';
/** The key that lists fields of which at least one must be filled. */
const ONE_OF = '__oneof__';
const OVERRIDE = '__override__';
const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/;
const LONGEST_MODEL_NAME = 55;
const LONGEST_COLUMN_NAME = 64;
/**
 * The longest text, in characters, that fits an index of MySQL together with the record's id, at four bytes a
 * character.
 */
const LONGEST_INDEXED = 700;

/** Names that have a meaning in queries or belong to the service. */
const reservedNames: readonly string[] = ['id', 'created_at', 'document', 'record', ...operatorNames];
function isReserved(name: string): boolean {
  return reservedNames.includes(name) || /^x?oauth_/.test(name);
}

const flag = Joi.boolean().messages({ 'boolean.base': '{{#label}} must be true or false' });

const constraintSchema = Joi.object({
  type: Joi.string(),
  required: flag,
  values: Joi.array()
    .items(Joi.string().allow(''), Joi.number())
    .min(1)
    .unique()
    .messages({ 'array.includes': '{{#label}} is neither a text nor a number' }),
  equals: Joi.alternatives(Joi.string().allow(''), Joi.number(), Joi.boolean()),
  max: Joi.number().integer().min(1).max(10_000_000),
  index: flag,
}).prefs({ convert: false, abortEarly: false, errors: { wrap: { label: false } } });

const constraintKeys = ['type', 'required', 'values', 'equals', 'max', 'index'];

/** Whether a constant of a constraint fits the type of the column. */
function fitsConstraint(column: Column, constant: string | number | boolean): boolean {
  if (column.kind === 'number' || column.kind === 'integer') {
    return column.kind === 'number' ? typeof constant === 'number' : Number.isSafeInteger(constant);
  }
  return column.kind === 'boolean' ? typeof constant === 'boolean' : typeof constant === 'string';
}

function checkConstraints(column: Column, constraints: Constraints, path: Path, report: Report): void {
  const isText = column.kind === 'string' || column.kind === 'text';
  if (
    (constraints.values || (constraints.equals !== undefined && column.kind !== 'boolean')) &&
    /^date/.test(column.kind)
  ) {
    report(path, 'values and equals are for text and numbers');
    return;
  }
  const constants = [...(constraints.values ?? []), ...(constraints.equals === undefined ? [] : [constraints.equals])];
  if (constants.some((constant) => !fitsConstraint(column, constant))) {
    const untexted = column.kind === 'boolean' ? 'true or false' : 'numbers';
    report(path, `values and equals must be ${isText ? 'text: put quotes around them' : untexted}`);
  }
  const max = constraints.max ?? column.max;
  if (isText && max !== undefined && constants.some((constant) => [...String(constant)].length > max)) {
    report(path, `values and equals must fit into the ${max} characters that the column holds`);
  }
  if (constraints.max !== undefined && !isText) {
    report(path, 'max is the longest text in characters: it is for String and Text');
  }
  if (constraints.index && (column.kind === 'text' || (constraints.max ?? column.max ?? 0) > LONGEST_INDEXED)) {
    report(path, `index: only text of at most ${LONGEST_INDEXED} characters can have one`);
  }
}

function constrain(column: Column, { type: _type, ...constraints }: Constraints): Column {
  return {
    ...column,
    ...constraints,
  };
}

function readConstraints(value: JsonObject, path: Path, report: Report): Constraints | undefined {
  const { error } = constraintSchema.validate(value);
  for (const { path: place, message } of error?.details ?? []) {
    report([...path, ...place], message);
  }
  return error ? undefined : (value as Constraints);
}

function checkName(name: string, path: Path, report: Report): void {
  if (!IDENTIFIER.test(name) || name.length > LONGEST_COLUMN_NAME) {
    report(
      path,
      `the field name ${JSON.stringify(name.slice(0, 80))} must be letters, digits and _, start with a letter and ` +
        `have at most ${LONGEST_COLUMN_NAME} characters`,
    );
  } else if (isReserved(name)) {
    report(path, `the field name ${name} is reserved`);
  }
}

type Parts = {
  readonly columns: Map<string, { column: Column; path: Path }>;
  /** Field -> its type and the names of its columns. */
  readonly fields: Map<string, { readonly type: string; readonly columns: readonly string[] }>;
  readonly constraints: { name: string; constraints: Constraints; path: Path }[];
  readonly nested: { field: string; many: boolean; definition: Definition }[];
};

function addColumns(
  field: string,
  constraints: Constraints & { type: string },
  path: Path,
  parts: Parts,
  report: Report,
): void {
  const columns = columnsOf(field, constraints.type);
  if (!columns) {
    report(
      path,
      `${JSON.stringify(constraints.type.slice(0, 80))} is not a type: it can be ${Object.keys(fieldTypes).join(', ')}`,
    );
    return;
  }
  if (!isScalarType(constraints.type) && Object.keys(constraints).length > 1) {
    report(
      path,
      `${constraints.type} has several columns: constrain them one by one (${columns.map(({ name }) => name).join(', ')})`,
    );
    return;
  }
  parts.fields.set(field, { type: constraints.type, columns: columns.map(({ name }) => name) });
  for (const column of columns) {
    checkName(column.name, path, report);
    if (parts.columns.has(column.name)) {
      report(path, `the column ${column.name} is there already`);
    }
    parts.columns.set(column.name, { column, path });
  }
  if (Object.keys(constraints).length > 1) {
    parts.constraints.push({ name: field, constraints, path });
  }
}

function addNested(field: string, value: JsonObject, many: boolean, path: Path, parts: Parts, report: Report): void {
  checkName(field, path, report);
  const definition = readDefinition(value, many ? [...path, 0] : path, report, true);
  if (definition) {
    parts.nested.push({ field, many, definition });
  }
}

function unknownKeys(value: JsonObject): readonly string[] {
  return Object.keys(value).filter((key) => !constraintKeys.includes(key));
}

/** Whether a value looks like that of a model's field: a type, a model or a list of one. */
function isField(value: Json | undefined): boolean {
  return typeof value === 'string'
    ? Object.hasOwn(fieldTypes, value)
    : isObject(value) || (Array.isArray(value) && value.some(isObject));
}

/**
 * Whether a mapping is a nested model. Without a name it may be a model that lacks its name, or misspelt constraints;
 * the values of constraints do not look like fields.
 */
function isNested(value: JsonObject): boolean {
  return NAME in value || (!('type' in value) && unknownKeys(value).some((key) => isField(value[key])));
}

function reportMisspelt(value: JsonObject, path: Path, report: Report): void {
  for (const key of unknownKeys(value)) {
    report(
      [...path, key],
      `there is no constraint ${key.slice(0, 80)}: it can be ${constraintKeys.join(', ')}; a nested model needs its name: ${NAME}`,
    );
  }
}

function addField(field: string, value: Json | undefined, path: Path, parts: Parts, report: Report): void {
  if (typeof value === 'string') {
    addColumns(field, { type: value }, path, parts, report);
  } else if (Array.isArray(value)) {
    if (value.length === 1 && isObject(value[0])) {
      addNested(field, value[0], true, path, parts, report);
    } else {
      report(path, `${field}: a one-to-many field is a list of exactly one model`);
    }
  } else if (!isObject(value)) {
    report(path, `${field}: write a type, a model, a list of one model, or constraints`);
  } else if (isNested(value)) {
    addNested(field, value, false, path, parts, report);
  } else if (unknownKeys(value).length > 0) {
    reportMisspelt(value, path, report);
  } else {
    const constraints = readConstraints(value, path, report);
    if (constraints?.type !== undefined) {
      addColumns(field, { ...constraints, type: constraints.type }, path, parts, report);
    } else if (constraints) {
      parts.constraints.push({ name: field, constraints, path });
    }
  }
}

function constrainAll({ columns, constraints }: Parts, report: Report): void {
  for (const { name, constraints: given, path } of constraints) {
    const found = columns.get(name);
    if (found) {
      checkConstraints(found.column, given, path, report);
      columns.set(name, { ...found, column: constrain(found.column, given) });
    } else {
      report(path, `${name}: there is no such column to constrain; a new field needs a type`);
    }
  }
}

/** Reports names that differ only in case: SQL names ignore case, so they cannot be in one table. */
function checkUnique({ columns, nested }: Parts, path: Path, report: Report): void {
  const seen = new Set<string>();
  for (const name of [...columns.keys(), ...nested.map(({ field }) => field)]) {
    if (seen.has(name.toLowerCase())) {
      report(path, `the name ${name} is there twice (upper and lower case count as the same)`);
    }
    seen.add(name.toLowerCase());
  }
}

function readOneOf(value: Json | undefined, { fields, columns }: Parts, path: Path, report: Report): Model['oneof'] {
  if (value === undefined) {
    return undefined;
  }
  if (!Array.isArray(value) || value.length < 2) {
    report(path, `${ONE_OF} is a list of two fields or more`);
    return undefined;
  }
  // A column with a default is always filled, so it says nothing about the fact.
  const hasNoDefault = (name: string): boolean => columns.get(name)?.column.default === undefined;
  return (value as readonly Json[]).flatMap((field, index) => {
    const found =
      typeof field === 'string'
        ? (fields.get(field)?.columns ?? (columns.has(field) ? [field] : undefined))
        : undefined;
    if (!found) {
      report([...path, index], `${ONE_OF}: there is no such field: ${JSON.stringify(field).slice(0, 80)}`);
    }
    return found ? [{ field: field as string, columns: found.filter(hasNoDefault) }] : [];
  });
}

/** @param nested true for a nested model, which is replaced together with the model around it */
function readOverride(value: Json | undefined, nested: boolean, path: Path, report: Report): boolean {
  if (value !== undefined && (typeof value !== 'boolean' || nested)) {
    report(path, nested ? `${OVERRIDE} is for models that are not nested` : `${OVERRIDE} is true or false`);
  }
  return value === true;
}

function isModule(value: Json | undefined): value is string {
  return typeof value === 'string' && /\.[cm]?js$/.test(value);
}

function readName(value: JsonObject, path: Path, report: Report): string | undefined {
  const name = value[NAME];
  if (typeof name !== 'string' || name === '') {
    report(path, `a model needs its name: ${NAME}`);
    return undefined;
  }
  if (!IDENTIFIER.test(name) || name.length > LONGEST_MODEL_NAME) {
    report(
      [...path, NAME],
      `the model name must be letters, digits and _, start with a letter and have at most ${LONGEST_MODEL_NAME} characters`,
    );
    return undefined;
  }
  return name;
}

/**
 * Reads one definition and those nested in it. Problems are passed to `report`; the result is undefined when the
 * definition has no name.
 */
export function readDefinition(
  value: Json | undefined,
  path: Path,
  report: Report,
  isNestedModel = false,
): Definition | undefined {
  if (!isObject(value)) {
    report(path, 'a model is a mapping of field names to types');
    return undefined;
  }
  const name = readName(value, path, report);
  const parts: Parts = { columns: new Map(), fields: new Map(), constraints: [], nested: [] };
  const { serializers } = value;
  for (const [field, definition] of Object.entries(value)) {
    if (![NAME, ONE_OF, OVERRIDE].includes(field) && !(field === 'serializers' && isModule(serializers))) {
      addField(field, definition, [...path, field], parts, report);
    }
  }
  constrainAll(parts, report);
  checkUnique(parts, path, report);
  const oneof = readOneOf(value[ONE_OF], parts, [...path, ONE_OF], report);
  const override = readOverride(value[OVERRIDE], isNestedModel, [...path, OVERRIDE], report);
  return name === undefined
    ? undefined
    : {
        name,
        override,
        path,
        columns: [...parts.columns.values()].map(({ column }) => column),
        fields: [...parts.fields].map(([field, { type, columns }]) => ({ name: field, type, columns })),
        relations: parts.nested.map(({ field, many, definition }) => ({ field, model: definition.name, many })),
        nested: parts.nested,
        ...(oneof ? { oneof } : {}),
        ...(isModule(serializers) ? { serializers } : {}),
      };
}
