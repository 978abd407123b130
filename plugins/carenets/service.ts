/** service: carenets listed, made, renamed and deleted. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId } from '../../core/base/ids';
import type { InRecord, Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import type { CarenetList } from '../../core/records/carenet-element';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/storage/database';
import { isDuplicate } from '../../core/storage/db-errors';
import type { RecordRow } from '../../core/storage/stores/records';
import type { CarenetRow } from '../../core/storage/stores/sharing';

export type InCarenet = { CARENET_ID: string };

export const requireCarenet = async ({ stores, database }: Services, carenetId: string): Promise<CarenetRow> => {
  const carenet = await stores.sharing.findCarenet(database.knex, carenetId);
  if (!carenet) {
    throw errors.notFound('carenet');
  }
  return carenet;
};

/** Changes something of a carenet that nobody deletes meanwhile. 404 when somebody has. */
export const changeCarenet = <T>({ stores, database }: Services, carenetId: string, work: (trx: Transaction) => Promise<T>, { ends = false }: { /** Rights end, which tokens rest on. */ readonly ends?: boolean } = {}): Promise<T> =>
  database.transaction(async (trx) => {
    if (!(await stores.sharing.lockCarenet(trx, database.dialect, carenetId, ends))) {
      throw errors.notFound('carenet');
    }
    return work(trx);
  });

/** 404 when the carenet is not one of the record in the path. */
export const requireCarenetOf = async (services: Services, { RECORD_ID: recordId, CARENET_ID: carenetId }: InRecord & InCarenet): Promise<CarenetRow> => {
  const carenet = await requireCarenet(services, carenetId);
  if (carenet.recordId !== recordId) {
    throw errors.notFound('carenet');
  }
  return carenet;
};

export const requireRecord = async ({ stores, database }: Services, recordId: string): Promise<RecordRow> => {
  const record = await stores.records.findRecord(database.knex, recordId);
  if (!record) {
    throw errors.notFound('record');
  }
  return record;
};

export const listCarenets = async ({ params, query, services }: Call<InRecord, Page>): Promise<CarenetList> => {
  const { id } = await requireRecord(services, params.RECORD_ID);
  return { recordId: id, carenets: await services.stores.sharing.listCarenets(services.database.knex, id, pageOf(services, query)) };
};

const named = async (work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The name of the carenet') : error;
  }
};

/** Answers the new carenet alone; 400 when the record has one of that name. */
export const createCarenet = async ({ params, body, services }: Call<InRecord, unknown, { name: string }>): Promise<CarenetList> => {
  const { stores, database, clock } = services;
  const { id: recordId } = await requireRecord(services, params.RECORD_ID);
  const carenet = { id: newId(), recordId, name: body.name };
  await named(database.write((connection) => stores.sharing.insertCarenet(connection, carenet, toTimestamp(clock.now()))));
  return { recordId, carenets: [carenet] };
};

/** The carenet's own name again is fine. */
export const renameCarenet = async ({ params, body, services }: Call<InCarenet, unknown, { name: string }>): Promise<CarenetList> => {
  const { id, recordId } = await requireCarenet(services, params.CARENET_ID);
  await named(changeCarenet(services, id, (trx) => services.stores.sharing.renameCarenet(trx, id, body.name)));
  return { recordId, carenets: [{ id, name: body.name }] };
};

/** Members, apps, preferences, autoshares and tokens of the carenet go with it. */
export const deleteCarenet = async ({ params, services, note }: Call<InCarenet>): Promise<void> => {
  const { id, recordId } = await requireCarenet(services, params.CARENET_ID);
  // By the time that the call is recorded, the carenet no longer tells whose it was.
  note({ recordId });
  await changeCarenet(services, id, (trx) => services.stores.sharing.deleteCarenet(trx, id), { ends: true });
};

/** The carenets that the account is in, and those of records that it owns. */
export const listAccountCarenets = async ({ params, query, services }: Call<{ ACCOUNT_EMAIL: string }, Page>): Promise<CarenetList> =>
  ({ recordId: '', carenets: await services.stores.sharing.listCarenetsOf(services.database.knex, params.ACCOUNT_EMAIL, pageOf(services, query)) });
