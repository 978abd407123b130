/** lookups: the queries of access rules; each is one statement on unique indexes. */
import { toTimestamp, type Clock } from '../base/clock';
import type { Id, PrincipalId } from '../base/types';
import type { Reads } from '../db/connection';
import { keptStatement } from '../db/kept-statement';
import { makeOnce } from './once';
import { isShared } from '../apps/shared-records-store';

type CarenetStanding = {
  readonly recordId: Id;
  readonly member: boolean;
  readonly fullControl: boolean;
  /** The app asked about is placed in the carenet and still enabled on its record. */
  readonly appPlaced: boolean;
};

export type Lookups = {
  /** Owner or full share (specification 5.8); false for an unknown record. */
  readonly fullControl: (accountId: PrincipalId, recordId: Id) => Promise<boolean>;
  readonly owns: (accountId: PrincipalId, recordId: Id) => Promise<boolean>;
  readonly created: (appId: PrincipalId, recordId: Id) => Promise<boolean>;
  readonly enabled: (appId: PrincipalId, recordId: Id) => Promise<boolean>;
  /** Whether somebody who still has the record shared all of it with an app that acts by itself. */
  readonly shared: (appId: PrincipalId, recordId: Id) => Promise<boolean>;
  /** What an account and an app may do in a carenet; undefined for an unknown carenet. */
  readonly carenet: (
    carenetId: Id,
    accountId: PrincipalId | null,
    appId: PrincipalId | null,
  ) => Promise<CarenetStanding | undefined>;
};

type ControlRow = { owner_id: string | null; share: string | null };
type StandingRow = ControlRow & {
  record_id: string;
  member: string | null;
  member_ends: string | null;
  placed: string | null;
};

const readControl = keptStatement<ControlRow, readonly [accountId: PrincipalId, recordId: Id]>(
  (on, accountId, recordId) =>
    on('record')
      .leftJoin('record_share as share', {
        'share.record_id': 'record.id',
        'share.account_id': on.raw('?', [accountId]),
      })
      .where('record.id', recordId)
      .select('record.owner_id', 'share.account_id as share'),
);

const readStanding = keptStatement<StandingRow, readonly [accountId: PrincipalId, appId: PrincipalId, carenetId: Id]>(
  (on, accountId, appId, carenetId) =>
    on('carenet')
      .join('record', 'record.id', 'carenet.record_id')
      .leftJoin('carenet_account as member', {
        'member.carenet_id': 'carenet.id',
        'member.account_id': on.raw('?', [accountId]),
      })
      .leftJoin('record_share as share', {
        'share.record_id': 'record.id',
        'share.account_id': on.raw('?', [accountId]),
      })
      .leftJoin('carenet_app as placed', { 'placed.carenet_id': 'carenet.id', 'placed.app_id': on.raw('?', [appId]) })
      .leftJoin('record_app as enabled', { 'enabled.record_id': 'record.id', 'enabled.app_id': 'placed.app_id' })
      .where('carenet.id', carenetId)
      .select('carenet.record_id', 'record.owner_id', 'member.account_id as member', 'share.account_id as share')
      .select('enabled.app_id as placed', 'member.ends_at as member_ends'),
);

/** One row with a 1 for each row of a table that has these two values. */
function rowsWhere(table: string, first: string, second: string) {
  return keptStatement<unknown, readonly [string, string]>((on, one, other) =>
    on(table)
      .where({ [first]: one, [second]: other })
      .select(on.raw('1')),
  );
}

const ownedRecords = rowsWhere('record', 'id', 'owner_id');
const createdRecords = rowsWhere('record', 'id', 'creator_id');
const enabledApps = rowsWhere('record_app', 'record_id', 'app_id');

/** Whether an app is enabled on a record. */
export async function isEnabled(on: Reads, recordId: Id, appId: PrincipalId): Promise<boolean> {
  return (await enabledApps(on, recordId, appId)).length > 0;
}

function inControl({ owner_id: owner, share }: ControlRow, accountId: PrincipalId): boolean {
  return owner === accountId || share !== null;
}

/**
 * @param on what to query: the database, or a transaction that must see its own changes
 * @param clock a membership counts until its end, whether or not its row is still there
 */
export function makeLookups(on: Reads, clock: Clock): Lookups {
  return {
    fullControl: async (accountId, recordId) => {
      const [row] = await readControl(on, accountId, recordId);
      return row !== undefined && inControl(row, accountId);
    },
    owns: async (accountId, recordId) => (await ownedRecords(on, recordId, accountId)).length > 0,
    created: async (appId, recordId) => (await createdRecords(on, recordId, appId)).length > 0,
    enabled: (appId, recordId) => isEnabled(on, recordId, appId),
    shared: (appId, recordId) => isShared(on, appId, recordId),
    carenet: async (carenetId, accountId, appId) => {
      const [row] = await readStanding(on, accountId ?? '', appId ?? '', carenetId);
      return (
        row && {
          recordId: row.record_id,
          member: row.member !== null && (row.member_ends === null || row.member_ends > toTimestamp(clock.now())),
          fullControl: accountId !== null && inControl(row, accountId),
          appPlaced: row.placed !== null,
        }
      );
    },
  };
}

/**
 * The same lookups, each of which is made once. A page is made of several operations, and each of them asks for the
 * rights of its caller; an operation that changes something asks again in its transaction.
 */
export function keepLookups(lookups: Lookups): Lookups {
  const kept = makeOnce();
  const once =
    <A extends readonly (string | null)[], T>(name: string, look: (...asked: A) => Promise<T>) =>
    (...asked: A): Promise<T> =>
      kept([name, ...asked], () => look(...asked));
  return {
    fullControl: once('fullControl', lookups.fullControl),
    owns: once('owns', lookups.owns),
    created: once('created', lookups.created),
    enabled: once('enabled', lookups.enabled),
    shared: once('shared', lookups.shared),
    carenet: once('carenet', lookups.carenet),
  };
}
