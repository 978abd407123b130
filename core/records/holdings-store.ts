/** holdings-store: counts the documents in records and in carenets, with one statement for all records or all carenets. */
import type { Id, Timestamp } from '../base/types';
import type { Reads } from '../db/database';

export type InRecord = {
  readonly recordId: Id;
  /** Active documents, each in its latest version. */ readonly documents: number;
  /** When the newest of these versions was added. */ readonly lastAddedAt: Timestamp;
};

type RecordCount = { record_id: string; n: number | string; last: string };

/** What records hold. A record without active documents is not in the answer. */
export async function countInRecords(on: Reads, recordIds: readonly Id[]): Promise<readonly InRecord[]> {
  return recordIds.length === 0
    ? []
    : (
        (await on('document_lineage')
          .whereIn('record_id', [...recordIds])
          .where('status', 'active')
          .groupBy('record_id')
          .select('record_id')
          .count({ n: '*' })
          .max({ last: 'latest_created_at' })) as RecordCount[]
      ).map((row) => ({ recordId: row.record_id, documents: Number(row.n), lastAddedAt: row.last }));
}

export type InCarenet = {
  readonly carenetId: Id;
  readonly type: string;
  /** Documents of the type that the carenet contains. */ readonly documents: number;
  /** True: the type is shared there. False: these documents were put there one by one. */ readonly byType: boolean;
};

type CarenetCount = { carenet_id: string; type: string; by_type: number | string; n: number | string };

/**
 * What carenets contain, by the rule of containment: active documents in their latest versions, without those with the
 * flag nevershare. They are the documents of shared types, except those that were taken out one by one, and the
 * documents that were put there one by one.
 */
export async function countInCarenets(on: Reads, carenetIds: readonly Id[]): Promise<readonly InCarenet[]> {
  if (carenetIds.length === 0) {
    return [];
  }
  const free = { 'lineage.status': 'active', 'lineage.nevershare': 0 };
  const ofSharedTypes = on('carenet_autoshare as autoshare')
    .join('carenet', 'carenet.id', 'autoshare.carenet_id')
    .join('document_lineage as lineage', { 'lineage.record_id': 'carenet.record_id', 'lineage.type': 'autoshare.type' })
    .whereIn('autoshare.carenet_id', [...carenetIds])
    .where(free)
    .groupBy('autoshare.carenet_id', 'lineage.type')
    .select({ carenet_id: 'autoshare.carenet_id', type: 'lineage.type', by_type: on.raw('1'), n: on.raw('count(*)') });
  const decided = (shared: 0 | 1) =>
    on('carenet_preference as preference')
      .join('carenet', 'carenet.id', 'preference.carenet_id')
      .join('document_lineage as lineage', {
        'lineage.id': 'preference.lineage_id',
        'lineage.record_id': 'carenet.record_id',
      })
      .leftJoin('carenet_autoshare as autoshare', {
        'autoshare.carenet_id': 'preference.carenet_id',
        'autoshare.type': 'lineage.type',
      })
      .whereIn('preference.carenet_id', [...carenetIds])
      .where({ ...free, 'preference.shared': shared })
      .groupBy('preference.carenet_id', 'lineage.type');
  const takenOut = decided(0)
    .whereNotNull('autoshare.type')
    .select({ carenet_id: 'preference.carenet_id', type: 'lineage.type', by_type: on.raw('1') })
    .select({ n: on.raw('-count(*)') });
  const putThere = decided(1)
    .whereNull('autoshare.type')
    .select({ carenet_id: 'preference.carenet_id', type: 'lineage.type', by_type: on.raw('0') })
    .select({ n: on.raw('count(*)') });
  // knex writes the groups of a query behind its unions, so the first query is in brackets.
  const all = on.from(ofSharedTypes.as('typed')).select('typed.*').unionAll([takenOut, putThere]);
  const rows = (await on
    .from(all.as('counted'))
    .groupBy('carenet_id', 'type', 'by_type')
    .select('carenet_id', 'type', 'by_type')
    .sum({ n: 'n' })) as CarenetCount[];
  return rows
    .map((row) => ({
      carenetId: row.carenet_id,
      type: row.type,
      documents: Number(row.n),
      byType: Number(row.by_type) === 1,
    }))
    .filter(({ documents }) => documents > 0);
}
