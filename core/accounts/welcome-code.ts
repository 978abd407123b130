/** welcome-code: what the start prints while nobody has an account, so that whoever runs the service makes the first one. */
import { randomInt } from 'node:crypto';
import { toTimestamp, type Clock } from '../base/clock';
import type { Sealing } from '../auth/sealing';
import type { Database } from '../storage/database';
import { keepInstallationText } from '../storage/stores/audit';

const NAME = 'welcome_code';
/** No letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 3;

/** Three groups of four characters: 60 random bits. */
const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join(''),
  ).join('-');

export const withoutAccounts = async ({ reads }: Pick<Database, 'reads'>): Promise<boolean> =>
  (await reads('account').first('id')) === undefined;

type Parts = { readonly database: Database; readonly sealing: Sealing; readonly clock: Clock };

/** The same code in every process and after every start, undefined as soon as there is an account. */
export const readWelcomeCode = async ({ database, sealing, clock }: Parts): Promise<string | undefined> => {
  if (!(await withoutAccounts(database))) {
    return undefined;
  }
  const kept = (await database.reads('installation').where({ name: NAME }).first('content')) as
    { content: string } | undefined;
  const sealed =
    kept?.content ??
    (await database.transaction((trx) =>
      keepInstallationText(trx, NAME, sealing.seal(newCode()), toTimestamp(clock.now())),
    ));
  return sealing.open(sealed);
};
