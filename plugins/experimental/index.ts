/** experimental: calls that may change or be withdrawn (specification 9.5): subscriptions to reports. */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const experimental = area({
  name: 'experimental',
  about: 'Calls that may still change: subscriptions to reports',
  routes,
});
