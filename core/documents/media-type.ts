/** media-type: which media types a record document may be declared with, and which one is stored (pure). */
import { errors } from '../base/errors';
import { looksLikeJson } from '../fhir/json-to-xml';

/** The column's length, also that of app storage. */
export const LONGEST_MEDIA_TYPE = 100;

const DEFAULT_MEDIA_TYPE = 'application/xml';
/** The only form of documents that is not XML. */
export const FHIR_JSON = 'application/fhir+json';
/** Media types of clients that do not declare what they send: the body decides. */
const undeclared = ['', 'application/x-www-form-urlencoded', 'application/octet-stream'];
/** The media type is sent back as a header, so it may have no other characters. */
const xmlTypes = /^(?:(?:application|text)\/xml|[\w.+-]+\/[\w.+-]+\+xml)$/;

/** @param mediaType without parameters, lower case */
export function isXmlType(mediaType: string): boolean {
  return xmlTypes.test(mediaType);
}

/** The media type of a document without a declared one, which its first character shows. */
export function mediaTypeOf(bytes: Buffer): string {
  return looksLikeJson(bytes) ? FHIR_JSON : DEFAULT_MEDIA_TYPE;
}

/**
 * JSON must be declared as FHIR, and nothing else may be.
 * @throws errors.invalidDocument when content and media type do not fit
 */
export function requireForm(declared: string, content: Buffer): void {
  const isJson = looksLikeJson(content);
  if (isJson !== (declared === FHIR_JSON)) {
    const rule = isJson ? 'this is not well-formed XML' : 'this is not a JSON object';
    throw errors.invalidDocument(isJson ? 'it is not well-formed XML' : 'it is not well-formed JSON', [
      { line: 1, message: rule, kind: 'damaged' },
    ]);
  }
}

/**
 * The media type that is stored with a document or an attachment.
 * @param declared without parameters, lower case
 * @throws errors.invalidDocument for a media type that is neither XML nor FHIR in JSON, that is too long to be stored,
 * or that does not fit the content
 */
export function storedMediaType(declared: string, content: Buffer): string {
  requireForm(declared, content);
  if (declared === FHIR_JSON) {
    return FHIR_JSON;
  }
  if (undeclared.includes(declared)) {
    return DEFAULT_MEDIA_TYPE;
  }
  if (!isXmlType(declared)) {
    throw errors.invalidDocument(`its media type is neither XML nor ${FHIR_JSON}`);
  }
  if (declared.length > LONGEST_MEDIA_TYPE) {
    throw errors.invalidDocument(`its media type is longer than ${LONGEST_MEDIA_TYPE} characters`);
  }
  return declared;
}
