/** serve: `svc serve`: migrates, serves, drains on SIGTERM, and reads the configuration again on SIGHUP. */
import cluster, { type Worker } from 'node:cluster';
import { InvalidArgumentError, type Command } from 'commander';
import type { Logger } from 'pino';
import { SetupError } from '../../core/base/errors';
import { projectVersion } from '../../core/base/paths';
import type { Config } from '../../core/config/schema';
import {
  givenSecrets,
  likelyFolders,
  takeSecrets,
  withoutSecrets,
  type SecretSettings,
} from '../../core/config/environment';
import { IN_MEMORY, sqlitePath } from '../../core/config/sqlite-url';
import { announceServing, type Announced, type Reloaded } from '../../core/server/pid-files';
import { startReaderAhead } from '../../core/pipeline/readers/reader-child';
import type { Running, Welcome } from '../../core/server/start';

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 256) {
    throw new InvalidArgumentError('give a whole number from 1 to 256');
  }
  return value;
}

/** The readiness line is the only one on stdout. */
function announce(url: string, welcome: Welcome | undefined): void {
  process.stdout.write(`svc listening on ${url}\n`);
  if (welcome) {
    process.stderr.write(
      `Nobody has an account yet. Make the first one at ${welcome.address} with the code ${welcome.code}\n`,
    );
  }
}

/** The first process sends the secrets to a worker in a message, because neither may keep them in its environment. */
function secretsFromFirst(): Promise<SecretSettings> {
  return new Promise((resolveWith) => {
    process.once('message', ({ secrets }: { readonly secrets: SecretSettings }) => resolveWith(secrets));
  });
}

type Reload = () => void;

/**
 * Handles SIGHUP, so that it does not end the process. A signal that comes before the service can reload is handled
 * once it can.
 */
function hangups(): (reload: Reload) => void {
  let early = false;
  let act: Reload = () => {
    early = true;
  };
  process.on('SIGHUP', () => act());
  return (reload) => {
    act = reload;
    if (early) {
      reload();
    }
  };
}

function reloadOutcome(error: unknown): Reloaded {
  return {
    problems: error instanceof SetupError ? error.problems : [(error as Error).message],
    warnings: [],
  };
}

/** Reads the configuration again, and reports the outcome in the log and to the caller of `svc reload`. */
function reloadOf({ reload, services: { log } }: Running, tell: Announced): Reload {
  return () => {
    const told = (outcome: Reloaded): void => {
      if (outcome.problems.length > 0) {
        log.error({ problems: outcome.problems }, 'the new configuration is broken; the old one stays');
      } else {
        log.info('the configuration was read again');
      }
      tell(outcome);
    };
    reload().then(
      ({ problems, warnings }) => told({ problems: [], warnings: [...problems, ...warnings] }),
      (error: unknown) => told(reloadOutcome(error)),
    );
  };
}

