/** search: finds entries of a coding system by any part of their name, in the time of a few index look-ups. */
import type { Reads } from '../storage/database';
import { findCodesWith, findWords, searchAll, searchAmong, type CodeEntry } from '../storage/stores/codes';
import { folded, soughtWords, type SoughtWord } from './words';

const SHOWN = 100;
/**
 * A word in more names than this does not narrow the search. Then, however, so many names match that walking them in
 * order ends soon.
 */
const CANDIDATES = 5000;
/** The limit for a text of several words, because fewer names have all of them. */
const CANDIDATES_OF_SEVERAL = 30_000;
const WORDS_TRIED = 8;

const candidatesFor = async (on: Reads, system: string, sought: SoughtWord): Promise<readonly number[] | undefined> => {
  const limit = sought.part === 'inside' ? CANDIDATES : CANDIDATES_OF_SEVERAL;
  const words = await findWords(on, system, sought, CANDIDATES);
  return words && findCodesWith(on, words, limit);
};

/** The longest words of a text are the rarest more often than not. */
const rareFirst = (text: string): readonly SoughtWord[] =>
  [...soughtWords(text)].sort((a, b) => b.word.length - a.word.length).slice(0, WORDS_TRIED);

/** The entries to which the first rare enough word narrows the search; undefined when every word is common. */
const narrow = async (on: Reads, system: string, text: string): Promise<readonly number[] | undefined> => {
  for (const sought of rareFirst(text)) {
    const found = await candidatesFor(on, system, sought);
    if (found) {
      return found;
    }
  }
  return undefined;
};

/** At most 100 entries whose name contains the text, ignoring case; by name, then code. None for an empty text. */
export const findCodes = async (on: Reads, system: string, typed: string): Promise<readonly CodeEntry[]> => {
  const text = folded(typed);
  if (text === '') {
    return [];
  }
  const among = await narrow(on, system, text);
  if (among) {
    return among.length === 0 ? [] : searchAmong(on, among, text, SHOWN);
  }
  return searchAll(on, system, text, SHOWN);
};
