/** documents: the documents of a record, their versions, status, labels and relations (specification 4.5). */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const documents = area({
  name: 'documents',
  about: 'The documents of a record: versions, status, labels, relations',
  routes,
});
