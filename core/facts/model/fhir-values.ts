/**
 * fhir-values: reads the value of an element in a `.fhir.yaml` file, and checks it against FHIR R4 and the columns of
 * the model.
 */
import { isObject, type JsonObject } from '../../base/json';
import type { Json } from '../../base/types';
import { fhirType, type FhirElement } from '../../fhir/elements';
import { withArticle } from '../../fhir/resource';
import type { Condition, ElementValue, Node, NodeElement, Said } from './fhir-map';
import type { Path, Report } from './definition-schema';
import { columnsOf } from './field-types';
import type { Model } from './model';

/** The context of a value: columns are those of `model`, and `models` are those of the file. */
export type Context = {
  readonly model: Model;
  readonly models: readonly Model[];
  /** The endings of the ids of this model's resources, with the types of these resources. */
  readonly own: ReadonlyMap<string, string>;
  readonly together: boolean;
  readonly report: Report;
};

/**
 * Blocks with the field type that they read, the FHIR types that they can become, and the other columns that they may
 * read.
 */
const blocks: Readonly<
  Record<string, { readonly reads: string; readonly becomes: readonly string[]; readonly columns?: readonly string[] }>
> = {
  CodedValue: { reads: 'CodedValue', becomes: ['CodeableConcept', 'Coding'] },
  ValueAndUnit: { reads: 'ValueAndUnit', becomes: ['Quantity', 'Duration', 'Age'] },
  Frequency: { reads: 'ValueAndUnit', becomes: ['Timing'], columns: ['start', 'end'] },
  Dosage: { reads: 'Dosage', becomes: ['Dosage'], columns: ['end'] },
  Amount: { reads: 'Number', becomes: ['Quantity'], columns: ['in'] },
  VitalSign: { reads: 'VitalSign', becomes: ['Quantity'] },
  Name: { reads: 'Name', becomes: ['HumanName'] },
  Address: { reads: 'Address', becomes: ['Address'] },
  Telephone: { reads: 'Telephone', becomes: ['ContactPoint'] },
};

const directives = [
  'column',
  'lookup',
  'fixed',
  'words',
  'lines',
  'first',
  'each',
  'above',
  'patient',
  'own',
  'facts',
  'parent',
  'statement',
  'absent',
] as const;
type Directive = (typeof directives)[number];

function jsonList(value: Json | undefined): readonly Json[] {
  return [value ?? []].flat() as readonly Json[];
}

function columnNamed(
  { model, report }: Context,
  name: Json | undefined,
  path: Path,
): Model['columns'][number] | undefined {
  const column = model.columns.find((one) => one.name === name);
  if (!column) {
    report(path, `${model.name} has no column ${String(name)}`);
  }
  return column;
}

/** A text from YAML. Codes that consist of digits must be in quotes where a number would lose some of them. */
function requireText({ report }: Context, value: Json, path: Path): string {
  const exact = typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!exact) {
    report(path, 'write a text; codes that are digits stand in quotes');
  }
  return String(value);
}

function readConditions(context: Context, value: Json | undefined, path: Path): readonly Condition[] {
  return jsonList(value).map((one, index) =>
    readCondition(context, one, Array.isArray(value) ? [...path, index] : path),
  );
}

function readCondition(context: Context, value: Json | undefined, path: Path): Condition {
  if (!isObject(value)) {
    context.report(path, 'name columns, each with its values, with `filled` or with `past`');
    return [];
  }
  return Object.entries(value).map(([column, given]) => {
    const found = columnNamed(context, column, [...path, column]);
    if (given === 'past') {
      if (found && !['date', 'datetime'].includes(found.kind)) {
        context.report([...path, column], `${column} holds no date, so it cannot be past`);
      }
      return { column, past: true };
    }
    return given === 'filled'
      ? { column }
      : { column, values: jsonList(given).map((one) => requireText(context, one, [...path, column])) };
  });
}

export function readSaid(context: Context, value: JsonObject, path: Path): Said {
  return {
    ...(value['when'] === undefined ? {} : { when: readConditions(context, value['when'], [...path, 'when']) }),
    ...(value['unless'] === undefined ? {} : { unless: readConditions(context, value['unless'], [...path, 'unless']) }),
  };
}

function allow({ report }: Context, value: JsonObject, names: readonly string[], path: Path): void {
  for (const name of Object.keys(value)) {
    if (![...names, 'when', 'unless'].includes(name)) {
      report([...path, name], `${name} is not known here: it can be ${[...names, 'when', 'unless'].join(', ')}`);
    }
  }
}

