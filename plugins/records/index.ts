/** records: records, their owners, demographics and full shares (specification 4.4, 4.6). */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const records = area({ name: 'records', about: 'Records: their owners, demographics and full shares', routes });
