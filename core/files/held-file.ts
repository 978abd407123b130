/**
 * held-file: finds the file that a document holds: in a File, in the body of a C-CDA that is no XML, or in the
 * attachment of a FHIR DocumentReference (pure). It runs where documents are parsed.
 */
import { constants, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { PlainElement } from '../xml/engine';

/** The file, with the title and the type that the document gives. */
export type HeldFile = { readonly title: string; readonly declaredType: string; readonly bytes: Buffer };

const HL7 = 'urn:hl7-org:v3';
const FHIR = 'http://hl7.org/fhir';

/**
 * At most this many bytes are unpacked: a document is at most 10 MB long, and a file in it should not be much longer.
 */
const MOST_UNPACKED = 20_000_000;
const unpacking: ZlibOptions = { maxOutputLength: MOST_UNPACKED, finishFlush: constants.Z_FINISH };

/** The compressions that C-CDA names: RFC 1951, 1952 and 1950. */
const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  DF: (bytes) => inflateRawSync(bytes, unpacking),
  GZ: (bytes) => gunzipSync(bytes, unpacking),
  ZL: (bytes) => inflateSync(bytes, unpacking),
};

/** A file that cannot be unpacked is returned as it is. */
const unpacked = (bytes: Buffer, way: string): Buffer => {
  try {
    return unpackers[way]?.(bytes) ?? bytes;
  } catch {
    return bytes;
  }
};

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64');

const children = (parents: readonly PlainElement[], name: string): readonly PlainElement[] =>
  parents.flatMap(({ elements, namespace }) =>
    elements.filter((element) => element.name === name && element.namespace === namespace),
  );

/** The elements at a path of names, all in the namespace of the root. */
const at = (root: PlainElement, ...names: readonly string[]): readonly PlainElement[] =>
  names.reduce<readonly PlainElement[]>(children, [root]);

const inFile = (root: PlainElement): HeldFile => {
  const textOf = (name: string): string => at(root, name)[0]?.text ?? '';
  return { title: textOf('title'), declaredType: textOf('mediaType').trim(), bytes: fromBase64(textOf('content')) };
};

const inClinicalDocument = (root: PlainElement): HeldFile | undefined => {
  const [body] = at(root, 'component', 'nonXMLBody', 'text');
  if (!body) {
    return undefined;
  }
  const said = (name: string): string => body.attributes.get(name) ?? '';
  const bytes = said('representation') === 'B64' ? fromBase64(body.text) : Buffer.from(body.text.trim());
  return {
    title: at(root, 'title')[0]?.text ?? '',
    declaredType: said('mediaType'),
    bytes: unpacked(bytes, said('compression')),
  };
};

const valueIn = (element: PlainElement, name: string): string => at(element, name)[0]?.attributes.get('value') ?? '';

const inReference = (root: PlainElement): HeldFile | undefined => {
  const holding = at(root, 'content', 'attachment').find((attachment) => valueIn(attachment, 'data') !== '');
  return (
    holding && {
      title: valueIn(holding, 'title') || valueIn(root, 'description'),
      declaredType: valueIn(holding, 'contentType'),
      bytes: fromBase64(valueIn(holding, 'data')),
    }
  );
};

/**
 * Whether a stored document may hold a file. Most hold none, and a search of their text shows that without parsing
 * them.
 */
export const mayHold = (stored: Buffer): boolean =>
  ['<File', ':File', 'nonXMLBody', 'DocumentReference'].some((name) => stored.includes(name));

/** @param namespace the namespace of the document type File */
export const heldFile = (root: PlainElement, namespace: string): HeldFile | undefined => {
  switch (`${root.namespace} ${root.name}`) {
    case `${namespace} File`:
      return inFile(root);
    case `${HL7} ClinicalDocument`:
      return inClinicalDocument(root);
    case `${FHIR} DocumentReference`:
      return inReference(root);
    default:
      return undefined;
  }
};
