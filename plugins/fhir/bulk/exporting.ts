/**
 * exporting: starts Bulk Data exports of all that a token may see, reports their state, reads their files and deletes
 * them. The worker writes the files.
 */
import { isWithin } from '../../../core/tokens/granular-scopes';
import { categoriesOpen, parseScopes, scopeWords } from '../../../core/tokens/smart-scopes';
import { fromTimestamp, toTimestamp } from '../../../core/base/clock';
import { errors } from '../../../core/base/errors';
import { newId } from '../../../core/base/ids';
import type { Id } from '../../../core/base/types';
import { resourceName } from '../../../core/fhir/resource';
import type { Call } from '../../../core/http/route';
import type { ExportFile, ExportJob, ExportLimits } from './store';
import { askingOf, atLength, mayAlso, type Asking } from '../asking';
import { checkWanted, type Wanted } from '../read/everything';
import type { ExportRequest } from './export-worker';
import { wakeExports } from './export-worker';
import { checkParts } from './export-parts';
import type { InResource } from '../read/reading';
import { readSeen } from '../read/seen-resources';
import * as exportStore from './store';

export type ExportQuery = {
  readonly _type: string;
  readonly _since: string;
  readonly _outputFormat: string;
  readonly _elements: string;
  /** Each `_typeFilter` in a line of its own. */
  readonly filters: string;
  /** The address of the request, which the manifest repeats. */
  readonly asked: string;
};

const FORMATS = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'];

/**
 * How many exports an app may have for one account and one record: being written, and in all. Files last a day, so an
 * app that exports every hour need not delete any.
 */
const MOST: ExportLimits = { open: 3, kept: 24 };
/** The hours after which a job that is not finished is given up. */
const LONGEST_HOURS = 48;
const HOUR = 3_600_000;
const RETRY_SECONDS = 60;

function commaList(text: string): readonly string[] {
  return text.split(',').filter((one) => one !== '');
}

/** @returns the id of the job @throws errors.notFound, errors.invalidParameter, errors.tooManyRequests */
export async function beginExport(call: Call<InResource, ExportQuery>): Promise<string> {
  const asking = await askingOf(call);
  const { services, principal } = asking;
  const { _type, _since, _outputFormat, _elements, filters, asked } = call.query;
  // A plus that was not escaped arrives as a space.
  if (_outputFormat !== '' && !FORMATS.includes(_outputFormat.replace(' ', '+'))) {
    throw errors.invalidParameter('_outputFormat', `it can be ${FORMATS.join(', ')}`);
  }
  const types = commaList(_type);
  const wanted: Wanted = { types, since: _since };
  checkWanted(asking, call.params.ID, wanted);
  const refused = types.find((type) => !mayAlso(asking, type, 'r'));
  if (refused !== undefined) {
    throw errors.outsideScope(`patient/${refused}.r`);
  }
  if (principal.accountId === null) {
    throw errors.refused('an export is made for an account; an app itself reads $everything');
  }
  const now = services.clock.now();
  const parts = { elements: commaList(_elements), filters: filters.split('\n').filter((one) => one !== '') };
  await checkParts(asking, parts, types);
  const request: ExportRequest = { wanted, asked, ...parts };
  const job = {
    id: newId(),
    recordId: principal.recordId,
    carenetId: principal.carenetId,
    appId: principal.app.id,
    accountId: principal.accountId,
    scopes: scopeWords(principal.scopes.map(({ text }) => text).join(' ')).join(' '),
    request: JSON.stringify(request),
    createdAt: toTimestamp(now),
    expiresAt: toTimestamp(now + LONGEST_HOURS * HOUR),
  };
  const full = await services.database.transaction((trx) => exportStore.insertExport(trx, job, MOST));
  if (full) {
    const seconds = full.until === null ? RETRY_SECONDS : Math.ceil((fromTimestamp(full.until) - now) / 1000);
    throw errors.tooManyRequests(Math.max(seconds, 1));
  }
  wakeExports(services.config);
  return job.id;
}

/** Whether the files of a carenet's export tell of a document or a fact that the carenet does not see any more. */
async function tellsOfMore(asking: Asking, id: Id): Promise<boolean> {
  const { reads } = asking.services.database;
  if (await exportStore.tellsOfMore(reads.long, id)) {
    return true;
  }
  const told = await exportStore.factsTold(reads, id);
  const types = new Set(told.map((name) => name.split('/')[0]!));
  const seen = new Set((await readSeen(atLength(asking), types)).map(({ resource }) => resourceName(resource)));
  return told.some((name) => !seen.has(name));
}

