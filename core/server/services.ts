/** services: builds everything that plugins may ask for, in one place (makeServices). */
import { admitting, writingAfter } from '../access/guarded-database';
import { ASKED, askedMailKind } from '../accounts/asked-mails';
import { makeLookups } from '../access/lookups';
import { signEndedChains } from '../audit/ended-chains';
import { makeAnonymousCalls } from '../audit/anonymous-calls';
import { shortenAnonymousCalls } from '../audit/shorten';
import { forgetRecord } from '../records/forget';
import { openAuditSigner } from '../audit/signer';
import { makeAuditWriter } from '../audit/writer';
import { makeAuthenticator } from '../auth/caller';
import { makeNonces } from '../auth/nonces';
import { openPageKey } from '../auth/page-key';
import { makePasswords, type HashCost } from '../auth/passwords';
import { makeSealing } from '../auth/sealing';
import { secretKeysOf } from '../auth/secret-key';
import { makeAddressBudget } from '../base/turns/address-budget';
import { systemClock, type Clock } from '../base/clock';
import { limit } from '../base/turns/limit';
import { projectVersion } from '../base/paths';
import type { Config } from '../config/schema';
import { makeMetrics } from '../metrics/metrics';
import { openApi } from '../http/reference/openapi';
import type { TableRow } from '../http/table';
import { everyKind, makeOutbox } from '../outbox/outbox';
import type { Outbox } from '../outbox/kind';
import { makeFileTexts } from '../pipeline/file-texts';
import { makePictures } from '../pipeline/pictures/picture-maker';
import { makePipeline, type Pipeline } from '../pipeline/document-pipeline';
import type { Services } from '../services';
import type { Database } from '../db/database';
import { openDatabase } from '../db/open';
import { readingFor } from '../db/readers';
import { makeContents } from '../sealing/contents-store';
import { admitModels, readModels, requireDatabase } from './migrate-all';
import type { Beginning } from './open-formats';
import { prepareDatabase, synchronize, tellRegistered, type Registered } from './prepare';

/** What changes while the service runs. */
export type Life = { url: string; stopping: boolean };

/** So long a call waits for the lock of another process on an SQLite file, before it is answered 503. */
const LOCK_MILLISECONDS = 2000;

type Options = {
  readonly life: Life;
  readonly routes: () => readonly TableRow[];
  readonly prepare: boolean;
  readonly beginning: Beginning;
  readonly clock?: Clock;
  readonly hashCost?: HashCost;
};

type MadeServices = {
  readonly services: Services;
  readonly reload: () => Promise<Registered>;
  readonly close: () => Promise<void>;
};

/** How many thousand old audit rows a process reads in a minute, to shorten them. */
const PAGES_A_MINUTE = 10;

// eslint-disable-next-line max-lines-per-function -- the services are made one after another, each from those before
export async function makeServices(
  config: Config,
  { life, routes, prepare, beginning, clock = systemClock, hashCost }: Options,
): Promise<MadeServices> {
  const { log } = beginning;
  const formats = await beginning.formats;
  const { reader } = formats;
  let { models } = formats;
  const closers: (() => Promise<unknown>)[] = [() => reader.close()];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    // All other parts are closed even if one cannot be, because a process with an open database does not end.
    for (const closer of closers.splice(0).reverse()) {
      await closer().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) {
      throw failures[0];
    }
  };
  try {
    if (!config.autoMigrate) {
      requireDatabase(config);
    }
    const database = await openDatabase(config.databaseUrl, config.databasePool, {
      lockMilliseconds: LOCK_MILLISECONDS,
      longSeconds: config.longReadSeconds,
    });
    closers.push(() => database.close());
    const sealing = makeSealing(secretKeysOf(config));
    const contents = makeContents(sealing);
    if (prepare) {
      tellRegistered(log, await prepareDatabase(config, database, models, sealing));
    }
    const baseUrl = (): string => config.baseUrl || life.url;
    const lookups = makeLookups(database.reads, clock);
    const signer = await openAuditSigner(database, sealing, clock, {
      config,
      warn: (problem) => log.warn({ problem }, 'outside the database'),
    });
    const audit = makeAuditWriter({ database, clock, signer });
    closers.push(() => audit.drain());
    const anonymousCalls = makeAnonymousCalls({ write: audit.write, clock });
    closers.push(() => anonymousCalls.drain());
    const nonces = makeNonces(database, clock);
    const sending = { config, database, clock, log, sealing };
    const outbox: Outbox = makeOutbox(sending, {
      ...everyKind(sending),
      [ASKED]: askedMailKind(() => ({ ...sending, outbox, baseUrl })),
    });
    closers.push(() => outbox.stop());
    const pictures = makePictures(config.transformSeconds);
    closers.push(() => pictures.close());
    const texts = makeFileTexts({ config, database, contents, clock, log, reader, pictures });
    closers.push(() => texts.stop());
    const authenticate = makeAuthenticator({ config, database, clock, log, sealing, nonces, baseUrl });
    const metrics = makeMetrics();
    const pipelineOn = (on: Database): Pipeline =>
      makePipeline({
        config,
        database: on,
        contents,
        reader,
        clock,
        outbox,
        texts,
        metrics,
        log,
        models: () => models,
      });
    const on = (guarded: Database): Services => ({ ...services, database: guarded, pipeline: pipelineOn(guarded) });
    const services: Services = {
      config,
      clock,
      log,
      baseUrl,
      database,
      lookups,
      authenticate,
      sealing,
      contents,
      audit,
      codeSearches: makeAddressBudget(clock, config.rateCodesPerMinute),
      isAuditSignature: signer.verify,
      anonymousCalls,
      reader,
      pictures,
      texts,
      outbox,
      pipeline: pipelineOn(database),
      forget: (recordId) => forgetRecord({ database, signer, clock }, recordId),
      signEndedChains: () => signEndedChains({ database, signer, clock }),
      shortenAnonymousCalls: () =>
        shortenAnonymousCalls({ database, signer, clock }, config.auditAnonymousDays, PAGES_A_MINUTE),
      passwords: makePasswords(config.passwordLeast, hashCost),
      prove: await openPageKey({ database, sealing, clock }),
      models: () => models,
      metrics,
      openApi: () =>
        openApi(routes(), {
          version: projectVersion,
          baseUrl: baseUrl(),
          vocabBase: config.vocabBase,
          models,
          formats: reader.entries.all,
        }),
      stopping: () => life.stopping,
      after: (settled, asker) => on(readingFor(writingAfter(database, settled), asker)),
      admitting: (admit, asker) => on(readingFor(admitting(database, admit), asker)),
    };
    const readAgain = async (): Promise<Registered> => {
      const next = readModels(config);
      // The tables are changed last: if a format is refused, the old models must still have their own tables.
      await reader.reload(config, next, () => admitModels(config, database, next));
      models = next;
      // Workers leave the apps to the process that started them.
      const registered = prepare
        ? await synchronize(config, database, sealing, { register: true })
        : { problems: [], warnings: [] };
      tellRegistered(log, registered);
      return registered;
    };
    // Reloads run one after the other, so the last one asked for wins, however long the earlier ones take.
    const turn = limit(1);
    return { services, reload: () => turn(readAgain), close };
  } catch (error) {
    await close();
    throw error;
  }
}
