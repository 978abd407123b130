/** service: stores, lists, reads and replaces documents. */
import { errors } from '../../core/base/errors';
import type { InRecord, InRecordDocument, Page, TypedPage } from '../../core/http/inputs';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import type { DocumentPage } from '../../core/documents/document-element';
import type { DocumentMeta } from '../../core/documents/document-meta';
import type { Arrived, CreateInput } from '../../core/pipeline/document-pipeline';
import {
  describeDocument,
  describePage,
  listQuery,
  readMeta as readMetaIn,
  readPage,
  requireDocument,
} from '../../core/records/read-documents';
import type { Services } from '../../core/services';
import type { DocumentRow } from '../../core/documents/store';
import { externalIdOf, type InExternal } from './external-ids';
import { fromForm } from './from-form';
import * as documentStore from '../../core/documents/store';

/** A page of the latest versions of the record's documents (specification 4.5, 4.9). */
export function listDocuments({ params, query, services }: Call<InRecord, TypedPage>): Promise<DocumentPage> {
  return readPage(services, { recordId: params.RECORD_ID }, query);
}

/** 404 when the record has no such document. */
export function readMeta({ params, services }: Call<InRecordDocument>): Promise<DocumentMeta> {
  return readMetaIn(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
}

/** The document that the calling app gave the external id; 404 when there is none. */
export async function findByExternalId({ database }: Services, params: InExternal): Promise<DocumentRow> {
  const row = await documentStore.findDocumentByExternalId(database.reads, params.RECORD_ID, externalIdOf(params));
  if (!row) {
    throw errors.notFound('document');
  }
  return row;
}

/** 404 when the calling app gave no document of the record this external id. */
export async function readMetaByExternalId({ params, services, note }: Call<InExternal>): Promise<DocumentMeta> {
  const row = await findByExternalId(services, params);
  note({ documentId: row.id });
  return describeDocument(services, row);
}

/** 404 when the record has no such document. */
export async function readContent({ params, services }: Call<InRecordDocument>): Promise<StoredContent> {
  const content = await documentStore.findContent(
    services.database.reads,
    services.contents,
    { recordId: params.RECORD_ID },
    params.DOCUMENT_ID,
  );
  if (!content) {
    throw errors.notFound('document');
  }
  return content;
}

/** A page of the versions of a document; none if its status is not the one asked for. 404 for an unknown document. */
export async function listVersions({ params, query, services }: Call<InRecordDocument, Page>): Promise<DocumentPage> {
  const { database } = services;
  const scope = { recordId: params.RECORD_ID };
  const { lineageId } = await requireDocument(services, scope, params.DOCUMENT_ID);
  return describePage(
    services,
    scope,
    await documentStore.listVersions(database.reads, lineageId, listQuery(services, query)),
  );
}

type Storing = Call<InRecord, unknown, Buffer>;

/** Stores the body of a call and names the new document in the audit row. @throws AppError as the pipeline does */
export async function storeBody(
  { params, body, principal, services, request, note }: Storing,
  more: Omit<CreateInput, keyof Arrived> & Pick<Arrived, 'external'> = {},
): Promise<DocumentMeta> {
  const document = await services.pipeline.create({
    recordId: params.RECORD_ID,
    bytes: body,
    mediaType: request.mediaType,
    principal,
    // A program can mend what it sends; a person cannot.
    strict: request.form === undefined,
    ...more,
  });
  note({ documentId: document.id });
  return document;
}

/** 400 for content that is not XML, not valid for its type, or cannot be made into facts; nothing is stored then. */
export function createDocument(call: Storing): Promise<DocumentMeta> {
  return storeBody(call, fromForm(call));
}

/** As `createDocument`; 400 also when the app has used the external id in this record before (specification 4.5). */
export function createWithExternalId(call: Call<InExternal, unknown, Buffer>): Promise<DocumentMeta> {
  return storeBody(call, { external: externalIdOf(call.params) });
}

/**
 * The digests in an If-Match header, which may list several ETags (RFC 9110, 13.1.1). No header and `*` mean any
 * version.
 */
function expectedDigests(ifMatch: string): Pick<CreateInput, 'expectedDigests'> {
  return ['', '*'].includes(ifMatch.trim())
    ? {}
    : { expectedDigests: ifMatch.split(',').map((tag) => tag.trim().replace(/^"|"$/g, '')) };
}

function replacing({
  params,
  request,
}: Call<InRecordDocument, unknown, Buffer>): Pick<CreateInput, 'replaces' | 'expectedDigests'> {
  return {
    replaces: params.DOCUMENT_ID,
    ...expectedDigests(request.ifMatch),
  };
}

/**
 * Stores the body as the next version of a document. 400 when it is not the latest version, 404 for an unknown document
 * and for content that is refused, 412 when If-Match names another version.
 */
export function replaceDocument(call: Call<InRecordDocument, unknown, Buffer>): Promise<DocumentMeta> {
  return storeBody(call, { ...replacing(call), ...fromForm(call) });
}

/** As `replaceDocument`; 400 also when the app has used the external id in this record before. */
export function replaceWithExternalId(
  call: Call<InExternal & InRecordDocument, unknown, Buffer>,
): Promise<DocumentMeta> {
  return storeBody(call, { ...replacing(call), external: externalIdOf(call.params) });
}
