/** summaries: the operations on a whole record: `$everything`, `$summary` and `$docref`. */
import { errors } from '../../../core/base/errors';
import { filterInSlices, flatMapInSlices } from '../../../core/base/turns/slices';
import { newId } from '../../../core/base/ids';
import type { Resource, Versioned } from '../../../core/fhir/resource';
import { besideTypes, referencesIn, summaryOf, summaryTypes } from './summary';
import type { Call } from '../../../core/http/route';
import { missingSince } from '../../../core/lines/newer';
import { readCurrentScope, readMissing } from '../../../core/records/current';
import { askingOf, atLengthIfLarge, fhirBase, goOn, mayAlso, mayRead, type Asking } from '../asking';
import { joinedResources, LINES_OF_SUMMARIES } from './joined';
import { readTargets } from './kept-resources';
import { checkWanted, everything, everythingOf, readPage, typesTold, type Place, type Wanted } from './everything';
import { latestObservations } from '../search/latest-observations';
import { openPage, sealPage } from '../search/next-pages';
import { countOnPage, readInstant, type PagedQuery } from '../names';
import { searchResources } from '../search/search';
import type { Found } from '../search/searcher';

function wantedOfEverything(used: URLSearchParams): Wanted {
  return {
    types: used
      .getAll('_type')
      .flatMap((types) => types.split(','))
      .filter((type) => type !== ''),
    since: used.get('_since') ?? '',
    start: used.get('start') ?? '',
    end: used.get('end') ?? '',
  };
}

/** What the address of a page after the first one contains. */
type NextPage = { readonly used: string; readonly place: Place };

const EVERYTHING = 'everything';

/** Everything in a record in portions, or one page of it. */
export type Everything =
  | { readonly portions: AsyncGenerator<readonly Versioned[]> }
  | {
      readonly page: readonly Versioned[];
      /** The parameters of the first page. */
      readonly used: URLSearchParams;
      /** The value of `_page` for the next page; undefined on the last one. */
      readonly nextPage: string | undefined;
    };

/** @throws errors.notFound, errors.invalidParameter */
export async function readEverything(call: Call<{ TYPE: string; ID: string }, PagedQuery>): Promise<Everything> {
  const own = await askingOf(call);
  const asking = await atLengthIfLarge(own);
  const { query, params } = call;
  const from = query._page === '' ? undefined : openPage<NextPage>(asking, EVERYTHING, query._page);
  const used = new URLSearchParams(from?.used ?? query.used);
  const wanted = wantedOfEverything(used);
  checkWanted(asking, params.ID, wanted);
  const count = countOnPage(used.get('_count') ?? '');
  if (count === undefined) {
    return { portions: everything(asking, wanted) };
  }
  const { resources, next } = await readPage(asking, wanted, from?.place, count);
  const following: NextPage | undefined = next && { used: used.toString(), place: next };
  return { page: resources, used, nextPage: following && sealPage(asking, EVERYTHING, following) };
}

const OBSERVATION = 'Observation';
function isNoSeries(type: string): boolean {
  return type !== OBSERVATION;
}

/** Adds the people, organizations and visits to which the resources refer, and those to which these refer in turn. */
export async function withBeside(
  asking: Asking,
  resources: readonly Versioned[],
  beside: readonly string[] = besideTypes,
): Promise<readonly Versioned[]> {
  const types = new Set(beside.filter((type) => mayAlso(asking, type, 'r')));
  const found = new Map(resources.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]));
  for (let fresh = resources; fresh.length > 0 && types.size > 0;) {
    goOn(asking);
    const named = await flatMapInSlices(fresh, referencesIn);
    const names = new Set(await filterInSlices(named, (name) => !found.has(name)));
    const targets = [...names]
      .map((name) => ({ type: name.split('/')[0]!, id: name.split('/')[1]! }))
      .filter(({ type }) => types.has(type));
    const read = await readTargets(asking, targets);
    fresh = read.filter((one) => names.has(`${one.resourceType}/${one.id}`) && mayRead(asking, one));
    fresh.forEach((resource) => found.set(`${resource.resourceType}/${resource.id}`, resource));
  }
  return [...found.values()];
}

/** Models of lists of which a newer one may lack a statement. */
export const SUMMARY_LISTS = ['Problem', 'Allergy', 'AllergyExclusion', 'Medication', 'Equipment'];

/** The summary of a record as a document, with the latest measurement of each kind. @throws errors.notFound */
export async function summarize(call: Call<{ TYPE: string; ID: string }>): Promise<Resource> {
  const own = await askingOf(call);
  const asking = await atLengthIfLarge(own);
  const { services } = asking;
  const wanted: Wanted = { types: summaryTypes, since: '' };
  checkWanted(asking, call.params.ID, wanted);
  const told = typesTold(asking, wanted);
  const current = await readCurrentScope(services, asking.scope);
  const counting: Asking = { ...asking, scope: current.scope };
  const resources = told.has(OBSERVATION) ? [...(await latestObservations(counting))] : [];
  let patient: Versioned | undefined;
  for await (const portion of everythingOf(counting, summaryTypes.filter(isNoSeries))) {
    for (const resource of portion) {
      if (resource.resourceType !== 'Patient') {
        resources.push(resource);
      }
    }
    patient ??= portion.find(({ resourceType }) => resourceType === 'Patient');
  }
  if (!patient) {
    throw errors.notFound('resource');
  }
  const joined = await joinedResources(asking, current, resources, { models: LINES_OF_SUMMARIES });
  const beside = await withBeside(asking, joined.resources);
  const missing = await readMissing(services, current, SUMMARY_LISTS);
  goOn(asking);
  return summaryOf({
    base: fhirBase(services),
    id: newId(),
    now: new Date(services.clock.now()).toISOString(),
    patient,
    resources: beside,
    notes: joined.notes,
    provenances: joined.provenances,
    missing: new Map(
      beside.flatMap(({ id }) => {
        const since = missingSince(joined.statementsOf(id), missing);
        return since === undefined ? [] : [[id, since] as const];
      }),
    ),
    isPart: asking.scope.carenetId !== undefined,
    withheld: new Set(summaryTypes.filter((type) => !told.has(type))),
  });
}

export type DocrefQuery = {
  readonly patient: string;
  readonly start: string;
  readonly end: string;
  readonly type: string;
  readonly onDemand: boolean;
  readonly profile: string;
};

/**
 * The documents about care in a time; without dates, the document that was stored last. No document is made on demand,
 * and none claims a profile.
 */
export function findDocumentReferences(call: Call<{ TYPE: string }, DocrefQuery>): Promise<Found> {
  const { patient, start, end, type, onDemand, profile } = call.query;
  const now = call.services.clock.now();
  // A wrong date is refused under the name that the caller gave it.
  readInstant('start', start, now);
  readInstant('end', end, now);
  const search = new URLSearchParams({ patient, status: 'current' });
  if (start !== '') {
    search.append('care-date', `ge${start}`);
  }
  if (end !== '') {
    search.append('care-date', `le${end}`);
  }
  if (type !== '') {
    search.append('type', type);
  }
  if (onDemand || profile !== '') {
    // All documents were stored before; none is made on demand.
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
}
