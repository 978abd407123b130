/** lines: what many sources say of one thing in one line, with who says it and where they differ. */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const lines = area({
  name: 'lines',
  about: 'What many sources say of one thing, in one line',
  routes,
});
