/** reports: the facts of a record: minimal and generic reports, RDF, and the Continuity of Care Record. */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const reports = area({
  name: 'reports',
  about: 'The facts of a record: reports of each model, RDF, and a Continuity of Care Record',
  routes,
});
