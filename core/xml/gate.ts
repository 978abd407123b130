/**
 * gate: turns untrusted bytes into a parsed document without DOCTYPE, or into a refusal that names the rule and no
 * document text.
 */
import { errors, type AppError, type ProblemKind } from '../base/errors';
import type { Fault, PlainElement, Pointer, XmlEngine } from './engine';

/** A document that passed the gate. It lives inside the sandbox until `free` is called. */
export type Gated = {
  readonly pointer: Pointer;
  readonly root: { readonly namespace: string; readonly name: string };
  /** The document, written anew in UTF-8 for the native engines. It refuses documents that would overload them. */
  readonly cleanText: () => string;
  /** The document as plain data. */
  readonly tree: () => PlainElement;
  readonly free: () => void;
};

/**
 * Encodings that every part of the chain reads alike. UTF-7 and similar ones serve only to smuggle text past checks.
 */
const ENCODINGS = new Set([
  'utf-8',
  'utf8',
  'utf-16',
  'utf-16le',
  'utf-16be',
  'us-ascii',
  'ascii',
  'iso-8859-1',
  'iso-8859-15',
  'windows-1252',
]);

/** The native engines search attributes and prefixes one by one, so a flood of them would block them for hours. */
const ATTRIBUTES_PER_ELEMENT = 256;
const NAMESPACES_IN_SCOPE = 512;
/** A shorter text cannot hold enough of either to matter. */
const FLOOD_BYTES = 4096;

/** libxml2's error number for its own limits: a document that exceeds one may well be well-formed. */
const TOO_MUCH = 114;

/** libxml2's error numbers for faults of documents, in our words. Other faults are described in general words. */
const RULES: Readonly<Record<number, string>> = {
  2: 'it needs too much memory',
  4: 'the document has no root element',
  5: 'nothing may follow the root element',
  9: 'this character is not allowed in XML',
  26: 'entities other than the five of XML are not allowed',
  32: 'the encoding is not supported',
  38: 'the character < must be escaped in attribute values',
  39: 'attribute values must be in quotes',
  40: 'an attribute value does not end',
  41: 'an attribute needs a value',
  42: 'an attribute occurs twice',
  45: 'a comment does not end',
  62: 'the sequence ]]> is not allowed in text',
  63: 'a CDATA section does not end',
  64: 'the XML declaration is allowed only at the start',
  65: 'white space is missing',
  68: 'a name is not valid',
  73: 'a tag does not end with >',
  76: 'a start tag and an end tag do not match',
  77: 'an element does not end',
  79: 'the encoding name is not valid',
  80: 'the sequence -- is not allowed in comments',
  81: 'the bytes do not fit the encoding',
  96: 'the XML version is missing',
  108: 'only XML 1.0 is supported',
  110: 'a name is too long',
  [TOO_MUCH]: 'it is nested deeper than 256 elements or holds a text longer than 10,000,000 bytes',
  200: 'a namespace declaration is not allowed',
  201: 'a namespace prefix is not declared',
  202: 'a name holds more than one colon',
  203: 'an attribute occurs twice',
  204: 'a namespace declaration is empty',
};

function notWellFormed(faults: readonly Fault[]): AppError {
  return errors.invalidDocument(
    faults.some(({ code }) => code === TOO_MUCH) ? RULES[TOO_MUCH]! : 'it is not well-formed XML',
    faults.map(({ code, line, column }) => ({
      ...(line > 0 ? { line } : {}),
      ...(column > 0 ? { column } : {}),
      message: RULES[code] ?? 'this is not well-formed XML',
      kind: 'damaged',
    })),
  );
}

function refusal(rule: string, line = 1, kind?: ProblemKind): AppError {
  return errors.invalidDocument(rule, [{ line, message: rule, ...(kind ? { kind } : {}) }]);
}

function startsWith(bytes: Buffer, ...start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

type Wide = 'utf16le' | 'utf16be' | null;

/** UTF-16 is recognized by its byte order mark, or by the zero byte next to the first character. */
function wideness(bytes: Buffer): Wide {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0x3c, 0x00)) {
    return 'utf16le';
  }
  return startsWith(bytes, 0xfe, 0xff) || startsWith(bytes, 0x00, 0x3c) ? 'utf16be' : null;
}

function narrow(bytes: Buffer, wide: Wide): string {
  if (wide === null) {
    return bytes.toString('latin1');
  }
  const pairs = bytes.subarray(0, bytes.length & ~1);
  return (wide === 'utf16le' ? pairs : Buffer.from(pairs).swap16()).toString('utf16le');
}

const DECLARATION_BEGINS = /^[^<]{0,3}<\?xml\s/;

/**
 * The XML declaration up to its end, however long somebody made it, or all bytes if it does not end; empty when there
 * is none.
 */
function declarationOf(bytes: Buffer, wide: Wide): string {
  if (!DECLARATION_BEGINS.test(narrow(bytes.subarray(0, 32), wide))) {
    return '';
  }
  const mark = Buffer.from('?>', wide === null ? 'latin1' : 'utf16le');
  const end = bytes.indexOf(wide === 'utf16be' ? mark.swap16() : mark);
  return narrow(end < 0 ? bytes : bytes.subarray(0, end + mark.length), wide);
}

