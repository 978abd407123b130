/**
 * create-record: makes a record from a demographics document, with its carenets and that document, all in one
 * transaction.
 */
import { effectiveId, type Principal } from '../auth/principal';
import { toTimestamp } from '../base/clock';
import { AppError, errors } from '../base/errors';
import { newId } from '../base/ids';
import type { PrincipalId } from '../base/types';
import type { Services } from '../services';
import type { Transaction } from '../db/database';
import { isDuplicate } from '../db/db-errors';
import type { ExternalId } from '../documents/store';
import { findFormResult, useForm, type UsedForm } from './forms-store';
import { findRecord, findRecordByExternalId, insertRecord, type RecordRow } from './store';
import { insertCarenets } from '../sharing/store';
import type { Ready } from '../pipeline/document-pipeline';

type NewRecordInput = {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** The creator, and the first owner unless `ownerId` names another. */
  readonly principal: Principal;
  readonly ownerId?: PrincipalId;
  /** This runs first in the same transaction. */
  readonly within?: (trx: Transaction) => Promise<unknown>;
  /** A second call with the same external id returns the existing record. */
  readonly external?: ExternalId;
  /** A form that works once: sending it again returns the record that it made. */
  readonly form?: Pick<UsedForm, 'formHash' | 'expiresAt'>;
};

/** The carenets that a new record starts with; the website shows these names in the language of the reader. */
const FIRST_CARENETS = ['Family', 'Physicians', 'Work/School'];

type Makers = Pick<Services, 'clock' | 'contents' | 'database' | 'pipeline'>;

function insert(
  { clock, contents, database, pipeline }: Makers,
  ready: Ready,
  { external, form, ownerId = ready.creatorId, within }: NewRecordInput,
): Promise<RecordRow> {
  return database.transaction(async (trx) => {
    await within?.(trx);
    const id = newId();
    if (form && !(await useForm(trx, { ...form, madeId: id, kept: false }))) {
      throw errors.duplicate('The form');
    }
    const createdAt = toTimestamp(clock.now());
    // The label comes from the document, which is stored below.
    await insertRecord(trx, {
      id,
      label: '',
      ownerId,
      creatorId: ready.creatorId,
      external: external ?? null,
      contentKey: await contents.newKey(trx),
      createdAt,
    });
    await insertCarenets(trx, id, FIRST_CARENETS, createdAt);
    await pipeline.store(trx, { ...ready, recordId: id });
    const record = await findRecord(trx, id);
    if (!record) {
      throw errors.internal();
    }
    return record;
  });
}

async function recordMadeBefore(
  { reads }: Makers['database'],
  { external, form }: NewRecordInput,
): Promise<RecordRow | undefined> {
  const id = form && (await findFormResult(reads, form.formHash));
  if (id !== undefined) {
    return findRecord(reads, id);
  }
  return external && findRecordByExternalId(reads, external.appId, external.externalId);
}

/**
 * Creates a record, or finds the one that the external id names or that the form has made.
 * @throws AppError invalid_document
 */
export async function createRecord(services: Makers, input: NewRecordInput): Promise<RecordRow> {
  const { bytes, mediaType, principal, external } = input;
  if (effectiveId(principal) === null) {
    throw errors.permissionDenied();
  }
  const ready = await services.pipeline.read(
    { bytes, mediaType, principal, ...(external ? { external } : {}) },
    { demographics: true },
  );
  // The transaction itself finds out whether a form was used before.
  const found = external && (await recordMadeBefore(services.database, input));
  if (found) {
    return found;
  }
  try {
    return await insert(services, ready, input);
  } catch (error) {
    const again = isDuplicate(error) || (error instanceof AppError && error.code === 'duplicate');
    const first = again ? await recordMadeBefore(services.database, input) : undefined;
    if (!first) {
      throw error;
    }
    return first;
  }
}
