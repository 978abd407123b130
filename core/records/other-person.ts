/** other-person: whether a document tells of somebody else than the person of the record to which it is added (pure). */
import type { Scalar } from '../datamodel/model';
import type { About } from '../storage/about';

/** Whom a document names, and when the person of the record was born; null: nobody said. */
export type OtherPerson = {
  readonly subject: string | null;
  readonly born: string | null;
  readonly recordBorn: string | null;
};

const NAMES = ['name_given', 'name_middle', 'name_family'];

/** Words of a name, without accents. */
const wordsIn = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const isLatin = (words: readonly string[]): boolean => words.some((word) => /\p{Script=Latin}/u.test(word));

/**
 * The same day of birth with one name in common is the same person, because people marry and have short names. Without a day
 * of birth on both sides, one name in common is enough. Nobody is warned where nothing can be compared, as names in different scripts.
 * @param person the demographics of the record, by column
 * @returns undefined for the same person
 */
export const otherPerson = (
  about: Pick<About, 'subject' | 'born'> | undefined,
  person: Readonly<Record<string, Scalar>>,
): OtherPerson | undefined => {
  const [subject, born] = [about?.subject ?? null, about?.born?.slice(0, 10) ?? null];
  const recordBorn = typeof person['bday'] === 'string' ? person['bday'].slice(0, 10) : null;
  const [theirs, own] = [wordsIn(subject ?? ''), wordsIn(NAMES.map((name) => person[name] ?? '').join(' '))];
  // A document may know the year or the month of birth only.
  const otherDay = born !== null && recordBorn !== null && !recordBorn.startsWith(born);
  const comparable = theirs.length > 0 && own.length > 0 && isLatin(theirs) === isLatin(own);
  const otherName = comparable && !theirs.some((word) => own.includes(word));
  return otherDay || otherName ? { subject, born, recordBorn } : undefined;
};