/** @returns a function that ends the service as a signal does */
function onSignals(running: Running): (why: string) => void {
  const { log } = running.services;
  let ending = false;
  const end = (why: string): void => {
    if (!ending) {
      ending = true;
      log.info({ why, pid: process.pid }, 'svc stops');
      void running.stop().then(
        () => {
          log.info({ pid: process.pid }, 'svc has stopped');
          process.exit(0);
        },
        (error: unknown) => {
          log.error(
            { error: (error as Error).name, pid: process.pid },
            'svc has stopped, and not everything was closed',
          );
          process.exit(1);
        },
      );
    }
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  return end;
}

type About = { readonly url: string; readonly database: string; readonly workers: number };

/** Logs the start, and writes the file by which `svc reload` finds this process. */
function tellStart(config: Config, log: Logger, about: About): Announced {
  const { url } = about;
  log.info({ version: projectVersion, pid: process.pid, ...about }, 'svc listens');
  try {
    return announceServing(config, url);
  } catch (error) {
    log.warn(
      { code: (error as NodeJS.ErrnoException).code },
      'svc reload will not find this process: its file beside the database cannot be written; send it SIGHUP instead',
    );
    return () => undefined;
  }
}

/** Most of the code loads while the slowest step, the start of the reader, runs in a process of its own. */
async function startServing(config: Config, prepare: boolean): Promise<Running> {
  const { begin } = await import('../../core/server/open-formats.js');
  const beginning = begin(config);
  const [service, { areas }] = await Promise.all([
    import('../../core/server/start.js'),
    import('../../core/server/plugins.js'),
  ]);
  return service.start(config, areas, { prepare, beginning });
}

async function serveAlone(config: Config): Promise<void> {
  const onHangup = hangups();
  const running = await startServing(config, true);
  onSignals(running);
  const { log, database } = running.services;
  const tell = tellStart(config, log, { url: running.url, database: database.dialect.version, workers: 1 });
  onHangup(reloadOf(running, tell));
  announce(running.url, running.welcome);
}

async function serveAsWorker(config: Config): Promise<void> {
  const onHangup = hangups();
  const running = await startServing(config, false).catch((error: unknown) => {
    // The channel to the first process would keep this process alive.
    process.disconnect();
    throw error;
  });
  const end = onSignals(running);
  process.on('disconnect', () => end('the first process is gone'));
  onHangup(reloadOf(running, (reloaded) => process.send?.({ reloaded }, () => undefined)));
  process.send?.({ url: running.url, welcome: running.welcome });
}

/** A worker that dies younger than this will probably die again. */
const LONG_LIFE_MILLISECONDS = 10_000;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/** How long to wait before a worker is replaced: not at all, unless the worker before it died young, too. */
function pauses(): (livedMilliseconds: number) => number {
  let young = 0;
  return (lived) => {
    young = lived < LONG_LIFE_MILLISECONDS ? young + 1 : 0;
    return young < 2 ? 0 : Math.min(LONGEST_PAUSE_MILLISECONDS, 500 * 2 ** (young - 2));
  };
}

/** The first process forks the others, passes signals on, and replaces one that dies. */
// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
async function serveWithWorkers(config: Config, count: number): Promise<void> {
  if (sqlitePath(config.databaseUrl) === IN_MEMORY) {
    throw new SetupError([
      'SVC_DATABASE_URL: several workers cannot share a database in memory: name a file or a server',
    ]);
  }
  const onHangup = hangups();
  const [{ makeLog }, { prepareAlone, registerAlone }] = await Promise.all([
    import('../../core/server/log.js'),
    import('../../core/server/prepare.js'),
  ]);
  const log = makeLog(config.logLevel);
  const database = await prepareAlone(config, log);
  // The exit code of the first reason to end; undefined while the service runs.
  let ending: number | undefined;
  let listening = 0;
  let hangupsSoFar = 0;
  const pauseAfter = pauses();
  // cluster.workers still has those that have exited but not yet disconnected.
  const workers = new Map<Worker, { readonly forkedAt: number; listens: boolean }>();
  let tell: Announced = () => undefined;
  /** The workers' answers to the reload in progress, and the workers that have not answered yet. */
  let reload: { readonly outcomes: Reloaded[]; readonly waitsFor: Set<Worker> } | undefined;
  const answered = (worker: Worker, outcome?: Reloaded): void => {
    if (!reload?.waitsFor.delete(worker)) {
      return;
    }
    reload.outcomes.push(...(outcome ? [outcome] : []));
    if (reload.waitsFor.size === 0) {
      const { outcomes } = reload;
      reload = undefined;
      tell({
        problems: [...new Set(outcomes.flatMap(({ problems }) => problems))],
        warnings: [...new Set(outcomes.flatMap(({ warnings }) => warnings))],
      });
    }
  };
  const end = (code: number, why: string): void => {
    if (ending === undefined) {
      log.info({ why, pid: process.pid }, 'svc stops');
    }
    ending ??= code;
    workers.forEach((_, worker) => worker.process.kill('SIGTERM'));
    if (workers.size === 0) {
      log.info({ pid: process.pid }, 'svc has stopped');
      process.exit(ending);
    }
  };
  const fork = (): void => {
    if (ending !== undefined) {
      return;
    }
    const worker = cluster.fork(withoutSecrets);
    // A worker that is killed at once never reads this. Its exit is handled below. Without a callback, the failed
    // message would end this process, too.
    worker.send({ secrets: givenSecrets() }, () => undefined);
    const state = { forkedAt: performance.now(), listens: false };
    const hangupsBefore = hangupsSoFar;
    workers.set(worker, state);
    worker.on('message', ({ url, welcome, reloaded }: { url?: string; welcome?: Welcome; reloaded?: Reloaded }) => {
      if (reloaded) {
        answered(worker, reloaded);
      }
      if (url === undefined) {
        return;
      }
      state.listens = true;
      if (hangupsSoFar > hangupsBefore) {
        worker.process.kill('SIGHUP');
      }
      listening += 1;
      if (listening === count) {
        tell = tellStart(config, log, { url, database, workers: count });
        announce(url, welcome);
      } else if (listening === 1) {
        // The other workers start only now, so that a fault that keeps every worker from starting is reported once.
        Array.from({ length: count - 1 }, fork);
      }
    });
  };
  cluster.on('exit', (gone, code, signal: string | null) => {
    const { forkedAt } = workers.get(gone)!;
    workers.delete(gone);
    answered(gone);
    if (ending !== undefined || listening < count) {
      // A worker that cannot start would be forked again for ever.
      end(code || 1, 'a worker has ended');
      return;
    }
    const pause = pauseAfter(performance.now() - forkedAt);
    log.error({ code, signal, seconds: pause / 1000 }, 'a worker ended; after so many seconds another takes its place');
    setTimeout(fork, pause);
  });
  process.on('SIGTERM', (signal) => end(0, signal));
  process.on('SIGINT', (signal) => end(0, signal));
  (await import('../../core/metrics/worker-metrics.js')).sumUpForWorkers();
  // Workers accept connections themselves. If this process passed connections on, it would keep those that a killed
  // worker had not accepted yet, and their callers would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  fork();
  onHangup(() => {
    hangupsSoFar += 1;
    const listeners = [...workers].filter(([, { listens }]) => listens).map(([worker]) => worker);
    reload = { outcomes: reload?.outcomes ?? [], waitsFor: new Set([...listeners, ...(reload?.waitsFor ?? [])]) };
    const { outcomes } = reload;
    registerAlone(config, log)
      .then(
        ({ problems, warnings }) => outcomes.push({ problems: [], warnings: [...problems, ...warnings] }),
        (error: unknown) => outcomes.push(reloadOutcome(error)),
      )
      // The signal would end a worker that is only just starting. Such a worker gets the signal when it listens.
      .finally(() => listeners.forEach((worker) => worker.process.kill('SIGHUP')));
  });
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .description(
      'migrate (unless SVC_AUTO_MIGRATE=0), serve, drain on SIGTERM, read formats and models again on SIGHUP',
    )
    .option('--workers <n>', 'fork this many processes that share the port', wholeNumber, 1)
    .action(async (options: { workers: number }) => {
      if (cluster.isWorker || options.workers === 1) {
        startReaderAhead(likelyFolders());
      }
      if (cluster.isWorker) {
        takeSecrets(await secretsFromFirst());
      }
      // This is loaded while the reader starts, which takes longer.
      const { loadConfig } = await import('../../core/config/load.js');
      const config = loadConfig();
      if (cluster.isWorker) {
        return serveAsWorker(config);
      }
      return options.workers > 1 ? serveWithWorkers(config, options.workers) : serveAlone(config);
    });
}
