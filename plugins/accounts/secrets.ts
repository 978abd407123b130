/** secrets: the primary secret of the mailed link and the secondary one shown on the website: made, checked, used up. */
import { credentialBuckets, limitFailures } from '../../core/auth/attempts';
import { countFailedLogin } from '../../core/auth/lockout';
import { effectiveId } from '../../core/auth/principal';
import { sameText } from '../../core/auth/signature';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newDigits, newToken } from '../../core/base/ids';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/storage/database';
import type { AccountRow } from '../../core/storage/stores/accounts';
import { requireAccount, type InAccount } from './find';
import { sendActivation, sendPasswordReset, sendWelcome, type PlainSecrets } from './letters';

export type WithSecret = InAccount & { PRIMARY_SECRET: string };

const WEEK = 604_800_000;
/** After initialization, while the person chooses a password. */
const HOUR = 3_600_000;
/** Wrong guesses that make the secrets of an uninitialized account void. */
const GUESSES = 10;

type Stored = Pick<AccountRow, 'primarySecret' | 'secondarySecret' | 'secretsExpireAt' | 'secretFailures'>;

/** New secrets, in the clear for the mail and sealed for the row. */
export const newSecrets = (
  { sealing, clock }: Services,
  { secondary }: { readonly secondary: boolean },
): { readonly plain: PlainSecrets; readonly stored: Stored } => {
  const plain = { primary: newToken(), secondary: secondary ? newDigits() : null };
  return {
    plain,
    stored: {
      primarySecret: sealing.seal(plain.primary),
      secondarySecret: plain.secondary === null ? null : sealing.seal(plain.secondary),
      secretsExpireAt: toTimestamp(clock.now() + WEEK),
      secretFailures: 0,
    },
  };
};

/** What of a row changes when its secrets are used up or void. The secondary one stays behind, closed: it tells that the account needs one. */
export const noSecrets: Omit<Stored, 'secondarySecret'> = {
  primarySecret: null,
  secretsExpireAt: null,
  secretFailures: 0,
};

type OpenSecrets = { readonly primary: string | null; readonly secondary: string | null };

/** Expired secrets count as none. */
const openSecrets = ({ sealing, clock }: Services, account: AccountRow): OpenSecrets => {
  const live = account.secretsExpireAt !== null && account.secretsExpireAt > toTimestamp(clock.now());
  const open = (sealed: string | null): string | null => (live && sealed !== null ? sealing.open(sealed) : null);
  return { primary: open(account.primarySecret), secondary: open(account.secondarySecret) };
};

/** A wrong secret: uninitialized accounts lose their secrets after some, active ones are locked like after a wrong password. */
const countWrongSecret = async (services: Services, { id }: AccountRow): Promise<void> => {
  const { database, stores } = services;
  const state = await database.transaction(async (trx) => {
    const account = await stores.accounts.lockAccount(trx, id);
    if (account?.state === 'uninitialized' && account.primarySecret !== null) {
      const secretFailures = account.secretFailures + 1;
      await stores.accounts.updateAccount(trx, id, secretFailures >= GUESSES ? noSecrets : { secretFailures });
    }
    return account?.state;
  });
  if (state === 'active') {
    await countFailedLogin(services, id);
  }
};

const refuseWrong = async (services: Services, account: AccountRow, secrets: OpenSecrets): Promise<never> => {
  // Without secrets there is nothing to guess, and nobody shall lock an account by making up links.
  if (secrets.primary !== null) {
    await countWrongSecret(services, account);
  }
  throw errors.refused('the secrets are not valid');
};

const limited = <T>(call: Call<InAccount>, work: () => Promise<T>, failing?: readonly number[]): Promise<T> =>
  limitFailures(
    call.services,
    credentialBuckets(call.services.config, call.params.ACCOUNT_EMAIL, effectiveId(call.principal) ?? ''),
    work,
    failing,
  );

/** 403 unless the primary secret is right, and the secondary one if it is given and the account has one. */
export const checkSecrets = async (call: Call<WithSecret, { secondary_secret?: string }>): Promise<void> => {
  const { params, query, services } = call;
  const account = await requireAccount(services, params.ACCOUNT_EMAIL);
  await limited(call, async () => {
    const secrets = openSecrets(services, account);
    const right =
      secrets.primary !== null &&
      sameText(secrets.primary, params.PRIMARY_SECRET) &&
      (query.secondary_secret === undefined ||
        secrets.secondary === null ||
        sameText(secrets.secondary, query.secondary_secret));
    if (!right) {
      await refuseWrong(services, account, secrets);
    }
  });
};