/** Refuses encodings outside the list before any parser has to interpret them. */
function checkEncoding(bytes: Buffer, wide: Wide): void {
  const fourByte =
    startsWith(bytes, 0, 0, 0, 0x3c) ||
    startsWith(bytes, 0x3c, 0, 0, 0) ||
    startsWith(bytes, 0, 0, 0xfe, 0xff) ||
    startsWith(bytes, 0xff, 0xfe, 0, 0) ||
    startsWith(bytes, 0, 0, 0x3c, 0) ||
    startsWith(bytes, 0, 0x3c, 0, 0);
  const ebcdic = startsWith(bytes, 0x4c, 0x6f, 0xa7, 0x94);
  const declared = /encoding\s*=\s*["']([^"'>]*)/.exec(declarationOf(bytes, wide))?.[1];
  if (fourByte || ebcdic || (declared !== undefined && !ENCODINGS.has(declared.toLowerCase()))) {
    throw refusal(
      'its encoding is not one of UTF-8, UTF-16, US-ASCII, ISO-8859-1, ISO-8859-15 and windows-1252',
      1,
      'encoding',
    );
  }
}

const DOCTYPE = '<!DOCTYPE';

/** The end of the comment or processing instruction that begins here; -1 for anything else. */
function endOfMisc(text: string, place: number): number {
  if (text.startsWith('<!--', place)) {
    return text.indexOf('-->', place + 4);
  }
  return text.startsWith('<?', place) ? text.indexOf('?>', place + 2) : -1;
}

/** Line of a DOCTYPE before the root element; 0 without one. In comments and CDATA it is just text. */
function doctypeLine(bytes: Buffer, wide: Wide): number {
  if (wide === null && !bytes.includes(DOCTYPE)) {
    return 0;
  }
  const text = narrow(bytes, wide);
  let place = 0;
  for (;;) {
    place = text.indexOf('<', place);
    const end = endOfMisc(text, place);
    if (place < 0 || end < 0) {
      break;
    }
    place = end + 2;
  }
  return place >= 0 && text.startsWith(DOCTYPE, place) ? text.slice(0, place).split('\n').length : 0;
}

function occurrences(tag: string, part: string): number {
  return tag.split(part).length - 1;
}

const TAG_ENDS: Readonly<Record<string, string>> = { '!': '-->', '?': '?>' };

/**
 * Checks the tags of text that libxml2 wrote, in which > occurs only at the end of a tag (except in comments and PIs).
 */
function refuseFloods(text: string): void {
  const open: number[] = [];
  let inScope = 0;
  let start = text.indexOf('<');
  while (start >= 0) {
    const kind = text[start + 1];
    const special = TAG_ENDS[kind ?? ''] ?? '>';
    const end = text.indexOf(special, start);
    if (end < 0) {
      return;
    }
    if (kind === '/') {
      inScope -= open.pop() ?? 0;
    } else if (special === '>') {
      const tag = text.slice(start, end);
      const declared = tag.includes('xmlns') ? occurrences(tag, ' xmlns') : 0;
      if (inScope + declared > NAMESPACES_IN_SCOPE || occurrences(tag, '="') > ATTRIBUTES_PER_ELEMENT) {
        throw refusal(
          `an element has more than ${ATTRIBUTES_PER_ELEMENT} attributes or is under more than ` +
            `${NAMESPACES_IN_SCOPE} namespace declarations`,
          text.slice(0, start).split('\n').length,
        );
      }
      if (text[end - 1] !== '/') {
        open.push(declared);
        inScope += declared;
      }
    }
    start = text.indexOf('<', end);
  }
}

function cleanText(engine: XmlEngine, pointer: Pointer): string {
  const text = engine.serialize(pointer);
  if (text.length > FLOOD_BYTES) {
    refuseFloods(text);
  }
  return text;
}

/**
 * Accepts a well-formed document that is at most `maxBytes` long and at most 256 deep, has no DOCTYPE or entities, and
 * is in a common encoding. Nothing outside the document is ever read. The caller frees the result.
 * @throws AppError too_large or invalid_document, with lines and columns, without a word of the document
 */
export function gate(engine: XmlEngine, bytes: Buffer, maxBytes: number): Gated {
  if (bytes.length > maxBytes) {
    throw errors.tooLarge(`${maxBytes} bytes`);
  }
  const wide = wideness(bytes);
  checkEncoding(bytes, wide);
  const line = doctypeLine(bytes, wide);
  if (line > 0) {
    throw refusal('a DOCTYPE is not allowed', line, 'doctype');
  }
  const { document, faults } = engine.parse(bytes);
  const withDoctype = document !== 0 && engine.hasDoctype(document);
  if (document === 0 || faults.length > 0 || withDoctype) {
    engine.free(document);
    throw withDoctype ? refusal('a DOCTYPE is not allowed', 1, 'doctype') : notWellFormed(faults);
  }
  let tree: PlainElement | undefined;
  let text: string | undefined;
  const clean = (): string => (text ??= cleanText(engine, document));
  return {
    pointer: document,
    root: engine.rootOf(document),
    cleanText: clean,
    tree: () => {
      // A document that would overload the native engines is refused here, too.
      clean();
      return (tree ??= engine.plainRoot(document));
    },
    free: () => engine.free(document),
  };
}