function readColumnValue(context: Context, element: FhirElement, value: JsonObject, path: Path): ElementValue {
  const { report } = context;
  const column = columnNamed(context, value['column'], path);
  const like = value['like'];
  allow(context, value, ['column', 'like'], path);
  if (element.kind === 'complex' || element.kind === 'resource') {
    report(
      path,
      `${element.name} is ${withArticle(element.type)}, which a column cannot fill: name its parts, or a type of several columns`,
    );
  }
  if (column && element.kind === 'boolean' && column.kind !== 'boolean') {
    report(path, `${element.name} is true or false, and ${column.name} is not`);
  }
  if (like !== undefined && typeof like !== 'string') {
    report([...path, 'like'], 'like is a regular expression that the whole text must match');
  }
  return {
    kind: 'column',
    column: String(value['column']),
    of: column?.kind ?? 'string',
    ...(typeof like === 'string' ? { like } : {}),
  };
}

function readBlock(context: Context, element: FhirElement, block: string, value: JsonObject, path: Path): ElementValue {
  const { model, report } = context;
  const { reads, becomes, columns: others = [] } = blocks[block]!;
  const [field, unit, shift] = [value[block], value['unit'], value['shift']];
  allow(context, value, [block, 'unit', 'shift', ...others], path);
  const named = others.filter((name) => value[name] !== undefined);
  for (const name of named) {
    columnNamed(context, value[name], [...path, name]);
  }
  const columns = typeof field === 'string' ? (columnsOf(field, reads) ?? []).map(({ name }) => name) : [];
  const missing = columns.filter((name) => !model.columns.some((column) => column.name === name));
  if (columns.length === 0 || missing.length > 0) {
    report(
      path,
      columns.length === 0 ? `${block} takes the name of a field` : `${model.name} has no column ${missing.join(', ')}`,
    );
  }
  if (!becomes.includes(element.type)) {
    report(
      path,
      `${element.name} is ${element.type === '' ? 'one value' : withArticle(element.type)}, and ${block} becomes ${becomes.join(' or ')}`,
    );
  }
  if ((unit !== undefined && typeof unit !== 'string') || (shift !== undefined && !Number.isInteger(shift))) {
    report(path, 'unit is a text, and shift a number of decimal places');
  }
  return {
    kind: 'block',
    block,
    field: String(field),
    ...(named.length > 0 ? { columns: Object.fromEntries(named.map((name) => [name, String(value[name])])) } : {}),
    ...(typeof unit === 'string' ? { unit } : {}),
    ...(typeof shift === 'number' ? { shift } : {}),
  };
}

function readLookup(context: Context, element: FhirElement, value: JsonObject, path: Path): ElementValue {
  const { report } = context;
  const { lookup, codes, system, otherwise } = value;
  columnNamed(context, lookup, path);
  allow(context, value, ['lookup', 'codes', 'system', 'otherwise'], path);
  if (element.kind !== 'text' && element.type !== 'CodeableConcept' && element.type !== 'Coding') {
    report(path, `${element.name} is no code`);
  }
  if ((element.type !== '') !== (typeof system === 'string')) {
    report(path, element.type === '' ? 'a plain code has no system' : 'a coded element needs the system of its codes');
  }
  if (!isObject(codes)) {
    report([...path, 'codes'], 'codes are the codes of the element, each with a list of the texts that mean it');
  }
  if (otherwise !== undefined && typeof otherwise !== 'string') {
    report([...path, 'otherwise'], 'otherwise is a code');
  }
  return {
    kind: 'lookup',
    column: String(lookup),
    codes: Object.fromEntries(
      Object.entries(isObject(codes) ? codes : {}).map(([code, means]) => [
        code,
        jsonList(means).map((one) => requireText(context, one, [...path, 'codes', code])),
      ]),
    ),
    ...(typeof system === 'string' ? { system } : {}),
    ...(typeof otherwise === 'string' ? { otherwise } : {}),
  };
}

function readWords(context: Context, value: JsonObject, path: Path): ElementValue {
  allow(context, value, ['words'], path);
  const text = String(value['words']);
  const columns = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  for (const column of columns) {
    columnNamed(context, column, path);
  }
  if (typeof value['words'] !== 'string') {
    context.report(path, 'words are a text with columns in braces');
  }
  return { kind: 'words', text, columns };
}

