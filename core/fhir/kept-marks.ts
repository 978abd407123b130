/**
 * kept-marks: places in the text of a kept resource that are filled in when it is stored, because only then its record,
 * its document and its id are known (pure). A mark stands between two characters that no document may hold.
 */

/** What is filled in: the record's id, something of the resource itself, or the id of another part of the document. */
type MarkName = 'patient' | 'id' | 'version' | 'updated' | 'source' | number;

const EDGE = '\u0001';
const WRITTEN = /\\u0001([a-z0-9]{1,12})\\u0001/g;
const PLAIN = /\u0001([a-z0-9]{1,12})\u0001/g; // eslint-disable-line no-control-regex

export function markOf(name: MarkName): string {
  return `${EDGE}${name}${EDGE}`;
}

export type Fill = (name: string) => string;

/** Fills in the marks of a text in JSON, where the edges are escaped. */
export function fillWritten(text: string, fill: Fill): string {
  return text.replace(WRITTEN, (_, name: string) => fill(name));
}

/** Fills in the marks of a plain text. */
export function fillPlain(text: string, fill: Fill): string {
  return text.replace(PLAIN, (_, name: string) => fill(name));
}
