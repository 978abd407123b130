/**
 * search: searches resources of one type, a page at a time. The place at which a page begins is encrypted in its
 * address.
 */
import { errors } from '../../../core/base/errors';
import type { Versioned } from '../../../core/fhir/resource';
import { readSoughtDate } from '../../../core/fhir/search-dates';
import { type Filter, type SearchQuery, formOnly, readSearch, shownName } from './search-query';
import { withoutLinks } from './linked';
import type { ParametersOf } from './links-of-search';
import type { SearchParameter, SupportedType } from './supported';
import type { Call } from '../../../core/http/route';
import { type Asking, askingOf, atLengthIfLarge, categoriesSought } from '../asking';
import { supportedTypes } from '../read/supported-types';
import { storedTypes } from '../read/stored-types';
import { openPage, sealPage } from './next-pages';
import { ownSources } from './own-searches';
import type { InType } from '../read/reading';
import type { Found, Searched, Searcher } from './searcher';
import { includedBy } from './including';
import { allReferences, keptSource } from './kept-searches';
import { type Source, searchMerged } from './merged-search';
import { seenSource } from './seen-searches';
import { listSharedPatients } from './shared-patients';

/** Everything that may be a resource of a type; the first sources are the first among equals. */
function sourcesOf({ services, scope }: Asking, type: string): readonly Source[] {
  const seen = scope.kinds === undefined ? [] : [seenSource(type)];
  return [
    ...(storedTypes(services.models()).has(type) ? [keptSource(type), ...seen] : []),
    ...(Object.hasOwn(ownSources, type) ? [ownSources[type]!] : []),
  ];
}

/** The search of those parts of a type that the caller may search. */
function withinScopes(asking: Asking, type: string, query: SearchQuery): SearchQuery {
  const values = categoriesSought(asking, type);
  const parameter: SearchParameter = { name: 'category', type: 'token', modifiers: [], says: '' };
  return values === undefined
    ? query
    : { ...query, filters: [...query.filters, { name: 'category', modifier: '', values, parameter }] };
}

function searchAll(
  asking: Asking,
  type: string,
  query: SearchQuery,
  page: Parameters<typeof searchMerged>[3],
): ReturnType<typeof searchMerged> {
  return searchMerged(asking, sourcesOf(asking, type), withinScopes(asking, type, query), page);
}

/** Searches one type, a page at a time. */
export function searcherOf(type: string): Searcher {
  return async (asking, { query, after, total }) => {
    const page = await searchAll(asking, type, query, { after, total });
    const { resources: included, unused } = await includedBy(asking, type, page.matches, query);
    return { ...page, included, unused };
  };
}

/** What the address of a page after the first one contains. */
type NextPage = { readonly search: string; readonly after: string; readonly total: number | null };

const ofPage = ['_page', '_count', ...formOnly];
const BESIDE_PAGE = 'the link to a next page says all that it needs';

type ParametersByName = ReadonlyMap<string, SearchParameter>;

function parametersByName({ search }: SupportedType): ParametersByName {
  return new Map(search.map((one) => [one.name, one]));
}

function readTypeSearch(
  pairs: URLSearchParams,
  type: SupportedType,
  others: { readonly parametersOf: ParametersOf; readonly types: readonly string[] },
  strict: boolean,
): SearchQuery {
  return readSearch(pairs, {
    ...type,
    reverseIncludes: [...type.reverseIncludes, ...allReferences()],
    supported: parametersByName(type),
    strict,
    others,
  });
}

/** The parameters of all types that are searched. */
function othersIn(types: readonly SupportedType[]) {
  const searched = types.filter(({ search }) => search.length > 0);
  const known = new Map<string, ParametersByName>();
  return {
    types: searched.map(({ type }) => type),
    parametersOf: (type: string): ParametersByName | undefined => {
      const one = searched.find((other) => other.type === type);
      return one && (known.get(type) ?? known.set(type, parametersByName(one)).get(type));
    },
  };
}

/** The search with what its parameters mean that lead to other resources. */
function withLinked(asking: Asking, type: SupportedType, others: ReturnType<typeof othersIn>, query: SearchQuery) {
  return withoutLinks(
    {
      asking,
      type: type.type,
      own: parametersByName(type),
      ...others,
      search: async (other, sought) => {
        checkDates(sought, asking.services.clock.now());
        const page = { after: undefined, total: undefined };
        return (await searchAll(asking, other, sought, page)).matches;
      },
    },
    query,
  );
}

