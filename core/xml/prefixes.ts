/**
 * prefixes: finds the prefixes of names that a document uses and does not declare (pure). A program that copies a part
 * of a document often leaves the declarations behind.
 */

/** What prefixes mean wherever documents of health use them; the namespaces are those of HL7 and of the W3C. */
const USUAL: Readonly<Record<string, string>> = {
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
  xs: 'http://www.w3.org/2001/XMLSchema',
  xsd: 'http://www.w3.org/2001/XMLSchema',
  xhtml: 'http://www.w3.org/1999/xhtml',
  xlink: 'http://www.w3.org/1999/xlink',
  sdtc: 'urn:hl7-org:sdtc',
  voc: 'urn:hl7-org:v3/voc',
  mif: 'urn:hl7-org:v3/mif',
  cda: 'urn:hl7-org:v3',
  hl7: 'urn:hl7-org:v3',
  v3: 'urn:hl7-org:v3',
  f: 'http://hl7.org/fhir',
  fhir: 'http://hl7.org/fhir',
};

/** Keeps names with an unknown prefix apart from all that is read. */
const UNKNOWN = 'urn:prefix-without-declaration:';
/** A document with more unknown prefixes than this is no document with one small defect. */
const MOST_UNKNOWN = 20;

/** Names of roots that no other kind of document has, and their namespaces. */
const OF_ROOTS: Readonly<Record<string, string>> = {
  ClinicalDocument: 'urn:hl7-org:v3',
  Bundle: 'http://hl7.org/fhir',
};

/** XML declares these itself. */
const OF_XML = ['xml', 'xmlns'];
const PREFIX = /^[A-Za-z_][\w.-]{0,39}$/;
/** The values of a tag, its names, and the slash at its end. */
const TOKENS = /"[^"]*"|'[^']*'|\/|[^\s=<>"'/]+/g;
const DECLARES = 'xmlns:';
const DEFAULT = /\sxmlns\s*=/;
/** The prefix and the name of a root. */
const ROOT = /^<(?:([^\s/>:]+):)?([^\s/>:]+)(?=[\s/>])/;

/** A prefix without a declaration: how often it stands in the document, and where it stands first. */
type Undeclared = { readonly prefix: string; count: number; readonly at: number };

/** A namespace that the root is to declare; without a prefix it is that of all names without one. */
type Declaration = { readonly prefix?: string; readonly namespace: string };

/** What the root is to declare, by how sure its meaning is. */
type Missing = {
  readonly root: readonly Declaration[];
  readonly usual: readonly (Declaration & Undeclared)[];
  readonly unknown: readonly (Declaration & Undeclared)[];
};

type Names = { readonly used: readonly string[]; readonly declared: readonly string[]; readonly isClosed: boolean };

/** The prefixes that a start tag uses and declares; names with two colons are not XML, and stay for the gate. */
function namesOf(tag: string): Names {
  const tokens = tag.match(TOKENS) ?? [];
  const names = tokens.filter((token) => !token.startsWith('"') && !token.startsWith("'"));
  const declared = names.filter((name) => name.startsWith(DECLARES)).map((name) => name.slice(DECLARES.length));
  const used = names
    .map((name) => name.split(':'))
    .flatMap(([prefix = '', ...rest]) => (rest.length === 1 && !OF_XML.includes(prefix) ? [prefix] : []));
  return { used, declared, isClosed: tokens.at(-1) === '/' };
}

/** Is given the tags of a document one after the other, and then knows the prefixes that are not declared. */
export class Prefixes {
  /** How many open elements declare a prefix. */
  private readonly inScope = new Map<string, number>();
  /** What each open element declares. */
  private readonly open: (readonly string[])[] = [];
  private readonly missing = new Map<string, Undeclared>();
  private root = '';

  private count(declared: readonly string[], by: 1 | -1): void {
    for (const prefix of declared) {
      this.inScope.set(prefix, (this.inScope.get(prefix) ?? 0) + by);
    }
  }

  /**
   * @param tag a start tag or an end tag as it is written, from < to >
   * @param at its place in the document
   */
  see(tag: string, at: number): void {
    if (tag.startsWith('</')) {
      this.count(this.open.pop() ?? [], -1);
      return;
    }
    this.root ||= tag;
    if (!tag.includes(':')) {
      if (!tag.endsWith('/>')) {
        this.open.push([]);
      }
      return;
    }
    const { used, declared, isClosed } = namesOf(tag);
    this.count(declared, 1);
    for (const prefix of used.filter((each) => (this.inScope.get(each) ?? 0) <= 0)) {
      const before = this.missing.get(prefix) ?? { prefix, count: 0, at };
      before.count += 1;
      this.missing.set(prefix, before);
    }
    if (isClosed) {
      this.count(declared, -1);
    } else {
      this.open.push(declared);
    }
  }

  /** What the root declares of the namespace that its own name means. */
  private ofRoot(): readonly Declaration[] {
    const [, prefix, name = ''] = ROOT.exec(this.root) ?? [];
    const namespace = Object.hasOwn(OF_ROOTS, name) ? OF_ROOTS[name] : undefined;
    const isMissing =
      prefix === undefined ? !DEFAULT.test(this.root) : this.missing.has(prefix) && !Object.hasOwn(USUAL, prefix);
    return namespace !== undefined && isMissing ? [{ ...(prefix === undefined ? {} : { prefix }), namespace }] : [];
  }

  /** What is not declared; undefined if nothing can be done with it. */
  undeclared(): Missing | undefined {
    const root = this.ofRoot();
    const rest = [...this.missing.values()].filter(({ prefix }) => root[0]?.prefix !== prefix);
    const usual = rest.flatMap((one) =>
      Object.hasOwn(USUAL, one.prefix) ? [{ ...one, namespace: USUAL[one.prefix]! }] : [],
    );
    const unknown = rest
      .filter(({ prefix }) => !Object.hasOwn(USUAL, prefix))
      .map((one) => ({ ...one, namespace: UNKNOWN + one.prefix }));
    return unknown.length > MOST_UNKNOWN || unknown.some(({ prefix }) => !PREFIX.test(prefix))
      ? undefined
      : { root, usual, unknown };
  }
}

/** Each declaration as it stands in a start tag. */
export function declarations(all: readonly Declaration[]): string {
  return all
    .map(({ prefix, namespace }) => ` xmlns${prefix === undefined ? '' : `:${prefix}`}="${namespace}"`)
    .join('');
}

const TO_END_OF_TAG = /^<[^<>]*>/;

/**
 * Whether a root is that of a known kind, and has no namespace at all: it is XML, and of no type.
 * @param text the beginning of the document, from its root on
 */
export function lacksNamespace(text: string): boolean {
  const tag = TO_END_OF_TAG.exec(text)?.[0] ?? '';
  const [, prefix, name = ''] = ROOT.exec(tag) ?? [];
  return prefix === undefined && Object.hasOwn(OF_ROOTS, name) && !DEFAULT.test(tag);
}
