/** lookups: the few questions that access rules ask of the database; each is one statement on unique indexes. */
import type { Id, PrincipalId } from '../base/types';
import type { Connection } from '../storage/database';

export type CarenetStanding = {
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
  /** How an account and an app stand to a carenet; undefined for an unknown one. */
  readonly carenet: (carenetId: Id, accountId: PrincipalId | null, appId: PrincipalId | null) => Promise<CarenetStanding | undefined>;
};

type StandingRow = { record_id: string; member: string | null; owner_id: string | null; share: string | null; placed: string | null };

export const makeLookups = (connection: Connection): Lookups => {
  const exists = async (table: string, where: Record<string, string>): Promise<boolean> =>
    (await connection(table).where(where).first(connection.raw('1 as found'))) !== undefined;
  return {
    fullControl: async (accountId, recordId) => {
      const row = await connection('record')
        .leftJoin('record_share as share', (join) => { join.on('share.record_id', 'record.id').andOnVal('share.account_id', accountId); })
        .where('record.id', recordId)
        .first('record.owner_id', 'share.account_id') as { owner_id: string | null; account_id: string | null } | undefined;
      return row !== undefined && (row.owner_id === accountId || row.account_id !== null);
    },
    owns: (accountId, recordId) => exists('record', { id: recordId, owner_id: accountId }),
    created: (appId, recordId) => exists('record', { id: recordId, creator_id: appId }),
    enabled: (appId, recordId) => exists('record_app', { record_id: recordId, app_id: appId }),
    carenet: async (carenetId, accountId, appId) => {
      const row = await connection('carenet')
        .join('record', 'record.id', 'carenet.record_id')
        .leftJoin('carenet_account as member', (join) => { join.on('member.carenet_id', 'carenet.id').andOnVal('member.account_id', accountId ?? ''); })
        .leftJoin('record_share as share', (join) => { join.on('share.record_id', 'record.id').andOnVal('share.account_id', accountId ?? ''); })
        .leftJoin('carenet_app as placed', (join) => { join.on('placed.carenet_id', 'carenet.id').andOnVal('placed.app_id', appId ?? ''); })
        .leftJoin('record_app as enabled', (join) => { join.on('enabled.record_id', 'record.id').andOn('enabled.app_id', 'placed.app_id'); })
        .where('carenet.id', carenetId)
        .first('carenet.record_id', 'record.owner_id', 'member.account_id as member', 'share.account_id as share', 'enabled.app_id as placed') as StandingRow | undefined;
      return row && {
        recordId: row.record_id,
        member: row.member !== null,
        fullControl: accountId !== null && (row.owner_id === accountId || row.share !== null),
        appPlaced: row.placed !== null,
      };
    },
  };
};
