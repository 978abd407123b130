/** latest-observations: of what is measured again and again the latest, found by few searches however often it was measured. */
import type { Versioned } from '../../core/fhir/resource';
import { readSearch, type SearchQuery } from '../../core/fhir/search-query';
import type { Asking } from './asking';
import { factSearcher, searchedAs } from './fact-searches';

const OBSERVATION = 'Observation';
/** Each search finds the latest of all kinds that were not found before. */
const AT_ONCE = 200;
/** More kinds than these searches find are more than a summary tells. */
const MOST_SEARCHES = 12;
/** What somebody took back, or what never came to be, is no latest value. */
const TAKEN_BACK = 'cancelled,entered-in-error';

type Coded = { readonly coding?: readonly { readonly system?: string; readonly code?: string }[] };

const escaped = (text: string): string => text.replace(/[\\,|$]/g, '\\$&');

/** As a search names it; undefined for a kind that is said in words only. */
const tokenOf = (resource: Versioned): string | undefined => {
  const [coding] = (resource['code'] as Coded | undefined)?.coding ?? [];
  return coding?.code === undefined ? undefined : `${escaped(coding.system ?? '')}|${escaped(coding.code)}`;
};

/** One Observation for each kind that there is. */
export const latestObservations = async (asking: Asking): Promise<readonly Versioned[]> => {
  const { search: parameters = [], sortable = [] } = searchedAs(asking.services.models(), OBSERVATION);
  const supported = new Map(parameters.map((one) => [one.name, one]));
  const queryOf = (known: ReadonlySet<string>): SearchQuery =>
    readSearch(
      new URLSearchParams([
        ['_sort', '-date'],
        ['_count', String(AT_ONCE)],
        ['_total', 'none'],
        ['status:not', TAKEN_BACK],
        ...(known.size === 0 ? [] : [['code:not', [...known].join(',')]]),
      ]),
      { supported, sortable, strict: true },
    );
  const search = factSearcher(OBSERVATION);
  const latest = new Map<string, Versioned>();
  const known = new Set<string>();
  let after: string | undefined;
  for (let searches = 0; searches < MOST_SEARCHES; searches += 1) {
    const { matches, next } = await search(asking, { query: queryOf(known), after, total: undefined });
    const before = known.size;
    for (const resource of matches) {
      // They come newest first.
      const kind = JSON.stringify(resource['code']);
      if (!latest.has(kind)) {
        latest.set(kind, resource);
      }
      const token = tokenOf(resource);
      if (token !== undefined) {
        known.add(token);
      }
    }
    if (next === undefined) {
      break;
    }
    // With further kinds left out the list is another one, which begins anew.
    after = known.size > before ? undefined : next;
  }
  return [...latest.values()];
};
