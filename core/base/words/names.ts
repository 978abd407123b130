/**
 * names: whether a name may be that of a person whose names are known (pure). `pipeline-config/fhir-bundle/transform.xsl`
 * has the same rules for facts, so that a resource and its fact stay or go together.
 */

const TITLES = ['patient', 'mr', 'mrs', 'ms', 'dr'];
/** Names that children have in hospitals until they have one, often beside that of their mother. */
const NEWBORN = ['baby', 'babyboy', 'babygirl', 'newborn', 'infant', 'neugeborenes'];

/** The words of a name in small letters, without accents and titles. */
export function wordsOfName(name: string): readonly string[] {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (words ?? []).filter((word) => !TITLES.includes(word));
}

function isLatin(words: readonly string[]): boolean {
  return words.some((word) => /\p{Script=Latin}/u.test(word));
}

/** Whether they have no word in common. Names that are empty, or in different scripts, cannot be compared. */
export function areUnlikeNames(own: readonly string[], theirs: readonly string[]): boolean {
  const comparable = theirs.length > 0 && own.length > 0 && isLatin(theirs) === isLatin(own);
  return comparable && !theirs.some((word) => own.includes(word));
}

/** Whether it is the name of a newborn child, which often is that of its mother with a word before it. */
export function isNewbornName(own: readonly string[], theirs: readonly string[]): boolean {
  return own.length > 0 && theirs.some((word) => NEWBORN.includes(word) && !own.includes(word));
}
