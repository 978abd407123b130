/** xsd: compiles a schema once, and reports which rules a document breaks: element, rule and line, never a value. */
import type { Problem, ProblemKind } from '../base/errors';
import type { Fault, XmlEngine } from './engine';
import type { Gated } from './gate';

export type Schema = {
  /** Every rule that the document breaks, at most 20; empty when it is valid. */
  readonly check: (document: Gated) => readonly Problem[];
  /** Whether a document may have this root. */
  readonly knows: (root: string, namespace: string) => boolean;
};

const NAME = /^(?:\{[^{}]*\})?([\p{L}_][\p{L}\p{N}._-]{0,79})$/u;

function nameInQuotes(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/**
 * The text after the last occurrence of a phrase. The last one is libxml2's own, because the document's value is always
 * before it.
 */
function after(message: string, phrase: string): string | undefined {
  const place = message.lastIndexOf(phrase);
  return place < 0 ? undefined : message.slice(place + phrase.length);
}

/** Names that the schema expects, without their namespaces. Long lists are cut. */
const NAMES_SHOWN = 10;
function expected(message: string): string {
  const list = /^(?:one of )?\( (.*) \)\.$/.exec(after(message, 'Expected is ') ?? '')?.[1];
  const names = (list ?? '')
    .split(', ')
    .map((name) => (name.startsWith('##') ? 'another namespace' : nameInQuotes(name)))
    .filter((name) => name !== undefined);
  return names.length === 0
    ? ''
    : `; expected: ${names.slice(0, NAMES_SHOWN).join(', ')}${names.length > NAMES_SHOWN ? ', ...' : ''}`;
}

function typeOf(message: string): string | undefined {
  return /type '([^']{1,200})'\.$/.exec(message)?.[1]?.replace(/^xs:/, '');
}

/** Types of the schemas here that accept only dates of the calendar. */
const CALENDAR = /-of-the-calendar$/;

function isDateType(type: string | undefined): boolean {
  return type !== undefined && (/^(?:date|dateTime|gYear|gYearMonth)$/.test(type) || CALENDAR.test(type));
}

/** Examples of values of the usual types. */
const EXAMPLES: Readonly<Record<string, string>> = {
  date: '2025-03-01',
  dateTime: '2025-03-01T07:15:00Z',
  time: '07:15:00',
  gYear: '2025',
  gYearMonth: '2025-03',
  decimal: '5.1',
  double: '5.1',
  boolean: 'true or false',
};

function typeWords(message: string): string {
  const type = typeOf(message);
  if (type !== undefined && CALENDAR.test(type)) {
    return 'the value must be a date that the calendar has';
  }
  const name = type === undefined ? 'its type' : `the type ${nameInQuotes(type) ?? 'of the schema'}`;
  const example = EXAMPLES[type ?? ''];
  return `the value is not valid for ${name}${example === undefined ? '' : `, such as ${example}`}`;
}

const WORDS_SHOWN = 300;
function facetWords(message: string): string {
  const facet = /: \[facet '([A-Za-z]{1,20})'\]/.exec(message)?.[1];
  switch (facet) {
    case undefined:
      return 'the value breaks a rule of the schema';
    case 'enumeration':
      return `the value must be one of ${(after(message, 'is not an element of the set {') ?? '').replace(/\}\.$/, '').slice(0, WORDS_SHOWN)}`;
    case 'pattern':
      return `the value must match the pattern ${/^'(.{1,200})'\.$/.exec(after(message, 'is not accepted by the pattern ') ?? '')?.[1] ?? 'of the schema'}`;
    default:
      return `the value breaks ${facet} ${/(?:length of|allowed|greater than|less than) \(?'([^']{1,200})'\)?\.$/.exec(message)?.[1] ?? ''}`.trimEnd();
  }
}

/** cvc-elt.1: the schema does not know the root, or a child that matches a wildcard. */
const UNKNOWN_ELEMENT = 1845;
/** cvc-complex-type.4 */
const MISSING_ATTRIBUTE = 1868;
/** libxml2's own error for cvc-complex-type.2.4: a child is missing, or is where no child of its name is permitted. */
const CHILDREN = 1871;

