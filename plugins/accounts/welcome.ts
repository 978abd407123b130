/** welcome: the first account of an installation, made by whoever can read what the start printed. */
import { readWelcomeCode, withoutAccounts } from '../../core/accounts/welcome-code';
import { sameText } from '../../core/auth/signature';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';

export const isNew = ({ services }: Call): Promise<boolean> => withoutAccounts(services.database);

/** People type it in: case, spaces and hyphens do not count. */
const plain = (code: string): string => code.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** 404 as soon as anybody has an account, 403 for a wrong code. */
export const checkWelcome = async ({ body, services }: Call<unknown, unknown, { code: string }>): Promise<void> => {
  const code = await readWelcomeCode(services);
  if (code === undefined) {
    throw errors.notFound('page');
  }
  if (!sameText(plain(code), plain(body.code))) {
    throw errors.refused('the code is not right');
  }
};
