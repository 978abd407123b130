/** words: how names of codes and what people type are cut into words (pure). */

/** Letters and digits together are a word; every other visible character is one by itself. */
const WORDS = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;

/** Longer words are cut; a longer search text is compared as a whole anyway. */
const LONGEST = 100;

/** The form in which texts are compared. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function clip(word: string): string {
  return word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word;
}

/** The different words of a folded text. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set((text.match(WORDS) ?? []).map(clip))];
}

/** The endings of a word: the word itself, and what is left from each later character on. */
export function endingsOf(word: string): readonly string[] {
  const characters = [...word];
  return characters.map((_first, index) => characters.slice(index).join(''));
}

/** A word of a search text, and which part of a word of the name it must be. */
export type SoughtWord = { readonly word: string; readonly part: 'whole' | 'beginning' | 'ending' | 'inside' };

/** What each word must be in a name that contains the folded text. */
export function soughtWords(text: string): readonly SoughtWord[] {
  const words = (text.match(WORDS) ?? []).map(clip);
  return words.map((word, index): SoughtWord => {
    const [first, last] = [index === 0, index === words.length - 1];
    const atStart = last ? 'inside' : 'ending';
    const later = last ? 'beginning' : 'whole';
    return { word, part: first ? atStart : later };
  });
}
