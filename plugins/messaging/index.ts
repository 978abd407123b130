/** messaging: inboxes, messages to records with attachments, notifications (specification 2.2, 2.3, 3.5). */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const messaging = area({
  name: 'messaging',
  about: 'Inboxes, messages with attachments, notifications',
  routes,
});
