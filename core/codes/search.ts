/**
 * search: finds entries of a coding system by any part of their name. Common words make that long, and anybody may ask,
 * so it runs on long reads, and networks have a budget (address-budget).
 */
import type { Spend } from '../base/turns/address-budget';
import type { Reads } from '../db/database';
import { countNames, searchAll, searchByWord, type CodeEntry } from './store';
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

function mostOf({ part }: SoughtWord): number {
  return part === 'inside' ? CANDIDATES : CANDIDATES_OF_SEVERAL;
}

/** The longest words of a text are the rarest more often than not. */
function longFirst(text: string): readonly SoughtWord[] {
  return [...soughtWords(text)].sort((a, b) => b.word.length - a.word.length).slice(0, WORDS_TRIED);
}

/** The word that the fewest names have; undefined when every word is common. */
async function rarest(on: Reads, system: string, text: string): Promise<SoughtWord | undefined> {
  const words = longFirst(text);
  const names = await countNames(on, system, words, CANDIDATES_OF_SEVERAL + 1);
  const [first] = words
    .map((word, place) => ({ word, count: names[place]! }))
    .filter(({ word, count }) => count <= mostOf(word))
    .sort((a, b) => a.count - b.count);
  return first?.word;
}

/** What a search costs in which all names are walked, in the units of the budget. A search by a rare word costs one. */
const WALK = 10;

/**
 * At most 100 entries whose name contains the text, ignoring case; by name, then code. None for an empty text.
 * @param on long reads
 */
export async function findCodes(
  on: Reads,
  system: string,
  typed: string,
  spend: Spend = () => undefined,
): Promise<readonly CodeEntry[]> {
  const text = folded(typed);
  if (text === '') {
    return [];
  }
  const word = await rarest(on, system, text);
  if (word) {
    return searchByWord(on, system, word, { text, limit: SHOWN });
  }
  spend(WALK);
  return searchAll(on, system, text, SHOWN);
}
