/**
 * accounts: people's accounts: their states, secrets, log-ins and what they say about themselves (specification 4.1).
 */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const accounts = area({
  name: 'accounts',
  about: "People's accounts: their states, secrets, sign-ins, and what they say about themselves",
  routes,
});
