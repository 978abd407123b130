/** create-record: a demographics document -> a record with its carenets and that document, all in one transaction. */
import { effectiveId, type Principal } from '../auth/principal';
import { toTimestamp } from '../base/clock';
import { errors } from '../base/errors';
import { newId } from '../base/ids';
import type { PrincipalId } from '../base/types';
import type { Services } from '../services';
import type { Transaction } from '../storage/database';
import { isDuplicate } from '../storage/db-errors';
import type { ExternalId } from '../storage/stores/documents';
import { findRecord, findRecordByExternalId, insertRecord, type RecordRow } from '../storage/stores/records';
import { insertCarenets } from '../storage/stores/sharing';
import type { Ready } from '../pipeline/document-pipeline';

export type NewRecordInput = {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** Creator, and first owner unless that is another. */
  readonly principal: Principal;
  readonly ownerId?: PrincipalId;
  /** Runs first in the same transaction. */
  readonly within?: (trx: Transaction) => Promise<unknown>;
  /** Asking again with the same external id answers the record that is there. */
  readonly external?: ExternalId;
};

type Makers = Pick<Services, 'config' | 'clock' | 'database' | 'pipeline'>;

const insert = (
  { config, clock, database, pipeline }: Makers,
  ready: Ready,
  { external, ownerId = ready.creatorId, within }: NewRecordInput,
): Promise<RecordRow> =>
  database.transaction(async (trx) => {
    await within?.(trx);
    const id = newId();
    const createdAt = toTimestamp(clock.now());
    // The label follows from the document below.
    await insertRecord(trx, {
      id,
      label: '',
      ownerId,
      creatorId: ready.creatorId,
      external: external ?? null,
      createdAt,
    });
    await insertCarenets(trx, id, config.defaultCarenets, createdAt);
    await pipeline.store(trx, { ...ready, recordId: id });
    const record = await findRecord(trx, id);
    if (!record) {
      throw errors.internal();
    }
    return record;
  });

/**
 * Creates a record, or finds the one that the external id names.
 * @throws AppError invalid_document
 */
export const createRecord = async (services: Makers, input: NewRecordInput): Promise<RecordRow> => {
  const { bytes, mediaType, principal, external } = input;
  if (effectiveId(principal) === null) {
    throw errors.permissionDenied();
  }
  const ready = await services.pipeline.read(
    { bytes, mediaType, principal, ...(external ? { external } : {}) },
    { demographics: true },
  );
  const existing = async (): Promise<RecordRow | undefined> =>
    external && findRecordByExternalId(services.database.reads, external.appId, external.externalId);
  const found = await existing();
  if (found) {
    return found;
  }
  try {
    return await insert(services, ready, input);
  } catch (error) {
    const first = isDuplicate(error) ? await existing() : undefined;
    if (!first) {
      throw error;
    }
    return first;
  }
};
