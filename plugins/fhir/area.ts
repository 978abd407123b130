/**
 * area: the operations behind the FHIR door, which have no addresses of their own, and the worker that writes the
 * files of exports.
 */
import type { Area } from '../../core/http/area';
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
      server.ext('onPostStart', () => worker.start());
      server.ext('onPreStop', () => worker.stop());
    },
  },
};