function readList(
  context: Context,
  element: FhirElement,
  value: JsonObject,
  kind: 'first' | 'lines',
  path: Path,
): ElementValue {
  allow(context, value, [kind], path);
  if (!Array.isArray(value[kind])) {
    context.report(path, `${kind} is a list`);
  }
  return {
    kind,
    values: jsonList(value[kind]).flatMap(
      (item, index) => readElementValue(context, element, item, [...path, kind, index]) ?? [],
    ),
  };
}

/** The element as one item of its list. */
function itemOf(element: FhirElement): FhirElement {
  return { ...element, many: false };
}

function readEach(context: Context, element: FhirElement, value: JsonObject, path: Path): ElementValue | undefined {
  const { model, models, report, together } = context;
  const { each: field, value: item } = value;
  allow(context, value, ['each', 'value'], path);
  const relation = model.relations.find((one) => one.field === field);
  const child = field === 'rows' ? model : models.find(({ name }) => name === relation?.model);
  if (!child || (field === 'rows' && !together)) {
    report(
      path,
      field === 'rows' ? 'rows needs `together: true`' : `${model.name} has no facts nested in ${String(field)}`,
    );
    return undefined;
  }
  if (!element.many) {
    report(path, `${element.name} is no list`);
  }
  const inside = readElementValue({ ...context, model: child }, itemOf(element), item ?? null, [...path, 'value']);
  return inside && { kind: 'each', field: String(field), value: inside };
}

function readAbove(context: Context, element: FhirElement, value: JsonObject, path: Path): ElementValue | undefined {
  const { model, models, report } = context;
  allow(context, value, ['above'], path);
  const parent = models.find(({ name }) => name === model.parent?.model);
  if (!parent) {
    report(path, `${model.name} is not nested in another model`);
    return undefined;
  }
  const inside = readElementValue({ ...context, model: parent }, element, value['above'] ?? null, [...path, 'above']);
  return inside && { kind: 'above', value: inside };
}

function readOwn(context: Context, value: JsonObject, path: Path): ElementValue {
  const { own, report } = context;
  const id = String(value['own']);
  allow(context, value, ['own', 'display'], path);
  if (!own.has(id)) {
    report(path, `this model has no resource with the id ${id}`);
  }
  const display = jsonList(value['display']).map(
    (name) => columnNamed(context, name, [...path, 'display'])?.name ?? '',
  );
  return { kind: 'own', id, ...(display.length > 0 ? { display } : {}) };
}

function readReferenceRule(context: Context, value: JsonObject, directive: Directive, path: Path): ElementValue {
  const { model, report } = context;
  allow(context, value, [directive], path);
  if (directive === 'facts') {
    if (!model.relations.some(({ field }) => field === value['facts'])) {
      report(path, `${model.name} has no facts nested in ${String(value['facts'])}`);
    }
    return { kind: 'facts', field: String(value['facts']) };
  }
  if (directive === 'parent') {
    if (!model.parent || typeof value['parent'] !== 'string' || !fhirType(value['parent'])?.isResource) {
      report(path, model.parent ? 'parent is the type of a resource' : `${model.name} is not nested in another model`);
    }
    return { kind: 'parent', resource: String(value['parent']) };
  }
  if (value['patient'] !== true) {
    report(path, 'write patient: true');
  }
  return { kind: 'patient' };
}

function readStatement(context: Context, value: JsonObject, path: Path): ElementValue {
  const { report } = context;
  const { statement, of, display } = value;
  allow(context, value, ['statement', 'of', 'display'], path);
  if (columnNamed(context, statement, path)?.statement !== true) {
    report(path, `${String(statement)} names no other fact: its type must be Statement`);
  }
  if (typeof of !== 'string' || !fhirType(of)?.isResource) {
    report([...path, 'of'], 'of is the type of the resource that is referred to');
  }
  if (display !== undefined) {
    columnNamed(context, display, [...path, 'display']);
  }
  return {
    kind: 'statement',
    column: String(statement),
    of: String(of),
    ...(display === undefined ? {} : { display: String(display) }),
  };
}

/** Whether a fixed value fits an element. */
function fitsElement(element: FhirElement, value: Json): boolean {
  if (element.many && Array.isArray(value)) {
    return value.every((one) => fitsElement(itemOf(element), one as Json));
  }
  if (element.kind === 'complex') {
    const type = fhirType(element.type)!;
    return (
      isObject(value) &&
      Object.entries(value).every(([name, inside]) => {
        const part = type.elements.get(name);
        return part !== undefined && Array.isArray(inside) === part.many && fitsElement(part, inside);
      })
    );
  }
  const kinds: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean' };
  return typeof value === (kinds[element.kind] ?? 'string');
}

