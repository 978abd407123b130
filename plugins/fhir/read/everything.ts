/** everything: reads all that a token may see of a record, portion by portion, so that no record is too large. */
import * as keptStore from '../../../core/documents/kept-resources-store';
import { errors } from '../../../core/base/errors';
import { documentReferenceOf, provenanceOf } from '../map/document-reference';
import { fhirType } from '../../../core/fhir/elements';
import type { Versioned } from '../../../core/fhir/resource';
import { readSoughtDate } from '../../../core/fhir/search-dates';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import type { Condition } from './document-references-store';
import { type Asking, forPortion, goOn, mayAlso, mayRead } from '../asking';
import { storedTypes } from './stored-types';
import { careOrStored } from '../search/document-conditions';
import { careConditions } from '../search/kept-search';
import { readingOf } from '../search/kept-searches';
import { meetsCare } from '../search/seen-search';
import { keptBySeq } from './kept-resources';
import { ownReaders } from './own-types';
import { readSeen } from './seen-resources';
import { readInstant } from '../names';
import * as referenceStore from './document-references-store';

export type Wanted = {
  /** Only these types; empty: all that the scopes allow. */
  readonly types: readonly string[];
  /** Only resources that changed at this time or later; empty: all. */
  readonly since: string;
  /** Only resources about care between these dates; empty: all. */
  readonly start?: string;
  readonly end?: string;
};

/**
 * A place in everything that is sent: after the key `after` in the list of one kind. `begun`: a key of which `told`
 * resources were sent already.
 */
export type Place = {
  readonly list: string;
  readonly after: string;
  readonly begun?: { readonly key: string; readonly told: number };
};

/** The resources of one row or statement, whose key is its place in the list. */
type Unit = { readonly key: string; readonly resources: readonly Versioned[] };
type Portion = { readonly units: readonly Unit[]; readonly next: Place | undefined };

const PEOPLE = '-people';
const DOCUMENTS = '-documents';
const KEPT = '-kept';
const SEEN = '-seen';
const START: Place = { list: PEOPLE, after: '' };

/** The size of a portion, which is in memory as a whole and is read by a fixed number of statements. */
const DOCUMENTS_AT_ONCE = 100;
const STATEMENTS_AT_ONCE = 200;

/** The types to send: those that were asked for, if the scopes allow them. */
export function typesTold(asking: Asking, { types }: Wanted): ReadonlySet<string> {
  const own = ['Patient', 'RelatedPerson', 'DocumentReference', 'Provenance'];
  const all = [...own, ...storedTypes(asking.services.models())];
  return new Set(all.filter((type) => (types.length === 0 || types.includes(type)) && mayAlso(asking, type, 'r')));
}

function sinceOf({ services }: Asking, { since }: Wanted): string | undefined {
  return since === '' ? undefined : readSoughtDate('_since', since, services.clock.now()).start;
}

/** The first portion: the Patient and the person who asks, if their types are sent. */
async function people(asking: Asking, told: ReadonlySet<string>, next: Place | undefined): Promise<Portion> {
  const { scope, principal } = asking;
  const found = await Promise.all([
    told.has('Patient') ? ownReaders['Patient']!.read(asking, scope.recordId) : undefined,
    told.has('RelatedPerson') && principal.accountId !== null
      ? ownReaders['RelatedPerson']!.read(asking, relatedPersonId(scope.recordId, principal.accountId))
      : undefined,
  ]);
  return { units: [{ key: '', resources: found.filter((one) => one !== undefined) }], next };
}

function documentConditions(asking: Asking, wanted: Wanted): readonly Condition[] {
  const { conditionsOn } = referenceStore;
  const since = sinceOf(asking, wanted);
  const { start = '', end = '' } = wanted;
  return [
    ...(since === undefined ? [] : [conditionsOn.changedSince(since)]),
    ...(start === '' ? [] : [careOrStored(asking, 'start', `ge${start}`)]),
    ...(end === '' ? [] : [careOrStored(asking, 'end', `le${end}`)]),
  ];
}

async function documents(
  asking: Asking,
  told: ReadonlySet<string>,
  wanted: Wanted,
  after: string,
  limit: number,
  next: Place | undefined,
): Promise<Portion> {
  const { database } = asking.services;
  const most = Math.min(limit, DOCUMENTS_AT_ONCE);
  const rows = await referenceStore.listReferences(database.reads, asking.scope, {
    conditions: documentConditions(asking, wanted),
    oldestFirst: true,
    after: after === '' ? null : Number(after),
    limit: most,
  });
  return {
    units: rows.map((row) => ({
      key: String(row.seq),
      resources: [
        ...(told.has('DocumentReference') ? [documentReferenceOf(row)] : []),
        ...(told.has('Provenance') ? [provenanceOf(row)] : []),
      ],
    })),
    next: rows.length < most ? next : { list: DOCUMENTS, after: String(rows.at(-1)!.seq) },
  };
}

