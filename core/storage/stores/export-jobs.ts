/**
 * export-jobs: jobs that write what a token may read into files. One process at a time works on a job, and another can
 * resume it.
 */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import { columnsOf, toColumns, type Columns } from '../columns';
import type { Database, Reads, Transaction } from '../database';
import { insertRows } from '../insert-rows';

export type ExportJob = {
  readonly id: Id;
  readonly recordId: Id;
  readonly carenetId: Id | null;
  readonly appId: PrincipalId;
  readonly accountId: PrincipalId;
  readonly scopes: string;
  readonly request: string;
  readonly state: 'open' | 'done' | 'failed';
  readonly place: string | null;
  readonly resources: number;
  readonly attempts: number;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
};

const columns: Columns<keyof ExportJob> = columnsOf(
  'id',
  'recordId',
  'carenetId',
  'appId',
  'accountId',
  'scopes',
  'request',
  'state',
  'place',
  'resources',
  'attempts',
  'createdAt',
  'expiresAt',
);

export type NewExport = Pick<
  ExportJob,
  'id' | 'recordId' | 'carenetId' | 'appId' | 'accountId' | 'scopes' | 'request' | 'createdAt' | 'expiresAt'
>;

/** Adds a job. @returns false when the app and the account already have `most` open jobs for the record */
export const insertExport = async (trx: Transaction, job: NewExport, most: number): Promise<boolean> => {
  // Concurrent calls wait here, so that the count is right.
  await trx('record').where({ id: job.recordId }).forUpdate().first('id');
  const open = (await trx('export_job')
    .where({ record_id: job.recordId, app_id: job.appId, account_id: job.accountId, state: 'open' })
    .where('expires_at', '>', job.createdAt)
    .limit(most)
    .pluck('id')) as string[];
  if (open.length >= most) {
    return false;
  }
  await trx('export_job').insert(toColumns(columns, { ...job, state: 'open', place: null, resources: 0, attempts: 0 }));
  return true;
};

export const findExport = async (on: Reads, id: Id, now: Timestamp): Promise<ExportJob | undefined> => {
  const row = (await on('export_job').where({ id }).where('expires_at', '>', now).first(columns)) as
    ExportJob | undefined;
  // MariaDB answers whole numbers as text.
  return row && { ...row, resources: Number(row.resources), attempts: Number(row.attempts) };
};

export type Claim = { readonly workerId: Id; readonly now: Timestamp; readonly leaseUntil: Timestamp };

/** Leases the oldest job that no process works on. Only one process gets it. */
export const claimExport = async (
  { reads, write }: Pick<Database, 'reads' | 'write'>,
  { workerId, now, leaseUntil }: Claim,
): Promise<ExportJob | undefined> => {
  const free = (on: Reads) =>
    on('export_job')
      .where('state', 'open')
      .where((either) => void either.whereNull('lease_until').orWhere('lease_until', '<=', now));
  const row = (await free(reads).where('expires_at', '>', now).orderBy('created_at').first('id')) as
    { id: Id } | undefined;
  const claimed =
    row === undefined
      ? 0
      : await write((trx) => free(trx).where({ id: row.id }).update({ lease_until: leaseUntil, leased_by: workerId }));
  // Another process may have changed the row since it was read.
  return claimed === 1 ? findExport(reads, row!.id, now) : undefined;
};

export type ExportPart = {
  readonly type: string;
  readonly resources: number;
  readonly size: number;
  readonly content: Buffer;
};

export type Progress = {
  readonly workerId: Id;
  readonly parts: readonly ExportPart[];
  /** Null: all is written. */
  readonly place: string | null;
  /** The number of resources written so far, including these. */
  readonly resources: number;
  readonly leaseUntil: Timestamp;
  readonly expiresAt: Timestamp;
};

/**
 * Stores further parts of the files and the position from which the job continues.
 * @returns false when the job is no longer this process's; the transaction must not be committed then
 */
export const writeProgress = async (
  trx: Transaction,
  { id, recordId, resources: before }: Pick<ExportJob, 'id' | 'recordId' | 'resources'>,
  { workerId, parts, place, resources, leaseUntil, expiresAt }: Progress,
): Promise<boolean> => {
  const kept = await trx('export_job')
    .where({ id, leased_by: workerId, state: 'open' })
    .update({
      place,
      resources,
      state: place === null ? 'done' : 'open',
      attempts: 0,
      lease_until: leaseUntil,
      expires_at: expiresAt,
    });
  if (kept !== 1) {
    return false;
  }
  await insertRows(
    trx,
    'export_part',
    ['job_id', 'record_id', 'type', 'number', 'resources', 'size', 'content', 'expires_at'],
    parts.map((part) => ({
      job_id: id,
      record_id: recordId,
      type: part.type,
      // The number grows from portion to portion.
      number: before + 1,
      resources: part.resources,
      size: part.size,
      content: part.content,
      expires_at: expiresAt,
    })),
  );
  if (place === null) {
    await trx('export_part').where({ job_id: id }).update({ expires_at: expiresAt });
  }
  return true;
};

/** Returns a job, which is retried later, or marks it as failed. */
export const putBack = (
  trx: Transaction,
  id: Id,
  workerId: Id,
  {
    attempts,
    leaseUntil,
    failed,
  }: { readonly attempts: number; readonly leaseUntil: Timestamp; readonly failed: boolean },
): Promise<unknown> =>
  trx('export_job')
    .where({ id, leased_by: workerId, state: 'open' })
    .update({ attempts, lease_until: leaseUntil, state: failed ? 'failed' : 'open' });

/** Deletes a job with its files. */
export const deleteExport = async (trx: Transaction, id: Id): Promise<void> => {
  await trx('export_job').where({ id }).delete();
  await trx('export_part').where({ job_id: id }).delete();
};

export type ExportFile = { readonly type: string; readonly resources: number; readonly size: number };

/** The files of a job. */
export const listFiles = async (on: Reads, id: Id): Promise<readonly ExportFile[]> => {
  const rows = (await on('export_part')
    .where({ job_id: id })
    .groupBy('type')
    .orderBy('type')
    .select('type')
    .sum({ resources: 'resources', size: 'size' })) as Record<'type' | 'resources' | 'size', string | number>[];
  return rows.map(({ type, resources, size }) => ({
    type: String(type),
    resources: Number(resources),
    size: Number(size),
  }));
};

export type PartOfFile = { readonly number: number; readonly size: number };

/** The parts of a file, in their order. */
export const listParts = async (on: Reads, id: Id, type: string): Promise<readonly PartOfFile[]> => {
  const rows = (await on('export_part')
    .where({ job_id: id, type })
    .orderBy('number')
    .select('number', 'size')) as Record<'number' | 'size', number | string>[];
  return rows.map(({ number, size }) => ({ number: Number(number), size: Number(size) }));
};

/** The sealed content of a part; undefined when it has been deleted. */
export const findPart = async (on: Reads, id: Id, type: string, number: number): Promise<Buffer | undefined> =>
  ((await on('export_part').where({ job_id: id, type, number }).first('content')) as { content: Buffer } | undefined)
    ?.content;
