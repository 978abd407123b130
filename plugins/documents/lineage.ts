/** lineage: label and nevershare, which belong to all versions of a document together. */
import type { InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { DocumentMeta } from '../../core/documents/document-meta';
import { describeDocument, requireDocument } from '../../core/records/read-documents';
import { changeRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { DocumentRow } from '../../core/documents/store';
import type { InExternal } from './external-ids';
import { findByExternalId } from './service';
import * as documentStore from '../../core/documents/store';
import { requireLabel } from './from-form';

async function label(services: Services, row: DocumentRow, body: Buffer): Promise<DocumentMeta> {
  const text = requireLabel(body.toString('utf8'));
  await changeRecord(services, row.recordId, (trx) => documentStore.setLabel(trx, row.lineageId, text));
  return describeDocument(services, { ...row, label: text });
}

/**
 * Labels all versions of a document; an empty body removes the label. 400 for a label that is too long, 404 for an
 * unknown document.
 */
export async function setLabel({
  params,
  body,
  services,
}: Call<InRecordDocument, unknown, Buffer>): Promise<DocumentMeta> {
  return label(services, await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID), body);
}

/** As `setLabel`, for the document to which the calling app gave the external id. */
export async function setLabelByExternalId({
  params,
  body,
  services,
  note,
}: Call<InExternal, unknown, Buffer>): Promise<DocumentMeta> {
  const row = await findByExternalId(services, params);
  note({ documentId: row.id });
  return label(services, row, body);
}

function nevershare(value: boolean) {
  return async ({ params, services }: Call<InRecordDocument>): Promise<void> => {
    const { lineageId } = await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
    await changeRecord(services, params.RECORD_ID, (trx) => documentStore.setNevershare(trx, lineageId, value));
  };
}

/**
 * No carenet contains the document until the flag is cleared. Its placements are kept and apply again then. 404 for an
 * unknown document.
 */
export const setNevershare = nevershare(true);
/** Clears the flag. 404 for an unknown document. */
export const unsetNevershare = nevershare(false);
