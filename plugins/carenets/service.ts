/** service: lists, makes, renames and deletes carenets. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId } from '../../core/base/ids';
import { formHash, idByForm } from '../../core/files/form-hash';
import type { InRecord, Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import type { CarenetList } from '../../core/sharing/carenet-element';
import { changeCarenet, changeRecord, requireCarenet, requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import { isDuplicate } from '../../core/db/db-errors';
import type { CarenetRow } from '../../core/sharing/store';
import * as formStore from '../../core/records/forms-store';
import * as sharingStore from '../../core/sharing/store';

export type InCarenet = { CARENET_ID: string };

/** 404 when the carenet is not one of the record in the path. */
export async function requireCarenetOf(
  services: Services,
  { RECORD_ID: recordId, CARENET_ID: carenetId }: InRecord & InCarenet,
): Promise<CarenetRow> {
  const carenet = await requireCarenet(services, carenetId);
  if (carenet.recordId !== recordId) {
    throw errors.notFound('carenet');
  }
  return carenet;
}

export async function listCarenets({ params, query, services }: Call<InRecord, Page>): Promise<CarenetList> {
  const { id } = await requireRecord(services, params.RECORD_ID);
  return {
    recordId: id,
    carenets: await sharingStore.listCarenets(services.database.reads, id, pageOf(services, query)),
  };
}

/** A name that is taken is refused before anything is locked or written. */
async function refuseSameName({ database }: Services, carenet: CarenetRow, work: () => Promise<void>): Promise<void> {
  if (await sharingStore.isNameTaken(database.reads, carenet)) {
    throw errors.duplicate('The name of the carenet');
  }
  try {
    await work();
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The name of the carenet') : error;
  }
}

/**
 * Makes a carenet, and answers a list with only this one. 400 when the record has a carenet of that name, also when the
 * same form of a door made it; the door recognizes that by the id. 404 for an unknown record.
 */
export async function createCarenet({
  params,
  body,
  principal,
  services,
  request: { form },
}: Call<InRecord, unknown, { name: string }>): Promise<CarenetList> {
  const { clock } = services;
  const recordId = params.RECORD_ID;
  const id = form ? idByForm(principal, recordId, form.token, body.name) : newId();
  const carenet = { id, recordId, name: body.name };
  await refuseSameName(services, carenet, () =>
    changeRecord(services, recordId, (trx) => sharingStore.insertCarenet(trx, carenet, toTimestamp(clock.now()))),
  );
  return { recordId, carenets: [carenet] };
}

/** 400 when another carenet of the record has the name, 404 for an unknown carenet. */
export async function renameCarenet({
  params,
  body,
  services,
}: Call<InCarenet, unknown, { name: string }>): Promise<CarenetList> {
  const { id, recordId } = await requireCarenet(services, params.CARENET_ID);
  const { name } = body;
  await refuseSameName(services, { id, recordId, name }, () =>
    changeCarenet(services, id, (trx) => sharingStore.renameCarenet(trx, id, name)),
  );
  return { recordId, carenets: [{ id, name: body.name }] };
}

/**
 * Deletes the carenet with its members, apps, placements, autoshares and tokens. The use of a form of a door is noted
 * in the same transaction, so that the form is recognized when it is sent again. 404 for an unknown carenet.
 */
export async function deleteCarenet({
  params,
  principal,
  services,
  request: { form },
  note,
}: Call<InCarenet>): Promise<void> {
  const { clock, config } = services;
  const { id, recordId } = await requireCarenet(services, params.CARENET_ID);
  // When the audit row is written, the record of the carenet can no longer be looked up.
  note({ recordId });
  const expiresAt = toTimestamp(clock.now() + config.sessionMaxSeconds * 1000);
  const work = async (trx: Transaction): Promise<void> => {
    if (form) {
      const used = { formHash: formHash(principal, recordId, form.token), madeId: id, kept: false, expiresAt };
      await formStore.useForm(trx, used);
    }
    await sharingStore.deleteCarenet(trx, id);
  };
  await changeCarenet(services, id, work, { ends: true });
}

/** A page of the carenets that the account is in, and of the carenets of the records that it owns. */
export async function listAccountCarenets({
  params,
  query,
  services,
}: Call<{ ACCOUNT_EMAIL: string }, Page>): Promise<CarenetList> {
  return {
    recordId: '',
    carenets: await sharingStore.listCarenetsOf(
      services.database.reads,
      params.ACCOUNT_EMAIL,
      pageOf(services, query),
      toTimestamp(services.clock.now()),
    ),
  };
}
