/** bundles: Bundles of search results and of histories, with absolute addresses (pure). */
import type { Resource, Versioned } from '../../core/fhir/resource';
import { outcomeOf } from '../../core/fhir/outcome';
import { readShown, type SearchQuery } from '../../core/fhir/search-query';
import { shownOf } from '../../core/fhir/shown';

/** The results of a search, from which its Bundle is made. */
export type Found = {
  readonly matches: readonly Versioned[];
  readonly included: readonly Resource[];
  readonly total: number | undefined;
  readonly nextPage: string | undefined;
  readonly query: SearchQuery;
};

type Link = { readonly relation: string; readonly url: string };

const urlOf = (base: string, { resourceType, id }: Resource): string => `${base}/${resourceType}/${id}`;

const linksOf = (base: string, type: string, { query, nextPage }: Found): readonly Link[] => {
  const used = query.used.toString();
  return [
    { relation: 'self', url: `${base}/${type}${used === '' ? '' : `?${used}`}` },
    ...(nextPage === undefined
      ? []
      : [{ relation: 'next', url: `${base}/${type}?_page=${encodeURIComponent(nextPage)}` }]),
  ];
};

/** The Bundle of a page of search results. @param base the address of the door */
export const searchset = (base: string, type: string, found: Found): Resource => {
  const { matches, included, total, query } = found;
  const entry = (resource: Resource, mode: string): object => ({
    fullUrl: urlOf(base, resource),
    resource: shownOf(resource, query.shown),
    search: { mode },
  });
  const unused =
    query.unused.length === 0
      ? []
      : [
          {
            resource: outcomeOf(
              query.unused.map(({ name, reason }) => ({
                severity: 'warning',
                code: 'not-supported',
                text: `The parameter ${name} was not used: ${reason}.`,
              })),
            ),
            search: { mode: 'outcome' },
          },
        ];
  const entries = [
    ...matches.map((resource) => entry(resource, 'match')),
    ...included.map((resource) => entry(resource, 'include')),
    ...unused,
  ];
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    ...(total === undefined ? {} : { total }),
    link: linksOf(base, type, found),
    ...(entries.length === 0 ? {} : { entry: entries }),
  };
};

type ToldPage = {
  readonly page: readonly Versioned[];
  readonly shown: string;
  readonly nextPage: string | undefined;
};

/** One page of all that a record holds. @param path the operation's path below `/fhir` */
export const pageBundle = (base: string, path: string, { page, shown, nextPage }: ToldPage): Resource => {
  const how = readShown(new URLSearchParams(shown));
  const url = `${base}${path}`;
  const links = [
    { relation: 'self', url },
    ...(nextPage === undefined ? [] : [{ relation: 'next', url: `${url}?_page=${encodeURIComponent(nextPage)}` }]),
  ];
  const entry = page.map((resource) => ({
    fullUrl: urlOf(base, resource),
    resource: shownOf(resource, how),
    search: { mode: 'match' },
  }));
  return { resourceType: 'Bundle', type: 'searchset', link: links, ...(entry.length === 0 ? {} : { entry }) };
};

/** The Bundle of a resource's versions. @param states the newest first */
export const historyBundle = (base: string, states: readonly Versioned[]): Resource => ({
  resourceType: 'Bundle',
  type: 'history',
  total: states.length,
  entry: states.map((resource, index) => ({
    fullUrl: urlOf(base, resource),
    resource,
    request: {
      method: index === states.length - 1 ? 'POST' : 'PUT',
      url: index === states.length - 1 ? resource.resourceType : `${resource.resourceType}/${resource.id}`,
    },
    response: {
      status: index === states.length - 1 ? '201' : '200',
      etag: `W/"${resource.meta.versionId}"`,
      lastModified: resource.meta.lastUpdated,
    },
  })),
});
