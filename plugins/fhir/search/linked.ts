/**
 * linked: searches the resources to which the parameters of a search lead, and turns these parameters into plain ones:
 * the references that may stand in a resource, or the ids that it may have. The others are searched as their own type
 * is, so that only what the caller may see is found.
 */
import { errors } from '../../../core/base/errors';
import { flatMapInSlices } from '../../../core/base/turns/slices';
import { idsOfDocuments } from '../../../core/documents/kept-resources-store';
import type { JsonObject } from '../../../core/fhir/from-xml';
import { resourceName, type Versioned } from '../../../core/fhir/resource';
import { referencesBy } from '../../../core/fhir/search-values';
import { fhirBase, mayAlso, type Asking } from '../asking';
import type { Link, ParametersOf } from './links-of-search';
import { readReference, readSearch, type Filter, type SearchQuery } from './search-query';
import type { SearchParameter } from './supported';

/** Searches one type, without the resources that it includes. */
type SearchOf = (type: string, query: SearchQuery) => Promise<readonly Versioned[]>;

type Linking = {
  readonly asking: Asking;
  readonly type: string;
  readonly own: ReadonlyMap<string, SearchParameter>;
  readonly parametersOf: ParametersOf;
  /** All types that are searched. */ readonly types: readonly string[];
  readonly search: SearchOf;
};

/** So many other resources are looked at; a search that leads to more has to say more. */
const MOST_LINKED = 1000;

const ID: SearchParameter = { name: '_id', type: 'token', modifiers: [], says: '' };

/** @throws errors.outsideScope for types that the token may not search */
function typesIn({ asking }: Linking, { types, isNamed, isReverse, reference }: Link): readonly string[] {
  const allowed = types.filter((type) => mayAlso(asking, type, 's'));
  // Without the type of which the reference has its name, an answer would say that nothing was found.
  const meant = isNamed || isReverse ? types[0] : types.find((type) => type.toLowerCase() === reference);
  if (allowed.length === 0 || (meant !== undefined && !allowed.includes(meant))) {
    throw errors.outsideScope(`patient/${meant ?? '*'}.s`);
  }
  return allowed;
}

/** The other resources of one type. */
async function othersOf(linking: Linking, link: Link, type: string): Promise<readonly Versioned[]> {
  const pairs = new URLSearchParams([
    [link.parameter, link.value],
    ['_count', String(MOST_LINKED)],
    ['_total', 'none'],
  ]);
  // A record is one Patient, so one resource that names it is enough.
  if (link.isReverse && linking.type === 'Patient') {
    pairs.append(link.reference, `Patient/${linking.asking.scope.recordId}`);
    pairs.set('_count', '1');
  }
  const own = linking.parametersOf(type)!;
  const query = readSearch(pairs, {
    supported: own,
    sortable: [],
    includes: [],
    reverseIncludes: [],
    strict: true,
    others: linking,
  });
  return linking.search(type, query.links.length === 0 ? query : await withoutLinks({ ...linking, type, own }, query));
}

/**
 * The ids of resources of the searched type that other resources name. The Provenance of a document, which has its id,
 * is also about what was made of the document.
 */
async function namedBy(linking: Linking, link: Link, others: readonly Versioned[]): Promise<readonly string[]> {
  const { services } = linking.asking;
  const base = fhirBase(services);
  const named = await flatMapInSlices(others, (other) =>
    referencesBy(other.resourceType, other as unknown as JsonObject, link.reference).flatMap((word) => {
      const found = readReference(word, base);
      return found?.type === linking.type ? [found.id] : [];
    }),
  );
  const documents = others.filter((other) => other.resourceType === 'Provenance' && link.reference === 'target');
  const made = await idsOfDocuments(
    services.database.reads,
    linking.type,
    documents.map(({ id }) => id),
  );
  return [...named, ...made];
}

/** The plain filter that a link means. @throws errors.invalidParameter, errors.outsideScope */
async function filterOf(linking: Linking, link: Link): Promise<Filter> {
  const found: Versioned[] = [];
  for (const type of typesIn(linking, link)) {
    found.push(...(await othersOf(linking, link, type)));
  }
  if (found.length >= MOST_LINKED) {
    throw errors.invalidParameter(link.given, `it leads to more than ${MOST_LINKED} resources: say more of them`);
  }
  if (link.isReverse) {
    return { name: '_id', modifier: '', values: [...new Set(await namedBy(linking, link, found))], parameter: ID };
  }
  const names = found.map(resourceName);
  // Nothing has an id among none.
  return names.length === 0
    ? { name: '_id', modifier: '', values: [], parameter: ID }
    : { name: link.reference, modifier: '', values: names, parameter: linking.own.get(link.reference)! };
}

/** The search with plain filters in the place of its links. @throws errors.invalidParameter, errors.outsideScope */
export async function withoutLinks(linking: Linking, query: SearchQuery): Promise<SearchQuery> {
  const filters: Filter[] = [...query.filters];
  for (const link of query.links) {
    filters.push(await filterOf(linking, link));
  }
  return { ...query, filters, links: [] };
}