/** libxml2's numbers of broken schema rules (XML_SCHEMAV_CVC_... in its xmlerror.h), in our words. */
function ruleWords(code: number, message: string): string {
  switch (code) {
    case 1824:
    case 1825:
    case 1826: // cvc-datatype-valid: atomic, list, union
      return typeWords(message);
    case 1827:
    case 1866:
    case 1867: // cvc-type.3.1.1, cvc-complex-type.3.2
      return 'this attribute is not allowed';
    case 1828:
    case 1841:
    case 1842:
    case 1843: // cvc-type.3.1.2, cvc-complex-type.2.1 to 2.3
      return message.includes('Element content is not allowed') ? 'it may not hold elements' : 'it may not hold text';
    case UNKNOWN_ELEMENT:
      return message.includes('strict wildcard')
        ? 'the schema allows here only elements that it declares, and does not declare this one'
        : 'the schema does not know this root element';
    case 1846: // cvc-elt.2
      return 'this element is abstract: one of those that can stand for it is expected';
    case 1847: // cvc-elt.3.1
      return 'xsi:nil is not allowed here';
    case 1848: // cvc-elt.3.2.1
      return 'it must be empty, since xsi:nil says so';
    case 1849: // cvc-elt.3.2.2
      return 'xsi:nil is not allowed here: the schema fixes the value';
    case 1851:
    case 1852: // cvc-elt.4.2 and 4.3
      return 'xsi:type does not name a type that fits here';
    case 1857:
    case 1858:
    case 1874: // cvc-elt.5.2.2.2, cvc-au
      return 'the value must be the fixed one of the schema';
    case MISSING_ATTRIBUTE: {
      const name = nameInQuotes(/The attribute '([^']{1,200})' is required but missing\.$/.exec(message)?.[1] ?? '');
      return `the attribute ${name ?? 'that the schema requires'} is missing`;
    }
    case CHILDREN:
      if (message.includes('Missing child element')) {
        return `a child element is missing${expected(message)}`;
      }
      return message.includes('This element is not expected')
        ? `it is not expected here${expected(message)}`
        : 'its content does not fit the schema';
    case 1876: // cvc-type.2
      return 'its type is abstract: xsi:type must name one that is derived from it';
    case 1877: // cvc-identity-constraint
      return 'it breaks a key or uniqueness rule of the schema';
    case 1878: // cvc-wildcard
      return 'the schema allows here only attributes that it declares, and does not declare this one';
    default:
      return /\[facet '/.test(message) ? facetWords(message) : 'it breaks a rule of the schema';
  }
}

/** Attributes and elements that are not permitted where they are, the root included. */
const MISPLACED = [1827, UNKNOWN_ELEMENT, 1846, 1866, 1867, 1876, 1878];

/** cvc-datatype-valid: atomic, list, union. */
const MISTYPED = [1824, 1825, 1826];

function problemKind(code: number, message: string): ProblemKind {
  if (MISTYPED.includes(code)) {
    return isDateType(typeOf(message)) ? 'date' : 'value';
  }
  if (code === CHILDREN) {
    return message.includes('Missing child element') ? 'missing' : 'misplaced';
  }
  if (code === MISSING_ATTRIBUTE) {
    return 'missing';
  }
  return MISPLACED.includes(code) ? 'misplaced' : 'value';
}

function toProblem({ code, line, message: raw }: Fault): Problem {
  const message = raw.trimEnd();
  const [, element, attribute] = /^Element '([^']{1,400})'(?:, attribute '([^']{1,400})')?: /.exec(message) ?? [];
  const place = `element ${nameInQuotes(element ?? '') ?? 'with an unusual name'}${attribute === undefined ? '' : `, attribute ${nameInQuotes(attribute) ?? 'with an unusual name'}`}`;
  // FHIR and C-CDA hold the value of every element in an attribute called `value`, so the element is named instead.
  const name = nameInQuotes((attribute === 'value' ? undefined : attribute) ?? element ?? '');
  return {
    ...(line > 0 ? { line } : {}),
    message: `${place}: ${ruleWords(code, message)}`,
    kind: problemKind(code, message),
    ...(name === undefined ? {} : { name }),
  };
}

/** A problem of a file that a deployer wrote; text of the file may be shown. */
export type FileProblem = { readonly file: string; readonly line: number; readonly reason: string };

/**
 * Compiles the schema `file`; its includes and imports are taken from `files` (absolute name -> text).
 * @returns the schema, or every reason why it does not compile
 */
export function compileSchema(
  engine: XmlEngine,
  file: string,
  files: ReadonlyMap<string, string>,
): Schema | readonly FileProblem[] {
  const { schema, faults } = engine.compileSchema(file, files);
  if (schema === 0 || faults.length > 0) {
    const found = faults.map((fault) => ({
      file: fault.file !== null && files.has(fault.file) ? fault.file : file,
      line: Math.max(fault.line, 1),
      reason: `the schema does not compile: ${fault.message.trim()}`,
    }));
    return found.length > 0 ? found : [{ file, line: 1, reason: 'the schema does not compile' }];
  }
  const check = (document: Gated): readonly Problem[] => {
    const broken = engine.validate(schema, document.pointer);
    return broken === null ? [{ message: 'the document cannot be checked against its schema' }] : broken.map(toProblem);
  };
  const knows = (root: string, namespace: string): boolean => {
    const { document } = engine.parse(
      Buffer.from(`<${root} xmlns="${namespace.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`)}"/>`),
    );
    const broken = engine.validate(schema, document) ?? [];
    engine.free(document);
    return !broken.some(({ code }) => code === UNKNOWN_ELEMENT);
  };
  return { check, knows };
}
