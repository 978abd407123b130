/** holdings: counts what is in the records and carenets that a page lists, with two statements for all of them. */
import type { Id, Timestamp } from '../base/types';
import type { Services } from '../services';
import type { InCarenet } from './holdings-store';
import * as holdingStore from './holdings-store';

/** A whole record, or one carenet of it. */
type Place = { readonly recordId: Id; readonly carenetId: Id | null };

export type Holds = {
  /** All active documents there. */ readonly documents: number;
  /** When the newest of them was added; null if there is none, and for a carenet. */
  readonly lastAddedAt: Timestamp | null;
  /** For a carenet: the shared types of which it contains documents. */ readonly types: readonly string[];
  /** For a carenet: how many of the documents were put there one by one and have another type. */
  readonly placed: number;
};

function countDocuments(counts: readonly InCarenet[]): number {
  return counts.reduce((total, { documents }) => total + documents, 0);
}

function inCarenet(counts: readonly InCarenet[]): Holds {
  const [byType, placed] = [true, false].map((wanted) => counts.filter((one) => one.byType === wanted)) as [
    InCarenet[],
    InCarenet[],
  ];
  return {
    documents: countDocuments(counts),
    lastAddedAt: null,
    types: byType.map(({ type }) => type),
    placed: countDocuments(placed),
  };
}

/**
 * What each place holds, in the order of the places. In a carenet, only what it contains is counted. The caller must
 * make sure that its user may see the places.
 */
export async function holdingsOf(
  { database }: Pick<Services, 'database'>,
  places: readonly Place[],
): Promise<readonly Holds[]> {
  const { long } = database.reads;
  const whole = places.filter(({ carenetId }) => carenetId === null).map(({ recordId }) => recordId);
  const parts = places.flatMap(({ carenetId }) => carenetId ?? []);
  const [records, carenets] = await Promise.all([
    holdingStore.countInRecords(long, whole),
    holdingStore.countInCarenets(long, parts),
  ]);
  const byRecord = new Map(records.map((one) => [one.recordId, one]));
  return places.map(({ recordId, carenetId }) => {
    if (carenetId !== null) {
      return inCarenet(carenets.filter((one) => one.carenetId === carenetId));
    }
    const { documents = 0, lastAddedAt = null } = byRecord.get(recordId) ?? {};
    return { documents, lastAddedAt, types: [], placed: 0 };
  });
}
