/**
 * welcome-code: the code that is printed at the start while nobody has an account. With it, the operator makes the
 * first one.
 */
import { toTimestamp, type Clock } from '../base/clock';
import { newLetterCode } from '../base/ids';
import type { Sealing } from '../auth/sealing';
import type { Database } from '../db/database';
import { keepInstallationText } from '../audit/store';

const NAME = 'welcome_code';
/** 60 random bits. */
const GROUPS = 3;

export async function withoutAccounts({ reads }: Pick<Database, 'reads'>): Promise<boolean> {
  return (await reads('account').first('id')) === undefined;
}

type Parts = { readonly database: Database; readonly sealing: Sealing; readonly clock: Clock };

/** The code, which is the same in every process and after every start; undefined as soon as there is an account. */
export async function readWelcomeCode({ database, sealing, clock }: Parts): Promise<string | undefined> {
  if (!(await withoutAccounts(database))) {
    return undefined;
  }
  const kept = (await database.reads('installation').where({ name: NAME }).first('content')) as
    { content: string } | undefined;
  const sealed =
    kept?.content ??
    (await database.transaction((trx) =>
      keepInstallationText(trx, NAME, sealing.seal(newLetterCode(GROUPS)), toTimestamp(clock.now())),
    ));
  return sealing.open(sealed);
}
