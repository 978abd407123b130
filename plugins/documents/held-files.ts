/** held-files: the files that a document holds, wherever they are in it: pictures, letters, results, other documents. */
import { effectiveId } from '../../core/auth/principal';
import { errors } from '../../core/base/errors';
import { UnreadableContent } from '../../core/sealing/contents-store';
import { documentsNamespace } from '../../core/documents/document-types';
import type { DocumentRow } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';
import { mayHoldFiles, type ListedFile, type ReadFile } from '../../core/files/held-file';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import { requireDocument } from '../../core/records/read-documents';
import { scopeOf, type InScope } from './find';
import { lookAtPictures, type PictureFacts } from './pictures';

export type FilesOfDocument = {
  readonly files: readonly ListedFile[];
  /** What is known of the pictures of its file, if that was asked for. */ readonly pictures: PictureFacts | null;
};

/** `pictures`: whether to look at the pictures of the file, and to make the first one. */
export type ListQuery = { readonly pictures: boolean };

export type FileOfDocument = {
  readonly document: DocumentRow;
  readonly stored: StoredContent;
  readonly file: ReadFile;
};

/** `file`: its place in the list, from 0. */
export type OneFile = { readonly file: number };

async function findStored({ params, services }: Pick<Call<InScope>, 'params' | 'services'>) {
  const scope = await scopeOf(services, params);
  const document = await requireDocument(services, scope, params['DOCUMENT_ID'] ?? '');
  const stored = await documentStore.findContent(services.database.reads, services.contents, scope, document.id);
  return { document, stored };
}

/** A document whose content cannot be opened is reported where it is downloaded. Its facts can still be read. */
async function readable(finding: ReturnType<typeof findStored>): Promise<Buffer | undefined> {
  try {
    return (await finding).stored?.content;
  } catch (error) {
    if (error instanceof UnreadableContent) {
      return undefined;
    }
    throw error;
  }
}

/** Lists the files of a document; none when nothing in it is one. @throws AppError not_found; what the reader throws */
export async function listHeldFiles({
  params,
  query,
  principal,
  services,
}: Call<InScope, ListQuery>): Promise<FilesOfDocument> {
  const finding = findStored({ params, services });
  const content = await readable(finding);
  if (content === undefined || !mayHoldFiles(content)) {
    return { files: [], pictures: null };
  }
  const namespace = documentsNamespace(services.config.vocabBase);
  const owner = effectiveId(principal) ?? '';
  const files = await services.reader.heldFiles(content, namespace, owner);
  const { document } = await finding;
  const pictures = query.pictures && files.length > 0 ? await lookAtPictures(services, document, content, owner) : null;
  return { files, pictures };
}

/** One of these files, with its words if it is a text. @throws AppError not_found; what the reader throws */
export async function readHeldFile({
  params,
  query,
  principal,
  services,
}: Call<InScope, OneFile>): Promise<FileOfDocument> {
  const { document, stored } = await findStored({ params, services });
  const namespace = documentsNamespace(services.config.vocabBase);
  const owner = effectiveId(principal) ?? undefined;
  const file =
    stored && mayHoldFiles(stored.content)
      ? await services.reader.fileWords(stored.content, namespace, query.file, owner)
      : undefined;
  if (!stored || !file) {
    throw errors.notFound('file');
  }
  return { document, stored, file };
}
