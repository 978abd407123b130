/** service: documents stored, listed, read and replaced. */
import { errors } from '../../core/base/errors';
import type { InRecord, InRecordDocument, Page, TypedPage } from '../../core/http/inputs';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import type { DocumentPage } from '../../core/records/document-element';
import type { DocumentMeta } from '../../core/documents/document-meta';
import {
  describeDocument,
  describePage,
  listQuery,
  readMeta as readMetaIn,
  readPage,
  requireDocument,
} from '../../core/records/read-documents';
import type { Services } from '../../core/services';
import type { DocumentRow } from '../../core/storage/stores/documents';
import { externalIdOf, type InExternal } from './external-ids';
import { fromForm } from './from-form';

export const listDocuments = ({ params, query, services }: Call<InRecord, TypedPage>): Promise<DocumentPage> =>
  readPage(services, { recordId: params.RECORD_ID }, query);

export const readMeta = ({ params, services }: Call<InRecordDocument>): Promise<DocumentMeta> =>
  readMetaIn(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);

/** The document that the calling app gave the external id; 404 when there is none. */
export const findByExternalId = async ({ stores, database }: Services, params: InExternal): Promise<DocumentRow> => {
  const row = await stores.documents.findDocumentByExternalId(database.reads, params.RECORD_ID, externalIdOf(params));
  if (!row) {
    throw errors.notFound('document');
  }
  return row;
};

export const readMetaByExternalId = async ({ params, services, note }: Call<InExternal>): Promise<DocumentMeta> => {
  const row = await findByExternalId(services, params);
  note({ documentId: row.id });
  return describeDocument(services, row);
};

export const readContent = async ({ params, services }: Call<InRecordDocument>): Promise<StoredContent> => {
  const content = await services.stores.documents.findContent(
    services.database.reads,
    services.contents,
    { recordId: params.RECORD_ID },
    params.DOCUMENT_ID,
  );
  if (!content) {
    throw errors.notFound('document');
  }
  return content;
};

/** All versions of the lineage, when its status is the one asked for. */
export const listVersions = async ({
  params,
  query,
  services,
}: Call<InRecordDocument, Page>): Promise<DocumentPage> => {
  const { stores, database } = services;
  const scope = { recordId: params.RECORD_ID };
  const { lineageId } = await requireDocument(services, scope, params.DOCUMENT_ID);
  return describePage(
    services,
    scope,
    await stores.documents.listVersions(database.reads, lineageId, listQuery(services, query)),
  );
};

/** 400 for content that is not XML, not valid for its type, or cannot be made into facts; nothing is stored then. */
export const createDocument = async (call: Call<InRecord, unknown, Buffer>): Promise<DocumentMeta> => {
  const { params, body, principal, services, request, note } = call;
  const document = await services.pipeline.create({
    recordId: params.RECORD_ID,
    bytes: body,
    mediaType: request.mediaType,
    principal,
    ...fromForm(call),
  });
  note({ documentId: document.id });
  return document;
};

/** 400 when the app has used the external id in this record before. */
export const createWithExternalId = async ({
  params,
  body,
  principal,
  services,
  request,
  note,
}: Call<InExternal, unknown, Buffer>): Promise<DocumentMeta> => {
  const document = await services.pipeline.create({
    recordId: params.RECORD_ID,
    bytes: body,
    mediaType: request.mediaType,
    principal,
    external: externalIdOf(params),
  });
  note({ documentId: document.id });
  return document;
};

/** `"digest"` of an If-Match header; `*` and no header mean any version. */
const expectedDigest = (ifMatch: string): { expectedDigest?: string } =>
  ['', '*'].includes(ifMatch.trim()) ? {} : { expectedDigest: ifMatch.trim().replace(/^"|"$/g, '') };

/** Only the latest version can be replaced: 400 otherwise. Refused content is 404. */
export const replaceDocument = async (call: Call<InRecordDocument, unknown, Buffer>): Promise<DocumentMeta> => {
  const { params, body, principal, services, request, note } = call;
  const document = await services.pipeline.create({
    recordId: params.RECORD_ID,
    bytes: body,
    mediaType: request.mediaType,
    principal,
    replaces: params.DOCUMENT_ID,
    ...expectedDigest(request.ifMatch),
    ...fromForm(call),
  });
  note({ documentId: document.id });
  return document;
};

export const replaceWithExternalId = async ({
  params,
  body,
  principal,
  services,
  request,
  note,
}: Call<InExternal & InRecordDocument, unknown, Buffer>): Promise<DocumentMeta> => {
  const document = await services.pipeline.create({
    recordId: params.RECORD_ID,
    bytes: body,
    mediaType: request.mediaType,
    principal,
    replaces: params.DOCUMENT_ID,
    external: externalIdOf(params),
    ...expectedDigest(request.ifMatch),
  });
  note({ documentId: document.id });
  return document;
};
