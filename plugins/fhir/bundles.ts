/** bundles: makes Bundles of search results and of histories, with absolute addresses (pure). */
import { mapInSlices } from '../../core/base/turns/slices';
import { filled, type Resource, type Versioned } from '../../core/fhir/resource';
import { validatorsOf } from './write/conditions';
import { outcomeOf } from './write/outcome';
import { formOnly, readShown, type SearchQuery, type Unused } from './search/search-query';
import { shownOf } from './map/shown';
import { withQuery } from './parameters';

/** The results of a search, from which its Bundle is made. */
type Found = {
  readonly matches: readonly Versioned[];
  readonly included: readonly Resource[];
  readonly total: number | undefined;
  readonly nextPage: string | undefined;
  readonly query: SearchQuery;
};

export function urlOf(base: string, { resourceType, id }: Resource): string {
  return `${base}/${resourceType}/${id}`;
}

/** The links of a page. @param url the address of the first page, without parameters */
function linksOf(url: string, self: string, nextPage: string | undefined): readonly object[] {
  return [
    { relation: 'self', url: self },
    ...(nextPage === undefined ? [] : [{ relation: 'next', url: `${url}?_page=${encodeURIComponent(nextPage)}` }]),
  ];
}

/** A page whose link to the next one asks for the form of this one. */
export function inForm(query: URLSearchParams, bundle: Resource): Resource {
  const form = new URLSearchParams([...query].filter(([name, value]) => formOnly.includes(name) && value !== ''));
  const links = (bundle['link'] ?? []) as readonly { readonly relation: string; readonly url: string }[];
  return form.size === 0
    ? bundle
    : {
        ...bundle,
        link: links.map((link) => (link.relation === 'next' ? { ...link, url: `${link.url}&${form}` } : link)),
      };
}

type OutcomeEntry = { readonly resource: Resource; readonly search: { readonly mode: 'outcome' } };

/** The entry that names the parameters that were not used; undefined when all were used. */
export function outcomeEntry(unused: readonly Unused[]): OutcomeEntry | undefined {
  return unused.length === 0
    ? undefined
    : {
        resource: outcomeOf(
          unused.map(({ name, reason }) => ({
            severity: 'warning',
            code: 'not-supported',
            text: `The parameter ${name} was not used: ${reason}.`,
          })),
        ),
        search: { mode: 'outcome' },
      };
}

/**
 * The Bundle of a page of search results.
 * @param base the address of the door
 * @param self the address of the call; that of the search when absent
 */
export async function searchset(base: string, type: string, found: Found, self?: string): Promise<Resource> {
  const { matches, included, total, query, nextPage } = found;
  const url = `${base}/${type}`;
  const entry = (resource: Resource, mode: string): object => ({
    fullUrl: urlOf(base, resource),
    resource: shownOf(resource, query.shown),
    search: { mode },
  });
  const entries = [
    ...(await mapInSlices(matches, (resource) => entry(resource, 'match'))),
    ...(await mapInSlices(included, (resource) => entry(resource, 'include'))),
    ...[outcomeEntry(query.unused) ?? []].flat(),
  ];
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    ...(total === undefined ? {} : { total }),
    link: linksOf(url, self ?? withQuery(url, query.used), nextPage),
    ...(entries.length === 0 ? {} : { entry: entries }),
  };
}

type ToldPage = {
  readonly page: readonly Versioned[];
  readonly used: URLSearchParams;
  readonly unused: readonly Unused[];
  readonly nextPage: string | undefined;
};

/** One page of everything in a record. @param url the address of the operation */
export async function pageBundle(
  base: string,
  url: string,
  { page, used, unused, nextPage }: ToldPage,
): Promise<Resource> {
  const how = readShown(used);
  const entry = [
    ...(await mapInSlices(page, (resource) => ({
      fullUrl: urlOf(base, resource),
      resource: shownOf(resource, how),
      search: { mode: 'match' },
    }))),
    ...[outcomeEntry(unused) ?? []].flat(),
  ];
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    link: linksOf(url, withQuery(url, used), nextPage),
    ...(entry.length === 0 ? {} : { entry }),
  };
}

type ToldHistory = {
  /** The newest first. */
  readonly states: readonly Versioned[];
  readonly total: number | undefined;
  readonly reachesFirst: boolean;
  /** The parameters of the first page. */
  readonly used: URLSearchParams;
  readonly nextPage: string | undefined;
};

/** A page of the states of a resource. @param url the address of its history */
export async function historyBundle(
  base: string,
  url: string,
  { states, total, reachesFirst, used, nextPage }: ToldHistory,
): Promise<Resource> {
  const how = readShown(used);
  return filled({
    resourceType: 'Bundle',
    type: 'history',
    total,
    link: linksOf(url, withQuery(url, used), nextPage),
    entry: await mapInSlices(states.entries(), ([index, resource]) => {
      const isFirst = reachesFirst && index === states.length - 1;
      const { resourceType, id, meta } = resource;
      return {
        fullUrl: urlOf(base, resource),
        resource: shownOf(resource, how),
        request: isFirst ? { method: 'POST', url: resourceType } : { method: 'PUT', url: `${resourceType}/${id}` },
        response: {
          status: isFirst ? '201' : '200',
          etag: validatorsOf(resource).etag,
          ...(meta.lastUpdated === undefined ? {} : { lastModified: meta.lastUpdated }),
        },
      };
    }),
  });
}
