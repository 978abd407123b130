/** missing: the page for every other address below /my. */
import { errors } from '../../../core/base/errors';
import { page } from './page';

const nothing = (): Promise<never> => Promise.reject(errors.notFound('page'));

export const missing = page({ path: '/{path*}', show: nothing, submit: nothing });
