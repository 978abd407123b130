/**
 * own-searches: searches the types that are not made of facts. One statement finds documents, and a record has only one
 * Patient.
 */
import { type ReferencedDocument, documentReferenceOf, provenanceOf } from '../map/document-reference';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import { toTimestamp } from '../../../core/base/clock';
import { mapInSlices } from '../../../core/base/turns/slices';
import { groupedBy } from '../../../core/base/grouped-by';
import type { Versioned } from '../../../core/fhir/resource';
import type { SearchQuery, Sort } from './search-query';
import * as referenceStore from '../read/document-references-store';
import type { Condition } from '../read/document-references-store';
import type { Asking } from '../asking';
import { ownReaders } from '../read/own-types';
import { documentConditions, targetsOf, type MadeOf } from './document-conditions';
import { meetsPerson } from './person-search';
import { readingOf } from './kept-searches';
import type { Source } from './merged-search';
import { unsaid } from './seen-searches';

type Listed = ReferencedDocument & { readonly after: string };

/** A page of versions in the order of a search. The place of each is that after which a next page would begin. */
async function listed(
  { services: { database, clock }, scope }: Asking,
  { sort: [sort], count }: SearchQuery,
  conditions: readonly Condition[],
  after: string | undefined,
): Promise<readonly Listed[]> {
  const common = { conditions, oldestFirst: sort !== undefined && !sort.descending, limit: count + 1 };
  if (sort?.name !== '_lastUpdated') {
    const from = after === undefined ? null : Number(after);
    const rows = await referenceStore.listReferences(database.reads, scope, { ...common, after: from });
    return rows.map((row) => ({ ...row, after: String(row.seq) }));
  }
  const [asOf = toTimestamp(clock.now()), changed, seq] = after?.split(' ') ?? [];
  const place = changed === undefined ? null : { changed, seq: Number(seq) };
  const rows = await referenceStore.listByChange(database.reads, scope, { ...common, asOf, after: place });
  return rows.map((row) => ({ ...row, after: [asOf, row.place.changed, row.place.seq].join(' ') }));
}

/** A Provenance never changes, so the order of last changes is the order in which it was stored. */
function asStored(query: SearchQuery): SearchQuery {
  return {
    ...query,
    sort: query.sort.map((sort) => ({ ...sort, name: 'recorded' })),
  };
}

function ownSortValue({ name }: Sort, { id, createdAt, after }: Listed): string {
  if (name === '_id') {
    return id;
  }
  return name === '_lastUpdated' && after.includes(' ') ? after.split(' ')[1]! : createdAt;
}

/** The values by which a document is sorted. No two have the same first one, so that the others change nothing here. */
function sortsOf({ sort }: SearchQuery, row: Listed): readonly string[] {
  return sort.length === 0 ? [''] : sort.map((one) => ownSortValue(one, row));
}

/** The documents in the scope, as a part of a search. */
function documentSource(
  type: string,
  show: (document: ReferencedDocument, targets: readonly string[]) => Versioned,
  ordered = (query: SearchQuery): SearchQuery => query,
): Source {
  return (asking, query) => {
    const { database } = asking.services;
    // Bad values are refused before anything is read.
    documentConditions(asking, type, query, []);
    let targets: Promise<MadeOf> | undefined;
    const made = (): Promise<MadeOf> => (targets ??= targetsOf(asking, query));
    const conditions = async (): Promise<readonly Condition[]> => documentConditions(asking, type, query, await made());
    const rows = new Map<string, Listed>();
    return {
      count: async () => referenceStore.countReferences(database.reads, asking.scope, await conditions()),
      keys: async (after, limit) => {
        const found = await listed(asking, { ...ordered(query), count: limit - 1 }, await conditions(), after);
        found.forEach((row) => rows.set(row.after, row));
        return found.map((row) => ({ sorts: sortsOf(query, row), place: row.after }));
      },
      read: async (places) => {
        const names = groupedBy(await made(), ({ documentId }) => documentId);
        return mapInSlices(places, (place) => {
          const row = rows.get(place);
          return (
            row &&
            show(
              row,
              (names.get(row.id) ?? []).map(({ name }) => name),
            )
          );
        });
      },
    };
  };
}

/** Where the only resource stands among others of its type: last by everything but these two. */
function singleSortValue(sort: Sort, { id, meta }: Versioned): string {
  if (sort.name === '_id') {
    return id;
  }
  return sort.name === '_lastUpdated' ? toTimestamp(Date.parse(meta.lastUpdated ?? '')) : unsaid(sort);
}

/** A source of one resource or none. */
function single(find: (asking: Asking, query: SearchQuery) => Promise<Versioned | undefined>): Source {
  return (asking, query) => {
    let found: Promise<Versioned | undefined> | undefined;
    const once = (): Promise<Versioned | undefined> => (found ??= find(asking, query));
    return {
      count: async () => ((await once()) ? 1 : 0),
      keys: async (after) => {
        const one = after === undefined ? await once() : undefined;
        return one ? [{ sorts: query.sort.map((sort) => singleSortValue(sort, one)), place: 'only' }] : [];
      },
      read: async (places) => Promise.all(places.map(once)),
    };
  };
}

async function findPatient(asking: Asking, { filters }: SearchQuery): Promise<Versioned | undefined> {
  const patient = await ownReaders['Patient']!.read(asking, asking.scope.recordId);
  return patient && meetsPerson(patient, filters, readingOf(asking)) ? patient : undefined;
}

async function findRelatedPerson(asking: Asking, { filters }: SearchQuery): Promise<Versioned | undefined> {
  const { scope, principal } = asking;
  const id = principal.accountId === null ? '' : relatedPersonId(scope.recordId, principal.accountId);
  const person = await ownReaders['RelatedPerson']!.read(asking, id);
  return person && meetsPerson(person, filters, readingOf(asking)) ? person : undefined;
}

/** The sources of types that are neither kept nor made of facts. */
export const ownSources: Readonly<Record<string, Source>> = {
  Patient: single(findPatient),
  RelatedPerson: single(findRelatedPerson),
  DocumentReference: documentSource('DocumentReference', (row) => documentReferenceOf(row)),
  Provenance: documentSource('Provenance', provenanceOf, asStored),
};