/**
 * The job, if the caller's app started it for the same account and for the same record or carenet. An export of a
 * carenet ends when something of which it tells was taken out of the carenet.
 * @throws errors.notFound
 */
async function requireJob(asking: Asking, id: string): Promise<ExportJob> {
  const { services, principal } = asking;
  const { database, clock } = services;
  const job = await exportStore.findExport(database.reads, id, toTimestamp(clock.now()));
  if (
    job?.recordId !== principal.recordId ||
    job.carenetId !== principal.carenetId ||
    job.appId !== principal.app.id ||
    job.accountId !== principal.accountId
  ) {
    throw errors.notFound('export');
  }
  if (job.carenetId !== null && (await tellsOfMore(asking, job.id))) {
    await database.transaction((trx) => exportStore.deleteExport(trx, job.id));
    throw errors.notFound('export');
  }
  return job;
}

type InExport = { readonly TYPE: string; readonly JOB: string };

export type ExportState = {
  readonly id: string;
  readonly state: ExportJob['state'];
  readonly resources: number;
  readonly asked: string;
  readonly begun: string;
  readonly expires: string;
  /** The files of the types that the caller's scopes allow, once all files are written. */
  readonly files: readonly ExportFile[];
};

/** Whether the scopes open all that a file can contain. A token may have been given less than the one that asked. */
function mayFetch(asking: Asking, { scopes }: Pick<ExportJob, 'scopes'>, type: string): boolean {
  const own = asking.principal.scopes;
  const open = categoriesOpen(own, type, 'r');
  const written = categoriesOpen(parseScopes(scopes), type, 'r');
  return (
    mayAlso(asking, type, 'r') &&
    (open === undefined ||
      (written !== undefined && written.every((one) => open.some((wider) => isWithin(one, wider)))))
  );
}

export async function readExport(call: Call<InExport>): Promise<ExportState> {
  const asking = await askingOf(call);
  const { database } = asking.services;
  const job = await requireJob(asking, call.params.JOB);
  const files = job.state === 'done' ? await exportStore.listFiles(database.reads, job.id) : [];
  return {
    id: job.id,
    state: job.state,
    resources: job.resources,
    asked: (JSON.parse(job.request) as ExportRequest).asked,
    begun: job.createdAt,
    expires: job.expiresAt,
    files: files.filter(({ type }) => mayFetch(asking, job, type)),
  };
}

export async function endExport(call: Call<InExport>): Promise<void> {
  const asking = await askingOf(call);
  const { database } = asking.services;
  const job = await requireJob(asking, call.params.JOB);
  await database.transaction((trx) => exportStore.deleteExport(trx, job.id));
}

export type ExportContent = ExportFile & {
  readonly id: string;
  /** Reads the bytes from one position up to another. */
  readonly pieces: (from: number, until: number) => AsyncGenerator<Buffer>;
};

/**
 * A file that ends before its size is reached breaks the transfer, so that no client treats a part as the whole file.
 */
async function* piecesOf(
  { services }: Asking,
  id: string,
  type: string,
  from: number,
  until: number,
): AsyncGenerator<Buffer> {
  const { database, sealing } = services;
  let at = 0;
  for (const { number, size } of await exportStore.listParts(database.reads, id, type)) {
    const [start, end] = [Math.max(from - at, 0), Math.min(until - at, size)];
    if (start < end) {
      // A part has some hundred resources, and only one part is in memory.
      const sealed = await exportStore.findPart(database.reads, id, type, number);
      if (!sealed) {
        throw errors.notFound('file');
      }
      yield sealing.openBytes(sealed).subarray(start, end);
    }
    at += size;
  }
}

/** One file. @throws errors.notFound before it is written, errors.outsideScope */
export async function readExportFile(call: Call<InExport & { readonly FILE: string }>): Promise<ExportContent> {
  const asking = await askingOf(call);
  const { database } = asking.services;
  const job = await requireJob(asking, call.params.JOB);
  const type = /^(\w+)\.ndjson$/.exec(call.params.FILE)?.[1];
  const files = job.state === 'done' ? await exportStore.listFiles(database.reads, job.id) : [];
  const file = files.find((one) => one.type === type);
  if (!file) {
    throw errors.notFound('file');
  }
  if (!mayFetch(asking, job, file.type)) {
    throw errors.outsideScope(`patient/${file.type}.r`);
  }
  return { ...file, id: job.id, pieces: (from, until) => piecesOf(asking, job.id, file.type, from, until) };
}
