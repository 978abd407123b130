/** apps: which apps there are, where they are enabled, and what they store (specification 4.2, 4.3). */
import { area } from '../../core/http/area';
import { bindingRoutes } from './binding-routes';
import { routes } from './routes';
import { storageRoutes } from './storage-routes';

export const apps = area({
  name: 'apps',
  about: 'Which apps there are, for which records they are enabled, and what they store',
  routes: [...routes, ...bindingRoutes, ...storageRoutes],
});
