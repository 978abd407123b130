/** lookups: the few questions that access rules ask of the database; each is one statement on unique indexes. */
import type { Id, PrincipalId } from '../base/types';
import type { Reads } from '../storage/connection';

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
  readonly carenet: (
    carenetId: Id,
    accountId: PrincipalId | null,
    appId: PrincipalId | null,
  ) => Promise<CarenetStanding | undefined>;
};

type ControlRow = { owner_id: string | null; share: string | null };
type StandingRow = ControlRow & { record_id: string; member: string | null; placed: string | null };

const CONTROL = `
  select record.owner_id, share.account_id as share from record
  left join record_share as share on share.record_id = record.id and share.account_id = ?
  where record.id = ?`;

const CARENET = `
  select carenet.record_id, record.owner_id, member.account_id as member, share.account_id as share, enabled.app_id as placed
  from carenet
  join record on record.id = carenet.record_id
  left join carenet_account as member on member.carenet_id = carenet.id and member.account_id = ?
  left join record_share as share on share.record_id = record.id and share.account_id = ?
  left join carenet_app as placed on placed.carenet_id = carenet.id and placed.app_id = ?
  left join record_app as enabled on enabled.record_id = record.id and enabled.app_id = placed.app_id
  where carenet.id = ?`;

const inControl = ({ owner_id: owner, share }: ControlRow, accountId: PrincipalId): boolean =>
  owner === accountId || share !== null;

/** @param on where to ask: the database, or a transaction that must see its own changes */
export const makeLookups = (on: Reads): Lookups => {
  const exists = async (sql: string, ...values: readonly string[]): Promise<boolean> =>
    (await on.rows(sql, values)).length > 0;
  return {
    fullControl: async (accountId, recordId) => {
      const [row] = await on.rows<ControlRow>(CONTROL, [accountId, recordId]);
      return row !== undefined && inControl(row, accountId);
    },
    owns: (accountId, recordId) => exists('select 1 from record where id = ? and owner_id = ?', recordId, accountId),
    created: (appId, recordId) => exists('select 1 from record where id = ? and creator_id = ?', recordId, appId),
    enabled: (appId, recordId) =>
      exists('select 1 from record_app where record_id = ? and app_id = ?', recordId, appId),
    carenet: async (carenetId, accountId, appId) => {
      const [row] = await on.rows<StandingRow>(CARENET, [accountId ?? '', accountId ?? '', appId ?? '', carenetId]);
      return (
        row && {
          recordId: row.record_id,
          member: row.member !== null,
          fullControl: accountId !== null && inControl(row, accountId),
          appPlaced: row.placed !== null,
        }
      );
    },
  };
};
