/** system: what the service says about itself: version, health, metrics, API reference. */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const system = area({
  name: 'system',
  about: 'What the service says about itself: version, health, metrics',
  routes,
});
