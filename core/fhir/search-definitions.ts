/**
 * search-definitions: the search parameters of R4 for every type that may be about a person, with the elements that
 * they look at. They are read from `search-definitions.json`, which was made from HL7's definitions: name, type, id and
 * paths; after a colon the type of a choice, after a question mark what a reference, a contact or an extension must be.
 */
import { fhirType, type FhirElement } from './elements';
import words from './search-definitions.json';
import type { SearchType } from './search-parameters';

export type Step = {
  readonly name: string;
  readonly many: boolean;
  /** Only contacts of this system. */ readonly system?: string;
  /** Only extensions of this address. */ readonly url?: string;
};

export type SearchPath = {
  readonly steps: readonly Step[];
  /** The type of the last element; for a primitive its kind. */
  readonly type: string;
  /** Only references to this type. */ readonly target?: string;
};

/** The two parts of a composite, from one element that has both. */
export type Composite = {
  readonly base: readonly SearchPath[];
  readonly parts: readonly [CompositePart, CompositePart];
};

export type CompositePart = { readonly type: SearchType; readonly name: string; readonly choice: string | undefined };

export type SearchDefinition = {
  readonly name: string;
  readonly type: SearchType;
  readonly definition: string;
  readonly paths: readonly SearchPath[];
  /** Of a composite, which has no paths of its own. */
  readonly composites: readonly Composite[];
};

const lines: Readonly<Record<string, readonly string[]>> = words;

/** The type of the person: a record is its only one, and what documents say of the person completes it. */
const PERSON = 'Patient';

/** Whether resources of a type are kept and served. */
export function isServed(type: string): boolean {
  return type !== PERSON && Object.hasOwn(lines, type);
}

export function servedTypes(): readonly string[] {
  return Object.keys(lines).filter(isServed);
}

type Found = { readonly steps: readonly Step[]; readonly element: FhirElement };

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The elements of a type that a step of a path names; a choice has several. */
function elementsNamed(type: string, name: string, choice: string | undefined): readonly FhirElement[] {
  const elements = fhirType(type)?.elements;
  const plain = elements?.get(name);
  if (plain || !elements) {
    return plain ? [plain] : [];
  }
  return choice === undefined
    ? [...elements.values()].filter((one) => one.name.startsWith(name) && /^[A-Z]/.test(one.name.slice(name.length)))
    : [...elements.values()].filter((one) => one.name === `${name}${capital(choice)}`);
}

/** Where HL7 defines the extensions of R4. */
const EXTENSIONS = 'http://hl7.org/fhir/StructureDefinition/';

function readPath(type: string, written: string): readonly SearchPath[] {
  let found: readonly Found[] = [];
  let target: string | undefined;
  let isFirst = true;
  for (const word of written.split('.')) {
    const [, name = '', choice, of, system, extension] =
      /^(\w+)(?::(\w+))?(?:\?(\w+))?(?:\?=(\w+))?(?:\?@([\w-]+))?$/.exec(word) ?? [];
    target = of ?? target;
    const from: readonly { steps: readonly Step[]; type: string }[] = isFirst
      ? [{ steps: [], type }]
      : found.map(({ steps, element }) => ({ steps, type: element.type }));
    isFirst = false;
    found = from.flatMap((one) =>
      elementsNamed(one.type, name, choice).map((element) => ({
        steps: [
          ...one.steps,
          {
            name: element.name,
            many: element.many,
            ...(system === undefined ? {} : { system }),
            ...(extension === undefined ? {} : { url: EXTENSIONS + extension }),
          },
        ],
        element,
      })),
    );
  }
  return found.map(({ steps, element }) => ({
    steps,
    type: element.kind === 'complex' ? element.type : element.kind,
    ...(target === undefined ? {} : { target }),
  }));
}

/** Reads `component>code/token,value:Quantity/quantity`; before `>` stands nothing where the resource has both. */
function readComposite(type: string, written: string): Composite {
  const [base = '', parts = ''] = written.split('>');
  const [first, second] = parts.split(',').map((part): CompositePart => {
    const [, name = '', choice, kind = ''] = /^(\w+)(?::(\w+))?\/(\w+)$/.exec(part) ?? [];
    return { type: kind as SearchType, name, choice };
  });
  return { base: base === '' ? [{ steps: [], type }] : readPath(type, base), parts: [first!, second!] };
}

const partPaths = new Map<string, readonly SearchPath[]>();

/** The elements of a part of a composite, inside the element that has both. */
export function pathsOfPart(base: SearchPath, { name, choice }: CompositePart): readonly SearchPath[] {
  const written = choice === undefined ? name : `${name}:${choice}`;
  const key = `${base.type} ${written}`;
  const known = partPaths.get(key) ?? readPath(base.type, written);
  partPaths.set(key, known);
  return known;
}

function readSearchDefinition(type: string, line: string): SearchDefinition {
  const [, name = '', kind = '', id = '', paths = ''] = /^([^=]+)=(\w+) (\S+) (\S+)$/.exec(line) ?? [];
  const isComposite = kind === 'composite';
  return {
    name,
    type: kind as SearchType,
    definition: `http://hl7.org/fhir/${id.startsWith('us-core-') ? 'us/core/' : ''}SearchParameter/${id}`,
    paths: isComposite ? [] : paths.split('|').flatMap((path) => readPath(type, path)),
    composites: isComposite ? paths.split('|').map((path) => readComposite(type, path)) : [],
  };
}

/**
 * The parameters whose rows a parameter looks at: `combo-` finds what the resource says and what its components say,
 * which have rows already.
 */
export function rowNamesOf(name: string): readonly string[] {
  return name.startsWith('combo-') ? [name.slice(6), name.replace('combo-', 'component-')] : [name];
}

/** Parameters of every type whose values are in `meta`. */
const OF_ALL = [
  '_profile=uri Resource-profile meta.profile',
  '_security=token Resource-security meta.security',
  '_tag=token Resource-tag meta.tag',
];

const read = new Map<string, readonly SearchDefinition[]>();

/** The search parameters of a type that look at elements; empty for a type that is not searched. */
export function searchDefinitionsOf(type: string): readonly SearchDefinition[] {
  const known = read.get(type);
  if (known || !Object.hasOwn(lines, type)) {
    return known ?? [];
  }
  const found = [...lines[type]!, ...OF_ALL]
    .map((line) => readSearchDefinition(type, line))
    .filter(({ paths, composites }) => paths.length > 0 || composites.length > 0);
  read.set(type, found);
  return found;
}

const own = new Map<string, readonly SearchDefinition[]>();

/** The parameters of a type that have rows of their own. */
export function ownDefinitionsOf(type: string): readonly SearchDefinition[] {
  const known = own.get(type) ?? searchDefinitionsOf(type).filter(({ name }) => rowNamesOf(name).length === 1);
  own.set(type, known);
  return known;
}
