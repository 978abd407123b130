/** index: what doors show as resources has no addresses of its own; the area writes the files of exports. */
import type { Area } from '../../core/http/area';
import { makeExportWorker } from './export-worker';

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
      server.ext('onPostStart', () => worker.start());
      server.ext('onPreStop', () => worker.stop());
    },
  },
};
