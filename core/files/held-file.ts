/**
 * held-file: finds the file that a document holds: in a File, in the body of a C-CDA that is no XML, or in the
 * attachment of a FHIR DocumentReference (pure). It runs where documents are parsed.
 */
import { constants, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { PlainElement } from '../xml/engine';
import { isMarkedUp, wordsOfFile, type FileWords } from './file-words';
import { looksLikeDocument, sniffMediaType } from './sniff';

/** The file, with the title and the type that the document gives. */
export type HeldFile = { readonly title: string; readonly declaredType: string; readonly bytes: Buffer };

/** A file in a list, without its bytes. */
export type ListedFile = {
  readonly title: string;
  /** The media type that is found from the bytes, or the declared one if they tell nothing; for people, not browsers. */
  readonly mediaType: string;
  readonly bytes: number;
  /** Whether it may be a document that can be read: it begins like XML or JSON, and is no web page. */
  readonly isDocument: boolean;
  /** Whether it has words to read here. */ readonly isText: boolean;
};

/** One of the files with its words, if it is a text. */
export type ReadFile = ListedFile & { readonly words: FileWords | undefined };

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
function decompressed(bytes: Buffer, way: string): Buffer {
  try {
    return unpackers[way]?.(bytes) ?? bytes;
  } catch {
    return bytes;
  }
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function children(parents: readonly PlainElement[], name: string): readonly PlainElement[] {
  return parents.flatMap(({ elements, namespace }) =>
    elements.filter((element) => element.name === name && element.namespace === namespace),
  );
}

/** The elements at a path of names, all in the namespace of the root. */
function elementsAt(root: PlainElement, ...names: readonly string[]): readonly PlainElement[] {
  return names.reduce<readonly PlainElement[]>(children, [root]);
}

function inFile(root: PlainElement): HeldFile {
  const textOf = (name: string): string => elementsAt(root, name)[0]?.text ?? '';
  return { title: textOf('title'), declaredType: textOf('mediaType').trim(), bytes: fromBase64(textOf('content')) };
}

function inClinicalDocument(root: PlainElement): HeldFile | undefined {
  const [body] = elementsAt(root, 'component', 'nonXMLBody', 'text');
  if (!body) {
    return undefined;
  }
  const said = (name: string): string => body.attributes.get(name) ?? '';
  const bytes = said('representation') === 'B64' ? fromBase64(body.text) : Buffer.from(body.text.trim());
  return {
    title: elementsAt(root, 'title')[0]?.text ?? '',
    declaredType: said('mediaType'),
    bytes: decompressed(bytes, said('compression')),
  };
}

function valueAttribute(element: PlainElement, name: string): string {
  return elementsAt(element, name)[0]?.attributes.get('value') ?? '';
}

function inReference(root: PlainElement): HeldFile | undefined {
  const holding = elementsAt(root, 'content', 'attachment').find(
    (attachment) => valueAttribute(attachment, 'data') !== '',
  );
  return (
    holding && {
      title: valueAttribute(holding, 'title') || valueAttribute(root, 'description'),
      declaredType: valueAttribute(holding, 'contentType'),
      bytes: fromBase64(valueAttribute(holding, 'data')),
    }
  );
}

/**
 * Whether a stored document may hold a file. Most hold none, and a search of their text shows that without parsing
 * them.
 */
export function mayHold(stored: Buffer): boolean {
  return ['<File', ':File', 'nonXMLBody', 'DocumentReference'].some((name) => stored.includes(name));
}

/** As `mayHold`, for files at any place of a document. */
export function mayHoldFiles(stored: Buffer): boolean {
  return mayHold(stored) || ['B64', '"data"', '<data', ':data', 'data:image/'].some((mark) => stored.includes(mark));
}

/** The most files of a document that are found. */
const MOST_FILES = 500;

const SECTION = 'section';

/** The name of what is around: the title of the section, or of the document. */
function titleIn(element: PlainElement): string {
  return elementsAt(element, 'title')[0]?.text.replace(/\s+/g, ' ').trim() ?? '';
}

/** Files in any part of a C-CDA: pictures in its text, results and notes that are a PDF or RTF. */
function inClinicalParts(element: PlainElement, title: string, found: HeldFile[]): void {
  const inner = element.name === SECTION ? titleIn(element) || title : title;
  const text = element.attributes.get('representation') === 'B64' ? element.text.trim() : '';
  if (text !== '') {
    const bytes = decompressed(fromBase64(text), element.attributes.get('compression') ?? '');
    found.push({ title: inner, declaredType: element.attributes.get('mediaType') ?? '', bytes });
  }
  element.elements.forEach((one) => inClinicalParts(one, inner, found));
}

const XHTML = 'http://www.w3.org/1999/xhtml';

/** A picture that is written into a narrative. */
function inPicture({ attributes }: PlainElement, title: string): HeldFile | undefined {
  const [, declaredType, data] = /^data:(image\/[\w.+-]+);base64,([^]+)$/.exec(attributes.get('src') ?? '') ?? [];
  return data === undefined
    ? undefined
    : { title: attributes.get('alt') || title, declaredType: declaredType!, bytes: fromBase64(data) };
}

/** What a resource is, in its own words. */
function titleWords(resource: PlainElement): string {
  const concept = [...elementsAt(resource, 'type'), ...elementsAt(resource, 'code')];
  return (
    valueAttribute(resource, 'description') ||
    concept.map((one) => valueAttribute(one, 'text')).find((text) => text !== '') ||
    elementsAt(resource, 'type', 'coding')
      .concat(elementsAt(resource, 'code', 'coding'))
      .map((one) => valueAttribute(one, 'display'))
      .find((text) => text !== '') ||
    ''
  );
}

/** Signatures and sampled data are no files, although they have data. */
function isAttachment(element: PlainElement): boolean {
  return (
    valueAttribute(element, 'data') !== '' &&
    !['who', 'origin', 'dimensions'].some((name) => elementsAt(element, name).length > 0)
  );
}

/** Files in any resource: attachments, the data of a Binary, pictures in a narrative. */
function inResources(element: PlainElement, title: string, found: HeldFile[]): void {
  const isResource = element.namespace === FHIR && /^[A-Z]/.test(element.name);
  const around = isResource ? titleWords(element) || title : title;
  if (element.namespace === XHTML) {
    const picture = element.name === 'img' ? inPicture(element, around) : undefined;
    found.push(...(picture ? [picture] : []));
  } else if (isAttachment(element)) {
    found.push({
      title: valueAttribute(element, 'title') || around,
      declaredType: valueAttribute(element, 'contentType'),
      bytes: fromBase64(valueAttribute(element, 'data')),
    });
  }
  element.elements.forEach((one) => inResources(one, around, found));
}

/** Text that stands in the body of a C-CDA as it is. */
function inPlainBody(root: PlainElement): readonly HeldFile[] {
  const whole = inClinicalDocument(root);
  const isCoded = elementsAt(root, 'component', 'nonXMLBody', 'text')[0]?.attributes.get('representation') === 'B64';
  return whole === undefined || isCoded ? [] : [whole];
}

/** Every file that a document holds, in the order of the document. @param namespace that of the document type File */
export function heldFiles(root: PlainElement, namespace: string): readonly HeldFile[] {
  const found: HeldFile[] = [];
  if (root.namespace === namespace && root.name === 'File') {
    found.push(inFile(root));
  } else if (root.namespace === HL7) {
    found.push(...inPlainBody(root));
    inClinicalParts(root, titleIn(root), found);
  } else if (root.namespace === FHIR) {
    inResources(root, '', found);
  }
  return found.filter(({ bytes }) => bytes.length > 0).slice(0, MOST_FILES);
}

/** @param namespace the namespace of the document type File */
export function heldFile(root: PlainElement, namespace: string): HeldFile | undefined {
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
}

/** What is told of a file. */
export function describeFile({ title, declaredType, bytes }: HeldFile): ReadFile {
  const isPage = isMarkedUp(bytes, declaredType);
  const isDocument = looksLikeDocument(bytes) && !isPage;
  const words = isDocument ? undefined : wordsOfFile(bytes, declaredType);
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, 255),
    mediaType: sniffMediaType(bytes) ?? declaredType.trim().slice(0, 100),
    bytes: bytes.length,
    isDocument,
    isText: words !== undefined,
    words,
  };
}

export function listFile(file: HeldFile): ListedFile {
  const { words: _words, ...listed } = describeFile(file);
  return listed;
}
