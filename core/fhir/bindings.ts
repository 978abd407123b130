/**
 * bindings: which codes FHIR R4 requires of an element, from `bindings.json`, which was made of HL7's definitions, and
 * where a document has another one (pure). A list that nobody can write down, such as that of all media types, is not
 * there.
 */
import { errors, type AppError, type Problem } from '../base/errors';
import table from './bindings.json';
import { fhirType, type FhirElement, type FhirType } from './elements';

/** What a tree of elements has to show: `core/xml/engine` makes such. */
type Tree = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

/** The codes of a value set; of concepts by code system. */
type Codes = ReadonlySet<string>;
type Binding = { readonly codes: Codes; readonly systems: ReadonlyMap<string, Codes> };

const { sets, elements } = table as {
  /** Name of a value set -> code system -> its codes with spaces between them. */
  readonly sets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Type -> element -> name of a value set. */
  readonly elements: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const bindings = new Map<string, Binding>();

const bindingNamed = (name: string): Binding => {
  const known = bindings.get(name);
  if (known) {
    return known;
  }
  const systems = new Map(Object.entries(sets[name]!).map(([system, codes]) => [system, new Set(codes.split(' '))]));
  const made: Binding = { codes: new Set([...systems.values()].flatMap((codes) => [...codes])), systems };
  bindings.set(name, made);
  return made;
};

const bindingOf = (type: string, element: string): Binding | undefined => {
  const of = Object.hasOwn(elements, type) ? elements[type]! : {};
  return Object.hasOwn(of, element) ? bindingNamed(of[element]!) : undefined;
};

/** More codes than these are not listed to a client that sent another one. */
const MOST_LISTED = 12;
/** More faults than these do not help anybody. */
const MOST_FAULTS = 20;

const wanted = (codes: Codes): string =>
  codes.size > MOST_LISTED
    ? 'it has a code that FHIR R4 does not have here'
    : `it must be one of ${[...codes].join(', ')}`;

const valueOf = (tree: Tree, name: string): string | undefined =>
  tree.elements.find((element) => element.name === name)?.attributes.get('value');

/**
 * What is wrong with a code, a coding or a concept. Codings of other systems may stand beside those of the value set,
 * and words alone are no code: senders say what they know in them.
 */
const faultOf = (tree: Tree, kind: FhirElement['kind'], type: string, { codes, systems }: Binding): string => {
  if (kind === 'text') {
    const value = tree.attributes.get('value');
    return value === undefined || codes.has(value) ? '' : wanted(codes);
  }
  const codings = type === 'CodeableConcept' ? tree.elements.filter(({ name }) => name === 'coding') : [tree];
  const isWrong = (coding: Tree): boolean => {
    const [code, own] = [valueOf(coding, 'code'), systems.get(valueOf(coding, 'system') ?? '')];
    return code !== undefined && own !== undefined && !own.has(code);
  };
  return codings.some(isWrong) ? wanted(codes) : '';
};

const checkInside = (
  tree: Tree,
  { elements: known }: FhirType,
  typeName: string,
  path: string,
  found: Problem[],
): void => {
  const counts = new Map<string, number>();
  for (const child of tree.elements) {
    const element = known.get(child.name);
    if (!element || found.length >= MOST_FAULTS) {
      continue;
    }
    const count = counts.get(child.name) ?? 0;
    counts.set(child.name, count + 1);
    const at = `${path}.${child.name}${element.many ? `[${count}]` : ''}`;
    const binding = bindingOf(typeName, child.name);
    const fault = binding ? faultOf(child, element.kind, element.type, binding) : '';
    if (fault !== '') {
      found.push({ message: `${at}: ${fault}`, kind: 'value', name: at });
    }
    if (element.kind === 'resource') {
      child.elements.forEach((resource) => checkResource(resource, at, found));
    } else if (element.kind === 'complex') {
      checkInside(child, fhirType(element.type)!, element.type, at, found);
    }
  }
};

const checkResource = (tree: Tree, path: string, found: Problem[]): void => {
  const type = fhirType(tree.name);
  if (type?.isResource === true) {
    checkInside(tree, type, tree.name, path === '' ? tree.name : path, found);
  }
};

/**
 * The refusal of a document that has a code outside the value set that R4 requires of its place.
 * @returns undefined when there is none; the reasons say the place, and no word of the document
 */
export const bindingRefusal = (root: Tree): AppError | undefined => {
  const found: Problem[] = [];
  checkResource(root, '', found);
  return found.length === 0 ? undefined : errors.invalidDocument('it is not FHIR R4', found);
};
