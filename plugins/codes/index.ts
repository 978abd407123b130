/** codes: searching coding systems (specification 4.10). */
import { area } from '../../core/http/area';
import { routes } from './routes';

export const codes = area({ name: 'codes', about: 'Search in coding systems', routes });
