/** documents: parses bytes into libxml2's tree and writes the tree back. */
import type { Fault, FaultCollector } from './faults';
import type { Pointer, Sandbox } from './sandbox';

type Parsed = { readonly document: Pointer; readonly faults: readonly Fault[] };

/** No entities, no external files, no network; CDATA sections are read as text. */
export function parseOptions({ tools: { ParseOption: O } }: Sandbox): number {
  return (
    O.XML_PARSE_NONET |
    O.XML_PARSE_NO_XXE |
    O.XML_PARSE_NO_SYS_CATALOG |
    O.XML_PARSE_NOCDATA |
    O.XML_PARSE_BIG_LINES |
    O.XML_PARSE_SKIP_IDS
  );
}

export function makeParser(sandbox: Sandbox, { handler, begin, faults }: FaultCollector) {
  const { raw } = sandbox;
  const options = parseOptions(sandbox);
  /**
   * Parses without entities, external files or network. The caller frees the document.
   * @param encoding the encoding of the bytes, whatever they declare
   */
  return (bytes: Uint8Array, name: string | null = null, encoding: 'UTF-8' | null = null): Parsed => {
    begin();
    const context = raw.xmlNewParserCtxt();
    raw.xmlCtxtSetErrorHandler(context, handler, 0);
    const document = raw.xmlReadMemory(context, bytes, name, encoding, options);
    raw.xmlFreeParserCtxt(context);
    return { document, faults: faults() };
  };
}

export type Parse = ReturnType<typeof makeParser>;

export function serializeWith({ raw, tools }: Sandbox) {
  return (document: Pointer): string => {
    const output = new tools.XmlStringOutputBufferHandler();
    const saving = raw.xmlSaveToIO(output, 'UTF-8', 0);
    raw.xmlSaveDoc(saving, document);
    raw.xmlSaveClose(saving);
    return output.result;
  };
}
