/** ordered: the documents of a list in the order that is asked for, narrowed down to a sender, a kind, a tag or a day. */
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { isMeasured, modelTitle } from '../../words/facts';
import { documentKind, titleOf } from '../../words/kinds';
import { kindName } from '../../words/type-words';
import { dayIn } from '../../words/zoned';

type Found = ValueOf<typeof operations.documents.recordDocumentSearch>;
export type People = ValueOf<typeof operations.reports.recordPeople>;
export type Document = Found['documents'][number];
/** What documents are put in order by. */
export type Key = Found['keys'][number];

export const sorts = ['care', 'from', 'added', 'title'] as const;
type Sort = (typeof sorts)[number];

export function sortOf({ query }: PersonVisit): Sort {
  return sorts.find((known) => known === query['sort']) ?? 'care';
}

const MOST_LETTERS = 100;

/** By what a list can be narrowed down: the doctor or place that sent it, its kind, a tag, the day of care. */
export const narrowing = ['from_whom', 'kind', 'tag', 'day'] as const;
export type Narrowing = (typeof narrowing)[number];

/** What the address asks for; empty for all. A circle shows no tags, and asks for none. */
export function askedFor({ query, params }: PersonVisit, name: Narrowing): string {
  const asked = name === 'tag' && params['CARENET_ID'] !== undefined ? undefined : query[name];
  return (asked ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_LETTERS);
}

/** The kind under which documents are counted together: "Allergies", "Clinical document". */
function kindCounted({ type, own, contents }: Pick<Key, 'type' | 'own' | 'contents'>, { models, words }: PersonVisit) {
  const only = contents.length === 1 ? models.find(contents[0]!.model) : undefined;
  return own.kind ?? (only ? modelTitle(only, words) : kindName(type, models, words));
}

export function kindWords(document: Pick<Key, 'type' | 'own' | 'contents'>, visit: PersonVisit): string {
  return document.own.kind ?? documentKind(document, visit);
}

/** The day of care: as a person says it, as the document says it, or the newest day of its facts. */
export function careDay({ own, about, newest }: Pick<Key, 'own' | 'about' | 'newest'>, { words }: PersonVisit) {
  return own.date ?? about?.date?.slice(0, 10) ?? (newest === undefined ? undefined : dayIn(words.zone, newest));
}

/** The day of care, or on which it was added, if it says none. */
export function listedDay(key: Key, visit: PersonVisit): string {
  return careDay(key, visit) ?? dayIn(visit.words.zone, key.createdAt);
}

/** Who sent it, in the words of the document; empty where it does not say. */
export function senderNameOf({ about }: Pick<Key, 'about'>): string {
  return about?.from ?? about?.author ?? '';
}

/** Models of what devices write on their own, beside those with a value. */
const BY_DEVICES = ['Sleep', 'Workout'];

/** Whether a document holds nothing but what was measured, and nobody gave it a name or a kind. */
export function isReadings(
  { label, about, own, contents }: Pick<Key, 'label' | 'about' | 'own' | 'contents'>,
  { models }: PersonVisit,
): boolean {
  return (
    label === null &&
    own.kind === null &&
    about?.title === undefined &&
    contents.length > 0 &&
    contents.every(({ model }) => {
      const known = models.find(model);
      return BY_DEVICES.includes(model) || (known !== undefined && isMeasured(known));
    })
  );
}

/**
 * What a document has of each thing by which a list can be narrowed down. It is counted under the first of its kinds; the
 * others are found, too.
 */
export type Features = Readonly<Record<Narrowing, readonly string[]>>;

/** Reads them; a circle shows no tags. */
export function featuresIn(visit: PersonVisit, people: People): (key: Key) => Features {
  const senders = new Map<string, string[]>();
  for (const { key, documentIds } of people) {
    documentIds.forEach((id) => senders.set(id, [...(senders.get(id) ?? []), key]));
  }
  return (key) => ({
    from_whom: senders.get(key.id) ?? [],
    kind: [kindCounted(key, visit), kindWords(key, visit)],
    tag: key.own.tags,
    day: [listedDay(key, visit)],
  });
}

/** Whether it has what the address asks for. @param but is not looked at */
export function isAskedFor(visit: PersonVisit, features: Features, but?: Narrowing): boolean {
  return narrowing.every((name) => {
    const asked = askedFor(visit, name).toLowerCase();
    return name === but || asked === '' || features[name].some((one) => one.toLowerCase() === asked);
  });
}

/** Puts them into order: by day the newest first, by words in the order of the language, those without a word last. */
export function putInOrder<T extends Key>(
  visit: PersonVisit,
  all: readonly T[],
  wholeTitles: ReadonlyMap<string, Document>,
): readonly T[] {
  const sort = sortOf(visit);
  const keyOf = {
    added: ({ createdAt }: Key): string => createdAt,
    care: (key: Key): string => listedDay(key, visit),
    from: senderNameOf,
    title: (key: Key): string => {
      const whole = wholeTitles.get(key.id);
      return whole === undefined ? '' : titleOf(whole, visit);
    },
  }[sort];
  const keys = new Map(all.map((one) => [one, keyOf(one)]));
  const { compare } = new Intl.Collator(visit.words.locale, { numeric: true, sensitivity: 'base' });
  // Sorting is stable: what is equal stays in the order in which it was added, the newest first.
  return [...all].sort((one, other) => {
    const [a, b] = [keys.get(one)!, keys.get(other)!];
    if (sort === 'added' || sort === 'care') {
      return Number(a < b) - Number(a > b);
    }
    return a === '' || b === '' ? Number(a === '') - Number(b === '') : compare(a, b);
  });
}

/** Whether the address asks for less than the whole list. */
export function isNarrowed(visit: PersonVisit): boolean {
  return narrowing.some((name) => askedFor(visit, name) !== '');
}
