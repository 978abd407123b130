/**
 * stylesheet-rules: checks what a stylesheet may contain, because libxslt has no option that keeps it from files, and
 * silently ignores mistakes.
 */
import type { XmlDocument, XmlElement } from 'libxml2-wasm' with { 'resolution-mode': 'import' };
import type { XmlEngine } from './engine';
import type { FileProblem } from './xsd';

export const XSLT = 'http://www.w3.org/1999/XSL/Transform';
const FUNCTIONS = 'http://exslt.org/functions';
const XML = 'http://www.w3.org/XML/1998/namespace';

type Attributes = { readonly all: ReadonlySet<string>; readonly required: readonly string[] };

/**
 * The elements of XSLT 1.0 with their attributes, of which those with a mark are required; without elements that write
 * files (xsl:document of the 1.1 draft). libxslt ignores attributes that it does not know. It reports missing ones too
 * late, without their place, or not at all.
 */
const ELEMENTS: ReadonlyMap<string, Attributes> = new Map(
  Object.entries({
    'apply-imports': '',
    'apply-templates': 'select mode',
    attribute: 'name! namespace',
    'attribute-set': 'name! use-attribute-sets',
    'call-template': 'name!',
    choose: '',
    comment: '',
    copy: 'use-attribute-sets',
    'copy-of': 'select!',
    'decimal-format':
      'name decimal-separator grouping-separator infinity minus-sign NaN percent per-mille zero-digit digit pattern-separator',
    element: 'name! namespace use-attribute-sets',
    fallback: '',
    'for-each': 'select!',
    if: 'test!',
    import: 'href!',
    include: 'href!',
    key: 'name! match! use!',
    message: 'terminate',
    'namespace-alias': 'stylesheet-prefix! result-prefix!',
    number: 'level count from value format lang letter-value grouping-separator grouping-size',
    otherwise: '',
    output: 'method version encoding omit-xml-declaration standalone cdata-section-elements indent media-type',
    param: 'name! select',
    'preserve-space': 'elements!',
    'processing-instruction': 'name!',
    sort: 'select lang data-type order case-order',
    'strip-space': 'elements!',
    stylesheet: 'id extension-element-prefixes exclude-result-prefixes version',
    template: 'match name priority mode',
    text: 'disable-output-escaping',
    transform: 'id extension-element-prefixes exclude-result-prefixes version',
    'value-of': 'select! disable-output-escaping',
    variable: 'name! select',
    when: 'test!',
    'with-param': 'name! select',
  }).map(([name, text]): readonly [string, Attributes] => {
    const words = text === '' ? [] : text.split(' ');
    return [
      name,
      {
        all: new Set(words.map((word) => word.replace('!', ''))),
        required: words.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1)),
      },
    ];
  }),
);

/** XPath 1.0 and XSLT 1.0, without document(). */
const CORE_FUNCTIONS = new Set(
  (
    'last position count id local-name namespace-uri name string concat starts-with contains substring-before ' +
    'substring-after substring string-length normalize-space translate boolean not true false lang number sum floor ceiling round ' +
    'key format-number current generate-id system-property element-available function-available'
  ).split(' '),
);
/** Words that may be before a parenthesis without being functions. */
const NOT_FUNCTIONS = new Set(['node', 'text', 'comment', 'processing-instruction', 'and', 'or', 'div', 'mod']);

/** The EXSLT functions of the engine, without those that evaluate text as XPath (dynamic) or write files. */
const EXSLT = new Map(
  Object.entries({
    common: 'node-set object-type',
    math: 'abs acos asin atan atan2 constant cos exp highest log lowest max min power random sin sqrt tan',
    sets: 'difference distinct has-same-node intersection leading trailing',
    strings: 'align concat decode-uri encode-uri padding replace split tokenize',
    'dates-and-times':
      'add add-duration date date-time day-abbreviation day-in-month day-in-week day-in-year day-name day-of-week-in-month difference ' +
      'duration hour-in-day leap-year minute-in-hour month-abbreviation month-in-year month-name second-in-minute seconds sum time week-in-month ' +
      'week-in-year year',
  }).map(([name, functions]): readonly [string, ReadonlySet<string>] => [
    `http://exslt.org/${name}`,
    new Set(functions.split(' ')),
  ]),
);

