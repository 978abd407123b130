/**
 * rdf-mapping: reads a `.rdf.yaml` file, which is next to a model file and says how the model's facts are expressed in
 * RDF.
 */
import { isObject, type JsonObject } from '../../base/json';
import type { Json } from '../../base/types';
import type { Path, Report } from './definition-schema';
import { columnsOf } from './field-types';
import type { Model, RdfMapping, RdfProperty, RdfValue } from './model';

/**
 * The compound type that each block shows. Code shows a CodedValue without its title node; ValueWithUnit shows nothing
 * when there is no unit.
 */
const blockTypes: Readonly<Record<string, string>> = {
  CodedValue: 'CodedValue',
  Code: 'CodedValue',
  ValueAndUnit: 'ValueAndUnit',
  ValueWithUnit: 'ValueAndUnit',
  ValueRange: 'ValueRange',
  QuantitativeResult: 'QuantitativeResult',
  Address: 'Address',
  Name: 'Name',
  Telephone: 'Telephone',
  Organization: 'Organization',
  Pharmacy: 'Pharmacy',
  Provider: 'Provider',
  VitalSign: 'VitalSign',
  BloodPressure: 'BloodPressure',
};

/** Prefixes that every mapping may use. */
const usualPrefixes: readonly string[] = ['rdf', 'rdfs', 'sp', 'spcode', 'dcterms', 'dc', 'foaf', 'v', 'xsd'];

/** First path segments of other addresses below a record, which facts cannot use. */
export const takenPaths: readonly string[] = [
  'apps',
  'audits',
  'autoshare',
  'carenets',
  'demographics',
  'documents',
  'inbox',
  'lines',
  'notifications',
  'notify',
  'owner',
  'reports',
  'shares',
];

type Context = { readonly model: Model; readonly prefixes: Readonly<Record<string, string>>; readonly report: Report };

function checkName({ prefixes, report }: Context, name: Json | undefined, path: Path): string {
  const match = typeof name === 'string' ? /^([A-Za-z][\w.-]*):([A-Za-z_][\w.-]*)$/.exec(name) : null;
  if (!match) {
    report(path, `${JSON.stringify(name ?? null)} is not a name of the form prefix:name`);
  } else if (!usualPrefixes.includes(match[1]!) && !Object.hasOwn(prefixes, match[1]!)) {
    report(
      path,
      `the prefix ${match[1]!} is not declared: it can be ${usualPrefixes.join(', ')}, or one under prefixes`,
    );
  }
  return String(name);
}

function checkColumns({ model, report }: Context, names: readonly string[], path: Path): void {
  const missing = names.filter((name) => !model.columns.some((column) => column.name === name));
  if (missing.length > 0) {
    report(path, `${model.name} has no column ${missing.join(', ')}`);
  }
}

function readBlock(context: Context, block: string, value: JsonObject, path: Path): RdfValue {
  const [field, given] = [value[block], value['class']];
  const extra = Object.keys(value).filter((key) => key !== block && key !== 'class');
  if (typeof field !== 'string' || extra.length > 0) {
    context.report(
      path,
      `${block} takes the name of a field${extra.length > 0 ? `, and nothing like ${extra.join(', ')}` : ''}`,
    );
  } else {
    checkColumns(
      context,
      (columnsOf(field, blockTypes[block]!) ?? []).map(({ name }) => name),
      path,
    );
  }
  if (given !== undefined && (typeof given !== 'string' || !/^\w+$/.test(given))) {
    context.report(path, 'class is the name of a class of codes');
  }
  return { kind: 'block', block, field: String(field), ...(typeof given === 'string' ? { class: given } : {}) };
}

