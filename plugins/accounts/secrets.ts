/** secrets: the primary secret of the mailed link and the secondary one shown on the website: made, checked, used up. */
import { newSecrets, type PlainSecrets, type StoredSecrets } from '../../core/accounts/new-secrets';
import { countDone, credentialBuckets, limitFailures } from '../../core/auth/attempts';
import { countFailedLogin } from '../../core/auth/lockout';
import { effectiveId } from '../../core/auth/principal';
import { sameText } from '../../core/auth/signature';
import { toTimestamp } from '../../core/base/clock';
import { errors, type AppError } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/storage/database';
import type { AccountRow } from '../../core/storage/stores/accounts';
import { requireAccount, type InAccount } from './find';
import { sendActivation, sendPasswordReset, sendWelcome } from './letters';

export type WithSecret = InAccount & { PRIMARY_SECRET: string };

/** After initialization, while the person chooses a password. */
const HOUR = 3_600_000;
/** Wrong guesses that make the secrets of an uninitialized account void. */
const GUESSES = 10;

/**
 * What of a row changes when its secrets are used up or void. The secondary one stays behind, closed: it tells that the
 * account needs one.
 */
export const noSecrets: Omit<StoredSecrets, 'secondarySecret'> = {
  primarySecret: null,
  secretsExpireAt: null,
  secretFailures: 0,
};

type OpenSecrets = { readonly primary: string | null; readonly secondary: string | null };

/** Expired secrets count as none. */
export const openSecrets = ({ sealing, clock }: Services, account: AccountRow): OpenSecrets => {
  const live = account.secretsExpireAt !== null && account.secretsExpireAt > toTimestamp(clock.now());
  const open = (sealed: string | null): string | null => (live && sealed !== null ? sealing.open(sealed) : null);
  return { primary: open(account.primarySecret), secondary: open(account.secondarySecret) };
};

/** A wrong secret: after some the secrets are void, and active accounts are locked like after a wrong password. */
const countWrongSecret = async (services: Services, trx: Transaction, account: AccountRow): Promise<void> => {
  const secretFailures = account.secretFailures + 1;
  await services.stores.accounts.updateAccount(
    trx,
    account.id,
    secretFailures >= GUESSES ? noSecrets : { secretFailures },
  );
  await countFailedLogin(trx, services, account.id);
};

const limited = <T>(call: Call<InAccount>, work: () => Promise<T>, failing?: readonly number[]): Promise<T> =>
  limitFailures(
    call.services,
    credentialBuckets(call.services.config, call.params.ACCOUNT_EMAIL, effectiveId(call.principal) ?? ''),
    work,
    failing,
  );

/** What a look at the secrets comes to: right, wrong, or refused for another reason. */
type Verdict = 'right' | 'wrong' | AppError;

/**
 * Judges secrets under the row of their account, so that many guesses sent at once are worth no more than the limit. A
 * wrong one is counted, and that stays although the call is refused.
 */
const judging = async (
  { services, params }: Call<InAccount>,
  judge: (account: AccountRow, secrets: OpenSecrets, trx: Transaction) => Promise<Verdict>,
): Promise<void> => {
  const verdict = await services.database.transaction(async (trx) => {
    const account = await lockOrMiss(services, trx, params.ACCOUNT_EMAIL);
    const secrets = openSecrets(services, account);
    const judged = secrets.primary === null ? 'wrong' : await judge(account, secrets, trx);
    // Without secrets there is nothing to guess, and nobody shall lock an account by making up links.
    if (judged === 'wrong' && secrets.primary !== null) {
      await countWrongSecret(services, trx, account);
    }
    return judged;
  });
  if (verdict !== 'right') {
    throw verdict === 'wrong' ? errors.refused('the secrets are not valid') : verdict;
  }
};

const sameSecret = (secret: string | null, given: string): boolean => secret !== null && sameText(secret, given);

/** 403 unless the primary secret is right, and the secondary one if it is given and the account has one. */
export const checkSecrets = (call: Call<WithSecret, { secondary_secret?: string }>): Promise<void> => {
  const { params, query } = call;
  return limited(call, () =>
    judging(call, (_account, { primary, secondary }) =>
      Promise.resolve(
        sameSecret(primary, params.PRIMARY_SECRET) &&
          (query.secondary_secret === undefined || secondary === null || sameSecret(secondary, query.secondary_secret))
          ? 'right'
          : 'wrong',
      ),
    ),
  );
};

/** Activates the account. The secrets stay for an hour, so that the website can check them again while a password is chosen. */
export const initialize = (call: Call<WithSecret, unknown, { secondary_secret?: string }>): Promise<void> => {
  const { params, body, services } = call;
  return limited(call, () =>
    judging(call, async (account, { primary, secondary }, trx) => {
      if (!sameSecret(primary, params.PRIMARY_SECRET)) {
        return 'wrong';
      }
      if (account.state !== 'uninitialized') {
        return errors.refused('the account is initialized already');
      }
      if (secondary !== null && !body.secondary_secret) {
        return errors.missingParameter('secondary_secret');
      }
      if (secondary !== null && !sameSecret(secondary, body.secondary_secret ?? '')) {
        return 'wrong';
      }
      await activate(services, trx, account);
      return 'right';
    }),
  );
};

