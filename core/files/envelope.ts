/** envelope: wraps a file that is no XML in a document `File`, and unwraps it again (pipeline-config/file). */
import { AppError, errors } from '../base/errors';
import { documentsNamespace } from '../documents/document-types';
import { element, writeXml } from '../xml/write';
import { withBase64 } from './large-envelope';
import { mayHold, mayHoldFiles, type HeldFile } from './held-file';
import { sniffMediaType } from './sniff';

export type FileToWrap = {
  readonly bytes: Buffer;
  /** Its name for people. White space is collapsed, and everything after 255 characters is cut off. */
  readonly title: string;
  /** The day that the file is about: `YYYY-MM-DD`, with a time if that is known. */
  readonly date?: string;
  /** What it is, in words: a letter, an X-ray. At most 100 characters. */
  readonly kind?: string;
  /** Keep a file of any kind, because the person says so. */ readonly anyKind?: boolean;
};

const UNKNOWN = 'application/octet-stream';

/** Files of programs that people have, and of health data: these endings open the right program, and start none. */
const KNOWN_ENDINGS: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.dcm': 'application/dicom',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.heic': 'image/heic',
  '.hl7': 'x-application/hl7-v2+er7',
  '.json': 'application/json',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.smart-health-card': 'application/smart-health-card',
  '.tiff': 'image/tiff',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

function endingIn(title: string): string {
  return /\.[A-Za-z0-9-]{2,20}$/.exec(title.trim())?.[0].toLowerCase() ?? '';
}

function typeOfAnyKind(bytes: Buffer, title: string): string {
  const sniffed = sniffMediaType(bytes);
  return sniffed === undefined || sniffed === 'text/plain'
    ? (KNOWN_ENDINGS[endingIn(title)] ?? sniffed ?? UNKNOWN)
    : sniffed;
}

/** Types that others declare for XML -> the ending. */
const DECLARED_ENDINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(KNOWN_ENDINGS).map(([ending, type]) => [type, ending])),
  'text/xml': '.xml',
  'application/hl7-v3+xml': '.xml',
  'application/cda+xml': '.xml',
};

/** The largest file that a document holds. Such a document is larger than one in XML that somebody sends may be. */
export const MOST_FILE_BYTES = 50_000_000;
/** The most bytes of a document with such a file: its base64, and what is said of it. */
export const MOST_ENVELOPE_BYTES = 4 * Math.ceil(MOST_FILE_BYTES / 3) + 16_384;
const LONGEST_TITLE = 255;
/** What comes behind it in the text of a document has no such character. */
const CONTENT_GOES_HERE = '-';

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * The document that holds a file. Its media type is found from its bytes: PDF, RTF, PNG, JPEG, GIF, WebP or plain text.
 * With `anyKind`, the ending of its title says it where the bytes do not.
 * @throws AppError invalid_document for no bytes and, without `anyKind`, for any other file, and too_large for more than
 * `MOST_FILE_BYTES`
 */
export function wrapFile({ bytes, title, date, kind, anyKind }: FileToWrap, vocabBase: string): Buffer {
  const mediaType = anyKind === true ? typeOfAnyKind(bytes, title) : sniffMediaType(bytes);
  if (mediaType === undefined || bytes.length === 0) {
    throw errors.invalidDocument('it is neither XML nor a PDF, RTF, PNG, JPEG, GIF or WebP file nor plain text');
  }
  if (bytes.length > MOST_FILE_BYTES) {
    throw new AppError(413, 'too_large', `a file in a document is at most ${MOST_FILE_BYTES} bytes long.`);
  }
  const root = element('File', { xmlns: documentsNamespace(vocabBase) }, [
    element('title', {}, inOneLine([...inOneLine(title)].slice(0, LONGEST_TITLE).join(''))),
    date !== undefined && element('date', {}, date),
    kind !== undefined && element('kind', {}, inOneLine(kind)),
    element('mediaType', {}, mediaType),
    element('content', {}, CONTENT_GOES_HERE),
  ]);
  const text = writeXml(root);
  const place = text.lastIndexOf(CONTENT_GOES_HERE);
  return withBase64(text.slice(0, place), bytes, text.slice(place + CONTENT_GOES_HERE.length));
}

export type UnwrappedFile = {
  /** The media type that the document declares; it may be shown to people, and must not be sent to browsers. */
  readonly declaredType: string;
  /** The media type for browsers, which is found from the bytes; `application/octet-stream` for an unknown one. */
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** A name for the file: its title, with the ending that fits. */
  readonly name: string;
};

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/rtf': '.rtf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'text/plain': '.txt',
};
const OTHER_ENDING = '.bin';

/**
 * Characters that file systems or headers do not accept in a name, and those that reverse the direction of text and
 * make `gpj.exe` look like a picture.
 */
// eslint-disable-next-line no-control-regex
const NOT_IN_NAMES = /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A text as part of the name of a file on any computer; empty when nothing is left of it. */
export function fileNameOf(text: string): string {
  return inOneLine(text.replace(NOT_IN_NAMES, ' ')).replace(/^\.+/, '');
}

/** A title that has the right ending already stays as it is. */
function fileTitle(title: string, mediaType: string, declaredType: string): string {
  const declared = ['text/plain', UNKNOWN].includes(mediaType) ? DECLARED_ENDINGS[declaredType] : undefined;
  const ending = declared ?? ENDINGS[mediaType] ?? OTHER_ENDING;
  const plain = fileNameOf(title) || 'file';
  const ends = [ending, mediaType === 'image/jpeg' ? '.jpeg' : ending];
  return ends.some((one) => plain.toLowerCase().endsWith(one)) ? plain : `${plain}${ending}`;
}

function asFile({ title, declaredType, bytes }: HeldFile): UnwrappedFile {
  const mediaType = sniffMediaType(bytes) ?? UNKNOWN;
  return { declaredType, mediaType, bytes, name: fileTitle(title, mediaType, declaredType) };
}

/** Finds the file in a document, outside the server's process: `heldFile` of the document reader. */
export type FindHeld = (stored: Buffer, namespace: string) => Promise<HeldFile | undefined>;

/**
 * The file in a stored document: of the type File, a C-CDA whose body is no XML, or a FHIR DocumentReference with its
 * data.
 * @param stored a document that the service accepted, XML or FHIR in JSON
 * @param anywhere whether `find` looks for it at any place of the document
 * @returns undefined for any other document, and where only an address is given
 * @throws AppError unavailable, transform_failed
 */
export async function unwrapFile(
  find: FindHeld,
  stored: Buffer,
  vocabBase: string,
  anywhere = false,
): Promise<UnwrappedFile | undefined> {
  const may = anywhere ? mayHoldFiles(stored) : mayHold(stored);
  const held = may ? await find(stored, documentsNamespace(vocabBase)) : undefined;
  return held && held.bytes.length > 0 ? asFile(held) : undefined;
}
