/**
 * elements: the elements of every FHIR R4 type in the order that XML wants, from `elements.json`, which was made of
 * HL7's definitions. The elements of resources are marked there: `!` is required or may change the meaning of the rest,
 * `~` is part of a summary.
 */
import words from './elements.json';

/** `attribute`: `id` of an element and `url` of an extension. `xhtml`: the text of a narrative. */
export type Kind = 'text' | 'number' | 'boolean' | 'attribute' | 'xhtml' | 'resource' | 'complex';
export type FhirElement = {
  readonly name: string;
  readonly kind: Kind;
  /** Of a complex one. */
  readonly type: string;
  readonly many: boolean;
  /** Of an element of a resource: R4 requires it, or it may change the meaning of the others. */
  readonly isKept: boolean;
  /** Of an element of a resource: it is part of a summary. */
  readonly isInSummary: boolean;
};
export type FhirType = { readonly isResource: boolean; readonly elements: ReadonlyMap<string, FhirElement> };

/** What all resources, all parts of resources and all other parts begin with: said once in the file. */
const heads: Readonly<Record<string, string>> = {
  '&R': 'id!~ meta:Meta!~ implicitRules!~ language text:Narrative contained:Resource* extension:Extension* modifierExtension:Extension*!',
  '&B': 'id:@ extension:Extension* modifierExtension:Extension*',
  '&E': 'id:@ extension:Extension*',
};

const kinds: Readonly<Record<string, Kind>> = {
  '': 'text',
  '#': 'number',
  '?': 'boolean',
  '@': 'attribute',
  xhtml: 'xhtml',
  Resource: 'resource',
};

const readElement = (word: string): FhirElement => {
  const [, name = '', type = '', many, kept, inSummary] = /^(\w+)(?::([^*!~]+))?(\*?)(!?)(~?)$/.exec(word) ?? [];
  return {
    name,
    kind: kinds[type] ?? 'complex',
    type,
    many: many !== '',
    isKept: kept !== '',
    isInSummary: inSummary !== '',
  };
};

const readType = (line: string): FhirType => {
  const words = line.split(' ').flatMap((word) => (heads[word] ?? word).split(' '));
  const elements = words.filter((word) => word !== '!').map(readElement);
  return { isResource: words[0] === '!', elements: new Map(elements.map((element) => [element.name, element])) };
};

const lines: Readonly<Record<string, string>> = words;
const types = new Map<string, FhirType>();

/** A type of FHIR R4; undefined for a name that is none. */
export const fhirType = (name: string): FhirType | undefined => {
  if (!types.has(name) && Object.hasOwn(lines, name)) {
    types.set(name, readType(lines[name]!));
  }
  return types.get(name);
};

let resources: readonly string[] | undefined;

/** Names of the types that stand by themselves, such as Patient. */
export const resourceTypes = (): readonly string[] => {
  resources ??= Object.keys(lines).filter((name) => lines[name]!.startsWith('! ') || lines[name] === '!');
  return resources;
};
