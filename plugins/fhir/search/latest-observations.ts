/**
 * latest-observations: the latest Observation of each kind of measurement: found at once in most records, and by a few
 * searches in a large one, by each code that it has. To leave out the codes that were found reads all of them.
 */
import type { Versioned } from '../../../core/fhir/resource';
import { type SearchQuery, readSearch } from './search-query';
import { type Asking, goOn, mayRead } from '../asking';
import { searcherOf } from './search';
import { searchedAs } from '../read/supported-types';
import { differentWords, textsWithoutCode, type KnownWord } from '../../../core/documents/sought-rows-store';
import { longAddress } from '../../../core/fhir/code-systems';
import type { JsonObject } from '../../../core/fhir/from-xml';
import { searchValuesOf, TEXT } from '../../../core/fhir/search-values';

const OBSERVATION = 'Observation';
/** Each search finds the latest Observations of kinds that no earlier search has found. */
const AT_ONCE = 200;
/** How many searches are made at most. Kinds that they do not find are left out of the summary. */
const MOST_SEARCHES = 12;
/**
 * A search accepts 500 values. After this number of kinds, no further kinds are excluded, and the search continues page
 * by page.
 */
const MOST_KINDS = 490;
/** A measurement that was taken back, or never made, is not a latest value. */
const TAKEN_BACK = 'cancelled,entered-in-error';

type Coded = { readonly coding?: readonly { readonly system?: string; readonly code?: string }[] };

function escapeSearch(text: string): string {
  return text.replace(/[\\,|$]/g, '\\$&');
}

/** The code by which a search names the kind; undefined for a kind that has words only. */
function tokenOf(resource: Versioned): string | undefined {
  const [coding] = (resource['code'] as Coded | undefined)?.coding ?? [];
  return coding?.code === undefined ? undefined : `${escapeSearch(coding.system ?? '')}|${escapeSearch(coding.code)}`;
}

const CORRECTED: readonly unknown[] = ['corrected', 'amended'];

/** Whether a result is the corrected one of the same day. */
function corrects(one: Versioned, other: Versioned): boolean {
  const dayOf = (resource: Versioned): string => String(resource['effectiveDateTime'] ?? '').slice(0, 10);
  const isCorrected = CORRECTED.includes(one['status']) && !CORRECTED.includes(other['status']);
  return isCorrected && dayOf(one) !== '' && dayOf(one) === dayOf(other);
}

/** The latest of each kind so far, by what their `code` says. */
type Latest = Map<string, Versioned>;

/** Adds resources, the newest first. */
function addTo(latest: Latest, matches: readonly Versioned[]): void {
  for (const resource of matches) {
    const kind = JSON.stringify(resource['code']);
    const shown = latest.get(kind);
    if (!shown || corrects(resource, shown)) {
      latest.set(kind, resource);
    }
  }
}

type NewestPage = { readonly after?: string | undefined; readonly count?: number; readonly ofEachCode?: number };

/** Searches the newest Observations that also meet other parameters. */
function searchNewest(
  asking: Asking,
  more: readonly (readonly [string, string])[],
  { after, count = AT_ONCE, ...beside }: NewestPage = {},
) {
  const { search, sortable } = searchedAs(OBSERVATION);
  const pairs = [
    ['_sort', '-date'],
    ['_total', 'none'],
    ['status:not', TAKEN_BACK],
  ];
  const query: SearchQuery = readSearch(
    new URLSearchParams([...pairs, ...more.map(([name, value]) => [name, value])] as [string, string][]),
    {
      supported: new Map(search.map((one) => [one.name, one])),
      sortable,
      includes: [],
      reverseIncludes: [],
      strict: true,
    },
  );
  goOn(asking);
  return searcherOf(OBSERVATION)(asking, { query: { ...query, ...beside, count }, after, total: undefined });
}

/** The newest Observations since a day. @param most so many of them */
export async function newestObservations(asking: Asking, day: string, most: number): Promise<readonly Versioned[]> {
  return (await searchNewest(asking, [['date', `ge${day}`]], { count: most })).matches;
}

/** Each search leaves out the kinds that were found before. */
async function addByLeavingOut(asking: Asking, latest: Latest): Promise<void> {
  const known = new Set<string>();
  let leftOut: readonly string[] = [];
  let after: string | undefined;
  for (let searches = 0; searches < MOST_SEARCHES; searches += 1) {
    const { matches, next } = await searchNewest(
      asking,
      leftOut.length === 0 ? [] : [['code:not', leftOut.join(',')]],
      { after },
    );
    const before = known.size;
    addTo(latest, matches);
    matches.flatMap((one) => tokenOf(one) ?? []).forEach((token) => known.add(token));
    if (next === undefined) {
      return;
    }
    const isNewList = known.size > before && known.size <= MOST_KINDS;
    // A search that leaves out more kinds is a new list, so it begins at its first page.
    leftOut = isNewList ? [...known] : leftOut;
    after = isNewList ? undefined : next;
  }
}