/** Activates the account. The secrets stay for an hour, so that the website can check them again while a password is chosen. */
export const initialize = async (call: Call<WithSecret, unknown, { secondary_secret?: string }>): Promise<void> => {
  const { params, body, services } = call;
  const account = await requireAccount(services, params.ACCOUNT_EMAIL);
  await limited(call, async () => {
    const secrets = openSecrets(services, account);
    if (secrets.primary === null || !sameText(secrets.primary, params.PRIMARY_SECRET)) {
      await refuseWrong(services, account, secrets);
    }
    if (account.state !== 'uninitialized') {
      throw errors.refused('the account is initialized already');
    }
    if (secrets.secondary !== null) {
      if (!body.secondary_secret) {
        throw errors.missingParameter('secondary_secret');
      }
      if (!sameText(secrets.secondary, body.secondary_secret)) {
        await refuseWrong(services, account, secrets);
      }
    }
    await services.database.transaction((trx) => activate(services, trx, account.id, params.PRIMARY_SECRET));
  });
};

const activate = async (services: Services, trx: Transaction, id: string, primary: string): Promise<void> => {
  const { stores, clock } = services;
  const account = await stores.accounts.lockAccount(trx, id);
  if (account?.state !== 'uninitialized') {
    throw errors.refused('the account is initialized already');
  }
  // New secrets may have been made since these were looked at.
  if (openSecrets(services, account).primary !== primary) {
    throw errors.refused('the secrets are not valid');
  }
  const now = clock.now();
  await stores.accounts.updateAccount(trx, id, {
    state: 'active',
    lastStateChange: toTimestamp(now),
    failedLoginCount: 0,
    lastFailedLoginAt: null,
    secretFailures: 0,
    secretsExpireAt: toTimestamp(now + HOUR),
  });
  await sendWelcome(services, trx, account);
};

/** Back to uninitialized with two new secrets; auth systems and the password stay, sessions end. */
const uninitialize = async (
  services: Services,
  trx: Transaction,
  account: AccountRow,
): Promise<PlainSecrets & { readonly secondary: string }> => {
  const { stores, clock } = services;
  const { plain, stored } = newSecrets(services, { secondary: true });
  await stores.accounts.updateAccount(trx, account.id, {
    ...stored,
    state: 'uninitialized',
    lastStateChange: toTimestamp(clock.now()),
    failedLoginCount: 0,
    lastFailedLoginAt: null,
  });
  await stores.tokens.endSessions(trx, account.id);
  return { primary: plain.primary, secondary: plain.secondary ?? '' };
};

const lockOrMiss = async ({ stores }: Services, trx: Transaction, id: string): Promise<AccountRow> => {
  const account = await stores.accounts.lockAccount(trx, id);
  if (!account) {
    throw errors.notFound('account');
  }
  return account;
};

/** In any state, retired included (specification 3.1). No mail. */
export const reset = ({ params, services }: Call<InAccount>): Promise<void> =>
  services.database.transaction(async (trx) => {
    await uninitialize(services, trx, await lockOrMiss(services, trx, params.ACCOUNT_EMAIL));
  });

/** Answers the new secondary secret. 400 while the account is uninitialized, 403 when it is retired. */
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
        const secrets = await uninitialize(services, trx, account);
        await sendPasswordReset(services, trx, account, secrets);
        return secrets.secondary;
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
): { readonly plain: PlainSecrets; readonly stored: Stored } => {
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
 * A new primary secret is mailed, the secondary one stays while it is good. A retired account gets no mail. Who forgot the password
 * gets the mail about that again, the other one has no link for choosing a new password.
 */
export const resendSecret = ({ params, services }: Call<InAccount>): Promise<void> =>
  services.database.transaction(async (trx) => {
    const account = await lockOrMiss(services, trx, params.ACCOUNT_EMAIL);
    if (account.state === 'retired') {
      return;
    }
    const { plain, stored } = renewed(services, account);
    await services.stores.accounts.updateAccount(trx, account.id, stored);
    const forgot =
      account.state === 'uninitialized' &&
      (await services.stores.accounts.findPasswordLogin(trx, account.id)) !== undefined;
    await (forgot ? sendPasswordReset : sendActivation)(services, trx, account, plain);
  });

export const readPrimarySecret = async ({ params, services }: Call<InAccount>): Promise<string | null> =>
  openSecrets(services, await requireAccount(services, params.ACCOUNT_EMAIL)).primary;

export const readSecondarySecret = async ({ params, services }: Call<InAccount>): Promise<string | null> =>
  openSecrets(services, await requireAccount(services, params.ACCOUNT_EMAIL)).secondary;
