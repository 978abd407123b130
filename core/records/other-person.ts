/**
 * other-person: decides whether a document is about somebody else than the person of the record to which it is added
 * (pure).
 */
import { areUnlikeNames, isNewbornName, wordsOfName } from '../base/words/names';
import type { Scalar } from '../facts/model/model';
import type { About } from '../facts/about';

/** Whom a document names and when that person was born, and when the person of the record was born; null: not said. */
export type OtherPerson = {
  readonly subject: string | null;
  readonly born: string | null;
  readonly recordBorn: string | null;
};

const NAMES = ['name_given', 'name_middle', 'name_family'];

/** A document about several people names them with semicolons between them. */
const SEVERAL = '; ';

/**
 * The same day of birth and one name in common mean the same person, because people marry and have short names. If a
 * day of birth is missing, one name in common is enough, but not to a newborn child with its mother's name. There is no
 * warning if nothing can be compared, such as names in different scripts. A document about several people is
 * always asked about.
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
  const otherName = areUnlikeNames(own, theirs) || (born === null && isNewbornName(own, theirs));
  const several = subject?.includes(SEVERAL) === true;
  return otherDay || otherName || several ? { subject, born, recordBorn } : undefined;
}
