/**
 * storage: documents of any media type that an app keeps for itself, alone or on a record. They can be overwritten and
 * deleted.
 */
import { effectiveId } from '../../core/auth/principal';
import { startsLikeXml } from '../../core/auth/signature';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId, sha256 } from '../../core/base/ids';
import type { TypedPage } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { StoredContent } from '../../core/http/replies';
import type { Call, RequestFacts } from '../../core/http/route';
import { typesNamed } from '../../core/documents/document-types';
import { isKnownType } from '../../core/records/known-types';
import { isXmlType, LONGEST_MEDIA_TYPE, requireForm } from '../../core/documents/media-type';
import { changeRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import { isDuplicate } from '../../core/db/db-errors';
import type { Sealer } from '../../core/sealing/contents-store';
import type { AppDocumentRow, NewAppDocument, Shelf } from '../../core/apps/documents-store';
import type { AppDocuments } from './serialize';
import * as appDocumentStore from '../../core/apps/documents-store';

/** Without a record, the app's own storage. */
export type OnShelf = { PHA_EMAIL: string; RECORD_ID?: string };
type InDocument = OnShelf & { DOCUMENT_ID: string };
type InExternal = OnShelf & { EXTERNAL_ID: string };

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MEDIA_TYPE = /^[\w.+-]{1,49}\/[\w.+-]{1,50}$/;
/** Parameters of a media type with a plain or a quoted value, of characters that are safe in a header. */
const PARAMETERS = /^(?: *; *[\w.+-]+=(?:[\w.+:'-]+|"[\w .+:,()='?/-]*"))+ *$/;
const LONGEST_LABEL = 100;

function shelfOf({ PHA_EMAIL: appId, RECORD_ID: recordId }: OnShelf): Shelf {
  return { appId, recordId: recordId ?? null };
}

type Declared = Pick<RequestFacts, 'mediaType' | 'mediaParameters'>;

/** Old clients declare XML as a form. Content without a usable media type is `application/octet-stream`. */
function bareMediaType(bytes: Buffer, declared: string): string {
  if (startsLikeXml(bytes) && (declared === '' || declared === FORM_TYPE)) {
    return 'application/xml';
  }
  return MEDIA_TYPE.test(declared) ? declared : 'application/octet-stream';
}

/** The parameters are kept because they tell the charset of a text, unless they are malformed or too long. */
function withParameters(mediaType: string, { mediaType: declared, mediaParameters }: Declared): string {
  const full = mediaType + mediaParameters;
  return mediaType === declared && full.length <= LONGEST_MEDIA_TYPE && PARAMETERS.test(mediaParameters)
    ? full
    : mediaType;
}

type Uploading = Pick<Call<unknown, unknown, Buffer>, 'body' | 'principal' | 'services' | 'request'>;

/**
 * The media type of a body and, if it is XML, its document type. XML loses the parameters of its media type, because it
 * declares its encoding itself; 400 when it is not well-formed. Other content is not examined.
 */
export async function uploadedContent({
  services,
  principal,
  body: bytes,
  request: declared,
}: Uploading): Promise<{ readonly mediaType: string; readonly type: string | null }> {
  const mediaType = bareMediaType(bytes, declared.mediaType);
  if (!isXmlType(mediaType)) {
    return { mediaType: withParameters(mediaType, declared), type: null };
  }
  if (bytes.length === 0) {
    return { mediaType, type: null };
  }
  requireForm(mediaType, bytes);
  const { type } = await services.reader.inspect(bytes, effectiveId(principal) ?? undefined);
  return { mediaType, type: type.length > 255 ? null : type };
}

type Content = Omit<NewAppDocument, 'id' | 'externalId' | 'creatorId'>;

/**
 * A body that may be stored. 400 for an empty one that is declared as XML, because it would overwrite a document; other
 * content may be empty.
 */
async function received(call: Uploading): Promise<Content> {
  const { body, request } = call;
  if (body.length === 0 && isXmlType(request.mediaType)) {
    throw errors.invalidDocument('it is empty: send its content');
  }
  return {
    ...(await uploadedContent(call)),
    digest: sha256(body),
    content: body,
    now: toTimestamp(call.services.clock.now()),
  };
}

/** 413 when the app's storage in all would pass its quota. */
async function checkQuota({ config }: Services, trx: Transaction, appId: string): Promise<void> {
  if (config.appStorageBytes > 0 && (await appDocumentStore.storedBytes(trx, appId)) > config.appStorageBytes) {
    throw errors.tooLarge(`an app may store ${config.appStorageBytes} bytes in all`);
  }
}

/** Runs a change under the app's lock. A change that passes the quota is rolled back. */
async function writeWithin<T>(
  services: Services,
  trx: Transaction,
  { appId }: Shelf,
  change: () => Promise<T>,
): Promise<T> {
  await appDocumentStore.lockShelves(trx, appId);
  const result = await change();
  await checkQuota(services, trx, appId);
  return result;
}

function onShelf<T>(
  services: Services,
  { recordId }: Shelf,
  work: (trx: Transaction, sealer: Sealer) => Promise<T>,
): Promise<T> {
  return recordId === null
    ? services.database.transaction(async (trx) => work(trx, await services.contents.common(trx)))
    : changeRecord(services, recordId, (trx, { contentKey }) => work(trx, services.contents.under(contentKey)));
}

function write<T>(
  services: Services,
  shelf: Shelf,
  change: (trx: Transaction, sealer: Sealer) => Promise<T>,
): Promise<T> {
  return onShelf(services, shelf, (trx, sealer) => writeWithin(services, trx, shelf, () => change(trx, sealer)));
}

function missing() {
  return errors.notFound('document');
}

function foundDocument(row: AppDocumentRow | undefined): AppDocumentRow {
  if (!row) {
    throw missing();
  }
  return row;
}

/**
 * A page of the app's documents. 404 for a short type name that neither this service nor a document here has; any full
 * type URI may be asked for.
 */
export async function listShelf({ params, query, services }: Call<OnShelf, TypedPage>): Promise<AppDocuments> {
  const shelf = shelfOf(params);
  const types = query.type ? typesNamed(query.type, services.config.vocabBase) : undefined;
  const page = await appDocumentStore.listAppDocuments(services.database.reads, shelf, {
    ...pageOf(services, query),
    ...(types === undefined ? {} : { types }),
  });
  if (page.total === 0 && types?.length === 2 && !types.some((type) => isKnownType(services, type))) {
    throw errors.notFound('document type');
  }
  // Documents of apps are always active.
  return { ...shelf, ...(query.status === 'active' ? page : { documents: [], total: 0 }) };
}

async function insert(
  trx: Transaction,
  sealer: Sealer,
  shelf: Shelf,
  document: Omit<NewAppDocument, 'id'>,
): Promise<string> {
  const id = newId();
  await appDocumentStore.insertAppDocument(trx, sealer, shelf, { ...document, id });
  return id;
}

type Upload<P> = Call<P, unknown, Buffer>;

/** 400 for malformed XML, 413 beyond the app's quota. */
export async function createDocument(call: Upload<OnShelf>): Promise<AppDocumentRow> {
  const { params, principal, services, note } = call;
  const shelf = shelfOf(params);
  const content = await received(call);
  const id = await write(services, shelf, (trx, sealer) =>
    insert(trx, sealer, shelf, {
      ...content,
      externalId: null,
      creatorId: effectiveId(principal) ?? params.PHA_EMAIL,
    }),
  );
  note({ documentId: id });
  return foundDocument(await appDocumentStore.findAppDocument(services.database.reads, shelf, id));
}

/**
 * Puts other content in place of a document, whose id stays. 400 for malformed XML, 404 for an unknown document, 413
 * beyond the quota.
 */
export async function replaceDocument(call: Upload<InDocument>): Promise<AppDocumentRow> {
  const { params, services } = call;
  const shelf = shelfOf(params);
  const content = await received(call);
  await write(services, shelf, async (trx, sealer) => {
    if (!(await appDocumentStore.overwriteAppDocument(trx, sealer, shelf, params.DOCUMENT_ID, content))) {
      throw missing();
    }
  });
  return foundDocument(await appDocumentStore.findAppDocument(services.database.reads, shelf, params.DOCUMENT_ID));
}

type ExternalDocument = Omit<NewAppDocument, 'id' | 'externalId'> & { readonly externalId: string };

/** Stores the document unless one has its external id already. @returns its id; undefined when it was not stored */
export function keepFirst(
  services: Services,
  trx: Transaction,
  sealer: Sealer,
  shelf: Shelf,
  document: ExternalDocument,
): Promise<string | undefined> {
  return writeWithin(services, trx, shelf, async () =>
    (await appDocumentStore.findAppDocumentByExternalId(trx, shelf, document.externalId))
      ? undefined
      : insert(trx, sealer, shelf, document),
  );
}

/** Creates the document or overwrites the one that has the external id. */
async function putUnderExternalId(services: Services, shelf: Shelf, document: ExternalDocument): Promise<string> {
  const put = (): Promise<string> =>
    write(services, shelf, async (trx, sealer) => {
      const present = await appDocumentStore.findAppDocumentByExternalId(trx, shelf, document.externalId);
      if (!present) {
        return insert(trx, sealer, shelf, document);
      }
      await appDocumentStore.overwriteAppDocument(trx, sealer, shelf, present.id, document);
      return present.id;
    });
  try {
    return await put();
  } catch (error) {
    // In a cluster the lock holds for one node only: a writer of another node has created the document meanwhile.
    if (!isDuplicate(error)) {
      throw error;
    }
    return put();
  }
}

/**
 * Stores the body under an external id, in place of the document that has it already. Fails as `createDocument` does.
 */
export async function putExternal(call: Upload<InExternal>): Promise<AppDocumentRow> {
  const { params, principal, services, note } = call;
  const shelf = shelfOf(params);
  const content = await received(call);
  const id = await putUnderExternalId(services, shelf, {
    ...content,
    externalId: params.EXTERNAL_ID,
    creatorId: effectiveId(principal) ?? params.PHA_EMAIL,
  });
  note({ documentId: id });
  return foundDocument(await appDocumentStore.findAppDocument(services.database.reads, shelf, id));
}

export async function readAppContent({ params, services }: Call<InDocument>): Promise<StoredContent> {
  const content = await appDocumentStore.readAppDocument(
    services.database.reads,
    services.contents,
    shelfOf(params),
    params.DOCUMENT_ID,
  );
  if (!content) {
    throw missing();
  }
  return content;
}

export async function readAppDocumentMeta({ params, services }: Call<InDocument>): Promise<AppDocumentRow> {
  return foundDocument(
    await appDocumentStore.findAppDocument(services.database.reads, shelfOf(params), params.DOCUMENT_ID),
  );
}

export async function readExternalMeta({ params, services, note }: Call<InExternal>): Promise<AppDocumentRow> {
  const row = foundDocument(
    await appDocumentStore.findAppDocumentByExternalId(services.database.reads, shelfOf(params), params.EXTERNAL_ID),
  );
  note({ documentId: row.id });
  return row;
}

/** An empty body removes the label. 400 for a label that is too long, 404 for an unknown document. */
export async function labelDocument(call: Upload<InDocument>): Promise<AppDocumentRow> {
  const { params, body, services } = call;
  const label = body.toString('utf8').trim();
  if ([...label].length > LONGEST_LABEL) {
    throw errors.invalidBody(`a label has at most ${LONGEST_LABEL} characters`);
  }
  const shelf = shelfOf(params);
  if (
    !(await onShelf(services, shelf, (trx) =>
      appDocumentStore.labelAppDocument(trx, shelf, params.DOCUMENT_ID, label === '' ? null : label),
    ))
  ) {
    throw missing();
  }
  return readAppDocumentMeta(call);
}

/** 404 for an unknown document. */
export async function deleteDocument({ params, services }: Call<InDocument>): Promise<void> {
  const shelf = shelfOf(params);
  if (!(await onShelf(services, shelf, (trx) => appDocumentStore.deleteAppDocument(trx, shelf, params.DOCUMENT_ID)))) {
    throw missing();
  }
}
