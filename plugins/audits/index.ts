/** audits: who did what with a record (specification 2.17, 4.6). */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const audits = area({ name: 'audits', about: 'Who did what with a record', routes });
