/** serve: `svc serve`: migrate, serve, drain on SIGTERM, read the configuration again on SIGHUP. */
import cluster, { type Worker } from 'node:cluster';
import { InvalidArgumentError, type Command } from 'commander';
import { SetupError } from '../../core/base/errors';
import type { Config } from '../../core/config/schema';
import { IN_MEMORY, sqlitePath } from '../../core/config/sqlite-url';
import { startReaderAhead } from '../../core/pipeline/reader-child';
import type { Running } from '../../core/server/start';

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 256) {
    throw new InvalidArgumentError('give a whole number from 1 to 256');
  }
  return value;
};

const announce = (url: string): void => {
  process.stdout.write(`svc listening on ${url}\n`);
};

type Reload = () => void;

/** From now on SIGHUP ends nothing: one that comes too early is obeyed when it can be. */
const hangups = (): ((reload: Reload) => void) => {
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
};

/** @returns what ends the service as a signal does */
const onSignals = (running: Running, onHangup: (reload: Reload) => void): (() => void) => {
  let ending = false;
  const end = (): void => {
    if (!ending) {
      ending = true;
      void running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    }
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  onHangup(() => {
    running.reload().then(
      () => running.services.log.info('the configuration was read again'),
      (error: unknown) =>
        running.services.log.error(
          { problems: error instanceof SetupError ? error.problems : [(error as Error).message] },
          'the new configuration is broken; the old one stays',
        ),
    );
  });
  return end;
};

/** Nearly all of the code is loaded behind what takes longest, which a process of its own does. */
const start = async (config: Config, prepare: boolean): Promise<Running> => {
  const { begin } = await import('../../core/server/open-formats.js');
  const beginning = begin(config);
  const [service, { areas }] = await Promise.all([
    import('../../core/server/start.js'),
    import('../../core/server/plugins.js'),
  ]);
  return service.start(config, areas, { prepare, beginning });
};

const serveAlone = async (config: Config): Promise<void> => {
  const onHangup = hangups();
  const running = await start(config, true);
  onSignals(running, onHangup);
  announce(running.url);
};

const serveAsWorker = async (config: Config): Promise<void> => {
  const onHangup = hangups();
  const running = await start(config, false).catch((error: unknown) => {
    // The channel to the first process would keep this one alive.
    process.disconnect();
    throw error;
  });
  process.on('disconnect', onSignals(running, onHangup));
  process.send?.({ url: running.url });
};

/** A worker that lived at least so long was well; one that dies sooner will probably do so again. */
const LONG_LIFE_MILLISECONDS = 10_000;
const LONGEST_PAUSE_MILLISECONDS = 30_000;

/** How long to wait before a worker is replaced: not at all, unless those before it died young too. */
const pauses = (): ((livedMilliseconds: number) => number) => {
  let young = 0;
  return (lived) => {
    young = lived < LONG_LIFE_MILLISECONDS ? young + 1 : 0;
    return young < 2 ? 0 : Math.min(LONGEST_PAUSE_MILLISECONDS, 500 * 2 ** (young - 2));
  };
};

/** The first process forks the others, passes signals on, and replaces one that dies. */
// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
const serveWithWorkers = async (config: Config, count: number): Promise<void> => {
  if (sqlitePath(config.databaseUrl) === IN_MEMORY) {
    throw new SetupError(['SVC_DATABASE_URL: a database in memory cannot be shared by several workers']);
  }
  const onHangup = hangups();
  const [{ makeLog }, { prepareAlone }] = await Promise.all([
    import('../../core/server/log.js'),
    import('../../core/server/prepare.js'),
  ]);
  const log = makeLog(config.logLevel);
  await prepareAlone(config, log);
  // The code that the first reason to end asks for.
  let ending: number | undefined;
  let listening = 0;
  let hangupsSoFar = 0;
  const pauseAfter = pauses();
  // cluster.workers still has those that have exited but not yet disconnected.
  const workers = new Map<Worker, { readonly forkedAt: number; listens: boolean }>();
  const end = (code: number): void => {
    ending ??= code;
    workers.forEach((_, worker) => worker.process.kill('SIGTERM'));
    if (workers.size === 0) {
      process.exit(ending);
    }
  };
  const fork = (): void => {
    if (ending !== undefined) {
      return;
    }
    const worker = cluster.fork();
    const state = { forkedAt: performance.now(), listens: false };
    const hangupsBefore = hangupsSoFar;
    workers.set(worker, state);
    worker.on('message', ({ url }: { url?: string }) => {
      if (url === undefined) {
        return;
      }
      state.listens = true;
      if (hangupsSoFar > hangupsBefore) {
        worker.process.kill('SIGHUP');
      }
      listening += 1;
      if (listening === count) {
        announce(url);
      } else if (listening === 1) {
        // Only now, so that what keeps every worker from starting is said once.
        Array.from({ length: count - 1 }, fork);
      }
    });
  };
  cluster.on('exit', (gone, code, signal: string | null) => {
    const { forkedAt } = workers.get(gone)!;
    workers.delete(gone);
    if (ending !== undefined || listening < count) {
      // A worker that cannot even start would be forked for ever.
      end(code || 1);
      return;
    }
    const pause = pauseAfter(performance.now() - forkedAt);
    log.error({ code, signal, seconds: pause / 1000 }, 'a worker ended; after so many seconds another takes its place');
    setTimeout(fork, pause);
  });
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  (await import('../../core/http/worker-metrics.js')).sumUpForWorkers();
  fork();
  onHangup(() => {
    hangupsSoFar += 1;
    // A worker that is only just starting would die of the signal: it is told when it listens.
    workers.forEach(({ listens }, worker) => listens && worker.process.kill('SIGHUP'));
  });
};

export const addServe = (program: Command): void => {
  program
    .command('serve')
    .description(
      'migrate (unless SVC_AUTO_MIGRATE=0), serve, drain on SIGTERM, read formats and models again on SIGHUP',
    )
    .option('--workers <n>', 'fork this many processes that share the port', wholeNumber, 1)
    .action(async (options: { workers: number }) => {
      if (cluster.isWorker || options.workers === 1) {
        startReaderAhead();
      }
      // Loaded while the reader starts, which takes longer.
      const { loadConfig } = await import('../../core/config/load.js');
      const config = loadConfig();
      if (cluster.isWorker) {
        return serveAsWorker(config);
      }
      return options.workers > 1 ? serveWithWorkers(config, options.workers) : serveAlone(config);
    });
};
