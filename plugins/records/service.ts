/** service: creates, finds and lists records, and reads and sets their owners. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { sha256 } from '../../core/base/ids';
import { effectiveId, type Principal } from '../../core/auth/principal';
import type { InRecord, Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import { openPlace, type Pages, type Seeking } from '../../core/http/places';
import type { Call, FormFacts } from '../../core/http/route';
import type { Json } from '../../core/base/types';
import { readAllergies } from '../../core/records/allergies';
import { createRecord as create } from '../../core/records/create-record';
import { holdingsOf, type Holds } from '../../core/records/holdings';
import type { Services } from '../../core/services';
import { toSdmj } from '../../core/reports/sdm';
import { requireAccountState, requireRecord } from '../../core/records/require';
import type { Account } from '../../core/accounts/store';
import type { ListedRecord, ReachedRecord, RecordRow } from '../../core/records/store';
import * as accountStore from '../../core/accounts/store';
import * as messageStore from '../../core/messages/store';
import * as principalStore from '../../core/accounts/principals-store';
import * as recordStore from '../../core/records/store';
import * as sharingStore from '../../core/sharing/store';

/** Notes that a form of a door was used. Its token belongs to one session. */
function usedForm({ clock, config }: Services, principal: Principal, { token }: FormFacts) {
  return {
    formHash: sha256(JSON.stringify(['record_create', effectiveId(principal), token])),
    expiresAt: toTimestamp(clock.now() + config.sessionMaxSeconds * 1000),
  };
}

/**
 * Creates a record, or answers the one that the form made before. The calling app owns it until an owner is named. 400
 * for anything but a valid demographics document.
 */
export async function createRecord({
  body,
  principal,
  services,
  request,
  note,
}: Call<unknown, unknown, Buffer>): Promise<RecordRow> {
  const { form } = request;
  const record = await create(services, {
    bytes: body,
    mediaType: request.mediaType,
    principal,
    ...(form ? { form: usedForm(services, principal, form) } : {}),
  });
  note({ recordId: record.id, ...(record.demographicsId === null ? {} : { documentId: record.demographicsId }) });
  return record;
}

/** As `createRecord`. If the external id is in use, the record that has it is the answer (specification 4.4). */
export async function createRecordWithExternalId({
  params,
  body,
  principal,
  services,
  request,
  note,
}: Call<{ PRINCIPAL_EMAIL: string; EXTERNAL_ID: string }, unknown, Buffer>): Promise<RecordRow> {
  const external = { appId: effectiveId(principal) ?? params.PRINCIPAL_EMAIL, externalId: params.EXTERNAL_ID };
  const record = await create(services, { bytes: body, mediaType: request.mediaType, principal, external });
  note({ recordId: record.id, ...(record.demographicsId === null ? {} : { documentId: record.demographicsId }) });
  return record;
}

export type RecordSearch = { label: string; limit?: number; offset: number };

/** The records whose label contains the text, ordered by label: all of them, up to `SVC_MAX_LIMIT`, or a part. */
export async function searchRecords({
  query: { label, limit = Infinity, offset },
  services,
}: Call<unknown, RecordSearch>): Promise<readonly ListedRecord[]> {
  const found = await recordStore.searchRecords(services.database.reads, label, {
    limit: Math.min(limit, services.config.maxLimit),
    offset,
  });
  return found.map(({ id, label }) => ({ id, label, kind: 'owned', roleLabel: null, carenet: null }));
}

/** 404 for an unknown record. */
export function readRecord({ params, services }: Call<InRecord>): Promise<RecordRow> {
  return requireRecord(services, params.RECORD_ID);
}

/**
 * A page of the records that an account reaches: unless another order is asked for, first its own, then those fully
 * shared with it, then those of its carenets. 404 for an unknown account.
 */
export async function listAccountRecords({
  params,
  query,
  services,
}: Call<{ ACCOUNT_EMAIL: string }, Page>): Promise<readonly ListedRecord[]> {
  await requireAccountState(services, params.ACCOUNT_EMAIL);
  return recordStore.listRecordsOf(
    services.database.reads,
    params.ACCOUNT_EMAIL,
    pageOf(services, query),
    toTimestamp(services.clock.now()),
  );
}

type Reached = ReachedRecord & {
  /** What counts now as said about allergies, newest last; empty for a carenet. */
  readonly allergies: readonly Json[];
  readonly holds: Holds;
  /** Unread messages about the record; 0 for a carenet, whose members get no messages through it. */
  readonly unread: number;
};

export type ReachedRecords = {
  readonly total: number;
  readonly records: readonly Reached[];
  readonly pages: Pages;
};

/**
 * A page of the same list for doors, with the number of all records, and with the contents, allergies and unread
 * messages of each. For a carenet, only its own contents are counted. Records of which allergies are answered get a row
 * in their audit.
 */
export async function seekRecords({
  params: { ACCOUNT_EMAIL: accountId },
  query,
  services,
  note,
}: Call<{ ACCOUNT_EMAIL: string }, Seeking>): Promise<ReachedRecords> {
  const { database, clock } = services;
  const { seek, pagesOf } = openPlace(services, `records ${accountId}`, query);
  const [{ part, total }, unread] = await Promise.all([
    recordStore.seekRecordsOf(database.reads, accountId, seek, toTimestamp(clock.now())),
    messageStore.countUnreadByRecord(database.reads, accountId),
  ]);
  const whole = part.rows.filter(({ carenet }) => carenet === null).map(({ id }) => id);
  const [holdings, allergies] = await Promise.all([
    holdingsOf(
      services,
      part.rows.map(({ id, carenet }) => ({ recordId: id, carenetId: carenet?.id ?? null })),
    ),
    readAllergies(services, whole),
  ]);
  note({ recordIds: [...allergies.keys()] });
  const waiting = new Map(unread.map(({ recordId, count }) => [recordId, count]));
  const records = part.rows.map((row, index) => ({
    ...row,
    holds: holdings[index]!,
    allergies: row.carenet ? [] : (allergies.get(row.id) ?? []).map((fact) => toSdmj(services.models(), fact)),
    unread: row.carenet ? 0 : (waiting.get(row.id) ?? 0),
  }));
  return { total, records, pages: pagesOf(part) };
}

/** Null when nobody owns the record. 404 for an unknown record. */
export async function readOwner(call: Call<InRecord>): Promise<{ readonly id: string | null }> {
  return {
    id: (await readRecord(call)).ownerId,
  };
}

/**
 * Names any account or app as the owner. The old owner's tokens on the record end with it, unless a full share remains.
 * 400 when nobody has the id, or its holder can no longer sign in.
 */
export async function setOwner(call: Call<InRecord, unknown, Buffer>): Promise<Account | { readonly id: string }> {
  const { params, body, services } = call;
  const { database } = services;
  await readRecord(call);
  const id = body.toString('utf8').trim().toLowerCase();
  const owner = id === '' ? undefined : await principalStore.findPrincipal(database.reads, id);
  if (!owner || owner.retired) {
    throw errors.invalidBody(
      owner
        ? `the ${owner.accountState ? 'account is retired' : 'app was deleted'}`
        : 'it must be the id of an account or app of this service',
    );
  }
  await database.transaction(async (trx) => {
    const change = await recordStore.setRecordOwner(trx, params.RECORD_ID, id);
    if (!change) {
      throw errors.notFound('record');
    }
    if (change.before !== null) {
      await sharingStore.deleteTokensWithoutControl(trx, params.RECORD_ID, change.before);
    }
  });
  return (await accountStore.findAccount(database.reads, id)) ?? { id };
}
