/** other-names: names of one thing that have nothing in common, such as "Tylenol" and "Paracetamol" (pure). */
import { foldedText } from '../base/words/folded-text';

/** More names than this are not said. */
const MOST_NAMES = 5;

/** The words of a name, without numbers and units. */
function spelledWords(name: string): readonly string[] {
  return foldedText(name).match(/\p{L}{3,}/gu) ?? [];
}

/**
 * The names that have nothing in common with the one that is shown, each once. Two names have something in common where
 * one has the first word of the other: so "Paracetamol" and "Tylenol 500 mg" have nothing in common, and "Paracetamol"
 * and "10 paracetamol tablets" do. A sender may give two things one code, and then nobody sees the second one otherwise.
 */
export function namesApart(shown: string, names: readonly string[]): readonly string[] {
  const known = spelledWords(shown);
  const apart = names.filter((name) => {
    const words = spelledWords(name);
    return words.length > 0 && known.length > 0 && !known.includes(words[0]!) && !words.includes(known[0]!);
  });
  return [...new Map(apart.map((name) => [foldedText(name), name])).values()].slice(0, MOST_NAMES);
}
