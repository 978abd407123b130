/**
 * bindings: checks a document for codes outside the value sets that FHIR R4 requires (pure). `bindings.json` holds
 * these sets; it was made from HL7's definitions and leaves out sets that cannot be listed, such as that of all media
 * types.
 */
import { errors, type AppError, type Problem } from '../base/errors';
import table from './bindings.json';
import { fhirType, type FhirElement, type FhirType } from './elements';

/** What is needed of an element tree, such as `core/xml/engine` makes. */
type Tree = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

/** The codes of a value set, and for concepts the codes by code system. */
type Codes = ReadonlySet<string>;
type Binding = { readonly codes: Codes; readonly systems: ReadonlyMap<string, Codes> };

const { sets, elements } = table as {
  /** Name of a value set -> code system -> its codes with spaces between them. */
  readonly sets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Type -> element -> name of a value set. */
  readonly elements: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const bindings = new Map<string, Binding>();

function bindingNamed(name: string): Binding {
  const known = bindings.get(name);
  if (known) {
    return known;
  }
  const systems = new Map(Object.entries(sets[name]!).map(([system, codes]) => [system, new Set(codes.split(' '))]));
  const made: Binding = { codes: new Set([...systems.values()].flatMap((codes) => [...codes])), systems };
  bindings.set(name, made);
  return made;
}

const VALUE_SETS = /^http:\/\/(?:hl7\.org\/fhir|terminology\.hl7\.org)\/ValueSet\/([\w.-]{1,80})(?:\|[\w.-]{1,20})?$/;

/** The codes of a value set by its canonical address, by system; undefined for one that is not held. */
export function codesOfValueSet(address: string): ReadonlyMap<string, readonly string[]> | undefined {
  const [, name = ''] = VALUE_SETS.exec(address) ?? [];
  return Object.hasOwn(sets, name)
    ? new Map([...bindingNamed(name).systems].map(([system, codes]) => [system, [...codes]]))
    : undefined;
}

function bindingOf(type: string, element: string): Binding | undefined {
  const of = Object.hasOwn(elements, type) ? elements[type]! : {};
  return Object.hasOwn(of, element) ? bindingNamed(of[element]!) : undefined;
}

/** If a value set has more codes than this, they are not listed to a client that sent another code. */
const MOST_LISTED = 12;
/** At most this many faults are reported: more would not help anybody. */
const MOST_FAULTS = 20;

function wanted(codes: Codes): string {
  return codes.size > MOST_LISTED
    ? 'it has a code that FHIR R4 does not have here'
    : `it must be one of ${[...codes].join(', ')}`;
}

function attributeValue(tree: Tree, name: string): string | undefined {
  return tree.elements.find((element) => element.name === name)?.attributes.get('value');
}

/**
 * What is wrong with a code, a coding or a concept; empty when nothing is. A concept may have codings of other systems
 * in addition to those of the value set. Words alone are no code: senders use them to say what they know.
 */
function faultOf(tree: Tree, kind: FhirElement['kind'], type: string, { codes, systems }: Binding): string {
  if (kind === 'text') {
    const value = tree.attributes.get('value');
    return value === undefined || codes.has(value) ? '' : wanted(codes);
  }
  const codings = type === 'CodeableConcept' ? tree.elements.filter(({ name }) => name === 'coding') : [tree];
  const isWrong = (coding: Tree): boolean => {
    const [code, own] = [attributeValue(coding, 'code'), systems.get(attributeValue(coding, 'system') ?? '')];
    return code !== undefined && own !== undefined && !own.has(code);
  };
  return codings.some(isWrong) ? wanted(codes) : '';
}

/** A code that is written in capitals or with other signs between its words, as R4 writes it. */
function codeAsListed(code: string, codes: Codes): string | undefined {
  const plain = code
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  return codes.has(plain) ? plain : undefined;
}

/** A code that R4 does not have in its place, and the one that is meant where nothing has to be guessed. */
export type WrongCode = { readonly path: string; readonly instead: string | undefined };

function findWrongCodes(
  tree: Tree,
  { kind, type }: FhirElement,
  path: string,
  { codes, systems }: Binding,
): WrongCode[] {
  if (kind === 'text') {
    return [{ path, instead: codeAsListed(tree.attributes.get('value') ?? '', codes) }];
  }
  const codings = tree.elements.filter(({ name }) => type === 'CodeableConcept' && name === 'coding');
  return (type === 'CodeableConcept' ? codings : [tree]).flatMap((coding, index) => {
    const [code = '', own] = [attributeValue(coding, 'code'), systems.get(attributeValue(coding, 'system') ?? '')];
    const place = coding === tree ? path : `${path}.coding[${index}]`;
    return own === undefined || own.has(code) ? [] : [{ path: `${place}.code`, instead: codeAsListed(code, own) }];
  });
}

type Found = { readonly problems: Problem[]; readonly wrong: WrongCode[] };

function checkInside(tree: Tree, { elements: known }: FhirType, typeName: string, path: string, found: Found): void {
  const counts = new Map<string, number>();
  for (const child of tree.elements) {
    const element = known.get(child.name);
    if (!element || found.problems.length >= MOST_FAULTS) {
      continue;
    }
    const count = counts.get(child.name) ?? 0;
    counts.set(child.name, count + 1);
    const at = `${path}.${child.name}${element.many ? `[${count}]` : ''}`;
    const binding = bindingOf(typeName, child.name);
    const fault = binding ? faultOf(child, element.kind, element.type, binding) : '';
    if (binding && fault !== '') {
      found.problems.push({ message: `${at}: ${fault}`, kind: 'value', name: at });
      found.wrong.push(...findWrongCodes(child, element, at, binding));
    }
    if (element.kind === 'resource') {
      child.elements.forEach((resource) => checkResource(resource, at, found));
    } else if (element.kind === 'complex') {
      checkInside(child, fhirType(element.type)!, element.type, at, found);
    }
  }
}

function checkResource(tree: Tree, path: string, found: Found): void {
  const type = fhirType(tree.name);
  if (type?.isResource === true) {
    checkInside(tree, type, tree.name, path === '' ? tree.name : path, found);
  }
}

function foundIn(root: Tree): Found {
  const found: Found = { problems: [], wrong: [] };
  checkResource(root, '', found);
  return found;
}

/**
 * The refusal of a document that has a code outside the value set that R4 requires in its place.
 * @returns undefined when there is no such code; the reasons name the place, and no word of the document
 */
export function bindingRefusal(root: Tree): AppError | undefined {
  const { problems } = foundIn(root);
  return problems.length === 0 ? undefined : errors.invalidDocument('it is not FHIR R4', problems);
}

/** The codes outside the value sets that R4 requires in their places. */
export function wrongCodes(root: Tree): readonly WrongCode[] {
  return foundIn(root).wrong;
}
