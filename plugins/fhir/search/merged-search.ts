/**
 * merged-search: a search of one type over everything that may be a resource of it: what came as FHIR, what is made of
 * facts, and what is neither. Each source answers its matches in order, and a page is merged from them.
 */
import type { Versioned } from '../../../core/fhir/resource';
import type { SearchQuery } from './search-query';
import type { Asking } from '../asking';

/** A match: the values by which it is sorted, and the place after which the source goes on. */
type Match = { readonly sorts: readonly string[]; readonly place: string };

/** What one source finds by a search. */
type Finding = {
  /** Undefined: there are very many, and their exact number was not asked for. */
  readonly count: (isExact: boolean) => Promise<number | undefined>;
  /** The next matches in the order of the search. */
  readonly keys: (after: string | undefined, limit: number) => Promise<readonly Match[]>;
  /** The resources of matches, in the same order; undefined for one that is gone meanwhile. */
  readonly read: (places: readonly string[]) => Promise<readonly (Versioned | undefined)[]>;
};

/** @throws errors.invalidParameter for values that have no meaning */
export type Source = (asking: Asking, query: SearchQuery) => Finding;

type MergedPage = {
  readonly matches: readonly Versioned[];
  readonly total: number | undefined;
  /** The place after which the next page begins; undefined on the last one. */
  readonly next: string | undefined;
};

/** The places of all sources. */
type Places = readonly (string | null)[];

function placesIn(after: string | undefined, sources: number): Places {
  return after === undefined ? Array.from({ length: sources }, () => null) : (JSON.parse(after) as Places);
}

type Taken = { readonly source: number; readonly match: Match };

/** Which of the values are sorted from the last to the first. */
type Directions = readonly boolean[];

function isBefore({ sorts: own }: Match, { sorts: others }: Match, descending: Directions): boolean {
  const index = own.findIndex((sort, at) => sort !== others[at]);
  return index >= 0 && own[index]! < others[index]! !== (descending[index] ?? true);
}

/** The first matches of all sources in their common order. Where two are equal, that of the earlier source is first. */
function merge(lists: readonly (readonly Match[])[], descending: Directions, count: number): readonly Taken[] {
  const at = lists.map(() => 0);
  const taken: Taken[] = [];
  while (taken.length < count) {
    let best: Taken | undefined;
    lists.forEach((list, source) => {
      const match = list[at[source]!];
      best = match && (!best || isBefore(match, best.match, descending)) ? { source, match } : best;
    });
    if (!best) {
      return taken;
    }
    taken.push(best);
    at[best.source]! += 1;
  }
  return taken;
}

async function readTaken(
  findings: readonly Finding[],
  taken: readonly Taken[],
): Promise<readonly (Versioned | undefined)[]> {
  const found = new Map<Taken, Versioned | undefined>();
  await Promise.all(
    findings.map(async (finding, source) => {
      const own = taken.filter((one) => one.source === source);
      const read = own.length === 0 ? [] : await finding.read(own.map(({ match }) => match.place));
      own.forEach((one, index) => found.set(one, read[index]));
    }),
  );
  return taken.map((one) => found.get(one));
}

/** Each resource once, where it is first. */
function eachOnce(read: readonly Versioned[]): readonly Versioned[] {
  const byName = new Map<string, Versioned>();
  for (const one of read) {
    const name = `${one.resourceType}/${one.id}`;
    if (!byName.has(name)) {
      byName.set(name, one);
    }
  }
  return [...byName.values()];
}

/** The number of all matches; undefined when one of the sources has too many to count. */
async function countAll(findings: readonly Finding[], isExact: boolean): Promise<number | undefined> {
  const each = await Promise.all(findings.map(({ count }) => count(isExact)));
  return each.reduce((sum, n) => (sum === undefined || n === undefined ? undefined : sum + n), 0);
}

/** One page of a search, with the number of all matches if it is wanted. */
export async function searchMerged(
  asking: Asking,
  sources: readonly Source[],
  query: SearchQuery,
  { after, total }: { readonly after: string | undefined; readonly total: number | undefined },
): Promise<MergedPage> {
  const findings = sources.map((source) => source(asking, query));
  const countOnly = query.count === 0 || query.shown.summary === 'count';
  const places = placesIn(after, sources.length);
  const [lists, counted] = await Promise.all([
    countOnly
      ? []
      : Promise.all(findings.map(({ keys }, source) => keys(places[source] ?? undefined, query.count + 1))),
    query.total === 'none' && !countOnly
      ? undefined
      : (total ?? countAll(findings, countOnly || query.total === 'accurate')),
  ]);
  const descending = query.sort.map((sort) => sort.descending);
  const taken = merge(lists, descending, query.count);
  const read = (await readTaken(findings, taken)).filter((one) => one !== undefined);
  const isMore = lists.reduce((sum, { length }) => sum + length, 0) > taken.length;
  const following = places.map((place, source) => taken.findLast((one) => one.source === source)?.match.place ?? place);
  return {
    matches: eachOnce(read),
    total: counted,
    next: isMore ? JSON.stringify(following) : undefined,
  };
}
