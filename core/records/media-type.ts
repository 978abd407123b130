/** media-type: what a record document may be declared as, and what is kept of it (pure). */
import { errors } from '../base/errors';

/** The column's length, also that of app storage. */
export const LONGEST_MEDIA_TYPE = 100;

const DEFAULT_MEDIA_TYPE = 'application/xml';
/** What clients send that do not say what they send; the body decides. */
const undeclared = ['', 'application/x-www-form-urlencoded', 'application/octet-stream'];
/** It is sent back as a header, so it has no letters but those of a name. */
const xmlTypes = /^(?:(?:application|text)\/xml|[\w.+-]+\/[\w.+-]+\+xml)$/;

/** @param mediaType without parameters, lower case */
export const isXmlType = (mediaType: string): boolean => xmlTypes.test(mediaType);

/**
 * The media type that a document or an attachment is kept with.
 * @param declared without parameters, lower case
 * @throws errors.invalidDocument for one that is not of XML, or too long to be kept
 */
export const storedMediaType = (declared: string): string => {
  if (undeclared.includes(declared)) {
    return DEFAULT_MEDIA_TYPE;
  }
  if (!isXmlType(declared)) {
    throw errors.invalidDocument('its media type is not XML');
  }
  if (declared.length > LONGEST_MEDIA_TYPE) {
    throw errors.invalidDocument(`its media type is longer than ${LONGEST_MEDIA_TYPE} characters`);
  }
  return declared;
};
