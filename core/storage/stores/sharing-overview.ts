/** sharing-overview: all that is shared of one record, read with a fixed number of statements whatever the record holds. */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import type { Reads } from '../database';

export type SharedWith = { readonly accountId: PrincipalId; readonly name: string; readonly since: Timestamp };

type PersonRow = { account_id: string; name: string | null; created_at: string };

const toPerson = (row: PersonRow): SharedWith => ({
  accountId: row.account_id,
  name: row.name ?? row.account_id,
  since: row.created_at,
});

/** Full shares of a record with the names of the people, in the order in which they were added. */
export const listSharers = async (on: Reads, recordId: Id, limit: number): Promise<readonly SharedWith[]> =>
  (
    (await on('record_share as share')
      .leftJoin('principal', 'principal.id', 'share.account_id')
      .where('share.record_id', recordId)
      .orderBy('share.seq')
      .limit(limit)
      .select('share.account_id', 'principal.name', 'share.created_at')) as PersonRow[]
  ).map(toPerson);

export type Member = SharedWith & { readonly carenetId: Id };

/** The people in all carenets of a record, by the time they were added. */
export const listAllMembers = async (on: Reads, recordId: Id, limit: number): Promise<readonly Member[]> =>
  (
    (await on('carenet')
      .join('carenet_account as member', 'member.carenet_id', 'carenet.id')
      .leftJoin('principal', 'principal.id', 'member.account_id')
      .where('carenet.record_id', recordId)
      .orderBy(['carenet.seq', 'member.created_at', 'member.account_id'])
      .limit(limit)
      .select('carenet.id as carenet_id', 'member.account_id', 'principal.name', 'member.created_at')) as (PersonRow & {
      carenet_id: string;
    })[]
  ).map((row) => ({ ...toPerson(row), carenetId: row.carenet_id }));

export type TypeCount = { readonly type: string; readonly count: number; readonly nevershare: number };

type CountRow = { type: string; n: number | string; never: number | string | null };

/** How many documents of each type a record has, and how many of these are never to be shared. */
export const countTypes = async (on: Reads, recordId: Id): Promise<readonly TypeCount[]> =>
  (
    (await on('document_lineage')
      .where({ record_id: recordId })
      .groupBy('type')
      .orderBy('type')
      .select('type')
      .count({ n: '*' })
      .sum({ never: 'nevershare' })) as CountRow[]
  ).map((row) => ({ type: row.type, count: Number(row.n), nevershare: Number(row.never ?? 0) }));

/** How many documents of a type somebody put into a carenet, or took out of it, one by one. */
export type PreferenceCount = {
  readonly carenetId: Id;
  readonly type: string;
  readonly shared: boolean;
  readonly nevershare: boolean;
  readonly count: number;
};

export const countPreferences = async (on: Reads, recordId: Id): Promise<readonly PreferenceCount[]> => {
  const rows = (await on('carenet')
    .join('carenet_preference as preference', 'preference.carenet_id', 'carenet.id')
    .join('document_lineage as lineage', 'lineage.id', 'preference.lineage_id')
    .where('carenet.record_id', recordId)
    .groupBy('preference.carenet_id', 'lineage.type', 'preference.shared', 'lineage.nevershare')
    .select('preference.carenet_id', 'lineage.type', 'preference.shared', 'lineage.nevershare')
    .count({ n: '*' })) as {
    carenet_id: string;
    type: string;
    shared: number;
    nevershare: number;
    n: number | string;
  }[];
  return rows.map((row) => ({
    carenetId: row.carenet_id,
    type: row.type,
    shared: Number(row.shared) === 1,
    nevershare: Number(row.nevershare) === 1,
    count: Number(row.n),
  }));
};

/** A document of which somebody decided by itself whether it is shared. */
export type Decided = {
  /** Of its latest version. */ readonly documentId: Id;
  readonly type: string;
  readonly label: string | null;
  readonly createdAt: Timestamp;
  readonly nevershare: boolean;
};

const decidedOf = (on: Reads, recordId: Id) =>
  on('document_lineage as lineage')
    .where('lineage.record_id', recordId)
    .where((query) => {
      void query
        .where('lineage.nevershare', 1)
        .orWhereExists(
          on('carenet_preference as preference')
            .where('preference.lineage_id', on.ref('lineage.id'))
            .select(on.raw('1')),
        );
    });

export const countDecided = async (on: Reads, recordId: Id): Promise<number> => {
  const [row] = (await decidedOf(on, recordId).count({ n: '*' })) as { n: number | string }[];
  return Number(row?.n ?? 0);
};

/** One page of them, the newest first, with what was said about each carenet. */
export const listDecided = async (
  on: Reads,
  recordId: Id,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly (Decided & { readonly lineageId: Id })[]> => {
  const rows = (await decidedOf(on, recordId)
    .orderBy([
      { column: 'lineage.latest_created_at', order: 'desc' },
      { column: 'lineage.seq', order: 'desc' },
    ])
    .limit(limit)
    .offset(offset)
    .select('lineage.id', 'lineage.latest_id', 'lineage.type', 'lineage.label', 'lineage.latest_created_at')
    .select('lineage.nevershare')) as {
    id: string;
    latest_id: string;
    type: string;
    label: string | null;
    latest_created_at: string;
    nevershare: number;
  }[];
  return rows.map((row) => ({
    lineageId: row.id,
    documentId: row.latest_id,
    type: row.type,
    label: row.label,
    createdAt: row.latest_created_at,
    nevershare: Number(row.nevershare) === 1,
  }));
};

export type PreferenceOf = { readonly lineageId: Id; readonly carenetId: Id; readonly shared: boolean };

export const listPreferencesOf = async (on: Reads, lineageIds: readonly Id[]): Promise<readonly PreferenceOf[]> =>
  lineageIds.length === 0
    ? []
    : (
        (await on('carenet_preference')
          .whereIn('lineage_id', [...lineageIds])
          .select('lineage_id', 'carenet_id', 'shared')) as {
          lineage_id: string;
          carenet_id: string;
          shared: number;
        }[]
      ).map((row) => ({ lineageId: row.lineage_id, carenetId: row.carenet_id, shared: Number(row.shared) === 1 }));
