/** schemas: compiles an XSD and validates documents against it. */
import type * as Raw from 'libxml2-wasm/lib/libxml2.mjs' with { 'resolution-mode': 'import' };
import type { Parse } from './documents';
import { MISTYPED_KEPT, type Fault, type FaultCollector, type Mistyped } from './faults';
import { attributeOf, holdsElements } from './nodes';
import { plainFileName, type Pointer, type Sandbox } from './sandbox';

const XSD_SUCCESS = 0;

/** Provides the files of `files` and nothing else: the sandbox has no other access to files or to the network. */
function fileProvider({ tools }: Sandbox, files: ReadonlyMap<string, string>): Raw.XmlInputProvider {
  const find = (name: string): string | undefined => files.get(plainFileName(name));
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
}

export function makeSchemaCompiler(sandbox: Sandbox, collector: FaultCollector, parse: Parse) {
  const { raw } = sandbox;
  /**
   * Compiles an XSD. Includes are read from `files` by their absolute names. Schema and source stay in memory as long
   * as the process runs.
   */
  return (
    file: string,
    files: ReadonlyMap<string, string>,
  ): { readonly schema: Pointer; readonly faults: readonly Fault[] } => {
    const source = parse(Buffer.from(files.get(file) ?? ''), encodeURI(file));
    if (source.document === 0 || source.faults.length > 0) {
      return { schema: 0, faults: source.faults };
    }
    collector.begin();
    raw.xmlCleanupInputProvider();
    raw.xmlRegisterInputProvider(fileProvider(sandbox, files));
    try {
      const context = raw.xmlSchemaNewDocParserCtxt(source.document);
      raw.xmlSchemaSetParserStructuredErrors(context, collector.handler, 0);
      const schema = raw.xmlSchemaParse(context);
      raw.xmlSchemaFreeParserCtxt(context);
      return { schema, faults: collector.faults() };
    } finally {
      raw.xmlCleanupInputProvider();
    }
  };
}

/** @returns whether there was white space to remove */
function collapse(sandbox: Sandbox, { element, attribute }: Mistyped): boolean {
  const { raw } = sandbox;
  const node = attribute === undefined ? element : attributeOf(sandbox, element, attribute);
  const content = node === 0 || holdsElements(sandbox, node) ? '' : raw.xmlNodeGetContent(node);
  const collapsed = content
    .split(/[ \t\n\r]+/)
    .filter((word) => word !== '')
    .join(' ');
  // Setting content with an ampersand would begin a reference.
  const changes = collapsed !== content && !collapsed.includes('&');
  if (changes) {
    raw.xmlNodeSetContent(node, collapsed);
  }
  return changes;
}

export function makeValidator(sandbox: Sandbox, { handler, begin, faults, mistyped }: FaultCollector) {
  const { raw } = sandbox;
  const validateAsItIs = (schema: Pointer, document: Pointer): readonly Fault[] | null => {
    begin();
    const context = raw.xmlSchemaNewValidCtxt(schema);
    raw.xmlSchemaSetValidStructuredErrors(context, handler, 0);
    const result = raw.xmlSchemaValidateDoc(context, document);
    raw.xmlSchemaFreeValidCtxt(context);
    if (result === XSD_SUCCESS) {
      return [];
    }
    return result < 0 && faults().length === 0 ? null : faults();
  };
  /**
   * The faults of the document by the schema, at most 20; null when libxml2 itself failed. XML Schema 4.3.6 ignores
   * white space around values of most types, but libxml2 treats it as part of dates, times and durations. Such values
   * are checked again without it, and stay so in the tree.
   */
  return (schema: Pointer, document: Pointer): readonly Fault[] | null => {
    const found = validateAsItIs(schema, document);
    const values = mistyped();
    const changed = values.length < MISTYPED_KEPT ? values.filter((value) => collapse(sandbox, value)).length : 0;
    return changed > 0 ? validateAsItIs(schema, document) : found;
  };
}
