/**
 * engine: libxml2 in its WebAssembly sandbox, which parses every byte from outside first. Only this file and `libxml2/`
 * call it.
 */
import type * as Tools from 'libxml2-wasm' with { 'resolution-mode': 'import' };
import { makeParser, parseOptions, serializeWith } from './libxml2/documents';
import { collectFaults } from './libxml2/faults';
import { hasDoctype, plainElement, rootOf, type PlainElement } from './libxml2/nodes';
import { openSandbox, type Pointer, type Sandbox } from './libxml2/sandbox';
import { makeSchemaCompiler, makeValidator } from './libxml2/schemas';

export type { Fault } from './libxml2/faults';
export type { PlainElement } from './libxml2/nodes';
export { plainFileName, type Pointer } from './libxml2/sandbox';

function makeEngine(sandbox: Sandbox) {
  const { raw, tools } = sandbox;
  const collector = collectFaults(sandbox);
  const parse = makeParser(sandbox, collector);
  const options = parseOptions(sandbox);

  const plainRoot = (document: Pointer): PlainElement => plainElement(sandbox, raw.xmlDocGetRootElement(document));

  /**
   * The root element of a text as plain data; null when the text is not well-formed, is nested deeper than 256, or has
   * a DOCTYPE, whose entities would be lost.
   */
  const readPlain = (text: string): PlainElement | null => {
    const { document, faults } = parse(Buffer.from(text), null, 'UTF-8');
    try {
      return document === 0 || faults.length > 0 || hasDoctype(sandbox, document) ? null : plainRoot(document);
    } finally {
      raw.xmlFreeDoc(document);
    }
  };

  /** Whether the text is an XPath 1.0 expression, by its grammar alone. */
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
    serialize: serializeWith(sandbox),
    rootOf: (document: Pointer) => rootOf(sandbox, document),
    readPlain,
    plainRoot,
    compileSchema: makeSchemaCompiler(sandbox, collector, parse),
    validate: makeValidator(sandbox, collector),
    isXPath,
    hasDoctype: (document: Pointer): boolean => hasDoctype(sandbox, document),
    free: (document: Pointer): void => raw.xmlFreeDoc(document),
    /** The document as a tree, for our own set-up files; `dispose` frees it. */
    tree: (text: string, name: string): Tools.XmlDocument =>
      tools.XmlDocument.fromString(text, { url: name, option: options }),
  };
}

export type XmlEngine = ReturnType<typeof makeEngine>;

export async function openXmlEngine(): Promise<XmlEngine> {
  return makeEngine(await openSandbox());
}
