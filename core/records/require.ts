/** require: what a path names, or 404: records, carenets and apps, looked up alike by every area. */
import { errors } from '../base/errors';
import type { Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import type { AppRow } from '../storage/stores/apps';
import type { RecordRow } from '../storage/stores/records';
import type { CarenetRow } from '../storage/stores/sharing';

type Stored = Pick<Services, 'stores' | 'database'>;

const found = <T>(row: T | undefined, what: string): T => {
  if (row === undefined) {
    throw errors.notFound(what);
  }
  return row;
};

/** @throws errors.notFound */
export const requireRecord = async ({ stores, database }: Stored, recordId: Id): Promise<RecordRow> =>
  found(await stores.records.findRecord(database.knex, recordId), 'record');

/** @throws errors.notFound */
export const requireCarenet = async ({ stores, database }: Stored, carenetId: Id): Promise<CarenetRow> =>
  found(await stores.sharing.findCarenet(database.knex, carenetId), 'carenet');

/** @throws errors.notFound for admin and UI apps, too */
export const requireUserApp = async ({ stores, database }: Stored, appId: PrincipalId): Promise<AppRow> =>
  found(await stores.apps.findUserApp(database.knex, appId), 'app');
