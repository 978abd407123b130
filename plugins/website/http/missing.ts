/** missing: the page for every other address below /my. */
import { errors } from '../../../core/base/errors';
import { page } from './page';

function nothing(): Promise<never> {
  return Promise.reject(errors.notFound('page'));
}

export const missing = page({ path: '/{path*}', show: nothing, submit: nothing });
