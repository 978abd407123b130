/** special: the older paths of the demographics document, the only special document that there is. */
import { errors } from '../../core/base/errors';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import type { DocumentMeta } from '../../core/documents/document-meta';
import type { Services } from '../../core/services';
import type { RecordRow } from '../../core/records/store';
import * as documentStore from '../../core/documents/store';
import * as recordStore from '../../core/records/store';

type InSpecial = { RECORD_ID: string; NAME: string };

async function requireSpecial(
  { database }: Services,
  { RECORD_ID: recordId, NAME: name }: InSpecial,
): Promise<RecordRow> {
  const record = name === 'demographics' ? await recordStore.findRecord(database.reads, recordId) : undefined;
  if (!record) {
    throw errors.notFound('special document');
  }
  return record;
}

/**
 * The latest version as it was stored. 404 for a record without demographics, and for any name other than
 * `demographics`.
 */
export async function readSpecial({ params, services, note }: Call<InSpecial>): Promise<StoredContent> {
  const { contents, database } = services;
  const { id, demographicsLineageId } = await requireSpecial(services, params);
  const content =
    demographicsLineageId === null
      ? undefined
      : await documentStore.findLatestContent(database.reads, contents, { recordId: id }, demographicsLineageId);
  if (!content) {
    throw errors.notFound('special document');
  }
  note({ documentId: content.id });
  return content;
}

/** Stores the body as the next version of the demographics document, or as its first. 404 for any other name. */
export async function saveSpecial({
  params,
  body,
  principal,
  services,
  request,
  note,
}: Call<InSpecial, unknown, Buffer>): Promise<DocumentMeta> {
  const { id } = await requireSpecial(services, params);
  const document = await services.pipeline.putDemographics({
    recordId: id,
    bytes: body,
    mediaType: request.mediaType,
    principal,
  });
  note({ documentId: document.id });
  return document;
}
