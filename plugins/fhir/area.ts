/**
 * area: the operations behind the FHIR door, which have no addresses of their own, the worker that writes the files of
 * exports, and the one that makes the resources of documents that have none yet.
 */
import type { Area } from '../../core/http/area';
import { startMakingMissing } from '../../core/pipeline/missing-resources';
import { makeExportWorker } from './bulk/export-worker';

export const resources: Area = {
  name: 'resources',
  routes: [],
  plugin: {
    name: 'svc-resources',
    register: (server, { config, services }) => {
      if (!config.fhir) {
        return;
      }
      const worker = makeExportWorker(services);
      let making: ReturnType<typeof startMakingMissing> | undefined;
      server.ext('onPostStart', () => {
        worker.start();
        making = startMakingMissing(services());
      });
      server.ext('onPreStop', async () => {
        await making?.stop();
        await worker.stop();
      });
    },
  },
};
