/** status: sets the status active, void or archived for all versions of a document (specification 3.2). */
import { effectiveId, proxyId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { DocumentStatus } from '../../core/base/types';
import type { InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { notifyOfDocument } from '../../core/outbox/subscribers';
import { requireDocument } from '../../core/records/read-documents';
import { changeRecord } from '../../core/records/require';
import type { StatusChange } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';

export type StatusForm = { status: DocumentStatus; reason: string };

/**
 * Sets the status of all versions of a document, and adds a line to its history (specification 3.2). If the status
 * stays as it is, subscribers are not pinged. 400 for voiding an archived document, 404 for an unknown one.
 */
export async function setStatus({
  params,
  body,
  principal,
  services,
}: Call<InRecordDocument, unknown, StatusForm>): Promise<void> {
  const { clock } = services;
  const { lineageId, latest } = await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  const changedBy = effectiveId(principal);
  if (changedBy === null) {
    throw errors.permissionDenied();
  }
  await changeRecord(services, params.RECORD_ID, async (trx) => {
    const before = await documentStore.lockStatus(trx, lineageId);
    if (body.status === 'void' && before === 'archived') {
      throw errors.invalidState('only active documents can be voided');
    }
    await documentStore.setStatus(
      trx,
      lineageId,
      { ...body, changedBy, changedAt: toTimestamp(clock.now()) },
      proxyId(principal),
    );
    if (body.status !== before) {
      await notifyOfDocument(services, trx, { recordId: params.RECORD_ID, lineageId }, latest.id);
    }
  });
}

export type StatusHistory = { readonly documentId: string; readonly changes: readonly StatusChange[] };

/** All status changes of a document, the newest first (specification 2.8). 404 for an unknown document. */
export async function readStatusHistory({ params, services }: Call<InRecordDocument>): Promise<StatusHistory> {
  const { lineageId } = await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  return {
    documentId: params.DOCUMENT_ID,
    changes: await documentStore.statusHistory(services.database.reads, lineageId),
  };
}
