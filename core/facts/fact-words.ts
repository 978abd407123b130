/**
 * fact-words: the words by which a fact with long texts is found. They are made when the fact is stored, so that a search
 * never reads a long text.
 */
import type { Fact, PlannedColumn } from './plans';

/** A search reads this many characters of each text itself; longer texts have words of their own. */
export const SEARCHED_CHARACTERS = 1000;

/** The words of one fact have this many characters in all. */
const WORDS_CHARACTERS = 32_000;

/** No word that people type is longer. */
const LONGEST_WORD = 100;

/** Words are looked for in this many characters of a text, so that storing a text takes no longer than reading it. */
const READ_CHARACTERS = 1_000_000;

function longTexts(columns: readonly PlannedColumn[], values: Fact['values']): readonly string[] {
  return columns
    .filter(({ kind }) => kind === 'text')
    .map(({ name }) => values[name])
    .filter((value) => typeof value === 'string' && value.length > SEARCHED_CHARACTERS) as readonly string[];
}

function addWords(words: Set<string>, text: string, room: number): number {
  let left = room;
  for (const [found] of text.slice(0, READ_CHARACTERS).toLowerCase().matchAll(/\S+/g)) {
    const word = found.slice(0, LONGEST_WORD);
    if (!words.has(word)) {
      left -= word.length + 1;
      if (left < 0) {
        return 0;
      }
      words.add(word);
    }
  }
  return left;
}

/** The different words of the long texts of a fact, in lower case and as many as are kept; null if all are short. */
export function factWords(columns: readonly PlannedColumn[], values: Fact['values']): string | null {
  const words = new Set<string>();
  let room = WORDS_CHARACTERS;
  for (const text of longTexts(columns, values)) {
    room = addWords(words, text, room);
  }
  return words.size === 0 ? null : [...words].join(' ').toWellFormed();
}
