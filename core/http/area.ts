/** area: one area of the interface -> a hapi plugin. */
import type { Plugin } from '@hapi/hapi';
import type { LazyServices } from '../services';
import type { RouteSpec } from './route';
import { toHapi } from './to-hapi';

export type Area = {
  readonly name: string;
  readonly routes: readonly RouteSpec[];
  readonly plugin: Plugin<LazyServices>;
};

export const area = ({ name, routes }: { readonly name: string; readonly routes: readonly RouteSpec[] }): Area => ({
  name,
  routes,
  plugin: {
    name: `svc-${name}`,
    register: (server, later) => {
      server.route(routes.map((spec) => toHapi(spec, later)));
    },
  },
});
