/**
 * secrets: makes, checks and uses up the primary secret of the mailed link and the secondary one that the website shows
 * (specification 3.1, 5.7).
 */
import {
  freshSecrets,
  newSecrets,
  openSecrets,
  type OpenSecrets,
  type PlainSecrets,
  type StoredSecrets,
} from '../../core/accounts/new-secrets';
import { wasShown } from '../../core/accounts/shown-codes';
import { credentialBuckets, limitFailures } from '../../core/auth/attempts';
import { countFailedLogin } from '../../core/auth/lockout';
import { effectiveId } from '../../core/auth/principal';
import { sameText } from '../../core/auth/signature';
import { toTimestamp } from '../../core/base/clock';
import { errors, type AppError } from '../../core/base/errors';
import type { Language } from '../../core/base/languages';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { AccountRow } from '../../core/accounts/store';
import { lockedAccount, requireAccount, type InAccount } from './find';
import { countMail, sendActivation, sendPasswordReset, sendWelcome } from '../../core/accounts/letters';
import * as accountStore from '../../core/accounts/store';
import * as tokenStore from '../../core/tokens/store';

/** `language`: that of the page on which the person activates the account. */
export type Activation = { secondary_secret?: string; language?: Language };
export type WithSecret = InAccount & { PRIMARY_SECRET: string };

/** How long the secrets stay good after initialization, while the person chooses a password. In milliseconds. */
const HOUR = 3_600_000;
/** This number of wrong guesses makes the secrets of an account void. */
const GUESSES = 10;

/**
 * The columns that change when the secrets of an account are used up or void. The secondary secret stays in the row: it
 * cannot be used any more, and shows that the account needs one.
 */
export const noSecrets: Omit<StoredSecrets, 'secondarySecret'> = {
  primarySecret: null,
  secretsExpireAt: null,
  secretFailures: 0,
};

/**
 * Counts a wrong secret. After `GUESSES` of them the secrets are void. An active account is locked as it is after wrong
 * passwords.
 */
async function countWrongSecret(services: Services, trx: Transaction, account: AccountRow): Promise<void> {
  const secretFailures = account.secretFailures + 1;
  await accountStore.updateAccount(trx, account.id, secretFailures >= GUESSES ? noSecrets : { secretFailures });
  await countFailedLogin(trx, services, account.id);
}

function limited<T>(call: Call<InAccount>, work: () => Promise<T>, failing?: readonly number[]): Promise<T> {
  return limitFailures(
    call.services,
    credentialBuckets(call.services.config, call.params.ACCOUNT_EMAIL, effectiveId(call.principal) ?? ''),
    work,
    failing,
  );
}

/** Whether the secrets are right; an error when the call is refused for another reason. */
type Verdict = 'right' | 'wrong' | AppError;

/**
 * Checks secrets while the row of their account is locked, so that guesses sent at the same time are counted one after
 * the other. The count is committed although the call is refused.
 * @throws errors.refused for wrong secrets, errors.notFound for an unknown account, and what `judge` returns
 */
async function judging(
  { services, params }: Call<InAccount>,
  judge: (account: AccountRow, secrets: OpenSecrets, trx: Transaction) => Promise<Verdict>,
): Promise<void> {
  const verdict = await services.database.transaction(async (trx) => {
    const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    const secrets = openSecrets(services, account);
    const judged = secrets.primary === null ? 'wrong' : await judge(account, secrets, trx);
    // Without secrets there is nothing to guess. If these tries were counted, anybody could lock an account with
    // made-up links.
    if (judged === 'wrong' && secrets.primary !== null) {
      await countWrongSecret(services, trx, account);
    }
    return judged;
  });
  if (verdict !== 'right') {
    throw verdict === 'wrong' ? errors.refused('the secrets are not valid') : verdict;
  }
}

/** Whether it is the account's secondary secret, or a code that the website has shown for one of its names. */
async function rightCode(
  services: Services,
  trx: Transaction,
  account: AccountRow,
  secondary: string,
  given: string,
): Promise<boolean> {
  if (sameSecret(secondary, given)) {
    return true;
  }
  const username = (await accountStore.findWithUsername(trx, account.id))?.username ?? account.id;
  return wasShown(services, [account.id, account.contactEmail, username], given);
}

function sameSecret(secret: string | null, given: string): boolean {
  return secret !== null && sameText(secret, given);
}

/**
 * Checks the primary secret, and the secondary one if it is given and the account has one (specification 4.1,
 * account_check_secrets). 403 when one is wrong, 404 for an unknown account, 429 after too many wrong ones.
 */
export function checkSecrets(call: Call<WithSecret, { secondary_secret?: string }>): Promise<void> {
  const { params, query } = call;
  const given = query.secondary_secret;
  return limited(call, () =>
    judging(call, async (account, { primary, secondary }, trx) =>
      sameSecret(primary, params.PRIMARY_SECRET) &&
      (given === undefined || secondary === null || (await rightCode(call.services, trx, account, secondary, given)))
        ? 'right'
        : 'wrong',
    ),
  );
}