/** Refuses a malformed date, whether or not the search would find anything. @throws errors.invalidParameter */
function checkDates({ filters }: SearchQuery, now: number): void {
  return filters
    .filter(({ parameter, modifier }) => parameter.type === 'date' && modifier === '')
    .forEach(({ name, values }) => values.forEach((value) => readSoughtDate(name, value, now)));
}

/**
 * Those of some resources of a type that a search finds. Without ids it only checks the search.
 * @throws errors.invalidParameter for a parameter or a value that cannot be used
 */
export async function matchingIds(
  asking: Asking,
  type: string,
  pairs: URLSearchParams,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const types = supportedTypes(asking.services);
  const supported = types.find((one) => one.type === type);
  if (!supported || supported.search.length === 0) {
    throw errors.invalidParameter(
      '_typeFilter',
      'it must begin with a type that is searched, as in Observation?code=1',
    );
  }
  const others = othersIn(types);
  const query = readTypeSearch(pairs, supported, others, true);
  checkDates(query, asking.services.clock.now());
  if (ids.length === 0) {
    return new Set();
  }
  const of: Filter = { name: '_id', modifier: '', values: ids, parameter: parametersByName(supported).get('_id')! };
  const whole = { ...query, filters: [...query.filters, of], count: ids.length, sort: [], total: 'none' as const };
  const plain = whole.links.length === 0 ? whole : await withLinked(asking, supported, others, whole);
  const page = await searchAll(asking, type, plain, { after: undefined, total: undefined });
  return new Set(page.matches.map(({ id }) => id));
}

/**
 * The first matches of a search that a client writes as a condition, two at most.
 * @throws errors.invalidParameter for a parameter or a value that cannot be used
 */
export async function firstMatches(
  asking: Asking,
  type: string,
  pairs: URLSearchParams,
): Promise<readonly Versioned[]> {
  const types = supportedTypes(asking.services);
  const supported = types.find((one) => one.type === type);
  if (!supported || supported.search.length === 0) {
    throw errors.invalidParameter('If-None-Exist', 'this type is not searched');
  }
  const others = othersIn(types);
  const query = { ...readTypeSearch(pairs, supported, others, true), count: 2, sort: [], total: 'none' as const };
  if (query.filters.length + query.links.length === 0) {
    throw errors.invalidParameter('If-None-Exist', 'it must name a parameter of the search, such as identifier');
  }
  checkDates(query, asking.services.clock.now());
  const plain = query.links.length === 0 ? query : await withLinked(asking, supported, others, query);
  const page = await searchAll(asking, type, plain, { after: undefined, total: undefined });
  return page.matches;
}

/**
 * A page of matches with the resources that it includes.
 * @throws errors.invalidParameter, errors.notFound for a type that cannot be searched
 */
export async function searchResources(call: Call<InType, Searched>): Promise<Found> {
  const asking = await askingOf(call);
  const { services, principal } = asking;
  if (principal.recordId === '') {
    return listSharedPatients(call, asking);
  }
  call.note({ recordId: principal.recordId });
  const { TYPE: type } = call.params;
  const types = supportedTypes(services);
  const supported = types.find((one) => one.type === type);
  if (!supported || supported.search.length === 0) {
    throw errors.notFound('type of resource that is searched');
  }
  const asked = new URLSearchParams(call.query.search);
  const sealed = asked.get('_page');
  const place = sealed === null ? undefined : openPage<NextPage>(asking, type, sealed);
  const pairs = place ? new URLSearchParams(place.search) : asked;
  if (place && asked.has('_count')) {
    // The client of Medplum sends one with the link to the next page.
    pairs.set('_count', asked.get('_count')!);
  }
  // Any other parameter in the address of a next page would change the search between its pages.
  const beside = place ? [...asked.keys()].filter((name) => !ofPage.includes(name)) : [];
  if (beside.length > 0 && call.query.strict) {
    throw errors.invalidParameter(shownName(beside[0]!), BESIDE_PAGE);
  }
  const others = othersIn(types);
  const query = readTypeSearch(pairs, supported, others, call.query.strict);
  checkDates(query, services.clock.now());
  const at = await atLengthIfLarge(asking);
  const page = await searcherOf(type)(at, {
    query: query.links.length === 0 ? query : await withLinked(at, supported, others, query),
    after: place?.after,
    total: place?.total ?? undefined,
  });
  const next: NextPage | undefined =
    page.next === undefined
      ? undefined
      : { search: query.used.toString(), after: page.next, total: page.total ?? null };
  const told = {
    ...query,
    unused: [
      ...query.unused,
      ...(page.unused ?? []),
      ...beside.map((name) => ({ name: shownName(name), reason: BESIDE_PAGE })),
    ],
  };
  return { ...page, query: told, nextPage: next && sealPage(asking, type, next) };
}
