/** sniff: finds out what kind of file bytes are, from the bytes alone; a name or a declaration proves nothing. */
import { isUtf8 } from 'node:buffer';

function begins(bytes: Uint8Array, text: string, at = 0): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .subarray(at, at + text.length)
    .equals(Buffer.from(text, 'latin1'));
}

/**
 * PDF readers accept some bytes before the signature. A file with such bytes is not accepted here, because it is more
 * likely something else that contains a PDF.
 */
const SIGNS: readonly { readonly mediaType: string; readonly matches: (bytes: Uint8Array) => boolean }[] = [
  { mediaType: 'application/rtf', matches: (bytes) => isRichText(bytes) },
  { mediaType: 'application/pdf', matches: (bytes) => begins(bytes, '%PDF-') },
  { mediaType: 'image/png', matches: (bytes) => begins(bytes, '\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', matches: (bytes) => begins(bytes, '\xff\xd8\xff') },
  { mediaType: 'image/gif', matches: (bytes) => begins(bytes, 'GIF87a') || begins(bytes, 'GIF89a') },
  { mediaType: 'image/webp', matches: (bytes) => begins(bytes, 'RIFF') && begins(bytes, 'WEBP', 8) },
];

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/;
const LOOKED_AT = 65_536;

/** UTF-8 without control characters; only the first 64 kB are searched for those. */
function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1'));
}

/**
 * The media type of PDF, RTF, PNG, JPEG, GIF, WebP and plain text in UTF-8 (anything that people can read, XML and JSON
 * too).
 * @returns undefined for everything else, and for no bytes at all
 */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const sign = SIGNS.find(({ matches }) => matches(bytes));
  return sign?.mediaType ?? (bytes.length > 0 && isPlainText(bytes) ? 'text/plain' : undefined);
}

function startOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 64))
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/, '');
}

/** A web page: it begins like XML, but cannot be read as XML. */
export function isWebPage(bytes: Uint8Array): boolean {
  return /^\s*<!doctype\s+html/i.test(startOf(bytes));
}

/** A text with its layout (RTF): it begins like JSON. */
export function isRichText(bytes: Uint8Array): boolean {
  return startOf(bytes).startsWith('{\\rtf');
}

/** The beginning, in UTF-8 or UTF-16, without a byte order mark; only its ASCII can be relied on. */
export function textAtStart(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 8192))
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(?:\u00FE\u00FF|\u00FF\u00FE|\u00EF\u00BB\u00BF)/, '');
}

/**
 * What may stand before the root. A comment ends at its first `-->`: a pattern that may also look for a later one would
 * take twice as long for each further comment.
 */
const BEFORE_ROOT = /^\s*(?:<\?[^>]*\?>\s*|<!--(?:(?!-->)[^])*-->\s*)*/;

/** The text from the root on, without declarations, instructions and comments before it. */
export function fromRoot(text: string): string {
  return text.slice(BEFORE_ROOT.exec(text)![0].length);
}

/** Resources of FHIR in a JSON list, as some programs write what they export. */
export const LIST_OF_RESOURCES = /^\s*\[\s*\{[^]*"resourceType"\s*:/;

/**
 * Begins like XML or JSON (and not like RTF), in UTF-8 or UTF-16: whoever sends it means a document, not a file that a
 * document should hold.
 */
export function looksLikeDocument(bytes: Uint8Array): boolean {
  const start = textAtStart(bytes);
  return !isRichText(bytes) && (/^(?:\u00EF\u00BB\u00BF|\s)*[<{]/.test(start) || LIST_OF_RESOURCES.test(start));
}
