/** other-heads: finds the line below a table in which its heads stand once more, or another table begins (pure). */
import { foldedText } from '../../base/words/folded-text';

/** Heads of columns, folded, that say when something was measured. */
export const WHEN = /\b(date|datum|fecha|data\b|zeit|time|when|gemessen|measured|hora|heure|ora\b)|تاريخ|وقت/;

const LONGEST_HEAD = 40;
/** A name with a unit in brackets behind it: the whole head of a table of one value. */
const WITH_UNIT = /^\p{L}.*[([]\s*(?:mm ?hg|kpa|bpm|\/min|kg|lbs?|g|cm|m|in|°?\s?[cf]|mg\/dl|mmol\/l|%)\s*[)\]]$/u;

function isHead(text: string): boolean {
  return /^[^\d<>≤≥+]*\p{L}/u.test(text) && !/\d{3}|\d[:/.]\d/.test(text) && text.length <= LONGEST_HEAD;
}

/**
 * What a record below the heads of a table is: `same` for its heads once more, `other` for those of another table, whose
 * numbers would be read as something that they are not; undefined for a row. Heads are words only, of which one of the
 * first two says when, or one name alone with its unit.
 */
export function headsBelow(record: readonly string[], heads: readonly string[]): 'same' | 'other' | undefined {
  const cells = record.filter((text) => text !== '');
  if (cells.length === 0 || !cells.every(isHead)) {
    return undefined;
  }
  const folded = record.map(foldedText);
  if (cells.length > 1 && folded.every((text, at) => text === foldedText(heads[at] ?? ''))) {
    return 'same';
  }
  const isNamed = cells.length > 1 && folded.slice(0, 2).some((text) => WHEN.test(text));
  const isAlone = cells.length === 1 && WITH_UNIT.test(folded[0]!);
  return isNamed || isAlone ? 'other' : undefined;
}
