/** relations: annotations, interpretations and follow-ups between the documents of one record (specification 2.7). */
import { effectiveId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Page } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { DocumentPage } from '../../core/documents/document-element';
import type { DocumentMeta } from '../../core/documents/document-meta';
import { relationNamed } from '../../core/documents/document-types';
import { describePage, requireDocument } from '../../core/records/read-documents';
import { changeRecord } from '../../core/records/require';
import type { ExternalId } from '../../core/documents/store';
import type { RelationType } from '../../core/documents/relations-store';
import { externalIdOf, type InExternal } from './external-ids';
import { fromForm } from './from-form';
import { storeBody } from './service';
import * as documentStore from '../../core/documents/store';
import * as relationStore from '../../core/documents/relations-store';

type InRelation = { RECORD_ID: string; DOCUMENT_ID: string; REL: string };

function requireRelation(name: string): RelationType {
  const type = relationNamed(name);
  if (!type) {
    throw errors.notFound('relation type');
  }
  return type;
}

/**
 * Relates DOCUMENT_ID_1, for example an annotation, to DOCUMENT_ID_0. If they are related already, nothing changes. 404
 * for an unknown relation type, and unless both documents are in the record.
 */
export async function relate({
  params,
  principal,
  services,
}: Call<{ RECORD_ID: string; DOCUMENT_ID_0: string; REL: string; DOCUMENT_ID_1: string }>): Promise<void> {
  const { clock } = services;
  const type = requireRelation(params.REL);
  const scope = { recordId: params.RECORD_ID };
  const object = await requireDocument(services, scope, params.DOCUMENT_ID_0);
  const subject = await requireDocument(services, scope, params.DOCUMENT_ID_1);
  await changeRecord(services, params.RECORD_ID, (trx) =>
    relationStore.insertRelation(trx, {
      type,
      subjectLineageId: subject.lineageId,
      objectLineageId: object.lineageId,
      createdBy: effectiveId(principal) ?? '',
      createdAt: toTimestamp(clock.now()),
    }),
  );
}

/**
 * The latest versions of one status of the documents that relate to the one of the path. `limit`, `offset` and
 * `order_by` have no effect (specification 4.5). 400 for an unknown document, 404 for an unknown relation type.
 */
export async function listRelated({
  params,
  query,
  services,
}: Call<InRelation, Pick<Page, 'status'>>): Promise<DocumentPage> {
  const { database } = services;
  const type = requireRelation(params.REL);
  const scope = { recordId: params.RECORD_ID };
  const object = await documentStore.findDocument(database.reads, scope, params.DOCUMENT_ID);
  if (!object) {
    throw errors.invalidParameter('DOCUMENT_ID', 'there is no such document in the record');
  }
  return describePage(
    services,
    scope,
    await documentStore.listRelated(database.reads, object.lineageId, type, query.status),
  );
}

async function create(call: Call<InRelation, unknown, Buffer>, external?: ExternalId): Promise<DocumentMeta> {
  const { params, services } = call;
  const type = requireRelation(params.REL);
  await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  return storeBody(call, {
    relation: { type, objectDocumentId: params.DOCUMENT_ID },
    ...fromForm(call),
    ...(external ? { external } : {}),
  });
}

/** Stores the body as a document that relates to the one of the path. 404 for an unknown document or relation type. */
export function createRelated(call: Call<InRelation, unknown, Buffer>): Promise<DocumentMeta> {
  return create(call);
}

export function createRelatedWithExternalId(
  call: Call<InRelation & InExternal, unknown, Buffer>,
): Promise<DocumentMeta> {
  return create(call, externalIdOf(call.params));
}
