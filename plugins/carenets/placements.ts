/** placements: single documents that are placed in carenets, or excluded from them (specification 3.4, 4.5). */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { InRecordDocument, Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import type { CarenetList } from '../../core/sharing/carenet-element';
import { requireDocument } from '../../core/records/read-documents';
import { changeCarenet } from '../../core/records/require';
import type { DocumentRow } from '../../core/documents/store';
import { requireCarenetOf, type InCarenet } from './service';
import * as sharingStore from '../../core/sharing/store';

type InPlacement = InRecordDocument & InCarenet;

async function requireBoth({
  params,
  services,
}: Call<InPlacement>): Promise<{ document: DocumentRow; carenetId: string }> {
  const { id: carenetId } = await requireCarenetOf(services, params);
  return { document: await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID), carenetId };
}

/**
 * A page of the carenets that contain the document; none while it has the flag nevershare. 404 for an unknown document.
 */
export async function listPlacements({ params, query, services }: Call<InRecordDocument, Page>): Promise<CarenetList> {
  const { lineageId, recordId } = await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  const placements = await sharingStore.listPlacements(services.database.reads, lineageId, pageOf(services, query));
  return {
    recordId,
    carenets: placements.map(({ carenet, explicit }) => ({ ...carenet, mode: explicit ? 'explicit' : 'bytype' })),
  };
}

/**
 * Places the document in the carenet. 404 while it has the flag nevershare, for an unknown document and for a carenet
 * of another record.
 */
export async function placeDocument(call: Call<InPlacement>): Promise<void> {
  const { clock } = call.services;
  const { document, carenetId } = await requireBoth(call);
  if (document.nevershare) {
    throw errors.notFound('document that may be shared');
  }
  await changeCarenet(call.services, carenetId, (trx) =>
    sharingStore.putPreference(trx, carenetId, document.lineageId, true, toTimestamp(clock.now())),
  );
}

/**
 * Excludes the document from the carenet, also from being shared there by its type. 404 for an unknown document and for
 * a carenet of another record.
 */
export async function excludeDocument(call: Call<InPlacement>): Promise<void> {
  const { clock } = call.services;
  const { document, carenetId } = await requireBoth(call);
  await changeCarenet(call.services, carenetId, (trx) =>
    sharingStore.putPreference(trx, carenetId, document.lineageId, false, toTimestamp(clock.now())),
  );
}

/**
 * Removes the placement or exclusion, so that the type of the document decides again. Fails as
 * `excludeDocument` does.
 */
export async function revertToType(call: Call<InPlacement>): Promise<void> {
  const { document, carenetId } = await requireBoth(call);
  await changeCarenet(call.services, carenetId, (trx) =>
    sharingStore.deletePreference(trx, carenetId, document.lineageId),
  );
}
