/** start: starts a listening service, and can end or refresh it. */
import type { Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '@hapi/hapi';
import { tellFreedNames } from '../accounts/freed-names';
import { readWelcomeCode } from '../accounts/welcome-code';
import { refuseKnownSecrets } from '../apps/sync';
import { withoutMissingWebsite } from '../apps/website-app';
import { startCleanUp } from '../auth/clean-up';
import { endLockouts } from '../auth/lockout';
import type { HashCost } from '../auth/passwords';
import { SetupError } from '../base/errors';
import { SITE, type Config } from '../config/schema';
import { sweepMemberships } from '../records/own-circle';
import { tidyIncoming } from '../files/incoming';
import type { Area } from '../http/area';
import { routeTable } from '../http/table';
import type { Services } from '../services';
import { buildServer } from './build';
import { begin, type Beginning } from './open-formats';
import type { Registered } from './prepare';
import { makeServices, type Life } from './services';
import { watchClients } from './silent-clients';
import { startTracing } from './tracing';
import * as exportStore from '../../plugins/fhir/bulk/store';
import { sweepBroughtIn } from '../../plugins/records/bring-in';

export type Running = {
  readonly server: Server;
  readonly services: Services;
  /** Address it listens on, `http://host:port`. */
  readonly url: string;
  /** The address where the first account is made, and the code for that; undefined if there is an account. */
  readonly welcome: Welcome | undefined;
  /** Reads formats, models and manifests again; the old ones stay when the new ones are broken (SetupError). */
  readonly reload: () => Promise<Registered>;
  /** Removes every minute what has expired; whoever counts statements stops it. */
  readonly cleaning: ReturnType<typeof startCleanUp>;
  /** Refuses new requests, finishes those that have begun, and closes everything. */
  readonly stop: () => Promise<void>;
};

export type Welcome = { readonly address: string; readonly code: string };

/** How long a stop waits for requests that have begun. */
const DRAIN_MILLISECONDS = 30_000;
/** Proxies and clients keep idle connections for up to a minute. */
const LONGEST_REQUEST_MILLISECONDS = 7_200_000;
const IDLE_MILLISECONDS = 75_000;

export type StartOptions = {
  /** Migrate and register the apps first; false where another process has done so. */
  readonly prepare: boolean;
  /** What was begun before this file was loaded. */
  readonly beginning?: Beginning;
  /** The cost of hashing a password, if it is not the usual one: see `makePasswords`. */
  readonly hashCost?: HashCost;
};

/** A literal IPv6 address is put in brackets. */
function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The address that callers put before a path, as far as the settings tell it: with port 0, only a started service knows
 * it.
 */
export function publicAddress({ baseUrl, host, port }: Config): string {
  return baseUrl || `http://${hostInUrl(host)}:${port}`;
}

/** @throws SetupError naming the setting when the address cannot be listened on */
async function listen(server: Server, { host, port }: Config): Promise<void> {
  try {
    await server.start();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (!['listen', 'bind', 'getaddrinfo'].includes(syscall ?? '')) {
      throw error;
    }
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `SVC_PORT: ${port} is in use on ${host}: stop what listens there, or set another port (0 takes a free one)`,
      EACCES: `SVC_PORT: no right to listen on ${port}: take one above 1023, and put a proxy in front`,
    };
    throw new SetupError([
      reasons[code ?? ''] ?? `SVC_HOST: this machine cannot listen on ${host} (${code ?? 'unknown reason'})`,
    ]);
  }
}

/**
 * Starts the service.
 * @throws SetupError naming everything that is wrong with settings, database, formats and models
 */
export async function start(given: Config, areas: readonly Area[], options: StartOptions): Promise<Running> {
  const life: Life = { url: '', stopping: false };
  const table = routeTable(areas);
  const beginning = options.beginning ?? begin(given);
  const config = withoutMissingWebsite(given, beginning.log);
  const endTracing = await startTracing(config, beginning.log);
  // Meanwhile, another process loads the formats.
  const server = await buildServer({ config, services: () => services }, areas);
  const { services, reload, close } = await makeServices(config, {
    prepare: options.prepare,
    beginning,
    life,
    routes: () => table,
    ...(options.hashCost ? { hashCost: options.hashCost } : {}),
  });
  try {
    if (options.prepare) {
      await refuseKnownSecrets(services);
    }
    const clients = watchClients(server.listener as HttpServer);
    // The other side must close idle connections first. Otherwise a proxy or an app would send a request on a
    // connection that is just being closed.
    server.listener.keepAliveTimeout = IDLE_MILLISECONDS;
    // A large file needs time. A request that is too slow is ended by the time limit of its route, or of silence on its
    // connection.
    server.listener.requestTimeout = LONGEST_REQUEST_MILLISECONDS;
    const code = config.website ? await readWelcomeCode(services) : undefined;
    // This is the last step that can fail: the caller of a failed start has nothing to stop.
    await listen(server, config);
    life.url = publicAddress({ ...config, baseUrl: '', port: server.info.port as number });
    services.outbox.start();
    services.texts.start();
    const cleaning = startCleanUp(services, async () => {
      await sweepMemberships(services);
      await endLockouts(services);
      await tellFreedNames(services);
      await services.signEndedChains();
      await services.shortenAnonymousCalls();
      await exportStore.sweepExports(services.database);
      await tidyIncoming(services, services.clock.now());
      await sweepBroughtIn(services);
    });
    return {
      server,
      services,
      url: life.url,
      welcome: code === undefined ? undefined : { address: `${services.baseUrl()}${SITE}/welcome`, code },
      reload,
      cleaning,
      stop: async () => {
        life.stopping = true;
        // The service still answers, but health_ready returns 503, so that a load balancer turns away before
        // connections are refused.
        await pause(config.drainSeconds * 1000);
        const stopping = server.stop({ timeout: DRAIN_MILLISECONDS });
        const leave = clients.end();
        await stopping.finally(leave);
        await cleaning.stop();
        await close();
        await endTracing();
      },
    };
  } catch (error) {
    await close();
    await endTracing();
    throw error;
  }
}