/** Keys for portions to come: all of the record is searched once for many portions. */
type Ahead = { keys: readonly number[]; taken: number; readonly isFew?: boolean };

/** So many keys are in memory while an answer is sent. */
const KEYS_AHEAD = 10_000;

type Turn = {
  readonly after: string;
  readonly limit: number;
  readonly next: Place | undefined;
  readonly ahead?: Ahead;
};

async function searchKeys(
  asking: Asking,
  told: ReadonlySet<string>,
  wanted: Wanted,
  after: string,
  limit: number,
  isFew: boolean,
): Promise<readonly number[]> {
  const types = [...storedTypes(asking.services.models())].filter((type) => told.has(type));
  const { start = '', end = '' } = wanted;
  const since = sinceOf(asking, wanted);
  const keys = await keptStore.searchResources(
    asking.services.database.reads,
    asking.scope,
    {
      types,
      isFew,
      conditions: [
        { text: 'kept.seq > ?', values: [Number(after || '0')] },
        ...(since === undefined ? [] : [{ text: 'kept.updated_at >= ?', values: [since] }]),
        ...careConditions(types, { start, end }, readingOf(asking)),
      ],
    },
    [{ by: 'seq', descending: false }],
    undefined,
    limit,
  );
  return keys.map(({ seq }) => seq);
}

/**
 * What documents state, in the order in which it was stored. Keys that were found ahead lead to the latest versions
 * only, and newer versions have higher keys, so the last portion is one whose own search finds few.
 */
async function keptPortion(
  asking: Asking,
  told: ReadonlySet<string>,
  wanted: Wanted,
  { after, limit, next, ahead = { keys: [], taken: 0 } }: Turn,
): Promise<Portion> {
  const most = Math.min(limit, STATEMENTS_AT_ONCE);
  const isSearched = ahead.taken >= ahead.keys.length;
  if (isSearched) {
    const wished = limit === Infinity ? KEYS_AHEAD : most;
    Object.assign(ahead, {
      keys: await searchKeys(asking, told, wanted, after, wished, ahead.isFew === true),
      taken: 0,
    });
  }
  const keys = ahead.keys.slice(ahead.taken, ahead.taken + most);
  ahead.taken += most;
  const found = await keptBySeq(asking, keys);
  return {
    units: found.map(({ seq, resource }) => ({ key: String(seq), resources: [resource] })),
    next: isSearched && keys.length < most ? next : { list: KEPT, after: String(keys.at(-1)!) },
  };
}

/** What a carenet sees by its kind. A place among it is the number of those before it. */
async function seenPortion(
  asking: Asking,
  told: ReadonlySet<string>,
  { start = '', end = '' }: Wanted,
  after: string,
  limit: number,
  next: Place | undefined,
): Promise<Portion> {
  const isMeant = meetsCare({ start, end }, readingOf(asking));
  const all = (await readSeen(asking, told)).filter(({ values }) => isMeant(values));
  const begin = Number(after || '0');
  const some = all.slice(begin, Math.min(begin + limit, all.length));
  const reached = begin + some.length;
  return {
    units: some.map(({ resource }, index) => ({ key: String(begin + index + 1), resources: [resource] })),
    next: reached >= all.length ? next : { list: SEEN, after: String(reached) },
  };
}

/**
 * The lists in their order: first the Patient, then the documents, then what the documents state, then what is seen
 * without its document.
 */
const LISTS: readonly string[] = [PEOPLE, DOCUMENTS, KEPT, SEEN];

/** Whether any resource of a list is sent. Other lists are not read. */
function isTold({ services, scope }: Asking, told: ReadonlySet<string>, list: string): boolean {
  if (list === PEOPLE) {
    return true;
  }
  if (list === SEEN && scope.kinds === undefined) {
    return false;
  }
  return list === KEPT || list === SEEN
    ? [...storedTypes(services.models())].some((type) => told.has(type))
    : told.has('DocumentReference') || told.has('Provenance');
}

/** What of a portion the scopes open. A unit keeps its place, so that pages go on behind it. */
function openPortion(asking: Asking, { units, next }: Portion): Portion {
  return {
    units: units.map(({ key, resources }) => ({ key, resources: resources.filter((one) => mayRead(asking, one)) })),
    next,
  };
}