function readDirective(
  context: Context,
  element: FhirElement,
  directive: Directive,
  value: JsonObject,
  path: Path,
): ElementValue | undefined {
  const { report } = context;
  switch (directive) {
    case 'column':
      return readColumnValue(context, element, value, path);
    case 'lookup':
      return readLookup(context, element, value, path);
    case 'words':
      return readWords(context, value, path);
    case 'lines':
    case 'first':
      return readList(context, element, value, directive, path);
    case 'each':
      return readEach(context, element, value, path);
    case 'above':
      return readAbove(context, element, value, path);
    case 'fixed':
      allow(context, value, ['fixed'], path);
      if (!fitsElement(element, value['fixed']!)) {
        report([...path, 'fixed'], `this does not fit ${element.name} in FHIR R4`);
      }
      return { kind: 'fixed', value: value['fixed']! };
    case 'absent':
      allow(context, value, ['absent'], path);
      return { kind: 'absent', reason: requireText(context, value['absent']!, path) };
    default:
      if (element.type !== 'Reference') {
        report(path, `${element.name} is no reference`);
      }
      if (directive === 'statement') {
        return readStatement(context, value, path);
      }
      return directive === 'own' ? readOwn(context, value, path) : readReferenceRule(context, value, directive, path);
  }
}

function readWhat(context: Context, element: FhirElement, value: JsonObject, path: Path): ElementValue | undefined {
  const block = Object.keys(blocks).find((name) => name in value);
  const directive = directives.find((name) => name in value);
  if (block !== undefined) {
    return readBlock(context, element, block, value, path);
  }
  if (directive !== undefined) {
    return readDirective(context, element, directive, value, path);
  }
  if (element.kind !== 'complex') {
    context.report(path, `${element.name} is one value: write a column, or one of ${directives.join(', ')}`);
    return undefined;
  }
  return { kind: 'node', node: readNode(context, element.type, value, path) };
}

/** Reads one value of an element, or one item of a list; after a report the result is undefined. */
function readElementValue(context: Context, element: FhirElement, value: Json, path: Path): ElementValue | undefined {
  if (typeof value === 'string') {
    return readColumnValue(context, element, { column: value }, path);
  }
  if (!isObject(value)) {
    context.report(path, 'write the name of a column, or what the value is made of');
    return undefined;
  }
  const what = readWhat(context, element, value, path);
  return what && { ...what, ...readSaid(context, value, path) };
}

function readElement(
  context: Context,
  typeName: string,
  name: string,
  value: Json,
  path: Path,
): readonly NodeElement[] {
  const element = fhirType(typeName)?.elements.get(name);
  if (!element || element.kind === 'xhtml') {
    context.report(path, `FHIR R4 has no element ${name} in ${typeName.replaceAll('_', '.')}`);
    return [];
  }
  if (Array.isArray(value) && !element.many) {
    context.report(path, `${name} is no list`);
  }
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  const values = list.flatMap(
    (item, index) => readElementValue(context, element, item, Array.isArray(value) ? [...path, index] : path) ?? [],
  );
  return [{ name, many: element.many, type: element.type, isDay: element.isDay, values }];
}

/** Elements that a file may not name, because their content follows from where the resource comes from. */
const given = ['id', 'meta', 'text', 'contained', 'implicitRules'];

/**
 * Reads the elements of a resource or of a part of one. @param typeName name of the type as in elements.json:
 * `Observation`, `Observation_Component`
 */
export function readNode(context: Context, typeName: string, value: Json | undefined, path: Path): Node {
  if (!isObject(value)) {
    context.report(path, 'elements are a mapping of the names of elements to columns');
    return [];
  }
  const isResource = fhirType(typeName)?.isResource ?? false;
  return Object.entries(value).flatMap(([name, inside]): readonly NodeElement[] => {
    const place = [...path, name];
    if (name === 'when' || name === 'unless') {
      return [];
    }
    if (name === 'either') {
      return [{ first: jsonList(inside).map((node, index) => readNode(context, typeName, node, [...place, index])) }];
    }
    if (isResource && given.includes(name)) {
      context.report(place, `${name} is written by the service`);
      return [];
    }
    return readElement(context, typeName, name, inside, place);
  });
}