/**
 * Activates an uninitialized account (specification 3.1, 4.1). The secrets stay good for an hour, so that the website
 * can check them again while the person chooses a password. 400 when the secondary secret is missing, 403 when a secret
 * is wrong or the account is initialized already, 429 after too many wrong ones.
 */
export function initialize(call: Call<WithSecret, unknown, Activation>): Promise<void> {
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
      if (secondary !== null && !(await rightCode(services, trx, account, secondary, body.secondary_secret ?? ''))) {
        return 'wrong';
      }
      await activate(services, trx, account, body.language);
      return 'right';
    }),
  );
}

async function activate(
  services: Services,
  trx: Transaction,
  account: AccountRow,
  language: Language | undefined,
): Promise<void> {
  const { clock } = services;
  const now = clock.now();
  const spokenLanguage = language ?? account.spokenLanguage;
  await accountStore.updateAccount(trx, account.id, {
    spokenLanguage,
    state: 'active',
    lastStateChange: toTimestamp(now),
    failedLoginCount: 0,
    lastFailedLoginAt: null,
    secretFailures: 0,
    secretsExpireAt: toTimestamp(now + HOUR),
  });
  await sendWelcome(services, trx, { ...account, spokenLanguage });
}

/**
 * Makes an account of any state, also a retired one, uninitialized, with two new secrets (specification 3.1). Auth
 * systems and the password stay, sessions and tokens end. No mail is sent. 404 for an unknown account.
 */
export function reset({ params, services }: Call<InAccount>): Promise<void> {
  const { database, clock } = services;
  return database.transaction(async (trx) => {
    const { id } = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    await accountStore.updateAccount(trx, id, {
      ...newSecrets(services, { secondary: true }).stored,
      state: 'uninitialized',
      lastStateChange: toTimestamp(clock.now()),
      failedLoginCount: 0,
      lastFailedLoginAt: null,
    });
    await tokenStore.endAccess(trx, id);
  });
}

/**
 * Makes two new secrets, unless the last ones are fresh: the primary one is mailed, the secondary one is the answer
 * (specification 4.1). Because anybody may ask for this, nothing else changes: the password stays good until the form
 * behind the mailed link has set another. 400 while the account is uninitialized, 403 when it is retired, 404 when it is unknown, 429 after too many
 * mails.
 */
export function forgotPassword(call: Call<InAccount>): Promise<string> {
  const { params, services } = call;
  return limited(
    call,
    () =>
      services.database.transaction(async (trx) => {
        const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
        if (account.state === 'uninitialized') {
          throw errors.accountNotInitialized();
        }
        if (account.state === 'retired') {
          throw errors.refused('the account is retired');
        }
        await countMail(services, trx, account);
        const { plain, stored } = freshSecrets(services, account);
        await accountStore.updateAccount(trx, account.id, stored);
        await sendPasswordReset(services, trx, account, plain);
        return plain.secondary ?? '';
      }),
    [400, 403],
  );
}

/**
 * A new primary secret. The secondary secret is replaced only if the account has one that is void by now. If it stays,
 * the wrong guesses stay counted, too: otherwise each mail would allow further guesses at its six digits.
 */
function renewed(
  services: Services,
  account: AccountRow,
): { readonly plain: PlainSecrets; readonly stored: StoredSecrets } {
  const { secondary } = openSecrets(services, account);
  const { plain, stored } = newSecrets(services, { secondary: account.secondarySecret !== null && secondary === null });
  return secondary === null
    ? { plain, stored }
    : {
        plain: { ...plain, secondary },
        stored: { ...stored, secondarySecret: account.secondarySecret, secretFailures: account.secretFailures },
      };
}

/**
 * Mails a new primary secret; the secondary one stays while it is good (specification 4.1, account_resend_secret). A
 * retired account gets no mail. An account with a password gets the mail about passwords, since the activation mail has
 * no link for choosing a new one. 404 for an unknown account, 429 after too many mails.
 */
export function resendSecret({ params, services }: Call<InAccount>): Promise<void> {
  return services.database.transaction(async (trx) => {
    const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    if (account.state === 'retired') {
      return;
    }
    await countMail(services, trx, account);
    const { plain, stored } = renewed(services, account);
    await accountStore.updateAccount(trx, account.id, stored);
    const hasPassword = (await accountStore.findPasswordLogin(trx, account.id)) !== undefined;
    await (hasPassword ? sendPasswordReset : sendActivation)(services, trx, account, plain);
  });
}

/** Null when the account has no primary secret or it has expired. 404 for an unknown account. */
export async function readPrimarySecret({ params, services }: Call<InAccount>): Promise<string | null> {
  return openSecrets(services, await requireAccount(services, params.ACCOUNT_EMAIL)).primary;
}

/** Null when the account has no secondary secret or it has expired. 404 for an unknown account. */
export async function readSecondarySecret({ params, services }: Call<InAccount>): Promise<string | null> {
  return openSecrets(services, await requireAccount(services, params.ACCOUNT_EMAIL)).secondary;
}
