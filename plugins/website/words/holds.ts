/** holds: puts the contents of a record or a carenet into words. */
import type { PersonVisit } from '../http/page';
import { listText } from '../parts/list';
import { inSentence, kindsOf } from './type-words';

/** The contents of a record or carenet, as operations answer them for each entry of a list. */
export type Holds = {
  readonly documents: number;
  readonly lastAddedAt: string | null;
  readonly types: readonly string[];
  readonly placed: number;
};

/** With more kinds than these, only documents are counted. */
const FEW = 6;

/** The contents of a carenet, within a sentence: "allergies, medicines and 3 documents". */
export function liesIn({ documents, types, placed }: Holds, { models, words }: PersonVisit): string {
  const kinds = kindsOf(types, models, words);
  if (documents === 0) {
    return words.say('holds.nothing');
  }
  if (kinds.length === 0 || kinds.length > FEW) {
    return words.say('holds.documents', { count: documents });
  }
  const alone = placed > 0 ? [words.say('holds.documents', { count: placed })] : [];
  return listText([...kinds.map(({ title }) => inSentence(title, words)), ...alone], words);
}

/** How many documents a whole record has: "42 documents, the last one added on 3 March 2026". */
export function liesInAll({ documents, lastAddedAt }: Holds, { words }: PersonVisit): string {
  return lastAddedAt === null
    ? words.say('holds.no-documents')
    : words.say('holds.documents-until', { count: documents, date: words.date(lastAddedAt) });
}

/**
 * A sentence about the contents of a record or carenet that can be given to an app. It mentions later documents if the
 * app will see them.
 */
export function givenIn(holds: Holds, part: boolean, visit: PersonVisit): string {
  const { say, locale } = visit.words;
  if (!part) {
    return say('authorize.everything-hint', { count: holds.documents });
  }
  const what = liesIn(holds, visit);
  const sentence = say('authorize.part-holds', { what: what.charAt(0).toLocaleUpperCase(locale) + what.slice(1) });
  return `${sentence} ${say('authorize.part-hint')}`;
}
