/**
 * latest-observations: the latest Observation of each kind of measurement, found by a few searches, however many
 * measurements there are.
 */
import type { Versioned } from '../../../core/fhir/resource';
import { type SearchQuery, readSearch } from './search-query';
import { type Asking, goOn, mayRead } from '../asking';
import { searcherOf } from './search';
import { searchedAs } from '../read/supported-types';

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

/** The latest Observation of each kind. */
export async function latestObservations(asking: Asking): Promise<readonly Versioned[]> {
  const { search: parameters, sortable } = searchedAs(OBSERVATION);
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
      { supported, sortable, includes: [], reverseIncludes: [], strict: true },
    );
  const search = searcherOf(OBSERVATION);
  const latest = new Map<string, Versioned>();
  const known = new Set<string>();
  let leftOut: ReadonlySet<string> = new Set();
  let after: string | undefined;
  for (let searches = 0; searches < MOST_SEARCHES; searches += 1) {
    goOn(asking);
    const { matches, next } = await search(asking, { query: queryOf(leftOut), after, total: undefined });
    const before = known.size;
    for (const resource of matches) {
      // The search answers the newest first.
      const kind = JSON.stringify(resource['code']);
      const shown = latest.get(kind);
      if (!shown || corrects(resource, shown)) {
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
    const isNewList = known.size > before && known.size <= MOST_KINDS;
    // A search that leaves out more kinds is a new list, so it begins at its first page.
    leftOut = isNewList ? new Set(known) : leftOut;
    after = isNewList ? undefined : next;
  }
  return [...latest.values()].filter((one) => mayRead(asking, one));
}
