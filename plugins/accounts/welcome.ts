/** welcome: the first account of an installation, made by whoever can read what the start printed. */
import { readWelcomeCode, withoutAccounts } from '../../core/accounts/welcome-code';
import { sameText } from '../../core/auth/signature';
import { errors } from '../../core/base/errors';
import { plainLetterCode } from '../../core/base/ids';
import type { Call } from '../../core/http/route';

export function isNew({ services }: Call): Promise<boolean> {
  return withoutAccounts(services.database);
}

/** 404 as soon as anybody has an account, 403 for a wrong code. */
export async function checkWelcome({ body, services }: Call<unknown, unknown, { code: string }>): Promise<void> {
  const code = await readWelcomeCode(services);
  if (code === undefined) {
    throw errors.notFound('page');
  }
  if (!sameText(plainLetterCode(code), plainLetterCode(body.code))) {
    throw errors.refused('the code is not right');
  }
}
