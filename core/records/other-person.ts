/**
 * other-person: decides whether a document is about somebody else than the person of the record to which it is added
 * (pure).
 */
import type { Scalar } from '../facts/model/model';
import type { About } from '../facts/about';

/** Whom a document names and when that person was born, and when the person of the record was born; null: not said. */
export type OtherPerson = {
  readonly subject: string | null;
  readonly born: string | null;
  readonly recordBorn: string | null;
};

const NAMES = ['name_given', 'name_middle', 'name_family'];

/** Words of a name, without accents. */
function wordsOfName(name: string): readonly string[] {
  return (
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Names that children have in hospitals until they have one, often beside that of their mother. */
const NEWBORN = ['baby', 'babyboy', 'babygirl', 'newborn', 'infant', 'neugeborenes'];

/** A document about several people names them with semicolons between them. */
const SEVERAL = '; ';

function isLatin(words: readonly string[]): boolean {
  return words.some((word) => /\p{Script=Latin}/u.test(word));
}

/**
 * The same day of birth and one name in common mean the same person, because people marry and have short names. If a
 * day of birth is missing, one name in common is enough, but not to a newborn child with its mother's name. There is no warning if nothing can be compared, such as names
 * in different scripts. A document about several people is always asked about.
 * @param person the demographics of the record, by column
 * @returns undefined for the same person
 */
export function otherPerson(
  about: Pick<About, 'subject' | 'born'> | undefined,
  person: Readonly<Record<string, Scalar>>,
): OtherPerson | undefined {
  const [subject, born] = [about?.subject ?? null, about?.born?.slice(0, 10) ?? null];
  const recordBorn = typeof person['bday'] === 'string' ? person['bday'].slice(0, 10) : null;
  const [theirs, own] = [wordsOfName(subject ?? ''), wordsOfName(NAMES.map((name) => person[name] ?? '').join(' '))];
  // A document may know the year or the month of birth only.
  const otherDay = born !== null && recordBorn !== null && !recordBorn.startsWith(born);
  const comparable = theirs.length > 0 && own.length > 0 && isLatin(theirs) === isLatin(own);
  const isNewborn = born === null && theirs.some((word) => NEWBORN.includes(word) && !own.includes(word));
  const otherName = comparable && (isNewborn || !theirs.some((word) => own.includes(word)));
  const several = subject?.includes(SEVERAL) === true;
  return otherDay || otherName || several ? { subject, born, recordBorn } : undefined;
}
