/** searcher: the type of a function that searches one type of resource, and what it is asked and finds. */
import type { Versioned, Resource } from '../../../core/fhir/resource';
import type { Asking } from '../asking';
import type { SearchQuery, Unused } from './search-query';

/** Searches one type. `fact-searches` adds a searcher for each type that is made of facts. */
export type Searcher = (asking: Asking, sought: Sought) => Promise<FoundPage>;

type Sought = {
  readonly query: SearchQuery;
  /** The place after which the page begins; undefined for the first one. */
  readonly after: string | undefined;
  /** How many matches there were when the first page was read. */
  readonly total: number | undefined;
};

/** One page of results. */
type FoundPage = {
  readonly matches: readonly Versioned[];
  readonly included: readonly Resource[];
  /** How many matches there are on all pages; undefined when they were not counted. */
  readonly total: number | undefined;
  /** The place after which the next page begins; undefined on the last one. */
  readonly next: string | undefined;
  /** The parts of the request that this service does not support. */
  readonly unused?: readonly Unused[];
};

export type Found = FoundPage & {
  readonly query: SearchQuery;
  /** The value of `_page` for the next page. */
  readonly nextPage: string | undefined;
};

export type Searched = {
  /** The parameters as they came, percent-encoded. */
  readonly search: string;
  /** `Prefer: handling=strict`. */
  readonly strict: boolean;
};
