/** read-documents: reads the metadata of one document, of a page, or of a lineage, in a record or in a carenet. */
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { TypedPage } from '../http/inputs';
import { readOnce } from '../access/once';
import { pageOf } from '../http/page';
import type { Services } from '../services';
import {
  findDocument,
  listDocuments,
  type DocumentList,
  type DocumentRow,
  type DocumentScope,
  type ListQuery,
} from '../documents/store';
import type { DocumentPage } from '../documents/document-element';
import { withRelations, type DocumentMeta } from '../documents/document-meta';
import { typesNamed } from '../documents/document-types';

type Readers = Pick<Services, 'config' | 'database' | 'once'>;

/** @throws AppError not_found when the scope does not hold the document */
export async function requireDocument(readers: Readers, scope: DocumentScope, documentId: Id): Promise<DocumentRow> {
  const find = () => findDocument(readers.database.reads, scope, documentId);
  const row = await readOnce(readers, ['document', scope.recordId, scope.carenetId, documentId], find);
  if (!row) {
    throw errors.notFound('document');
  }
  return row;
}

/**
 * As `requireDocument`, for pages, which do not show what was taken back right after it was added.
 * @throws AppError not_found
 */
export async function requireShown(services: Readers, scope: DocumentScope, documentId: Id): Promise<DocumentRow> {
  const row = await requireDocument(services, scope, documentId);
  if (row.undone) {
    throw errors.notFound('document');
  }
  return row;
}

function described(
  { config, database }: Readers,
  rows: readonly DocumentRow[],
  carenetId?: Id,
): Promise<readonly DocumentMeta[]> {
  return withRelations(database.reads, config.vocabBase, rows, carenetId);
}

export async function describeDocument(services: Readers, row: DocumentRow, carenetId?: Id): Promise<DocumentMeta> {
  return (await described(services, [row], carenetId))[0]!;
}

/** @throws AppError not_found when the scope does not hold the document */
export async function readMeta(services: Readers, scope: DocumentScope, documentId: Id): Promise<DocumentMeta> {
  return describeDocument(services, await requireDocument(services, scope, documentId), scope.carenetId);
}

export async function describePage(
  services: Readers,
  { recordId, carenetId }: DocumentScope,
  { rows, total }: DocumentList,
): Promise<DocumentPage> {
  return { recordId, total, documents: await described(services, rows, carenetId) };
}

/** The paging of a call; its limit is lowered to what the installation allows. */
export function listQuery(services: Readers, page: TypedPage): ListQuery {
  return {
    ...pageOf(services, page),
    status: page.status,
    ...(page.type ? { types: typesNamed(page.type, services.config.vocabBase) } : {}),
  };
}

/** One page of latest versions; an unknown type gives an empty list. */
export async function readPage(services: Readers, scope: DocumentScope, page: TypedPage): Promise<DocumentPage> {
  return describePage(services, scope, await listDocuments(services.database.reads, scope, listQuery(services, page)));
}
