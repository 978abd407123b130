/** oauth: how apps get tokens and people get sessions (specification 4.8, 5). */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const oauth = area({ name: 'oauth', about: 'How apps get tokens, and how people get sessions', routes });
