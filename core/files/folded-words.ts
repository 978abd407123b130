/**
 * folded-words: the words of a text as searches compare them, and the places that say them (pure).
 */
import { foldedText } from '../base/words/folded-text';

/** The different words of a text for comparisons, a word a line. @param most how many characters in all */
export function distinctWords(text: string, most: number): string {
  const words = new Set<string>();
  let room = most;
  for (const [word] of foldedText(text).matchAll(/[\p{L}\p{N}](?:\S{0,98}[\p{L}\p{N}%])?/gu)) {
    if (!words.has(word)) {
      room -= word.length + 1;
      if (room < 0) {
        break;
      }
      words.add(word);
    }
  }
  return [...words].join('\n');
}

/** A place in a text: what stands before it, the words themselves, and what stands after them. */
export type Quote = { readonly before: string; readonly said: string; readonly after: string };

/** How much of the text around a place is told. */
const AROUND = 70;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Shortens a text at its beginning or end, at a space if one is near. */
function cutBefore(text: string): string {
  return text.length <= AROUND ? text : `\u2026${text.slice(-AROUND).replace(/^\S{0,20}\s/, '')}`;
}
function cutAfter(text: string): string {
  return text.length <= AROUND ? text : `${text.slice(0, AROUND).replace(/\s\S{0,20}$/, '')}\u2026`;
}

/** The first place of a text that says one of the words, which are folded; undefined if it says none. */
export function quoteIn(text: string, words: readonly string[]): Quote | undefined {
  const letters = [...text];
  const folded = letters.map(foldedText);
  const whole = folded.join('');
  const word = words.find((one) => one !== '' && whole.includes(one));
  if (word === undefined) {
    return undefined;
  }
  const [from, to] = [whole.indexOf(word), whole.indexOf(word) + word.length];
  let at = 0;
  let [first, last] = [-1, letters.length];
  for (const [index, one] of folded.entries()) {
    if (first < 0 && at + one.length > from) {
      first = index;
    }
    at += one.length;
    if (at >= to) {
      last = index + 1;
      break;
    }
  }
  const part = (begin: number, end: number): string => oneLine(letters.slice(begin, end).join(''));
  return {
    before: cutBefore(part(Math.max(0, first - 2 * AROUND), first).trimStart()),
    said: part(first, last),
    after: cutAfter(part(last, last + 2 * AROUND).trimEnd()),
  };
}
