/**
 * held-file: finds the file that a document holds: in a File, in the body of a C-CDA that is no XML, or in the
 * attachment of a FHIR DocumentReference.
 */
import { constants, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { Element } from 'libxmljs2';
import { looksLikeJson } from '../fhir/json-to-xml';
import { openDom } from '../xml/dom';

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

const inFile = (root: Element, namespace: string): HeldFile => {
  const textOf = (name: string): string => root.get<Element>(`d:${name}`, { d: namespace })?.text() ?? '';
  return { title: textOf('title'), declaredType: textOf('mediaType').trim(), bytes: fromBase64(textOf('content')) };
};

const inClinicalDocument = (root: Element): HeldFile | undefined => {
  const body = root.get<Element>('h:component/h:nonXMLBody/h:text', { h: HL7 });
  if (!body) {
    return undefined;
  }
  const said = (name: string): string => body.attr(name)?.value() ?? '';
  const text = body.text();
  const bytes = said('representation') === 'B64' ? fromBase64(text) : Buffer.from(text.trim());
  return {
    title: root.get<Element>('h:title', { h: HL7 })?.text() ?? '',
    declaredType: said('mediaType'),
    bytes: unpacked(bytes, said('compression')),
  };
};

const inReference = (root: Element): HeldFile | undefined => {
  const valueOf = (path: string): string => root.get<Element>(path, { f: FHIR })?.attr('value')?.value() ?? '';
  const holding = 'f:content/f:attachment[f:data/@value != ""]';
  return {
    title: valueOf(`(${holding})[1]/f:title`) || valueOf('f:description'),
    declaredType: valueOf(`(${holding})[1]/f:contentType`),
    bytes: fromBase64(valueOf(`(${holding})[1]/f:data`)),
  };
};

type Json = { readonly [name: string]: unknown };
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const inJson = (json: string): HeldFile | undefined => {
  const resource = JSON.parse(json.replace(/^\uFEFF/, '')) as Json;
  const content = Array.isArray(resource['content']) ? (resource['content'] as readonly Json[]) : [];
  const attachment = content
    .map((one) => (one['attachment'] ?? {}) as Json)
    .find(({ data }) => typeof data === 'string' && data !== '');
  if (resource['resourceType'] !== 'DocumentReference' || !attachment) {
    return undefined;
  }
  return {
    title: text(attachment['title']) || text(resource['description']),
    declaredType: text(attachment['contentType']),
    bytes: fromBase64(text(attachment['data'])),
  };
};

/** Whether a document may hold a file. Most hold none, and a search of their text shows that without parsing them. */
const mayHold = (stored: Buffer | string): boolean =>
  ['<File', ':File', 'nonXMLBody', 'DocumentReference'].some((name) => stored.includes(name));

/** @param namespace the namespace of the document type File */
export const heldFile = async (stored: Buffer | string, namespace: string): Promise<HeldFile | undefined> => {
  if (!mayHold(stored)) {
    return undefined;
  }
  if (looksLikeJson(Buffer.from(stored as string))) {
    return inJson(stored.toString());
  }
  const root = (await openDom())(stored.toString());
  switch (`${root?.namespace()?.href()} ${root?.name()}`) {
    case `${namespace} File`:
      return inFile(root!, namespace);
    case `${HL7} ClinicalDocument`:
      return inClinicalDocument(root!);
    case `${FHIR} DocumentReference`:
      return inReference(root!);
    default:
      return undefined;
  }
};