const activate = async (services: Services, trx: Transaction, account: AccountRow): Promise<void> => {
  const { stores, clock } = services;
  const now = clock.now();
  await stores.accounts.updateAccount(trx, account.id, {
    state: 'active',
    lastStateChange: toTimestamp(now),
    failedLoginCount: 0,
    lastFailedLoginAt: null,
    secretFailures: 0,
    secretsExpireAt: toTimestamp(now + HOUR),
  });
  await sendWelcome(services, trx, account);
};

const lockOrMiss = async ({ stores }: Services, trx: Transaction, id: string): Promise<AccountRow> => {
  const account = await stores.accounts.lockAccount(trx, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
};

/**
 * Back to uninitialized with two new secrets, in any state, retired included (specification 3.1). Auth systems and the
 * password stay, sessions and tokens end. No mail.
 */
export const reset = ({ params, services }: Call<InAccount>): Promise<void> => {
  const { database, stores, clock } = services;
  return database.transaction(async (trx) => {
    const { id } = await lockOrMiss(services, trx, params.ACCOUNT_EMAIL);
    await stores.accounts.updateAccount(trx, id, {
      ...newSecrets(services, { secondary: true }).stored,
      state: 'uninitialized',
      lastStateChange: toTimestamp(clock.now()),
      failedLoginCount: 0,
      lastFailedLoginAt: null,
    });
    await stores.tokens.endAccess(trx, id);
  });
};

/** How many mails with secrets one person gets in a minute, whoever asks for them. */
const countMail = ({ config, clock }: Services, trx: Transaction, { id }: AccountRow): Promise<void> =>
  countDone(trx, clock, { name: `mail ${id}`, limit: config.rateAccountPerMinute });

/**
 * Two new secrets: the primary one is mailed, the secondary one answered. Nothing else changes: anybody may ask for it,
 * and the password stays good until the form that the mail leads to has set another. 400 while the account is
 * uninitialized, 403 when it is retired, 429 after too many mails.
 */
export const forgotPassword = (call: Call<InAccount>): Promise<string> => {
  const { params, services } = call;
  return limited(
    call,
    () =>
      services.database.transaction(async (trx) => {
        const account = await lockOrMiss(services, trx, params.ACCOUNT_EMAIL);
        if (account.state === 'uninitialized') {
          throw errors.accountNotInitialized();
        }
        if (account.state === 'retired') {
          throw errors.refused('the account is retired');
        }
        await countMail(services, trx, account);
        const { plain, stored } = newSecrets(services, { secondary: true });
        await services.stores.accounts.updateAccount(trx, account.id, stored);
        await sendPasswordReset(services, trx, account, plain);
        return plain.secondary ?? '';
      }),
    [400, 403],
  );
};

/**
 * A new primary secret, and a secondary one only if the account had one that is void by now. One that stays keeps the wrong
 * guesses that were counted: a mail renews the link, not the tries at six digits.
 */
const renewed = (
  services: Services,
  account: AccountRow,
): { readonly plain: PlainSecrets; readonly stored: StoredSecrets } => {
  const { secondary } = openSecrets(services, account);
  const { plain, stored } = newSecrets(services, { secondary: account.secondarySecret !== null && secondary === null });
  return secondary === null
    ? { plain, stored }
    : {
        plain: { ...plain, secondary },
        stored: { ...stored, secondarySecret: account.secondarySecret, secretFailures: account.secretFailures },
      };
};

/**
 * A new primary secret is mailed, the secondary one stays while it is good; 429 after too many mails. A retired account
 * gets none. Who has a password gets the mail about that, the other one has no link for choosing a new one.
 */
export const resendSecret = ({ params, services }: Call<InAccount>): Promise<void> =>
  services.database.transaction(async (trx) => {
    const account = await lockOrMiss(services, trx, params.ACCOUNT_EMAIL);
    if (account.state === 'retired') {
      return;
    }
    await countMail(services, trx, account);
    const { plain, stored } = renewed(services, account);
    await services.stores.accounts.updateAccount(trx, account.id, stored);
    const hasPassword = (await services.stores.accounts.findPasswordLogin(trx, account.id)) !== undefined;
    await (hasPassword ? sendPasswordReset : sendActivation)(services, trx, account, plain);
  });

export const readPrimarySecret = async ({ params, services }: Call<InAccount>): Promise<string | null> =>
  openSecrets(services, await requireAccount(services, params.ACCOUNT_EMAIL)).primary;

export const readSecondarySecret = async ({ params, services }: Call<InAccount>): Promise<string | null> =>
  openSecrets(services, await requireAccount(services, params.ACCOUNT_EMAIL)).secondary;