function readRdfValue(context: Context, value: Json, path: Path): RdfValue | undefined {
  const { model, report } = context;
  if (typeof value === 'string') {
    checkColumns(context, [value], path);
    return { kind: 'column', column: value, always: false };
  }
  if (!isObject(value)) {
    report(path, 'write the name of a column, or what the value is made of');
    return undefined;
  }
  const block = Object.keys(blockTypes).find((name) => name in value);
  if (block !== undefined) {
    return readBlock(context, block, value, path);
  }
  if (typeof value['column'] === 'string') {
    checkColumns(context, [value['column']], path);
    return { kind: 'column', column: value['column'], always: value['always'] === true };
  }
  if (typeof value['facts'] === 'string') {
    if (!model.relations.some(({ field }) => field === value['facts'])) {
      report(path, `${model.name} has no facts nested in ${value['facts']}`);
    }
    return { kind: 'facts', field: value['facts'] };
  }
  if (value['parent'] === true) {
    if (!model.parent) {
      report(path, `${model.name} is not nested in another model`);
    }
    return { kind: 'parent' };
  }
  if (typeof value['text'] === 'string') {
    return { kind: 'text', text: value['text'] };
  }
  if (value['type'] !== undefined) {
    return {
      kind: 'node',
      type: checkName(context, value['type'], [...path, 'type']),
      properties: readProperties(context, value['properties'], [...path, 'properties']),
    };
  }
  report(
    path,
    `this is none of: a column, ${Object.keys(blockTypes).join(', ')}, facts, parent, text, type with properties`,
  );
  return undefined;
}

function readProperties(context: Context, value: Json | undefined, path: Path): readonly RdfProperty[] {
  if (!isObject(value)) {
    context.report(path, 'properties are a mapping of predicates to columns');
    return [];
  }
  return Object.entries(value).map(([predicate, given]): RdfProperty => {
    const place = [...path, predicate];
    const list: readonly Json[] = Array.isArray(given) ? (given as readonly Json[]) : [given];
    if (predicate === 'first') {
      return { first: list.flatMap((item, index) => readProperties(context, item, [...place, index])) };
    }
    checkName(context, predicate, place);
    return {
      predicate,
      values: list.flatMap(
        (item, index) => readRdfValue(context, item, Array.isArray(given) ? [...place, index] : place) ?? [],
      ),
    };
  });
}

function readPrefixes(value: Json | undefined, report: Report): Readonly<Record<string, string>> {
  const prefixes = value ?? {};
  if (
    !isObject(prefixes) ||
    Object.entries(prefixes).some(
      ([name, uri]) => !/^[a-z][\w-]*$/.test(name) || typeof uri !== 'string' || !URL.canParse(uri),
    )
  ) {
    report(['prefixes'], 'prefixes are short names with an absolute address each');
    return {};
  }
  return prefixes as Readonly<Record<string, string>>;
}

function readModelMapping(
  model: Model,
  value: Json | undefined,
  prefixes: Readonly<Record<string, string>>,
  report: Report,
): RdfMapping | undefined {
  const context = { model, prefixes, report };
  if (!isObject(value)) {
    report([model.name], 'a mapping has type, path and properties');
    return undefined;
  }
  const { path } = value;
  if (typeof path !== 'string' || !/^[a-z][a-z0-9_-]*$/.test(path) || takenPaths.includes(path)) {
    report([model.name, 'path'], `path is one lower-case word and none of ${takenPaths.join(', ')}`);
  }
  return {
    type: checkName(context, value['type'], [model.name, 'type']),
    path: String(path),
    properties: readProperties(context, value['properties'], [model.name, 'properties']),
    prefixes,
  };
}

/**
 * Reads the content of a mapping file.
 * @param models the models of the model file next to it, the only ones that it may map
 */
export function readRdfMappings(
  value: Json | undefined,
  models: readonly Model[],
  report: Report,
): ReadonlyMap<string, RdfMapping> {
  const mappings = new Map<string, RdfMapping>();
  if (!isObject(value)) {
    report([], 'a mapping file names models, each with type, path and properties');
    return mappings;
  }
  const prefixes = readPrefixes(value['prefixes'], report);
  for (const name of Object.keys(value).filter((key) => key !== 'prefixes')) {
    const model = models.find((candidate) => candidate.name === name);
    const mapping = model && readModelMapping(model, value[name], prefixes, report);
    if (!model) {
      report([name], `the model file beside this one has no model ${name}`);
    } else if (mapping) {
      mappings.set(name, mapping);
    }
  }
  return mappings;
}
