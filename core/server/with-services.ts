/** with-services: makes the services of the settings for one command, which serves no requests. */
import type { Config } from '../config/schema';
import { routeTable, type TableRow } from '../http/table';
import type { Services } from '../services';
import { begin } from './open-formats';
import { areas } from './plugins';
import { servingProcesses } from './pid-files';
import { makeServices } from './services';
import { publicAddress } from './start';

/**
 * The public address. If no setting gives it, it is that of the service that runs here, whose port may have been any
 * free one.
 */
export function knownAddress(config: Config): string {
  return config.baseUrl || (servingProcesses(config)[0]?.url ?? publicAddress(config));
}

/**
 * Migrates and registers the apps first, as `svc serve` does, because a command may be the first one to run. The
 * service sends what the command puts into the outbox.
 */
export async function withServices<T>(
  config: Config,
  work: (services: Services, routes: readonly TableRow[]) => Promise<T>,
): Promise<T> {
  const table = routeTable(areas);
  const { services, close } = await makeServices(config, {
    life: { url: knownAddress(config), stopping: false },
    routes: () => table,
    prepare: true,
    // A command reads one document after another, for which one process is enough.
    beginning: begin({ ...config, xmlWorkers: 1 }),
  });
  try {
    return await work(services, table);
  } finally {
    await close();
  }
}
