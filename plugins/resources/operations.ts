/** operations: the operations on a whole record: `$everything`, `$summary` and `$docref`. */
import { errors } from '../../core/base/errors';
import { countOf } from '../../core/base/count';
import { newId } from '../../core/base/ids';
import type { Resource, Versioned } from '../../core/fhir/resource';
import { besideTypes, referencesIn, summaryOf, summaryTypes } from '../../core/fhir/summary';
import type { Call } from '../../core/http/route';
import { askingOf, fhirBase, mayAlso, type Asking } from './asking';
import { resourcesOfStatements, statementIn } from './fact-resources';
import { checkWanted, everything, everythingOf, readPage, typesTold, type Place, type Wanted } from './everything';
import { latestObservations } from './latest-observations';
import { searchResources, type Found } from './search';

export type EverythingQuery = {
  readonly _type: string;
  readonly _since: string;
  readonly start: string;
  readonly end: string;
  readonly _count: string;
  /** The parameters of the pages after the first one. */
  readonly _page: string;
  /** How the resources are shown: the parameters go from page to page as they came. */
  readonly shown: string;
};

export const wantedOf = ({
  _type,
  _since,
  start,
  end,
}: Omit<EverythingQuery, '_count' | '_page' | 'shown'>): Wanted => ({
  types: _type.split(',').filter((type) => type !== ''),
  since: _since,
  start,
  end,
});

const MOST_ON_PAGE = 1000;

const countIn = (text: string): number | undefined => {
  if (text === '') {
    return undefined;
  }
  const count = countOf(text);
  if (count === undefined || count === 0) {
    throw errors.invalidParameter('_count', 'it must be a whole number above 0');
  }
  return Math.min(count, MOST_ON_PAGE);
};

type SealedPage = {
  readonly everything: string;
  readonly carenet: string | null;
  readonly wanted: Wanted;
  readonly count: number;
  readonly shown: string;
  readonly place: Place;
};

const openPage = ({ services, principal }: Asking, sealed: string): SealedPage => {
  const refusal = errors.invalidParameter('_page', 'it must come from a link to the next page');
  let page: SealedPage;
  try {
    page = JSON.parse(services.sealing.open(sealed)) as SealedPage;
  } catch {
    throw refusal;
  }
  if (page.everything !== principal.recordId || page.carenet !== principal.carenetId) {
    throw refusal;
  }
  return page;
};

/** All of a record in portions, or one page of it. */
export type Everything =
  | { readonly portions: AsyncGenerator<readonly Versioned[]> }
  | {
      readonly page: readonly Versioned[];
      readonly shown: string;
      /** The value of `_page` for the next page; undefined on the last one. */
      readonly nextPage: string | undefined;
    };

/** @throws errors.notFound, errors.invalidParameter */
export const readEverything = async (
  call: Call<{ TYPE: string; ID: string }, EverythingQuery>,
): Promise<Everything> => {
  const asking = askingOf(call);
  const { query, params } = call;
  const from = query._page === '' ? undefined : openPage(asking, query._page);
  const wanted = from?.wanted ?? wantedOf(query);
  checkWanted(asking, params.ID, wanted);
  const count = from?.count ?? countIn(query._count);
  if (count === undefined) {
    return { portions: everything(asking, wanted) };
  }
  const { recordId, carenetId } = asking.principal;
  const shown = from?.shown ?? query.shown;
  const { resources, next } = await readPage(asking, wanted, from?.place, count);
  const following: SealedPage | undefined = next && {
    everything: recordId,
    carenet: carenetId,
    wanted,
    count,
    shown,
    place: next,
  };
  return { page: resources, shown, nextPage: following && asking.services.sealing.seal(JSON.stringify(following)) };
};

const OBSERVATION = 'Observation';
const isNoSeries = (type: string): boolean => type !== OBSERVATION;

/** The people, places and visits to which the resources refer, and those to which these refer. */
const withBeside = async (asking: Asking, resources: readonly Versioned[]): Promise<readonly Versioned[]> => {
  const types = new Set(besideTypes.filter((type) => mayAlso(asking, type, 'r')));
  const found = new Map(resources.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]));
  for (let fresh = resources; fresh.length > 0 && types.size > 0;) {
    const names = new Set(fresh.flatMap(referencesIn).filter((name) => !found.has(name)));
    const ids = [...names]
      .filter((name) => types.has(name.split('/')[0]!))
      .map((name) => statementIn(name.split('/')[1]!));
    const beside = await resourcesOfStatements(asking, [...new Set(ids)], types);
    fresh = beside.filter(({ resourceType, id }) => names.has(`${resourceType}/${id}`));
    fresh.forEach((resource) => found.set(`${resource.resourceType}/${resource.id}`, resource));
  }
  return [...found.values()];
};

/** The summary of a record as a document, with the latest measurement of each kind. @throws errors.notFound */
export const summarize = async (call: Call<{ TYPE: string; ID: string }>): Promise<Resource> => {
  const asking = askingOf(call);
  const { services } = asking;
  const wanted: Wanted = { types: summaryTypes, since: '' };
  checkWanted(asking, call.params.ID, wanted);
  const told = typesTold(asking, wanted);
  const resources = told.has(OBSERVATION) ? [...(await latestObservations(asking))] : [];
  let patient: Versioned | undefined;
  for await (const portion of everythingOf(asking, summaryTypes.filter(isNoSeries))) {
    resources.push(...portion.filter(({ resourceType }) => resourceType !== 'Patient'));
    patient ??= portion.find(({ resourceType }) => resourceType === 'Patient');
  }
  if (!patient) {
    throw errors.notFound('resource');
  }
  return summaryOf({
    base: fhirBase(services),
    id: newId(),
    now: new Date(services.clock.now()).toISOString(),
    patient,
    resources: await withBeside(asking, resources),
    withheld: new Set(summaryTypes.filter((type) => !told.has(type))),
  });
};

export type DocrefQuery = {
  readonly patient: string;
  readonly start: string;
  readonly end: string;
  readonly type: string;
  readonly onDemand: boolean;
  readonly profile: string;
};

/** The stored documents of a period; without dates the latest one. No document is made on demand, and none claims a profile. */
export const findDocumentReferences = (call: Call<{ TYPE: string }, DocrefQuery>): Promise<Found> => {
  const { patient, start, end, type, onDemand, profile } = call.query;
  const search = new URLSearchParams({ patient, status: 'current' });
  if (start !== '') {
    search.append('date', `ge${start}`);
  }
  if (end !== '') {
    search.append('date', `le${end}`);
  }
  if (type !== '') {
    search.append('type', type);
  }
  if (onDemand || profile !== '') {
    // Every document here was stored; none is made on demand.
    search.append('_id', 'none');
  }
  if (start === '' && end === '') {
    search.append('_count', '1');
  }
  return searchResources({ ...call, query: { search: search.toString(), strict: false } }).then((found) =>
    start === '' && end === ''
      ? { ...found, total: found.matches.length, nextPage: undefined, next: undefined }
      : found,
  );
};
