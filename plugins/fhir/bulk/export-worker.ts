/**
 * export-worker: writes the files of exports, portion by portion. Every process looks for jobs, and the database gives
 * each job to one of them. Each portion is stored with the place at which the next one begins, so that a process that
 * ends loses one portion at most.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { findStandingState } from '../../../core/accounts/store';
import { parseScopes } from '../../../core/tokens/smart-scopes';
import type { SmartPrincipal } from '../../../core/auth/principal';
import { toTimestamp } from '../../../core/base/clock';
import { groupedBy } from '../../../core/base/grouped-by';
import { isId, newId } from '../../../core/base/ids';
import { mapInSlices } from '../../../core/base/turns/slices';
import { textInSlices } from '../../../core/base/turns/slices';
import { type Versioned, documentIn, resourceName } from '../../../core/fhir/resource';
import { resourcePieces } from '../../../core/fhir/write';
import type { Config } from '../../../core/config/schema';
import type { Services } from '../../../core/services';
import type { ExportJob, ExportPart } from './store';
import { type Asking, askingOf, atLength, fhirBase } from '../asking';
import { type Place, readPage, type Wanted } from '../read/everything';
import { isSeenResource } from '../read/seen-resources';
import { absolute, filtered, partly, type ExportParts } from './export-parts';
import * as exportStore from './store';

type ExportWorker = { readonly start: () => void; readonly stop: () => Promise<void> };

const ROUND = 1000;
const LEASE = 60_000;
const FILES_LAST = 24 * 3_600_000;
const RESOURCES_AT_ONCE = 200;
const MOST_ATTEMPTS = 5;

const workers = new Map<Config, Set<() => void>>();

/** Makes the worker look for jobs now instead of in the next round. */
export function wakeExports(config: Config): void {
  return workers.get(config)?.forEach((wake) => wake());
}

/** The token that started the export, with the scopes that it had then and the access that it has now. */
async function askingFor(services: Services, job: ExportJob): Promise<Asking | undefined> {
  const { database, lookups } = services;
  const { recordId, carenetId, appId, accountId } = job;
  const place = carenetId === null ? undefined : await lookups.carenet(carenetId, accountId, appId);
  const [state, enabled, inControl] = await Promise.all([
    findStandingState(database.reads, accountId),
    lookups.enabled(appId, recordId),
    lookups.fullControl(accountId, recordId),
  ]);
  const opens =
    carenetId === null
      ? inControl
      : place !== undefined && place.recordId === recordId && place.appPlaced && (place.member || place.fullControl);
  if (state !== 'active' || !enabled || !opens) {
    return undefined;
  }
  const principal: SmartPrincipal = {
    kind: 'access_token',
    app: { id: appId, kind: 'user', autonomous: false },
    accountId,
    recordId,
    carenetId,
    tokenHash: '',
    accountInControl: inControl,
    scopes: parseScopes(job.scopes),
  };
  return atLength(await askingOf({ services, principal, request: {} }));
}

function* exportLines(resources: readonly Versioned[]): Generator<string> {
  for (const resource of resources) {
    yield* resourcePieces(resource);
    yield '\n';
  }
}

async function makeParts({ sealing }: Services, resources: readonly Versioned[]): Promise<readonly ExportPart[]> {
  const parts: ExportPart[] = [];
  for (const [type, ofType] of groupedBy(resources, ({ resourceType }) => resourceType)) {
    const bytes: Buffer[] = [];
    for await (const text of textInSlices(exportLines(ofType))) {
      bytes.push(Buffer.from(text, 'utf8'));
    }
    const whole = Buffer.concat(bytes);
    parts.push({ type, resources: ofType.length, size: whole.length, content: sealing.sealBytes(whole) });
  }
  return parts;
}

/** The documents of which resources tell: those that made them, or whose bytes and origin they describe. */
function documentsBehind(resources: readonly Versioned[]): readonly string[] {
  return [...new Set(resources.map(documentIn).filter(isId))];
}

class Lost extends Error {}

/**
 * Writes one portion. @returns the place of the next one; undefined when everything is written or the job was deleted
 */
