/** demographics: reading and updating the demographics of a record. */
import type { InRecord, RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import {
  demographicsFormat,
  demographicsView,
  noDemographics,
  type DemographicsView,
} from '../../core/records/demographics-reply';
import type { DocumentMeta } from '../../core/documents/document-meta';
import { requireRecord } from '../../core/records/require';
import * as recordStore from '../../core/records/store';

/** The latest demographics in the format asked for; 404 when the record has none. */
export async function readDemographics({
  params,
  query,
  services,
  note,
}: Call<InRecord, RawQuery>): Promise<DemographicsView> {
  const demographics = await recordStore.findDemographics(services.database.reads, params.RECORD_ID);
  if (!demographics) {
    throw noDemographics();
  }
  note({ documentId: demographics.documentId });
  return demographicsView(services, params.RECORD_ID, demographics, demographicsFormat(query['response_format']));
}

/** Stores a new version of the demographics document, or the first one; the record's label follows the name. */
export async function saveDemographics({
  params,
  body,
  principal,
  services,
  request,
  note,
}: Call<InRecord, unknown, Buffer>): Promise<DocumentMeta> {
  await requireRecord(services, params.RECORD_ID);
  const document = await services.pipeline.putDemographics({
    recordId: params.RECORD_ID,
    bytes: body,
    mediaType: request.mediaType,
    principal,
  });
  note({ documentId: document.id });
  return document;
}
