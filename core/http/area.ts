/** area: turns one area of the interface into a hapi plugin. */
import type { Plugin } from '@hapi/hapi';
import type { LazyServices } from '../services';
import type { RouteSpec } from './route';
import { toHapi } from './to-hapi';

export type Area = {
  readonly name: string;
  /**
   * What the area is for, in the words of the API reference; a door has no routes in the table, and so has no such
   * text.
   */
  readonly about?: string;
  readonly routes: readonly RouteSpec[];
  readonly plugin: Plugin<LazyServices>;
};

export function area({ name, about, routes }: Required<Omit<Area, 'plugin'>>): Area {
  return {
    name,
    about,
    routes,
    plugin: {
      name: `svc-${name}`,
      register: (server, later) => {
        server.route(routes.map((spec) => toHapi(spec, later)));
      },
    },
  };
}
