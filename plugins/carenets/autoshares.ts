/** autoshares: whole document types shared into carenets of one record. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { InRecord, Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import type { CarenetList } from '../../core/sharing/carenet-element';
import { requireAllKnown, requireKnownTypes } from '../../core/records/known-types';
import { OWN_WORD } from '../../core/records/lines';
import { changeCarenet, changeRecord } from '../../core/records/require';
import type { Autoshare, TypeChange } from '../../core/sharing/store';
import { requireCarenetOf, type InCarenet } from './service';
import * as sharingStore from '../../core/sharing/store';

export type TypeInput = { type: string };
export type TypeQuery = Page & TypeInput;

/**
 * A page of the carenets that get every document of the type. 404 for a type that neither this service nor the record
 * knows.
 */
export async function listCarenetsOfType({ params, query, services }: Call<InRecord, TypeQuery>): Promise<CarenetList> {
  const types = await requireKnownTypes(services, params.RECORD_ID, query.type);
  return {
    recordId: params.RECORD_ID,
    carenets: await sharingStore.listCarenetsOfTypes(
      services.database.reads,
      params.RECORD_ID,
      types,
      pageOf(services, query),
    ),
  };
}

export function listAutoshares({ params, services }: Call<InRecord>): Promise<readonly Autoshare[]> {
  return sharingStore.listAutoshares(services.database.reads, params.RECORD_ID);
}

/**
 * Shares all documents of a type, earlier and later ones: the rule is applied whenever the carenet is read. 404 for an
 * unknown type and for a carenet of another record.
 */
export async function setAutoshare({
  params,
  body,
  services,
}: Call<InRecord & InCarenet, unknown, TypeInput>): Promise<void> {
  const { id } = await requireCarenetOf(services, params);
  const types = await requireKnownTypes(services, params.RECORD_ID, body.type);
  if (types.some((type) => type === `${services.config.vocabBase}/xml/documents#${OWN_WORD}`)) {
    throw errors.invalidBody('what the person says about entries is shared document by document');
  }
  await changeCarenet(services, id, (trx) =>
    sharingStore.putAutoshares(trx, id, types, toTimestamp(services.clock.now())),
  );
}

/** Ends the rule; documents that were placed one by one stay in the carenet. Fails as `setAutoshare` does. */
export async function unsetAutoshare({
  params,
  body,
  services,
}: Call<InRecord & InCarenet, unknown, TypeInput>): Promise<void> {
  const { id } = await requireCarenetOf(services, params);
  const types = await requireKnownTypes(services, params.RECORD_ID, body.type);
  await changeCarenet(services, id, (trx) => sharingStore.deleteAutoshares(trx, id, types));
}

/** Types are full URIs here. */
export type TypeChanges = { readonly set: readonly TypeChange[]; readonly unset: readonly TypeChange[] };

/** A limit that no record reaches. */
const ALL_CARENETS = { limit: 10_000, offset: 0 };

/** Sets and ends several rules in one transaction. Fails as `setAutoshare` does. */
export async function changeAutoshares({
  params,
  body,
  services,
}: Call<InRecord, unknown, TypeChanges>): Promise<void> {
  const changes = [...body.set, ...body.unset];
  await requireAllKnown(
    services,
    params.RECORD_ID,
    changes.map(({ type }) => type),
  );
  await changeRecord(services, params.RECORD_ID, async (trx) => {
    const own = new Set((await sharingStore.listCarenets(trx, params.RECORD_ID, ALL_CARENETS)).map(({ id }) => id));
    if (changes.some(({ carenet }) => !own.has(carenet))) {
      throw errors.notFound('carenet');
    }
    await sharingStore.changeAutoshares(trx, body, toTimestamp(services.clock.now()));
  });
}