async function writePortion(services: Services, workerId: string, job: ExportJob): Promise<ExportJob | undefined> {
  const { database, clock, metrics } = services;
  const asking = await askingFor(services, job);
  if (!asking) {
    await database.transaction((trx) => exportStore.deleteExport(trx, job.id));
    metrics.exported('ended');
    return undefined;
  }
  const { wanted, elements = [], filters = [] } = JSON.parse(job.request) as ExportRequest;
  const from = job.place === null ? undefined : (JSON.parse(job.place) as Place);
  const { resources: all, next } = await readPage(asking, wanted, from, RESOURCES_AT_ONCE);
  const resources = await filtered(asking, all, filters);
  const parts = await makeParts(
    services,
    await mapInSlices(resources, (one) => absolute(partly(one, elements), fhirBase(services))),
  );
  const now = clock.now();
  const place = next === undefined ? null : JSON.stringify(next);
  const written = job.resources + resources.length;
  await database.transaction(async (trx) => {
    const kept = await exportStore.writeProgress(trx, job, {
      workerId,
      parts,
      documentIds: job.carenetId === null ? [] : documentsBehind(resources),
      facts: resources.filter(isSeenResource).map(resourceName),
      place,
      resources: written,
      leaseUntil: toTimestamp(now + LEASE),
      expiresAt: next === undefined ? toTimestamp(now + FILES_LAST) : job.expiresAt,
    });
    if (!kept) {
      throw new Lost();
    }
  });
  if (next === undefined) {
    metrics.exported('done');
    return undefined;
  }
  return { ...job, place, resources: written, attempts: 0 };
}

async function fail(services: Services, workerId: string, job: ExportJob, error: unknown): Promise<void> {
  const { database, clock, metrics, log } = services;
  const attempts = job.attempts + 1;
  const failed = attempts >= MOST_ATTEMPTS;
  const { name, code } = error as { name?: string; code?: string };
  log.warn({ export: job.id, error: name, code, attempts, givenUp: failed }, 'an export could not be written');
  const leaseUntil = toTimestamp(clock.now() + 2 ** attempts * 1000);
  await database.write((trx) => exportStore.putBack(trx, job.id, workerId, { attempts, leaseUntil, failed }));
  if (failed) {
    metrics.exported('failed');
  }
}

/** Writes until everything is written or the process ends. When it ends, another process can continue at once. */
async function writeJob(
  services: Services,
  workerId: string,
  claimed: ExportJob,
  isStopped: () => boolean,
): Promise<void> {
  let job = claimed;
  try {
    for (let next: ExportJob | undefined = job; next; await turn()) {
      job = next;
      if (isStopped()) {
        const leaseUntil = toTimestamp(services.clock.now());
        await services.database.write((trx) =>
          exportStore.putBack(trx, job.id, workerId, {
            attempts: job.attempts,
            leaseUntil,
            failed: false,
          }),
        );
        return;
      }
      next = await writePortion(services, workerId, job);
    }
  } catch (error) {
    if (!(error instanceof Lost)) {
      await fail(services, workerId, job, error);
    }
  }
}

export function makeExportWorker(find: () => Services): ExportWorker {
  const workerId = newId();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = true;

  const round = async (services: Services): Promise<boolean> => {
    const now = services.clock.now();
    const job = await exportStore.claimExport(services.database, {
      workerId,
      now: toTimestamp(now),
      leaseUntil: toTimestamp(now + LEASE),
    });
    if (job) {
      await writeJob(services, workerId, job, () => stopped);
    }
    return job !== undefined;
  };

  const run = async (): Promise<void> => {
    try {
      while (!stopped && ((await round(find())) || again)) {
        again = false;
      }
    } catch (error) {
      find().log.warn({ error: (error as Error).name }, 'exports could not be looked for');
    }
    running = undefined;
  };

  const wake = (): void => {
    again = true;
    if (!stopped) {
      running ??= run();
    }
  };

  return {
    start: () => {
      stopped = false;
      const { config } = find();
      workers.set(config, (workers.get(config) ?? new Set()).add(wake));
      timer = setInterval(wake, ROUND);
      timer.unref();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      workers.get(find().config)?.delete(wake);
      await running;
    },
  };
}
/** What a job writes. It is stored with the job. */
export type ExportRequest = { readonly wanted: Wanted; readonly asked: string } & Partial<ExportParts>;
