/**
 * store: jobs that write what a token may read into files. One process at a time works on a job, and another can
 * resume it. Whatever ends the access of who asked deletes the job; its files are unreadable then, and are deleted later.
 */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../../../core/base/types';
import { columnsNamed, toColumns, type Columns } from '../../../core/db/columns';
import { containedInColumn } from '../../../core/sharing/containment';
import type { Database, Reads, Transaction } from '../../../core/db/database';
import { inParts } from '../../../core/db/in-parts';
import { insertRows } from '../../../core/db/insert-rows';

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

const columns: Columns<keyof ExportJob> = columnsNamed(
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

/** How many jobs an app may have for one account and one record. */
export type ExportLimits = { readonly open: number; readonly kept: number };

/** When there is room for another job: null when one of the open jobs has to be finished first. */
export type FullUntil = { readonly until: Timestamp | null };

/** Adds a job. @returns undefined when it was added */
export async function insertExport(
  trx: Transaction,
  job: NewExport,
  most: ExportLimits,
): Promise<FullUntil | undefined> {
  // Concurrent calls wait here, so that the count is right.
  await trx('record').where({ id: job.recordId }).forUpdate().first('id');
  const kept = (await trx('export_job')
    .where({ record_id: job.recordId, app_id: job.appId, account_id: job.accountId })
    .where('expires_at', '>', job.createdAt)
    .orderBy('expires_at')
    .limit(most.kept + most.open)
    .select('state', 'expires_at')) as { readonly state: string; readonly expires_at: Timestamp }[];
  if (kept.filter(({ state }) => state === 'open').length >= most.open) {
    return { until: null };
  }
  if (kept.length >= most.kept) {
    return { until: kept[0]!.expires_at };
  }
  await trx('export_job').insert(toColumns(columns, { ...job, state: 'open', place: null, resources: 0, attempts: 0 }));
  return undefined;
}

export async function findExport(on: Reads, id: Id, now: Timestamp): Promise<ExportJob | undefined> {
  const row = (await on('export_job').where({ id }).where('expires_at', '>', now).first(columns)) as
    ExportJob | undefined;
  // MariaDB answers whole numbers as text.
  return row && { ...row, resources: Number(row.resources), attempts: Number(row.attempts) };
}

export type Claim = { readonly workerId: Id; readonly now: Timestamp; readonly leaseUntil: Timestamp };

/** Leases the oldest job that no process works on. Only one process gets it. */
export async function claimExport(
  { reads, write }: Pick<Database, 'reads' | 'write'>,
  { workerId, now, leaseUntil }: Claim,
): Promise<ExportJob | undefined> {
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
}

export type ExportPart = {
  readonly type: string;
  readonly resources: number;
  readonly size: number;
  readonly content: Buffer;
};

export type Progress = {
  readonly workerId: Id;
  readonly parts: readonly ExportPart[];
  /** Documents of which the parts tell, if the export dies with them. */ readonly documentIds: readonly Id[];
  /** Facts seen by their kind of which the parts tell. */ readonly facts: readonly string[];
  /** Null: all is written. */
  readonly place: string | null;
  /** The number of resources written so far, including these. */
  readonly resources: number;
  readonly leaseUntil: Timestamp;
  readonly expiresAt: Timestamp;
};

/** Notes of what the parts tell. A document may be told of in several portions. */
async function noteTold(
  trx: Transaction,
  jobId: Id,
  [table, column]: readonly [table: string, column: string],
  names: readonly string[],
): Promise<void> {
  for (const some of inParts(names)) {
    const known = new Set((await trx(table).where({ job_id: jobId }).whereIn(column, some).pluck(column)) as string[]);
    await insertRows(
      trx,
      table,
      ['job_id', column],
      some.filter((name) => !known.has(name)).map((name) => ({ job_id: jobId, [column]: name })),
    );
  }
}

const DOCUMENTS = ['export_document', 'document_id'] as const;
const FACTS = ['export_fact', 'name'] as const;

/** The facts seen by their kind of which the files of an export tell. */
export async function factsTold(on: Reads, id: Id): Promise<readonly string[]> {
  return (await on('export_fact').where({ job_id: id }).pluck('name')) as string[];
}

/**
 * Stores further parts of the files and the position from which the job continues.
 * @returns false when the job is no longer this process's; the transaction must not be committed then
 */
export async function writeProgress(
  trx: Transaction,
  { id, recordId, resources: before }: Pick<ExportJob, 'id' | 'recordId' | 'resources'>,
  { workerId, parts, documentIds, facts, place, resources, leaseUntil, expiresAt }: Progress,
): Promise<boolean> {
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
  await noteTold(trx, id, DOCUMENTS, documentIds);
  await noteTold(trx, id, FACTS, facts);
  if (place === null) {
    await trx('export_part').where({ job_id: id }).update({ expires_at: expiresAt });
  }
  return true;
}

/** Returns a job, which is retried later, or marks it as failed. */
export function putBack(
  trx: Transaction,
  id: Id,
  workerId: Id,
  {
    attempts,
    leaseUntil,
    failed,
  }: { readonly attempts: number; readonly leaseUntil: Timestamp; readonly failed: boolean },
): Promise<unknown> {
  return trx('export_job')
    .where({ id, leased_by: workerId, state: 'open' })
    .update({ attempts, lease_until: leaseUntil, state: failed ? 'failed' : 'open' });
}

/** Deletes a job with its files. */
export async function deleteExport(trx: Transaction, id: Id): Promise<void> {
  await trx('export_job').where({ id }).delete();
  await trx('export_part').where({ job_id: id }).delete();
  await trx('export_document').where({ job_id: id }).delete();
  await trx('export_fact').where({ job_id: id }).delete();
}

/** Documents of an export that its carenet does not hold any more, or of which there is a later version. */
function takenOut(on: Reads, job: string): Knex.QueryBuilder {
  return on('export_document as told')
    .whereRaw(`told.job_id = ${job}.id`)
    .leftJoin('document', 'document.id', 'told.document_id')
    .leftJoin('document_lineage as lineage', {
      'lineage.id': 'document.lineage_id',
      'lineage.latest_id': 'document.id',
    })
    .whereRaw(`(lineage.id is null or not (${containedInColumn('lineage', `${job}.carenet_id`)}))`)
    .select(on.raw('1'));
}

/** Whether the files of a carenet's export tell of something that was taken out of the carenet since. */
export async function tellsOfMore(on: Reads, id: Id): Promise<boolean> {
  return (
    (await on('export_job as job')
      .where('job.id', id)
      .whereNotNull('job.carenet_id')
      .whereExists(takenOut(on, 'job'))
      .first(on.raw('1'))) !== undefined
  );
}

/** Ids of the exports that tell of more than their carenets hold. */
async function findOutdated(on: Reads): Promise<readonly Id[]> {
  return (await on('export_job as job')
    .whereNotNull('job.carenet_id')
    .whereExists(takenOut(on, 'job'))
    .pluck('job.id')) as string[];
}

/** A part has some hundred kilobytes. */
const AT_ONCE = 100;

/** Deletes some rows of jobs that are gone. @returns whether there may be more of them */
async function deleteLeft(
  { reads, write }: Pick<Database, 'reads' | 'write'>,
  table: string,
  column: string,
): Promise<boolean> {
  const left = (await reads
    .long(table)
    .whereNotExists(
      reads('export_job')
        .where('export_job.id', reads.ref(`${table}.job_id`))
        .select(reads.raw('1')),
    )
    .limit(AT_ONCE)
    .select('job_id', column)) as Readonly<Record<string, Id | number>>[];
  for (const id of new Set(left.map((row) => row['job_id']))) {
    const keys = left.filter((row) => row['job_id'] === id).map((row) => row[column]!);
    await write((trx) => trx(table).where('job_id', id!).whereIn(column, keys).delete());
  }
  return left.length === AT_ONCE;
}

/** Deletes exports that tell of more than their carenets hold, and what is left of exports that have ended. */
export async function sweepExports(database: Pick<Database, 'reads' | 'write'>): Promise<void> {
  const outdated = await findOutdated(database.reads.long);
  if (outdated.length > 0) {
    await database.write((trx) =>
      trx('export_job')
        .whereIn('id', [...outdated])
        .delete(),
    );
  }
  for (const [table, column] of [['export_part', 'seq'], DOCUMENTS, FACTS] as const) {
    while (await deleteLeft(database, table, column)) {
      // The next portion.
    }
  }
}

export type ExportFile = { readonly type: string; readonly resources: number; readonly size: number };

/** The files of a job. */
export async function listFiles(on: Reads, id: Id): Promise<readonly ExportFile[]> {
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
}

export type PartOfFile = { readonly number: number; readonly size: number };

/** The parts of a file, in their order. */
export async function listParts(on: Reads, id: Id, type: string): Promise<readonly PartOfFile[]> {
  const rows = (await on('export_part')
    .where({ job_id: id, type })
    .orderBy('number')
    .select('number', 'size')) as Record<'number' | 'size', number | string>[];
  return rows.map(({ number, size }) => ({ number: Number(number), size: Number(size) }));
}

/** The sealed content of a part; undefined when it has been deleted, or the export has ended. */
export async function findPart(on: Reads, id: Id, type: string, number: number): Promise<Buffer | undefined> {
  return (
    (await on('export_part')
      .join('export_job', 'export_job.id', 'export_part.job_id')
      .where({ 'export_part.job_id': id, 'export_part.type': type, 'export_part.number': number })
      .first('export_part.content')) as { content: Buffer } | undefined
  )?.content;
}
