/** with-services: the services of the settings for the time of one command, which serves nobody. */
import type { Config } from '../config/schema';
import { routeTable, type TableRow } from '../http/table';
import type { Services } from '../services';
import { begin } from './open-formats';
import { areas } from './plugins';
import { servingProcesses } from './pid-files';
import { makeServices } from './services';
import { publicAddress } from './start';

/**
 * The public address; where no setting says it, that of the service that runs here, whose port may have been any free
 * one.
 */
export const knownAddress = (config: Config): string =>
  config.baseUrl || (servingProcesses(config)[0]?.url ?? publicAddress(config));

/**
 * Migrates and registers the apps first, as `svc serve` does: a command may be the first one. What it puts into the
 * outbox, the service sends.
 */
export const withServices = async <T>(
  config: Config,
  work: (services: Services, routes: readonly TableRow[]) => Promise<T>,
): Promise<T> => {
  const table = routeTable(areas);
  const { services, close } = await makeServices(config, {
    life: { url: knownAddress(config), stopping: false },
    routes: () => table,
    prepare: true,
    beginning: begin(config),
  });
  try {
    return await work(services, table);
  } finally {
    await close();
  }
};
