/**
 * elements: the elements of every FHIR R4 type, in the order that XML requires. They are read from `elements.json`,
 * which was made from HL7's definitions. It marks elements of resources: `!` is required or may change the meaning of
 * the rest, `~` is part of a summary.
 */
import words from './elements.json';

/** `attribute` is the `id` of an element or the `url` of an extension; `xhtml` is the text of a narrative. */
type Kind = 'text' | 'number' | 'boolean' | 'attribute' | 'xhtml' | 'resource' | 'complex';
export type FhirElement = {
  readonly name: string;
  readonly kind: Kind;
  /** The type of a complex element. */
  readonly type: string;
  readonly many: boolean;
  /** True when it is a date without a time of day, which FHIR calls `date`; a `dateTime` may have one. */
  readonly isDay: boolean;
  /** For elements of resources: true when R4 requires it, or when it may change the meaning of the others. */
  readonly isKept: boolean;
  /** For elements of resources: true when it is part of a summary. */
  readonly isInSummary: boolean;
};
/** Whether the value of an element is a JSON string, number or boolean. */
export function isPrimitive({ kind }: FhirElement): boolean {
  return kind === 'text' || kind === 'number' || kind === 'boolean';
}

export type FhirType = { readonly isResource: boolean; readonly elements: ReadonlyMap<string, FhirElement> };

/**
 * The first elements of all resources, of all parts of resources and of all other types; the file names each list only
 * once.
 */
const heads: Readonly<Record<string, string>> = {
  '&R': 'id!~ meta:Meta!~ implicitRules!~ language text:Narrative contained:Resource* extension:Extension* modifierExtension:Extension*!',
  '&B': 'id:@ extension:Extension* modifierExtension:Extension*',
  '&E': 'id:@ extension:Extension*',
};

const kinds: Readonly<Record<string, Kind>> = {
  '': 'text',
  date: 'text',
  '#': 'number',
  '?': 'boolean',
  '@': 'attribute',
  xhtml: 'xhtml',
  Resource: 'resource',
};

function readElement(word: string): FhirElement {
  const [, name = '', type = '', many, kept, inSummary] = /^(\w+)(?::([^*!~]+))?(\*?)(!?)(~?)$/.exec(word) ?? [];
  return {
    name,
    kind: kinds[type] ?? 'complex',
    type: type === 'date' ? '' : type,
    isDay: type === 'date',
    many: many !== '',
    isKept: kept !== '',
    isInSummary: inSummary !== '',
  };
}

function readType(line: string): FhirType {
  const words = line.split(' ').flatMap((word) => (heads[word] ?? word).split(' '));
  const elements = words.filter((word) => word !== '!').map(readElement);
  return { isResource: words[0] === '!', elements: new Map(elements.map((element) => [element.name, element])) };
}

const lines: Readonly<Record<string, string>> = words;
const types = new Map<string, FhirType>();

/** A type of FHIR R4; undefined when there is none of this name. */
export function fhirType(name: string): FhirType | undefined {
  if (!types.has(name) && Object.hasOwn(lines, name)) {
    types.set(name, readType(lines[name]!));
  }
  return types.get(name);
}

let resources: readonly string[] | undefined;

/** Names of the types that stand by themselves, such as Patient. */
export function resourceTypes(): readonly string[] {
  resources ??= Object.keys(lines).filter((name) => lines[name]!.startsWith('! ') || lines[name] === '!');
  return resources;
}
