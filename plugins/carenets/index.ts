/** carenets: parts of a record that chosen accounts and apps may read (specification 2.9, 4.6, 4.7). */
import { area } from '../../core/http/area';
import { autoshareRoutes } from './autoshare-routes';
import { contentRoutes } from './content-routes';
import { kindRoutes } from './kind-routes';
import { routes } from './routes';

export const carenets = area({
  name: 'carenets',
  about: 'Chosen parts of a record, and the people and apps who may see them',
  routes: [...routes, ...autoshareRoutes, ...kindRoutes, ...contentRoutes],
});