function isExslt(expanded: string): boolean {
  const end = expanded.indexOf('}');
  return EXSLT.get(expanded.slice(1, end))?.has(expanded.slice(end + 1)) ?? false;
}

const XPATH_ATTRIBUTES = new Set(['select', 'test', 'match', 'use', 'count', 'from']);
/** Attributes of XSLT elements that may contain expressions in braces. */
const TEMPLATE_ATTRIBUTES = new Set([
  'attribute name',
  'attribute namespace',
  'element name',
  'element namespace',
  'processing-instruction name',
  'number format',
  'number lang',
  'number letter-value',
  'number grouping-separator',
  'number grouping-size',
  'sort lang',
  'sort data-type',
  'sort order',
  'sort case-order',
]);

/** The parts in braces of an attribute value template; null when the braces do not match. */
export function bracedParts(value: string): readonly string[] | null {
  const rest = value.replace(/\{\{|\}\}/g, '');
  const parts = [...rest.matchAll(/\{((?:[^{}"']|"[^"]*"|'[^']*')*)\}/g)].map((match) => match[1] as string);
  return /[{}]/.test(rest.replace(/\{(?:[^{}"']|"[^"]*"|'[^']*')*\}/g, '')) ? null : parts;
}

function withoutTexts(expression: string): string {
  return expression.replace(/"[^"]*"|'[^']*'/g, '""');
}

/** Names of the functions that an expression calls, with their prefixes. */
export function functionsIn(expression: string): readonly string[] {
  return [...withoutTexts(expression).matchAll(/((?:[\p{L}_][\p{L}\p{N}._-]*:)?[\p{L}_][\p{L}\p{N}._-]*)\s*\(/gu)]
    .map((match) => match[1] as string)
    .filter((name) => !NOT_FUNCTIONS.has(name));
}

/** Prefixes that an expression uses, except those of functions, and its variables. */
function prefixesIn(expression: string): readonly string[] {
  return [
    ...withoutTexts(expression).matchAll(
      /(?<![\p{L}\p{N}_.-])([\p{L}_][\p{L}\p{N}._-]*):(?!:)(?![\p{L}\p{N}._-]+\s*\()/gu,
    ),
  ].map((match) => match[1] as string);
}
function variablesIn(expression: string): readonly string[] {
  return [...withoutTexts(expression).matchAll(/\$\s*((?:[\p{L}_][\p{L}\p{N}._-]*:)?[\p{L}_][\p{L}\p{N}._-]*)/gu)].map(
    (match) => match[1] as string,
  );
}

/** Names of keys that are literal, not computed. */
function keysIn(expression: string): readonly string[] {
  return [...expression.matchAll(/(?<![\p{L}\p{N}_.:-])key\s*\(\s*(?:"([^"]*)"|'([^']*)')\s*,/gu)].map(
    ([, double, single]) => (double ?? single) as string,
  );
}

type Attribute = {
  readonly name: string;
  readonly prefix: string;
  readonly namespaceUri: string;
  readonly value: string;
};

/**
 * An element with the properties that the rules need repeatedly: each access to the engine's tree costs a microsecond
 * or more.
 */
type Element = {
  readonly node: XmlElement;
  readonly name: string;
  readonly namespaceUri: string;
  readonly attrs: readonly Attribute[];
};

function describeElement(node: XmlElement): Element {
  return {
    node,
    name: node.name,
    namespaceUri: node.namespaceUri,
    attrs: node.attrs.map(({ name, prefix, namespaceUri, value: content }) => ({
      name,
      prefix,
      namespaceUri,
      value: content,
    })),
  };
}

function elementsUnder(root: XmlElement): readonly Element[] {
  return (root.find('descendant-or-self::*') as XmlElement[]).map(describeElement);
}

function isXsl(element: Pick<Element, 'name' | 'namespaceUri'>, name?: string): boolean {
  return element.namespaceUri === XSLT && (name === undefined || element.name === name);
}

function value(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name && attribute.prefix === '')?.value;
}

/** A qualified name as namespace and local name; names without a prefix are in no namespace. */
function expand({ node }: Element, name: string): string {
  const [prefix, local] = name.includes(':') ? (name.split(':') as [string, string]) : ['', name];
  return `{${prefix === '' ? '' : (node.namespaces[prefix] ?? '?')}}${local}`;
}

type StylesheetFile = { readonly file: string; readonly tree: XmlDocument };

type Names = Pick<ReadonlySet<string>, 'has'>;
type Defined = {
  readonly templates: Names;
  readonly functions: Names;
  readonly variables: Names;
  readonly keys: Names;
};

/**
 * The fault of a root element. A stylesheet with a misspelt namespace looks right, so the message names the namespace.
 */
function rootFault({ name, namespaceUri }: XmlElement): string {
  return ['stylesheet', 'transform'].includes(name)
    ? `the root must be xsl:stylesheet: this one is in ${namespaceUri === '' ? 'no namespace' : `the namespace ${namespaceUri}`}, and XSLT has ${XSLT}`
    : 'the root must be xsl:stylesheet';
}

/** The names that a stylesheet defines when a part of it is missing: they are unknown, so every name is accepted. */
const ANYTHING: Names = { has: () => true };

type Complain = (element: Element, reason: string) => void;

function definedIn(all: readonly Element[]): Defined {
  const names = (elements: readonly Element[]): Set<string> =>
    new Set(elements.map((element) => expand(element, value(element, 'name') ?? '')));
  return {
    templates: names(all.filter((element) => isXsl(element, 'template') && value(element, 'name') !== undefined)),
    variables: names(all.filter((element) => isXsl(element, 'variable') || isXsl(element, 'param'))),
    keys: names(all.filter((element) => isXsl(element, 'key'))),
    functions: names(all.filter((element) => element.namespaceUri === FUNCTIONS && element.name === 'function')),
  };
}

type IsXPath = (expression: string) => boolean;

function checkExpression(
  isXPath: IsXPath,
  element: Element,
  expression: string,
  defined: Defined,
  complain: Complain,
): void {
  if (!isXPath(expression)) {
    complain(element, `not an XPath expression: ${expression}`);
    return;
  }
  for (const prefix of prefixesIn(expression).filter(
    (name) => name !== 'xml' && element.node.namespaces[name] === undefined,
  )) {
    complain(element, `the prefix ${prefix} is not declared`);
  }
  for (const name of variablesIn(expression).filter((one) => !defined.variables.has(expand(element, one)))) {
    complain(element, `there is no variable or parameter ${name}`);
  }
  for (const name of keysIn(expression).filter((one) => !defined.keys.has(expand(element, one)))) {
    complain(element, `there is no key ${name}`);
  }
  for (const name of functionsIn(expression)) {
    const expanded = expand(element, name);
    const known = name.includes(':') ? defined.functions.has(expanded) || isExslt(expanded) : CORE_FUNCTIONS.has(name);
    if (!known) {
      complain(
        element,
        name === 'document'
          ? 'document() is not allowed: a stylesheet reads nothing but its document'
          : `there is no function ${name}()`,
      );
    }
  }
}

function expressionsOf(element: Element, complain: Complain): readonly string[] {
  return element.attrs.flatMap((attribute) => {
    const inXsl = element.namespaceUri === XSLT;
    if (inXsl && (XPATH_ATTRIBUTES.has(attribute.name) || (element.name === 'number' && attribute.name === 'value'))) {
      return [attribute.value];
    }
    const isTemplate = inXsl
      ? TEMPLATE_ATTRIBUTES.has(`${element.name} ${attribute.name}`)
      : attribute.namespaceUri !== XSLT && element.namespaceUri !== FUNCTIONS;
    const parts = isTemplate ? bracedParts(attribute.value) : [];
    if (parts === null) {
      complain(element, `the braces in the attribute ${attribute.name} do not match`);
    }
    return element.namespaceUri === FUNCTIONS && attribute.name === 'select' ? [attribute.value] : (parts ?? []);
  });
}

function checkXslElement(element: Element, defined: Defined, complain: Complain): void {
  const name = value(element, 'name') ?? '';
  const attributes = ELEMENTS.get(element.name);
  const missing = attributes?.required.find((attribute) => value(element, attribute) === undefined);
  const unknown =
    attributes &&
    element.attrs.find((attribute) => attribute.prefix === '' && !attributes.all.has(attribute.name))?.name;
  if (missing !== undefined) {
    complain(element, `xsl:${element.name} needs the attribute ${missing}`);
  } else if (unknown !== undefined) {
    complain(
      element,
      unknown.startsWith('doctype-')
        ? 'xsl:output must not write a DOCTYPE'
        : `xsl:${element.name} has no attribute ${unknown} in XSLT 1.0`,
    );
  } else if (
    element.name === 'template' &&
    value(element, 'match') === undefined &&
    value(element, 'name') === undefined
  ) {
    complain(element, 'xsl:template needs the attribute match or name, else it never runs');
  } else if (element.name === 'choose' && !element.node.find('*').some((child) => isXsl(child as XmlElement, 'when'))) {
    complain(element, 'xsl:choose needs an xsl:when');
  } else if (!attributes) {
    complain(
      element,
      element.name === 'document'
        ? 'xsl:document is not allowed: a stylesheet writes no files'
        : `there is no element xsl:${element.name} in XSLT 1.0`,
    );
  } else if (element.name === 'message' && value(element, 'terminate') !== 'yes') {
    complain(element, 'xsl:message is allowed with terminate="yes" only: it refuses the document');
  } else if (
    element.name === 'output' &&
    ((value(element, 'method') ?? 'xml') !== 'xml' || !/^utf-?8$/i.test(value(element, 'encoding') ?? 'UTF-8'))
  ) {
    complain(element, 'xsl:output must be of method xml and encoding UTF-8');
  } else if (element.name === 'call-template' && !defined.templates.has(expand(element, name))) {
    complain(element, `there is no template named ${name}`);
  }
}

function checkExtensions(element: Element, complain: Complain): void {
  const declared = element.attrs
    .filter((attribute) => attribute.name === 'extension-element-prefixes')
    .flatMap((attribute) => attribute.value.split(/\s+/));
  for (const prefix of declared.filter((name) => name !== '')) {
    if (element.node.namespaces[prefix] !== FUNCTIONS && !EXSLT.has(element.node.namespaces[prefix] ?? '')) {
      complain(element, `the extension elements of ${prefix} are not allowed`);
    }
  }
  if (EXSLT.has(element.namespaceUri)) {
    complain(element, `${element.name} is not allowed: a stylesheet writes no files`);
  }
  if (element.attrs.some((attribute) => attribute.name === 'base' && attribute.namespaceUri === XML)) {
    complain(element, 'xml:base is not allowed');
  }
}

/** Checks the top level: no element without a namespace, and no two templates of one name. */
function checkTop(root: XmlElement, complain: Complain): void {
  const templates = new Set<string>();
  for (const element of (root.find('*') as XmlElement[]).map(describeElement)) {
    const name = value(element, 'name');
    if (element.namespaceUri === '') {
      complain(
        element,
        `${element.name} is in no namespace: at the top only xsl: elements, and those in namespaces of your own, may stand`,
      );
    } else if (isXsl(element, 'template') && name !== undefined) {
      if (templates.has(expand(element, name))) {
        complain(element, `there is a template named ${name} already`);
      }
      templates.add(expand(element, name));
    }
  }
}

/**
 * Every rule that the files of one stylesheet break, with its line. Includes are checked when the files are gathered.
 * @param whole false when files that it includes are missing
 */
export function checkStylesheet(
  engine: XmlEngine,
  files: readonly StylesheetFile[],
  whole = true,
): readonly FileProblem[] {
  const problems: FileProblem[] = [];
  const looked = files.map(({ file, tree }) => ({ file, root: tree.root, elements: elementsUnder(tree.root) }));
  const defined = whole
    ? definedIn(looked.flatMap(({ elements }) => elements))
    : { templates: ANYTHING, functions: ANYTHING, variables: ANYTHING, keys: ANYTHING };
  const judged = new Map<string, boolean>();
  const isXPath: IsXPath = (expression) => {
    const good = judged.get(expression) ?? engine.isXPath(expression);
    judged.set(expression, good);
    return good;
  };
  for (const { file, root, elements } of looked) {
    const complain: Complain = ({ node }, reason) => {
      problems.push({ file, line: node.line, reason });
    };
    if (!isXsl(root, 'stylesheet') && !isXsl(root, 'transform')) {
      complain(describeElement(root), rootFault(root));
      continue;
    }
    checkTop(root, complain);
    for (const element of elements) {
      if (isXsl(element)) {
        checkXslElement(element, defined, complain);
      }
      checkExtensions(element, complain);
      for (const expression of expressionsOf(element, complain)) {
        checkExpression(isXPath, element, expression, defined, complain);
      }
    }
  }
  return problems;
}
