/** seen-searches: searches the resources of facts that a carenet sees by their kind. */
import type { Versioned } from '../../../core/fhir/resource';
import type { Asking } from '../asking';
import { readSeen, type SeenResource } from '../read/seen-resources';
import { readingOf } from './kept-searches';
import type { Source } from './merged-search';
import type { SearchQuery, Sort } from './search-query';
import { meetsFilters } from './seen-search';

/** Where a match without a value is sorted: last. */
export function unsaid({ descending }: Sort): string {
  return descending ? '' : '~';
}

function sortOf({ resource, values }: SeenResource, sort: Sort): string {
  if (sort.name === '_id') {
    return resource.id;
  }
  const words = values.flatMap(({ name, word }) => (name === sort.name && word !== undefined ? [word] : [])).sort();
  return (sort.descending ? words.at(-1) : words[0]) ?? unsaid(sort);
}

type Match = SeenResource & { readonly sorts: readonly string[] };

/** The place of a match: how many there are up to it, and its id. */
type Place = readonly [count: number, id: string];

function inOrder(matches: readonly Match[], { sort }: SearchQuery): readonly Match[] {
  return [...matches].sort((one, other) => {
    const at = one.sorts.findIndex((word, index) => word !== other.sorts[index]);
    if (at < 0) {
      return 0;
    }
    const order = one.sorts[at]! < other.sorts[at]! ? -1 : 1;
    return sort[at]!.descending ? -order : order;
  });
}

/** Without an order of the search these come after what documents in the carenet state, in the order in which they are seen. */
const LAST = [''];

async function matchesOf(asking: Asking, type: string, query: SearchQuery): Promise<readonly Match[]> {
  const meets = meetsFilters(query.filters, readingOf(asking));
  const found = (await readSeen(asking, new Set([type]))).filter(({ resource: { id }, values }) =>
    meets({ id, values }),
  );
  return inOrder(
    found.map((one) => ({
      ...one,
      sorts: query.sort.length === 0 ? LAST : query.sort.map((sort) => sortOf(one, sort)),
    })),
    query,
  );
}

/** The resources of a type that the carenet of the caller sees by their kind, as a part of a search. */
export function seenSource(type: string): Source {
  return (asking, query) => {
    let found: Promise<readonly Match[]> | undefined;
    const matches = (): Promise<readonly Match[]> => (found ??= matchesOf(asking, type, query));
    return {
      count: async () => (await matches()).length,
      keys: async (after, limit) => {
        const all = await matches();
        const [count, id] = after === undefined ? [0, ''] : (JSON.parse(after) as Place);
        const known = all.findIndex(({ resource }) => resource.id === id);
        const begin = known < 0 ? count : known + 1;
        return all.slice(begin, begin + limit).map(({ sorts, resource }, index) => ({
          sorts,
          place: JSON.stringify([begin + index + 1, resource.id] satisfies Place),
        }));
      },
      read: async (places) => {
        const byId = new Map((await matches()).map(({ resource }) => [resource.id, resource]));
        return places.map((place) => byId.get((JSON.parse(place) as Place)[1]));
      },
    };
  };
}

/** Resources that the carenet sees by their kind, and that refer to the Patient if it is among these. */
export async function referringSeen(
  asking: Asking,
  matches: readonly Versioned[],
  { source, name }: { readonly source: string; readonly name: string },
): Promise<readonly Versioned[]> {
  const { kinds, recordId } = asking.scope;
  const isMeant = matches.some(({ resourceType, id }) => resourceType === 'Patient' && id === recordId);
  const seen = kinds && isMeant ? await readSeen(asking, new Set([source])) : [];
  return seen.filter(({ values }) => values.some((row) => row.name === name)).map(({ resource }) => resource);
}