async function readPortion(
  asking: Asking,
  wanted: Wanted,
  place: Place,
  limit: number,
  ahead?: Ahead,
): Promise<Portion> {
  return openPortion(asking, await readWholePortion(asking, wanted, place, limit, ahead));
}

/** @throws errors.invalidParameter for a place in a list that no longer exists */
async function readWholePortion(
  asking: Asking,
  wanted: Wanted,
  { list, after }: Place,
  limit: number,
  ahead: Ahead | undefined,
): Promise<Portion> {
  const told = typesTold(asking, wanted);
  const position = LISTS.indexOf(list);
  const following = LISTS.slice(position + 1).find((one) => isTold(asking, told, one));
  const next = following === undefined ? undefined : { list: following, after: '' };
  if (position < 0) {
    throw errors.invalidParameter('_page', 'what it leads to has changed: ask for the first page again');
  }
  if (list === PEOPLE) {
    return people(asking, told, next);
  }
  if (!isTold(asking, told, list)) {
    return { units: [], next };
  }
  if (list === SEEN) {
    return seenPortion(asking, told, wanted, after, limit, next);
  }
  return list === KEPT
    ? keptPortion(asking, told, wanted, { after, limit, next, ...(ahead ? { ahead } : {}) })
    : documents(asking, told, wanted, after, limit, next);
}

/** Reads the resources portion by portion. */
export async function* everything(asking: Asking, wanted: Wanted): AsyncGenerator<readonly Versioned[]> {
  const ahead: Ahead = { keys: [], taken: 0 };
  for (let at: Place | undefined = START; at;) {
    goOn(asking);
    const { units, next }: Portion = await readPortion(forPortion(asking), wanted, at, Infinity, ahead);
    yield units.flatMap(({ resources }) => resources);
    at = next;
  }
}

/** The Patient and all resources of some types that documents state, portion by portion. */
export async function* everythingOf(asking: Asking, types: readonly string[]): AsyncGenerator<readonly Versioned[]> {
  const wanted: Wanted = { types, since: '' };
  yield (await people(asking, typesTold(asking, wanted), undefined)).units.flatMap(({ resources }) => resources);
  const { database } = asking.services;
  const search = { types, conditions: [] };
  const counted = asking.isLarge
    ? await keptStore.countResources(database.reads, asking.scope, search, KEYS_AHEAD)
    : undefined;
  const ahead: Ahead = { keys: [], taken: 0, isFew: counted !== undefined };
  for (let at: Place | undefined = { list: KEPT, after: '' }; at;) {
    goOn(asking);
    const { units, next }: Portion = await readPortion(asking, wanted, at, Infinity, ahead);
    yield units.flatMap(({ resources }) => resources);
    at = next;
  }
}

type Page = {
  readonly resources: readonly Versioned[];
  /** The place at which the next page begins; undefined on the last one. */ readonly next: Place | undefined;
};

/**
 * A page of resources after a place. Even when documents are stored or replaced between two pages, each resource that
 * existed when the first page was read is on exactly one page.
 */
export async function readPage(asking: Asking, wanted: Wanted, from: Place | undefined, count: number): Promise<Page> {
  const found: Versioned[] = [];
  for (let at: Place | undefined = from ?? START; at;) {
    goOn(asking);
    const { units, next }: Portion = await readPortion(asking, wanted, at, count - found.length + 1);
    let { after } = at;
    for (const { key, resources } of units) {
      const before: number = at.begun?.key === key ? at.begun.told : 0;
      const rest = resources.slice(before);
      const room = count - found.length;
      found.push(...rest.slice(0, room));
      if (rest.length > room) {
        return { resources: found, next: { list: at.list, after, begun: { key, told: before + room } } };
      }
      after = key;
    }
    at = next;
  }
  return { resources: found, next: undefined };
}

/** @throws errors.notFound when the id is not that of the token's record, errors.invalidParameter for invalid values */
export function checkWanted(asking: Asking, id: string, { since, types, start = '', end = '' }: Wanted): void {
  if (id !== asking.scope.recordId) {
    throw errors.notFound('resource');
  }
  if (types.some((type) => !fhirType(type)?.isResource)) {
    throw errors.invalidParameter('_type', 'it must be names of types of resources, with commas between them');
  }
  const now = asking.services.clock.now();
  readInstant('_since', since, now);
  const [from, until] = [readInstant('start', start, now), readInstant('end', end, now)];
  if (from && until && until.end <= from.start) {
    throw errors.invalidParameter('end', 'it must not be before the start');
  }
}
