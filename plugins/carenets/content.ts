/**
 * content: reading a record through one of its carenets. A document outside the carenet is answered like one that does
 * not exist.
 */
import { errors } from '../../core/base/errors';
import type { RawQuery, TypedPage } from '../../core/http/inputs';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import {
  demographicsFormat,
  demographicsView,
  noDemographics,
  type DemographicsView,
} from '../../core/records/demographics-reply';
import type { DocumentPage } from '../../core/documents/document-element';
import type { DocumentMeta } from '../../core/documents/document-meta';
import { readMeta, readPage } from '../../core/records/read-documents';
import { lookedAtAs, type LookedAtAs } from '../../core/records/own-circle';
import { requireCarenet, requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { DocumentScope } from '../../core/documents/store';
import type { RecordRow } from '../../core/records/store';
import type { InCarenet } from './service';
import * as documentStore from '../../core/documents/store';
import * as recordStore from '../../core/records/store';

type InCarenetDocument = InCarenet & { DOCUMENT_ID: string };

async function carenetScope(services: Services, { CARENET_ID: carenetId }: InCarenet): Promise<DocumentScope> {
  return {
    recordId: (await requireCarenet(services, carenetId)).recordId,
    carenetId,
  };
}

export async function listCarenetDocuments({
  params,
  query,
  services,
}: Call<InCarenet, TypedPage>): Promise<DocumentPage> {
  return readPage(services, await carenetScope(services, params), query);
}

export async function readCarenetDocumentMeta({ params, services }: Call<InCarenetDocument>): Promise<DocumentMeta> {
  return readMeta(services, await carenetScope(services, params), params.DOCUMENT_ID);
}

export async function readCarenetContent({ params, services }: Call<InCarenetDocument>): Promise<StoredContent> {
  const content = await documentStore.findContent(
    services.database.reads,
    services.contents,
    await carenetScope(services, params),
    params.DOCUMENT_ID,
  );
  if (!content) {
    throw errors.notFound('document');
  }
  return content;
}

/** The record, and the name of the carenet, which doors show next to the name of the record; `as`: as whom it is seen. */
export type CarenetRecord = RecordRow & { readonly carenetName: string; readonly as: LookedAtAs | null };

/**
 * The record as members see it. The id of its demographics document is there only if the carenet contains the document.
 */
export async function readCarenetRecord({ params, principal, services }: Call<InCarenet>): Promise<CarenetRecord> {
  const { id: carenetId, recordId, name } = await requireCarenet(services, params.CARENET_ID);
  const record = await requireRecord(services, recordId);
  const shown =
    record.demographicsId === null
      ? undefined
      : await documentStore.findDocument(services.database.reads, { recordId, carenetId }, record.demographicsId);
  const as = await lookedAtAs(services, principal, { recordId, carenetId, ownerId: record.ownerId });
  return { ...record, demographicsId: shown?.id ?? null, carenetName: name, as };
}

/** The latest version of the record's demographics document, if the carenet contains it. */
async function findDemographics(services: Services, scope: DocumentScope) {
  const { contents, database } = services;
  const lineageId = (await recordStore.findRecord(database.reads, scope.recordId))?.demographicsLineageId ?? null;
  return lineageId === null ? undefined : documentStore.findLatestContent(database.reads, contents, scope, lineageId);
}

/** 404 for any other name than `demographics`. */
export async function readSpecial({
  params,
  services,
  note,
}: Call<InCarenet & { NAME: string }>): Promise<StoredContent> {
  const content =
    params.NAME === 'demographics' ? await findDemographics(services, await carenetScope(services, params)) : undefined;
  if (!content) {
    throw errors.notFound('special document');
  }
  note({ documentId: content.id });
  return content;
}

export async function readDemographics({
  params,
  query,
  services,
  note,
}: Call<InCarenet, RawQuery>): Promise<DemographicsView> {
  const scope = await carenetScope(services, params);
  const shown = await findDemographics(services, scope);
  const demographics = shown && (await recordStore.findDemographics(services.database.reads, scope.recordId));
  if (!demographics) {
    throw noDemographics();
  }
  note({ documentId: demographics.documentId });
  return demographicsView(services, scope.recordId, demographics, demographicsFormat(query['response_format']));
}
