/**
 * operate: what an operator does to records from the command line: make them, and store documents in them. Each action
 * is in the audit log.
 */
import { insertFailure, type ReadyAccount } from '../accounts/operate';
import { ensureOperator, operator, OPERATOR } from '../accounts/operator';
import { trailRow } from '../audit/trail';
import type { AuditFacts } from '../audit/row';
import { AppError, errors, SetupError } from '../base/errors';
import { toTimestamp } from '../base/clock';
import type { Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import { findAccount } from '../accounts/store';
import { findDocument, setCameFrom, setLabel } from '../documents/store';
import { findRecord, listRecordsOf, type ListedRecord, type RecordRow } from './store';
import type { ReadingCounts } from '../documents/readings';
import { createRecord } from './create-record';
import { storeImported, type CreateImported, type ToImport } from './imported';
import { withRelations, type DocumentMeta } from '../documents/document-meta';
import { mediaTypeOf } from '../documents/media-type';
import { largeEnvelope } from '../files/large-envelope';
import { readMended } from '../pipeline/mended-file';

const PAGE = 500;

function leave(services: Services, row: Partial<AuditFacts>): Promise<void> {
  return services.audit.write(trailRow(services, { principal_id: OPERATOR, ...row }));
}

async function requireOwner({ database }: Services, accountId: PrincipalId): Promise<void> {
  const account = await findAccount(database.reads, accountId);
  if (!account || account.state === 'retired') {
    throw new SetupError([account ? `the account ${accountId} is retired` : `there is no account ${accountId}`]);
  }
}

/**
 * Makes a record with these demographics for an account.
 * @param owner the id of an existing account, or an account that is made together with the record
 * @throws SetupError for an unknown or retired account; AppError invalid_document
 */
export async function createRecordFor(
  services: Services,
  owner: PrincipalId | ReadyAccount,
  bytes: Buffer,
): Promise<RecordRow> {
  const account = typeof owner === 'string' ? undefined : owner;
  const ownerId = typeof owner === 'string' ? owner : owner.id;
  if (!account) {
    await requireOwner(services, ownerId);
  }
  await ensureOperator(services);
  const record = await createRecord(services, {
    bytes,
    mediaType: mediaTypeOf(bytes),
    principal: operator,
    ownerId,
    ...(account ? { within: account.insert } : {}),
  }).catch((error: unknown) => {
    throw insertFailure(error, ownerId);
  });
  if (account) {
    await leave(services, { function_name: 'account_create', account_id: ownerId });
  }
  await leave(services, {
    function_name: 'record_create',
    record_id: record.id,
    document_id: record.demographicsId,
    account_id: ownerId,
  });
  return record;
}

/**
 * Every record that an account can reach, read page by page.
 * @throws SetupError for an unknown account
 */
export async function* recordsOf(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  accountId: PrincipalId,
): AsyncGenerator<ListedRecord> {
  if (!(await findAccount(database.reads, accountId))) {
    throw new SetupError([`there is no account ${accountId}`]);
  }
  for (let offset = 0; ; offset += PAGE) {
    const page = await listRecordsOf(database.reads, accountId, { limit: PAGE, offset }, toTimestamp(clock.now()));
    yield* page;
    if (page.length < PAGE) {
      return;
    }
  }
}

/** `label`: what it is called; the rest is as for any document that was made from a file. */
type PutOptions = {
  readonly label?: string | undefined;
  /** The host that it was fetched from by a link. */ readonly cameFrom?: string;
} & Partial<Omit<ToImport, 'bytes'>>;
/**
 * `wasThere`: nothing was stored. `renewed`: the document is a new version of an earlier one. `counts`: for a document of
 * readings.
 */
export type PutReply = {
  readonly document: DocumentMeta;
  readonly wasThere: boolean;
  readonly renewed: boolean;
  readonly counts?: ReadingCounts;
};
export type Put = (bytes: Buffer, options?: PutOptions) => Promise<PutReply>;

async function requireMeta({ database, config }: Services, recordId: Id, id: Id): Promise<DocumentMeta> {
  const row = await findDocument(database.reads, { recordId }, id);
  const [document] = row ? await withRelations(database.reads, config.vocabBase, [row]) : [];
  if (!document) {
    throw errors.notFound('document');
  }
  return document;
}

/**
 * Stores documents in a record as the operator. A refused document has its row in the audit log, too, as at the
 * interface.
 * @param importers the apps whose documents of files are looked at, too, so that no file is stored by both
 * @returns a function that stores one document and throws AppError as the pipeline does
 * @throws SetupError for an unknown record
 */
export async function putInto(services: Services, recordId: Id, importers: readonly PrincipalId[] = []): Promise<Put> {
  if (!(await findRecord(services.database.reads, recordId))) {
    throw new SetupError([`there is no record ${recordId}: svc records list ACCOUNT shows the ids`]);
  }
  await ensureOperator(services);
  const row = { function_name: 'document_create', record_id: recordId };
  type Words = Pick<PutOptions, 'label' | 'cameFrom'>;
  const store = async (bytes: Buffer, { label, cameFrom }: Words, as?: Parameters<CreateImported>[1]) => {
    try {
      const create = (content: Buffer): Promise<DocumentMeta> =>
        services.pipeline.create({
          recordId,
          bytes: content,
          mediaType: mediaTypeOf(content),
          principal: operator,
          ...(as && 'externalId' in as ? { external: { appId: OPERATOR, externalId: as.externalId } } : as),
          within: async (trx, { id, lineageId }) => {
            await (label === undefined ? undefined : setLabel(trx, lineageId, label));
            await (cameFrom === undefined ? undefined : setCameFrom(trx, id, cameFrom));
          },
        });
      const { done: document } = await readMended(services.reader, bytes, OPERATOR, create);
      await leave(services, { ...row, document_id: document.id });
      return document;
    } catch (error) {
      if (error instanceof AppError) {
        await leave(services, { ...row, successful: 0, status: error.status });
      }
      throw error;
    }
  };
  return async (bytes, { once, renewed = false, readings, ...words } = {}) => {
    const { maxDocumentBytes, vocabBase } = services.config;
    if (bytes.length > maxDocumentBytes && !largeEnvelope(bytes, vocabBase, maxDocumentBytes)) {
      throw new AppError(413, 'too_large', `it is larger than SVC_MAX_DOCUMENT_BYTES (${bytes.length} bytes).`);
    }
    if (once === undefined) {
      return { document: await store(bytes, words), wasThere: false, renewed: false };
    }
    const item = { bytes, once, renewed, readings };
    const scope = { recordId, appIds: [OPERATOR, ...importers] };
    const { documents, replaced, counts, there } = await storeImported(services, scope, item, (content, as) =>
      store(content, words, as),
    );
    const document = documents.at(-1) ?? (await requireMeta(services, recordId, there!));
    const told = readings === undefined ? {} : { counts };
    return { document, wasThere: documents.length === 0, renewed: replaced.length > 0, ...told };
  };
}
