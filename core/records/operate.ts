/**
 * operate: what an operator does to records from the command line: make them, and store documents in them. Each action
 * is in the audit log.
 */
import { insertFailure, type ReadyAccount } from '../accounts/operate';
import { ensureOperator, operator, OPERATOR } from '../accounts/operator';
import { trailRow } from '../audit/trail';
import type { AuditFacts } from '../audit/row';
import { AppError, SetupError } from '../base/errors';
import { sha256 } from '../base/ids';
import type { Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import { findAccount } from '../storage/stores/accounts';
import { findDocument, findDocumentByExternalId, setLabel, type DocumentRow } from '../storage/stores/documents';
import { findRecord, listRecordsOf, type ListedRecord, type RecordRow } from '../storage/stores/records';
import { createRecord } from './create-record';
import { withRelations, type DocumentMeta } from '../documents/document-meta';
import { mediaTypeOf } from '../documents/media-type';

const PAGE = 500;

const leave = (services: Services, row: Partial<AuditFacts>): Promise<void> =>
  services.audit.write(trailRow(services, { principal_id: OPERATOR, ...row }));

const requireOwner = async ({ database }: Services, accountId: PrincipalId): Promise<void> => {
  const account = await findAccount(database.reads, accountId);
  if (!account || account.state === 'retired') {
    throw new SetupError([account ? `the account ${accountId} is retired` : `there is no account ${accountId}`]);
  }
};

/**
 * Makes a record with these demographics for an account.
 * @param owner the id of an existing account, or an account that is made together with the record
 * @throws SetupError for an unknown or retired account; AppError invalid_document
 */
export const createRecordFor = async (
  services: Services,
  owner: PrincipalId | ReadyAccount,
  bytes: Buffer,
): Promise<RecordRow> => {
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
};

/**
 * Every record that an account can reach, read page by page.
 * @throws SetupError for an unknown account
 */
export async function* recordsOf(
  { database }: Pick<Services, 'database'>,
  accountId: PrincipalId,
): AsyncGenerator<ListedRecord> {
  if (!(await findAccount(database.reads, accountId))) {
    throw new SetupError([`there is no account ${accountId}`]);
  }
  for (let offset = 0; ; offset += PAGE) {
    const page = await listRecordsOf(database.reads, accountId, { limit: PAGE, offset });
    yield* page;
    if (page.length < PAGE) {
      return;
    }
  }
}

/**
 * `once`: a name under which a document that was made from a file (other than XML) is stored only once. `renewed`:
 * other content under that name becomes a new version.
 */
export type PutOptions = { readonly label?: string | undefined; readonly once?: string; readonly renewed?: boolean };
/** `wasThere`: nothing was stored. `renewed`: the document is a new version of an earlier one. */
export type PutReply = { readonly document: DocumentMeta; readonly wasThere: boolean; readonly renewed: boolean };
export type Put = (bytes: Buffer, options?: PutOptions) => Promise<PutReply>;

/** The latest version of the document that the operator stored under the name before. */
const findOnce = async ({ database }: Services, recordId: Id, externalId: string): Promise<DocumentRow | undefined> => {
  const row = await findDocumentByExternalId(database.reads, recordId, { appId: OPERATOR, externalId });
  return row && row.latest.id !== row.id ? findDocument(database.reads, { recordId }, row.latest.id) : row;
};

/**
 * Stores documents in a record as the operator. A refused document has its row in the audit log, too, as at the
 * interface.
 * @returns a function that stores one document and throws AppError as the pipeline does
 * @throws SetupError for an unknown record
 */
export const putInto = async (services: Services, recordId: Id): Promise<Put> => {
  if (!(await findRecord(services.database.reads, recordId))) {
    throw new SetupError([`there is no record ${recordId}: svc records list ACCOUNT shows the ids`]);
  }
  await ensureOperator(services);
  const row = { function_name: 'document_create', record_id: recordId };
  const store = async (bytes: Buffer, { label, once }: PutOptions, replaces?: Id): Promise<DocumentMeta> => {
    try {
      const document = await services.pipeline.create({
        recordId,
        bytes,
        mediaType: mediaTypeOf(bytes),
        principal: operator,
        ...(once === undefined || replaces !== undefined ? {} : { external: { appId: OPERATOR, externalId: once } }),
        ...(replaces === undefined ? {} : { replaces }),
        ...(label === undefined
          ? {}
          : { within: async (trx, { lineageId }) => void (await setLabel(trx, lineageId, label)) }),
      });
      await leave(services, { ...row, document_id: document.id });
      return document;
    } catch (error) {
      if (error instanceof AppError) {
        await leave(services, { ...row, successful: 0, status: error.status });
      }
      throw error;
    }
  };
  return async (bytes, options = {}) => {
    if (bytes.length > services.config.maxDocumentBytes) {
      throw new AppError(413, 'too_large', `it is larger than SVC_MAX_DOCUMENT_BYTES (${bytes.length} bytes).`);
    }
    const known = options.once === undefined ? undefined : await findOnce(services, recordId, options.once);
    if (known && (!options.renewed || known.digest === sha256(bytes))) {
      const [document] = await withRelations(services.database.reads, services.config.vocabBase, [known]);
      return { document: document!, wasThere: true, renewed: false };
    }
    return { document: await store(bytes, options, known?.id), wasThere: false, renewed: known !== undefined };
  };
};
