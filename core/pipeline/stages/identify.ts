/** identify: turns bytes into well-formed XML, and finds its type and the entry for it. */
import { errors, type AppError } from '../../base/errors';
import type { XmlEngine } from '../../xml/engine';
import { FHIR, fhirJsonToXml, looksLikeJson, r4Xml } from '../../fhir/json-to-xml';
import { mayBeOlder, olderAsR4 } from '../../fhir/versions/older-xml';
import { gate, type Gated } from '../../xml/gate';
import { mendsIn, type Mended } from '../../xml/mend';
import type { LeftOut } from '../../base/left-out';
import type { CompiledEntry } from '../compile';
import { documentType } from '../entries';
import { mark } from '../stage-marks';
import type { Identified, Received } from '../steps';

type IdentifyTools = {
  readonly engine: XmlEngine;
  readonly maxBytes: number;
  readonly find: (type: string) => CompiledEntry | undefined;
};

/** The longest type, because types are stored in indexed columns. */
const TYPE_LENGTH = 255;

const XHTML = 'http://www.w3.org/1999/xhtml';

const MENDED: Readonly<Record<Mended['mend'], string>> = {
  start: 'there was something before its first line, which was left out',
  encoding: 'it is written in another encoding than it declares; it was read as it is written',
  western: 'it is not in the encoding that it declares, and was read as Windows-1252: check letters with accents',
  characters: 'characters that XML does not allow were left out; a space stands in their place',
  ampersands: 'the sign & stood alone; it was read as itself',
  namespace: 'its namespace was not declared; it was read as the kind of document that its first name says',
  prefixes: 'prefixes of names (such as sdtc:) were not declared; they were read with their usual meaning',
  strangers: 'prefixes of names were not declared, and have no usual meaning; what they name was kept and not read',
  entities: 'names of characters that XML does not know (such as &nbsp;) were read as in web pages',
};

function toldMend(model: string, { mend, count, line }: Mended): LeftOut {
  return {
    model,
    reason: `mended_${mend}`,
    count,
    where: `line ${line}`,
    words: MENDED[mend],
  };
}

function isDiv(engine: XmlEngine) {
  return (text: string): boolean => {
    const { document, faults } = engine.parse(Buffer.from(text), null, 'UTF-8');
    const root = document === 0 || faults.length > 0 || engine.hasDoctype(document) ? null : engine.rootOf(document);
    engine.free(document);
    return root?.name === 'div' && root.namespace === XHTML;
  };
}

/** FHIR in XML is at most this many times as long as in JSON, because of the closing tags and the words `value`. */
const GROWTH = 4;

/** Written without spaces, FHIR in JSON has about 70 bytes for each of its objects. */
const BYTES_OF_OBJECT = 60;
/** So many objects are read however small documents must be. */
const ALWAYS_READ = 10_000;
const BRACE = 0x7b;

/**
 * Refuses JSON with more objects than a document of the largest size has. Reading an object takes its time however
 * little stands in it, so many empty ones would keep a reader busy. @throws AppError invalid_document
 */
function refuseManyObjects(bytes: Buffer, maxBytes: number): void {
  const most = Math.max(Math.floor(maxBytes / BYTES_OF_OBJECT), ALWAYS_READ);
  let count = 0;
  for (let at = bytes.indexOf(BRACE); at >= 0; at = bytes.indexOf(BRACE, at + 1)) {
    count += 1;
    if (count > most) {
      throw errors.invalidDocument(`it has more than ${most} objects`);
    }
  }
}

/** Notes the narratives that are well-formed. */
function noting(isDiv: (text: string) => boolean, divs: string[] | undefined) {
  return (text: string): boolean => {
    const isWellFormed = isDiv(text);
    if (isWellFormed) {
      divs?.push(text);
    }
    return isWellFormed;
  };
}

/**
 * The document as the tree that schema and stylesheet read: FHIR JSON in its XML form, XML as it is.
 * @param unread receives what was left out of a FHIR Bundle, because it is not FHIR R4; without it, all is refused
 * @throws AppError too_large or invalid_document
 */
export function openDocument(
  { engine, maxBytes }: Omit<IdentifyTools, 'find'>,
  bytes: Buffer,
  unread?: LeftOut[],
  divs?: string[],
  strict = false,
): Gated {
  mark('gate');
  if (bytes.length > maxBytes) {
    throw errors.tooLarge(`${maxBytes} bytes`);
  }
  const isJson = looksLikeJson(bytes);
  if (isJson) {
    refuseManyObjects(bytes, maxBytes);
  }
  const xml = isJson ? Buffer.from(fhirJsonToXml(bytes, noting(isDiv(engine), divs), unread, strict)) : bytes;
  const document = gate(engine, xml, isJson ? GROWTH * maxBytes : maxBytes);
  unread?.push(...mendsIn(xml).map((mended) => toldMend(document.root.name, mended)));
  return document;
}

/** A document of FHIR in XML with its resources of older versions as R4; the same where there are none. */
function inR4(engine: XmlEngine, document: Gated, maxBytes: number, unread: LeftOut[]): Gated {
  const text = document.root.namespace === FHIR ? document.cleanText() : '';
  const tree = mayBeOlder(text) ? document.tree() : null;
  const found = tree ? olderAsR4(tree, text, (resource) => r4Xml(isDiv(engine), resource)) : undefined;
  if (!found) {
    return document;
  }
  const converted = gate(engine, Buffer.from(found.text), GROWTH * maxBytes);
  document.free();
  unread.push(...found.told);
  return converted;
}

function typeRefusal(type: string): AppError | undefined {
  return type.length > TYPE_LENGTH
    ? errors.invalidDocument(`its namespace and root name are longer than ${TYPE_LENGTH} characters together`)
    : undefined;
}

/** @throws AppError too_large or invalid_document. A document of an unknown type is accepted without an entry. */
export function identify({ engine, maxBytes, find }: IdentifyTools) {
  return (received: Received): Identified => {
    const unread: LeftOut[] = [];
    const divs: string[] = [];
    const given = openDocument({ engine, maxBytes }, received.bytes, unread, divs, received.strict);
    mark('identify');
    const document = looksLikeJson(received.bytes) ? given : inR4(engine, given, maxBytes, unread);
    const type = documentType(document.root.namespace, document.root.name);
    const refusal = typeRefusal(type);
    if (refusal) {
      document.free();
      throw refusal;
    }
    return { ...received, document, type, entry: find(type) ?? null, unread, divs };
  };
}
