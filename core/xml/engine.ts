/** engine: libxml2 in its WebAssembly sandbox, which every byte from outside meets first; the only file that calls it. */
import type * as Raw from 'libxml2-wasm/lib/libxml2.mjs' with { 'resolution-mode': 'import' };
import type * as Tools from 'libxml2-wasm' with { 'resolution-mode': 'import' };

/** An address inside the sandbox; 0 is nothing. */
export type Pointer = number;

/** One complaint of libxml2. `message` may hold text of the document: never show it to anybody. */
export type Fault = {
  readonly code: number;
  readonly level: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly file: string | null;
};

/** Left out of the package's types: makes a function of ours callable from inside the sandbox. */
type Callbacks = {
  readonly addFunction: (callback: (context: number, fault: number) => void, signature: string) => number;
};
/** An element as plain data, for small documents that the service or a transform made. */
export type PlainElement = {
  readonly name: string;
  readonly namespace: string;
  /** By local name. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly PlainElement[];
  /** All text directly inside, joined. */
  readonly text: string;
};

type Loaded = { readonly raw: typeof Raw & Callbacks; readonly tools: typeof Tools };

/** Faults kept per call; libxml2 may find a million of them. */
const FAULTS_KEPT = 20;
/** cvc-datatype-valid: the value is none of its atomic type, of its list or of its union. */
const MISTYPED = new Set([1824, 1825, 1826]);
/** A document with more of them is taken as it is: nobody waits for a million. */
const MISTYPED_KEPT = 100_000;
/** The attribute that a fault is about, as `{namespace}name` or `name`. */
const ATTRIBUTE = /^Element '[^']*', attribute '([^']*)': /;
/** libxml2's level of what is a fault and not a remark. */
const LEVEL_ERROR = 2;

/** A namespace that is no URI: odd, and allowed. */
const NOT_A_URI = 99;
const XSD_SUCCESS = 0;
/** Kinds of nodes. CDATA sections are read as text. */
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

/** A file name as it is; schemas and libxml2 write names of files as URIs. */
export const plainName = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

const fileOf = (name: string | null): string | null => (name === null ? null : plainName(name));

/** Reads the files of `files` and nothing else: the sandbox has no other way to a file or to the network. */
const fileProvider = ({ tools }: Loaded, files: ReadonlyMap<string, string>): Raw.XmlInputProvider => {
  const find = (name: string): string | undefined => files.get(plainName(name));
  return {
    match: (name) => find(name) !== undefined,
    open: (name) => {
      const text = find(name);
      return text === undefined ? undefined : tools.openBuffer(Buffer.from(text));
    },
    read: (handle, buffer) => tools.readBuffer(handle, buffer),
    close: (handle) => {
      tools.closeBuffer(handle);
      return true;
    },
  };
};

const makeEngine = ({ raw, tools }: Loaded) => {
  let faults: Fault[] = [];
  /** Elements with values that are not of their types, in themselves or in the attribute of that name. */
  let mistyped: { readonly element: Pointer; readonly attribute: string | undefined }[] = [];
  const collect = raw.addFunction((_context: number, fault: number) => {
    const level = raw.XmlErrorStruct.level(fault);
    // The code is the second word of the error, where a tree node has its type.
    const code = raw.XmlTreeCommonStruct.type(fault);
    if (MISTYPED.has(code) && mistyped.length < MISTYPED_KEPT) {
      mistyped.push({
        element: raw.XmlErrorStruct.node(fault),
        attribute: ATTRIBUTE.exec(raw.XmlErrorStruct.message(fault))?.[1],
      });
    }
    if (level < LEVEL_ERROR || code === NOT_A_URI || faults.length >= FAULTS_KEPT) {
      return;
    }
    faults.push({
      code,
      level,
      line: raw.XmlErrorStruct.line(fault),
      column: raw.XmlErrorStruct.col(fault),
      message: raw.XmlErrorStruct.message(fault),
      file: fileOf(raw.XmlErrorStruct.file(fault)),
    });
  }, 'vii');

  const O = tools.ParseOption;
  const options =
    O.XML_PARSE_NONET |
    O.XML_PARSE_NO_XXE |
    O.XML_PARSE_NO_SYS_CATALOG |
    O.XML_PARSE_NOCDATA |
    O.XML_PARSE_BIG_LINES |
    O.XML_PARSE_SKIP_IDS;

  /** Parses without entities, external files or network. The caller frees the document. @param encoding what the bytes are in, whatever they declare */
  const parse = (
    bytes: Uint8Array,
    name: string | null = null,
    encoding: 'UTF-8' | null = null,
  ): { readonly document: Pointer; readonly faults: readonly Fault[] } => {
    faults = [];
    const context = raw.xmlNewParserCtxt();
    raw.xmlCtxtSetErrorHandler(context, collect, 0);
    const document = raw.xmlReadMemory(context, bytes, name, encoding, options);
    raw.xmlFreeParserCtxt(context);
    return { document, faults };
  };

  const serialize = (document: Pointer): string => {
    const output = new tools.XmlStringOutputBufferHandler();
    const saving = raw.xmlSaveToIO(output, 'UTF-8', 0);
    raw.xmlSaveDoc(saving, document);
    raw.xmlSaveClose(saving);
    return output.result;
  };

  const namespaceOf = (node: Pointer): string => {
    const namespace = raw.XmlNamedNodeStruct.namespace(node);
    return namespace === 0 ? '' : raw.XmlNsStruct.href(namespace);
  };

  const rootOf = (document: Pointer): { readonly namespace: string; readonly name: string } => {
    const root = raw.xmlDocGetRootElement(document);
    return { namespace: namespaceOf(root), name: raw.XmlTreeCommonStruct.name_(root) };
  };

  const attributesOf = (element: Pointer): ReadonlyMap<string, string> => {
    const found = new Map<string, string>();
    for (
      let attribute = raw.XmlNodeStruct.properties(element);
      attribute !== 0;
      attribute = raw.XmlTreeCommonStruct.next(attribute)
    ) {
      found.set(raw.XmlTreeCommonStruct.name_(attribute), raw.xmlNodeGetContent(attribute));
    }
    return found;
  };

  const plainElement = (element: Pointer): PlainElement => {
    const elements: PlainElement[] = [];
    let text = '';
    for (
      let child = raw.XmlTreeCommonStruct.children(element);
      child !== 0;
      child = raw.XmlTreeCommonStruct.next(child)
    ) {
      const type = raw.XmlTreeCommonStruct.type(child);
      if (type === ELEMENT_NODE) {
        elements.push(plainElement(child));
      } else if (type === TEXT_NODE) {
        text += raw.xmlNodeGetContent(child);
      }
    }
    return {
      name: raw.XmlTreeCommonStruct.name_(element),
      namespace: namespaceOf(element),
      attributes: attributesOf(element),
      elements,
      text,
    };
  };

  const hasDoctype = (document: Pointer): boolean => raw.xmlGetIntSubset(document) !== 0;

  /** The root element of a text as plain data; null when it is not well-formed, nested deeper than 256 or has a DOCTYPE, whose entities would be lost. */
  const readPlain = (text: string): PlainElement | null => {
    const { document, faults: found } = parse(Buffer.from(text), null, 'UTF-8');
    try {
      return document === 0 || found.length > 0 || hasDoctype(document)
        ? null
        : plainElement(raw.xmlDocGetRootElement(document));
    } finally {
      raw.xmlFreeDoc(document);
    }
  };

  /** Compiles an XSD. Includes are read from `files` by their absolute names. Schema and source stay for the life of the process. */
  const compileSchema = (
    file: string,
    files: ReadonlyMap<string, string>,
  ): { readonly schema: Pointer; readonly faults: readonly Fault[] } => {
    const source = parse(Buffer.from(files.get(file) ?? ''), encodeURI(file));
    if (source.document === 0 || source.faults.length > 0) {
      return { schema: 0, faults: source.faults };
    }
    faults = [];
    raw.xmlCleanupInputProvider();
    raw.xmlRegisterInputProvider(fileProvider({ raw, tools }, files));
    try {
      const context = raw.xmlSchemaNewDocParserCtxt(source.document);
      raw.xmlSchemaSetParserStructuredErrors(context, collect, 0);
      const schema = raw.xmlSchemaParse(context);
      raw.xmlSchemaFreeParserCtxt(context);
      return { schema, faults };
    } finally {
      raw.xmlCleanupInputProvider();
    }
  };

  const validateAsItIs = (schema: Pointer, document: Pointer): readonly Fault[] | null => {
    faults = [];
    mistyped = [];
    const context = raw.xmlSchemaNewValidCtxt(schema);
    raw.xmlSchemaSetValidStructuredErrors(context, collect, 0);
    const result = raw.xmlSchemaValidateDoc(context, document);
    raw.xmlSchemaFreeValidCtxt(context);
    if (result === XSD_SUCCESS) {
      return [];
    }
    return result < 0 && faults.length === 0 ? null : faults;
  };

  const attributeOf = (element: Pointer, name: string): Pointer => {
    for (
      let attribute = raw.XmlNodeStruct.properties(element);
      attribute !== 0;
      attribute = raw.XmlTreeCommonStruct.next(attribute)
    ) {
      const namespace = namespaceOf(attribute);
      if ((namespace === '' ? '' : `{${namespace}}`) + raw.XmlTreeCommonStruct.name_(attribute) === name) {
        return attribute;
      }
    }
    return 0;
  };

  const holdsElements = (node: Pointer): boolean => {
    for (let child = raw.XmlTreeCommonStruct.children(node); child !== 0; child = raw.XmlTreeCommonStruct.next(child)) {
      if (raw.XmlTreeCommonStruct.type(child) === ELEMENT_NODE) {
        return true;
      }
    }
    return false;
  };

  /** @returns whether there was white space to take away */
  const collapse = ({ element, attribute }: (typeof mistyped)[number]): boolean => {
    const node = attribute === undefined ? element : attributeOf(element, attribute);
    const content = node === 0 || holdsElements(node) ? '' : raw.xmlNodeGetContent(node);
    const collapsed = content
      .split(/[ \t\n\r]+/)
      .filter((word) => word !== '')
      .join(' ');
    // Where the content is set, an ampersand begins a reference.
    const changes = collapsed !== content && !collapsed.includes('&');
    if (changes) {
      raw.xmlNodeSetContent(node, collapsed);
    }
    return changes;
  };

  /**
   * What the document breaks of the schema, at most 20 faults; null when libxml2 itself failed. Types that a value can miss let white
   * space around it be ignored (XML Schema 4.3.6), but libxml2 takes it for a part of dates, times and durations: such values are looked
   * at again without it, and stay so in the tree.
   */
  const validate = (schema: Pointer, document: Pointer): readonly Fault[] | null => {
    const found = validateAsItIs(schema, document);
    return mistyped.length < MISTYPED_KEPT && mistyped.filter(collapse).length > 0
      ? validateAsItIs(schema, document)
      : found;
  };

  /** Whether the text is an XPath 1.0 expression, judged by its grammar alone. */
  const isXPath = (expression: string): boolean => {
    try {
      tools.XmlXPath.compile(expression).dispose();
      return true;
    } catch {
      return false;
    }
  };

  return {
    parse,
    serialize,
    rootOf,
    readPlain,
    compileSchema,
    validate,
    isXPath,
    hasDoctype,
    free: (document: Pointer): void => raw.xmlFreeDoc(document),
    /** The document as a tree for our own set-up files; `dispose` frees it. */
    tree: (text: string, name: string): Tools.XmlDocument =>
      tools.XmlDocument.fromString(text, { url: name, option: options }),
  };
};

export type XmlEngine = ReturnType<typeof makeEngine>;

/** Loads libxml2 (an ES module that awaits at its top, hence not a plain import). */
export const openXmlEngine = async (): Promise<XmlEngine> => {
  const tools = await import('libxml2-wasm');
  const raw = (await import('libxml2-wasm/lib/libxml2.mjs')) as Loaded['raw'];
  return makeEngine({ raw, tools });
};
