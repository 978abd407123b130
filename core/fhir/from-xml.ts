/**
 * from-xml: writes a resource of FHIR XML as JSON, element by element, without loss: numbers keep their digits, and
 * lists of texts keep the places of their ids and extensions (pure).
 */
import { LosslessNumber } from 'lossless-json';
import { groupedBy } from '../base/grouped-by';
import { fhirType, type FhirElement, type FhirType, isPrimitive } from './elements';

/** What is needed of an element tree, such as `core/xml/engine` makes. */
export type Tree = {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

export type JsonObject = { [name: string]: JsonValue };
export type JsonValue = string | boolean | null | LosslessNumber | JsonObject | JsonValue[];

export type FromXml = {
  /** The markup of a narrative; undefined: it goes with its status. */
  readonly narrative: (div: Tree) => string | undefined;
  /** The text of a reference or of the address of an attachment. */
  readonly refer: (text: string, path: readonly string[]) => string;
  /** Called for each part that FHIR R4 does not know, or that is no value of its type. */
  readonly leave: () => void;
};

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number as JSON has it: XML allows a plus and zeros before it. */
function exactNumber(text: string): LosslessNumber | undefined {
  const plain = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.');
  return NUMBER.test(plain) ? new LosslessNumber(plain) : undefined;
}

function primitiveOf({ kind }: FhirElement, text: string): JsonValue | undefined {
  if (kind === 'number') {
    return exactNumber(text);
  }
  if (kind === 'boolean') {
    return ['true', 'false'].includes(text) ? text === 'true' : undefined;
  }
  return text;
}

function hasNoMembers(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

const ELEMENT: FhirType = fhirType('Element')!;

/** Addresses that may lead to another part of the same document. */
const ADDRESSES = new Set(['Reference.reference', 'Attachment.url']);

function referText(from: FromXml, type: string, element: FhirElement, text: string, path: readonly string[]): string {
  return ADDRESSES.has(`${type}.${element.name}`) ? from.refer(text, path) : text;
}

/** Writes the values of one primitive element, and beside them what belongs to each. */
function writePrimitives(
  from: FromXml,
  into: JsonObject,
  type: string,
  element: FhirElement,
  given: readonly Tree[],
  path: readonly string[],
): void {
  const read = given.map((tree) => {
    const written = tree.attributes.get('value');
    const value = written === undefined ? undefined : primitiveOf(element, written);
    if (written !== undefined && value === undefined) {
      from.leave();
    }
    return {
      value: typeof value === 'string' ? referText(from, type, element, value, path) : value,
      more: objectOf(from, 'Element', ELEMENT, tree, path),
    };
  });
  const said = read.filter(({ value, more }) => value !== undefined || !hasNoMembers(more));
  if (said.some(({ value }) => value !== undefined)) {
    into[element.name] = element.many ? said.map(({ value }) => value ?? null) : said[0]!.value!;
  }
  if (said.some(({ more }) => !hasNoMembers(more))) {
    into[`_${element.name}`] = element.many
      ? said.map(({ more }) => (hasNoMembers(more) ? null : more))
      : said[0]!.more;
  }
}

/** Keeps the values of an element, if there are any: as a list only where R4 has one. */
function putValues(into: JsonObject, { name, many }: FhirElement, values: readonly JsonObject[]): void {
  if (values.length > 0) {
    into[name] = many ? [...values] : values[0]!;
  }
}

function writeResources(
  from: FromXml,
  into: JsonObject,
  element: FhirElement,
  given: readonly Tree[],
  path: readonly string[],
): void {
  const resources = given.flatMap(({ elements: [inside] }) => {
    const resource = inside && resourceOf(from, inside, [...path, element.name]);
    return resource ? [resource] : [];
  });
  putValues(into, element, resources);
}

function writeMember(
  from: FromXml,
  into: JsonObject,
  type: string,
  element: FhirElement,
  given: readonly Tree[],
  path: readonly string[],
): void {
  if (!element.many && given.length > 1) {
    from.leave();
  }
  const taken = element.many ? given : given.slice(0, 1);
  const inside = [...path, element.name];
  if (isPrimitive(element)) {
    writePrimitives(from, into, type, element, taken, inside);
  } else if (element.kind === 'resource') {
    writeResources(from, into, element, taken, path);
  } else if (element.kind === 'xhtml') {
    const markup = from.narrative(taken[0]!);
    if (markup !== undefined) {
      into[element.name] = markup;
    }
  } else {
    const values = taken
      .map((tree) => objectOf(from, element.type, fhirType(element.type)!, tree, inside))
      .filter((value) => !hasNoMembers(value));
    putValues(into, element, values);
  }
}

/** The members of an element, in the order of R4. */
function objectOf(
  from: FromXml,
  name: string,
  type: FhirType,
  { attributes, elements }: Tree,
  path: readonly string[],
): JsonObject {
  const into: JsonObject = {};
  const byName = new Map(groupedBy(elements, (one) => one.name));
  for (const element of type.elements.values()) {
    const attribute = element.kind === 'attribute' ? attributes.get(element.name) : undefined;
    const given = byName.get(element.name);
    if (attribute !== undefined) {
      into[element.name] = attribute;
    } else if (given) {
      writeMember(from, into, name, element, given, path);
    }
    byName.delete(element.name);
  }
  if (byName.size > 0) {
    from.leave();
  }
  return into;
}

/** The resource as JSON; undefined for a type that FHIR R4 does not know. */
export function resourceOf(from: FromXml, tree: Tree, path: readonly string[] = []): JsonObject | undefined {
  const type = fhirType(tree.name);
  if (!type?.isResource) {
    from.leave();
    return undefined;
  }
  return { resourceType: tree.name, ...objectOf(from, tree.name, type, tree, path) };
}
