/**
 * fhir-mapping: reads a `.fhir.yaml` file, which is next to a model file and says how the model's facts are expressed
 * in FHIR.
 */
import { isObject, type JsonObject } from '../../base/json';
import type { Json } from '../../base/types';
import { fhirType } from '../../fhir/elements';
import type { FhirMapping, Node, ResourceMapping, SearchMapping } from './fhir-map';
import { searchParametersOf } from '../../fhir/search-parameters';
import type { Path, Report } from './definition-schema';
import { readNode, readSaid, type Context } from './fhir-values';
import type { Model } from './model';

/**
 * The ending of a resource's id: an id has at most 64 characters, and the statement's id and a hyphen take 37 of them.
 */
const ID = /^[a-z][a-z0-9-]{0,26}$/;

/** Fills the braces in all texts with the words that `of` gives for one of several similar resources. */
function filledTemplate(value: Json, words: JsonObject): Json {
  if (typeof value === 'string') {
    // A number that stands alone stays a number.
    const alone = words[/^\{(\w+)\}$/.exec(value)?.[1] ?? ''];
    return alone ?? value.replace(/\{(\w+)\}/g, (whole, name: string) => String(words[name] ?? whole));
  }
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((one) => filledTemplate(one, words));
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, inside]) => [
          String(filledTemplate(key, words)),
          filledTemplate(inside, words),
        ]),
      )
    : value;
}

type Placed = { readonly value: JsonObject; readonly path: Path };

/** An entry for each line of `of`, or the entry as it is. */
function expanded(value: JsonObject, path: Path, report: Report): readonly Placed[] {
  const { of, ...rest } = value;
  if (of === undefined) {
    return [{ value, path }];
  }
  if (!isObject(of) || !Object.values(of).every(isObject)) {
    report([...path, 'of'], 'of names several alike resources, each with its words');
    return [];
  }
  return Object.entries(of).map(([name, words]) => ({
    path,
    value: filledTemplate(rest, {
      of: name,
      ...(words as JsonObject),
    }) as JsonObject,
  }));
}

function pathExists(node: Node, [name, ...rest]: readonly string[]): boolean {
  return node.some((element) => {
    if ('first' in element) {
      return element.first.some((other) => pathExists(other, [name!, ...rest]));
    }
    const inside = element.values.flatMap((value) => {
      const item = value.kind === 'each' || value.kind === 'above' ? value.value : value;
      return item.kind === 'node' ? [item.node] : [];
    });
    return element.name === name && (rest.length === 0 || inside.some((other) => pathExists(other, rest)));
  });
}

function readSearch(
  resource: string,
  elements: Node,
  value: Json | undefined,
  path: Path,
  report: Report,
): readonly SearchMapping[] {
  if (value !== undefined && !isObject(value)) {
    report(path, 'search names parameters, each with the element that it looks at');
    return [];
  }
  return Object.entries(value ?? {}).flatMap(([name, given]) => {
    const parameter = searchParametersOf(resource).get(name);
    const paths = (Array.isArray(given) ? (given as readonly Json[]) : [given]).map(String);
    if (!parameter) {
      report([...path, name], `${resource} has no search parameter ${name} in FHIR R4`);
    }
    for (const one of paths.filter((found) => !pathExists(elements, found.split('.')))) {
      report([...path, name], `there is no element ${one} above`);
    }
    return parameter ? [{ name, type: parameter.type, paths }] : [];
  });
}

function readResource(context: Context, { value, path }: Placed): readonly ResourceMapping[] {
  const { report } = context;
  const { resource, id = '' } = value;
  for (const name of Object.keys(value)) {
    if (!['resource', 'id', 'of', 'when', 'unless', 'elements', 'search'].includes(name)) {
      report(
        [...path, name],
        `${name} is not known here: a resource has resource, id, of, when, unless, elements, search`,
      );
    }
  }
  if (typeof resource !== 'string' || !fhirType(resource)?.isResource) {
    report([...path, 'resource'], `FHIR R4 has no resource ${String(resource)}`);
    return [];
  }
  if (typeof id !== 'string' || (id !== '' && !ID.test(id))) {
    report(
      [...path, 'id'],
      'id is what stands behind the id of the statement: small letters, digits and hyphens, 27 at most',
    );
  }
  const elements = readNode(context, resource, value['elements'], [...path, 'elements']);
  return [
    {
      resource,
      id: String(id),
      elements,
      search: readSearch(resource, elements, value['search'], [...path, 'search'], report),
      ...readSaid(context, value, path),
    },
  ];
}

function readMapping(
  model: Model,
  models: readonly Model[],
  value: Json | undefined,
  report: Report,
): FhirMapping | undefined {
  const [path, place]: readonly Path[] = [[model.name], [model.name, 'resources']] as const;
  if (!isObject(value) || !Array.isArray(value['resources'])) {
    report(path!, 'a mapping has resources: a list, each with resource and elements');
    return undefined;
  }
  for (const name of Object.keys(value).filter((key) => !['together', 'resources'].includes(key))) {
    report([model.name, name], `${name} is not known here: a model has together and resources`);
  }
  const list = value['resources'] as readonly Json[];
  const placed = list.flatMap((one, index) =>
    isObject(one)
      ? expanded(one, [...place!, index], report)
      : (report([...place!, index], 'a resource has resource and elements'), []),
  );
  const own = new Map(placed.map((one) => [String(one.value['id'] ?? ''), String(one.value['resource'])]));
  const context: Context = { model, models, own, together: value['together'] === true, report };
  const seen = new Set<string>();
  for (const one of placed) {
    // Two resources may have the same type and id if only one of them can apply: their conditions must differ.
    const key = JSON.stringify([
      one.value['resource'],
      one.value['id'] ?? '',
      one.value['when'] ?? null,
      one.value['unless'] ?? null,
    ]);
    if (seen.has(key)) {
      report([...one.path, 'id'], 'another resource of this type has the same id and the same condition');
    }
    seen.add(key);
  }
  return { together: context.together, resources: placed.flatMap((one) => readResource(context, one)) };
}

/**
 * Reads the content of a mapping file.
 * @param models the models of the model file next to it, the only ones that it may map
 */
export function readFhirMappings(
  value: Json | undefined,
  models: readonly Model[],
  report: Report,
): ReadonlyMap<string, FhirMapping> {
  const mappings = new Map<string, FhirMapping>();
  if (!isObject(value)) {
    report([], 'a mapping file names models, each with its resources');
    return mappings;
  }
  for (const name of Object.keys(value)) {
    const model = models.find((candidate) => candidate.name === name);
    const mapping = model && readMapping(model, models, value[name], report);
    if (!model) {
      report([name], `the model file beside this one has no model ${name}`);
    } else if (mapping) {
      mappings.set(name, mapping);
    }
  }
  return mappings;
}
