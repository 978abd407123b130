/** ordered: the documents of a list in another order than they were added, or only those of a sender or kind. */
import type { ValueOf } from '../../../../core/http/route';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { dateField, knownDate, type Fact } from '../../words/facts';
import { documentKind, titleOf } from '../../words/kinds';
import { dayIn } from '../../words/zoned';

type Found = ValueOf<typeof operations.documents.recordDocumentSearch>;
export type People = ValueOf<typeof operations.reports.recordPeople>;
export type Document = Found['documents'][number];

export const sorts = ['added', 'care', 'from', 'title'] as const;
type Sort = (typeof sorts)[number];

export function sortOf({ query }: PersonVisit): Sort {
  return sorts.find((known) => known === query['sort']) ?? 'added';
}

const MOST_LETTERS = 100;

/** The kind that the address asks for, as documents say it; case does not count. */
export function askedKind({ query }: PersonVisit): string {
  return (query['kind'] ?? '').trim().slice(0, MOST_LETTERS);
}

/** The key of the doctor or place from whom the documents of the list come. */
export function askedSender({ query }: PersonVisit): string {
  return (query['from_whom'] ?? '').trim().slice(0, MOST_LETTERS);
}

export function kindWords(document: Document, visit: PersonVisit): string {
  return document.own.kind ?? documentKind(document, visit);
}

/** The day of care: as a person says it, as the document says it, the newest day of its facts, or when it was added. */
export function careDay({ own, about, contents, createdAt }: Document, { models, words }: PersonVisit): string {
  const days = contents.flatMap(({ model: name, first }) => {
    const model = models.find(name);
    const field = model && dateField(model);
    const known = field === undefined ? '' : knownDate(first as unknown as Fact, field);
    return known === '' ? [] : [dayIn(words.zone, known)];
  });
  return own.date ?? about?.date?.slice(0, 10) ?? days.sort().at(-1) ?? dayIn(words.zone, createdAt);
}

/** Who sent it, in the words of the document; empty where it does not say. */
export function senderNameOf({ about }: Document): string {
  return about?.from ?? about?.author ?? '';
}

/** What the documents are sorted by, and whether the largest comes first. */
function keysOf(visit: PersonVisit, documents: readonly Document[]): ReadonlyMap<Document, string> {
  const keyOf = { added: ({ createdAt }: Document) => createdAt, care: careDay, from: senderNameOf, title: titleOf };
  const by = keyOf[sortOf(visit)];
  return new Map(documents.map((document) => [document, by(document, visit)]));
}

function orderDocuments(visit: PersonVisit, documents: readonly Document[]): readonly Document[] {
  const keys = keysOf(visit, documents);
  const sort = sortOf(visit);
  const { compare } = new Intl.Collator(visit.words.locale, { numeric: true, sensitivity: 'base' });
  const key = (document: Document): string => keys.get(document)!;
  // Sorting is stable: what is equal stays in the order in which it was added, the newest first.
  return [...documents].sort((one, other) => {
    if (sort === 'added' || sort === 'care') {
      return compare(key(other), key(one));
    }
    const [a, b] = [key(one), key(other)];
    return a === '' || b === '' ? Number(a === '') - Number(b === '') : compare(a, b);
  });
}

/** The ids of what the doctor or place wrote; nothing when nobody has that key. */
function writtenBy(visit: PersonVisit, people: People): ReadonlySet<string> | undefined {
  const key = askedSender(visit);
  return key === '' ? undefined : new Set(people.find((person) => person.key === key)?.documentIds);
}

/** Whether the address asks for more than the list as it is stored. */
export function isOrdered(visit: PersonVisit): boolean {
  return sortOf(visit) !== 'added' || askedKind(visit) !== '' || askedSender(visit) !== '';
}

/** A page of the documents that are asked for; pages are counted from 1 in `place`. */
export function orderedPage(visit: PersonVisit, people: People, found: Found, size: number): Found {
  const wrote = writtenBy(visit, people);
  const kind = askedKind(visit).toLowerCase();
  const wanted = found.documents.filter(
    (document) =>
      (wrote === undefined || wrote.has(document.id)) &&
      (kind === '' || kindWords(document, visit).toLowerCase() === kind),
  );
  const at = /^[1-9]\d{0,3}$/.test(visit.query['place'] ?? '') ? Number(visit.query['place']) : 1;
  const before = (at - 1) * size;
  return {
    total: wanted.length,
    documents: orderDocuments(visit, wanted).slice(before, before + size),
    pages: {
      before,
      ...(at > 1 ? { previous: String(at - 1) } : {}),
      ...(before + size < wanted.length ? { next: String(at + 1) } : {}),
    },
  };
}