const CODE = 'code';
const CODED = `${OBSERVATION}.${CODE}`;
const TEXTS = `${CODED}${TEXT}`;

function wordKey({ word, system }: KnownWord): string {
  return JSON.stringify([word, system]);
}

/** The codes and the texts of kinds, as searches know them. */
function kindWords(latest: Latest): { readonly codes: ReadonlySet<string>; readonly texts: ReadonlySet<string> } {
  const values = [...latest.values()].flatMap(({ code }) =>
    searchValuesOf(OBSERVATION, { code: code as JsonObject }, ''),
  );
  const of = (wanted: string) => values.filter(({ name }) => name === wanted);
  return {
    codes: new Set(of(CODE).map(({ word = '', system = null }) => wordKey({ word, system }))),
    texts: new Set(of(CODE + TEXT).map(({ word = '' }) => word)),
  };
}

/** Searches for values until each was found or nothing more is. */
async function addEach<V>(
  asking: Asking,
  latest: Latest,
  left: (values: readonly V[]) => readonly V[],
  { values, most, asked }: { values: readonly V[]; most: number; asked: (some: readonly V[]) => [string, string][] },
): Promise<void> {
  let rest = left(values);
  for (let searches = 0; searches < MOST_SEARCHES && rest.length > 0; searches += 1) {
    const some = rest.slice(0, most);
    const { matches, next } = await searchNewest(asking, asked(some));
    addTo(latest, matches);
    rest = left(next === undefined ? rest.slice(some.length) : rest);
  }
}

/** A search accepts so many texts. */
const MOST_TEXTS = 100;

/**
 * Searches for the codes of the record that its newest Observations do not have, and for the texts of those without
 * codes. Leaving out the codes that were found would read each of a million readings to find that there is no other.
 */
async function addByKinds(asking: Asking, latest: Latest): Promise<void> {
  const { services, scope } = asking;
  const { reads } = services.database;
  if (latest.size === 0) {
    addTo(latest, (await searchNewest(asking, [])).matches);
  }
  const codes = await differentWords(reads, scope.recordId, CODED, MOST_SEARCHES * MOST_KINDS);
  await addEach(asking, latest, (all) => all.filter((one) => !kindWords(latest).codes.has(wordKey(one))), {
    values: codes,
    most: MOST_KINDS,
    asked: (some) => [
      [
        CODE,
        some
          .map(
            ({ word, system }) =>
              `${system === null ? '' : `${escapeSearch(longAddress(system))}|`}${escapeSearch(word)}`,
          )
          .join(','),
      ],
    ],
  });
  const { texts: shown } = kindWords(latest);
  const all = await differentWords(reads, scope.recordId, TEXTS, MOST_SEARCHES * MOST_KINDS);
  const texts = await textsWithoutCode(reads, scope.recordId, {
    text: TEXTS,
    coded: CODED,
    words: all.map(({ word }) => word).filter((word) => !shown.has(word)),
  });
  const coded = [...latest.values()].flatMap((one) => tokenOf(one) ?? []);
  await addEach(asking, latest, (all) => all.filter((word) => !kindWords(latest).texts.has(word)), {
    values: texts,
    most: MOST_TEXTS,
    asked: (some) => [
      ['code:not', coded.slice(0, MOST_KINDS).join(',') || 'none'],
      ['code:text', some.map(escapeSearch).join(',')],
    ],
  });
}

/** A corrected result is among so many newest ones of its kind. */
const NEWEST_OF_EACH = 10;
/** The most Observations of a record that is not large, each of a kind of its own. */
const MOST_OF_ALL = 5000;

/** The latest Observation of each kind. @param newest the newest ones, where they were read already */
export async function latestObservations(
  asking: Asking,
  newest: readonly Versioned[] = [],
): Promise<readonly Versioned[]> {
  const latest: Latest = new Map();
  if (!asking.isLarge) {
    addTo(latest, (await searchNewest(asking, [], { count: MOST_OF_ALL, ofEachCode: NEWEST_OF_EACH })).matches);
  } else if (asking.scope.kinds === undefined) {
    addTo(latest, newest);
    await addByKinds(asking, latest);
  } else {
    await addByLeavingOut(asking, latest);
  }
  return [...latest.values()].filter((one) => mayRead(asking, one));
}
