/** histories: the states of a resource, the newest first, a page at a time. */
import { fromTimestamp } from '../../../core/base/clock';
import type { Id, Timestamp } from '../../../core/base/types';
import { type Versioned, documentIn } from '../../../core/fhir/resource';
import * as documentStore from '../../../core/documents/store';
import type { DocumentRow } from '../../../core/documents/store';
import type { Asking } from '../asking';

/** Which states a client asks for. */
export type HistoryRange = {
  /** States of this time or later; undefined: of any time. */
  readonly since: Timestamp | undefined;
  /** The place at which the page begins; undefined for the first page. */
  readonly after: string | undefined;
  readonly count: number;
};

export type HistoryPage = {
  readonly states: readonly Versioned[];
  /** How many there are on all pages; undefined where they were not counted. */
  readonly total: number | undefined;
  /** The place at which the next page begins; undefined on the last one. */
  readonly next: string | undefined;
  /** Whether the last of these states is the first state of the resource. */
  readonly reachesFirst: boolean;
};

/** Times are compared by the millisecond, because `meta.lastUpdated` shows them so. */
function isSince(time: number, since: Timestamp | undefined): boolean {
  return since === undefined || time >= fromTimestamp(since);
}

/** A state that tells no time may be new to whoever asks. */
function changedSince({ meta }: Versioned, since: Timestamp | undefined): boolean {
  return meta.lastUpdated === undefined || isSince(Date.parse(meta.lastUpdated), since);
}

/**
 * A page of states that were all read already. Its place is the number of states that are left, because new states are
 * added in front of them.
 */
export function pageOfStates(all: readonly Versioned[], { since, after, count }: HistoryRange): HistoryPage {
  const wanted = all.filter((state) => changedSince(state, since));
  const begin = after === undefined ? 0 : Math.max(wanted.length - Number(after), 0);
  const left = Math.max(wanted.length - begin - count, 0);
  return {
    states: wanted.slice(begin, begin + count),
    total: wanted.length,
    next: left === 0 ? undefined : String(left),
    reachesFirst: left === 0 && wanted.length === all.length,
  };
}

/** How many earlier versions a page reads at most, because each is read from its document. */
const MOST_VERSIONS = 20;

/**
 * A page of states that each come from another version of one document. Its place is the version before the page.
 * @param current the state of the latest version
 * @param stateOf reads the state of an earlier version; undefined where the version does not state the resource
 */
export async function pageOfVersions(
  { services }: Asking,
  { lineageId, current }: { readonly lineageId: Id; readonly current: Versioned },
  { since, after, count }: HistoryRange,
  stateOf: (row: DocumentRow) => Promise<Versioned | undefined>,
): Promise<HistoryPage> {
  const isFirstPage = after === undefined;
  const newest = isFirstPage && changedSince(current, since) ? [current] : [];
  const rows = await documentStore.olderVersions(
    services.database.reads,
    lineageId,
    after ?? documentIn(current),
    MOST_VERSIONS + 1,
  );
  const wanted = rows.filter(({ createdAt }) => isSince(fromTimestamp(createdAt), since));
  const read = wanted.slice(0, Math.min(MOST_VERSIONS, count + 1));
  const earlier = await Promise.all(read.map(stateOf));
  const found = [...newest, ...earlier.filter((state) => state !== undefined)];
  const states = found.slice(0, count);
  const unread = wanted.length > read.length ? read.at(-1)!.id : undefined;
  const next = found.length > count ? documentIn(states.at(-1)!) : unread;
  return {
    states,
    total: isFirstPage && next === undefined ? states.length : undefined,
    next,
    reachesFirst: next === undefined && wanted.length === rows.length,
  };
}
