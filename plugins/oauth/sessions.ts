/** sessions: signing in (specification 4.8, 5.4). No answer and no time it takes tells whether an account exists. */
import { credentialBuckets, limitFailures } from '../../core/auth/attempts';
import { countFailedLogin, endLockout } from '../../core/auth/lockout';
import { effectiveId } from '../../core/auth/principal';
import { newTokenPair } from '../../core/auth/tokens';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';

export type Login = { username: string; password: string; system: string };

/** Counting a failure takes longer for accounts that exist, so refusals are told no earlier than this. */
const REFUSAL_MILLISECONDS = 150;

const refuseLate = async <T>(work: () => Promise<T>): Promise<T> => {
  const earliest = performance.now() + REFUSAL_MILLISECONDS;
  try {
    return await work();
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, earliest - performance.now())));
    throw error;
  }
};

/** Who signs in, and the hash that the password was right for; null: another system vouches. */
type Known = { readonly accountId: string; readonly passwordHash: string | null };

/** The account with this password; counts wrong ones towards the lock-out. */
const byPassword = async (services: Services, { username, password }: Login): Promise<Known | undefined> => {
  const { database, stores, passwords } = services;
  const login = await stores.accounts.findLogin(database.knex, 'password', username);
  if (login) {
    await endLockout(services, login.accountId);
  }
  if (await passwords.verify(login?.passwordHash ?? null, password)) {
    return login;
  }
  if (login) {
    await countFailedLogin(services, login.accountId);
  }
  return undefined;
};

/** The UI app vouches for people whom one of the configured external systems knows. */
const byExternalSystem = async (services: Services, { username, system }: Login): Promise<Known | undefined> => {
  const { database, stores, config } = services;
  const login = config.authSystems.includes(system)
    ? await stores.accounts.findLogin(database.knex, system, username)
    : undefined;
  if (login) {
    await endLockout(services, login.accountId);
  }
  return login && { accountId: login.accountId, passwordHash: null };
};

const openSession = async (
  { database, stores, clock, config, sealing }: Services,
  { accountId, passwordHash }: Known,
  uiAppId: string,
): Promise<Readonly<Record<string, string>>> => {
  const { pair, stored } = newTokenPair(sealing);
  await database.transaction(async (trx) => {
    const account = await stores.accounts.lockAccount(trx, accountId);
    // The password may have been changed since it was found right, which ends all sessions that it opened.
    if (
      account?.state !== 'active' ||
      (passwordHash !== null && !(await stores.accounts.holdPassword(trx, accountId, passwordHash)))
    ) {
      throw errors.permissionDenied();
    }
    const now = toTimestamp(clock.now());
    await stores.accounts.updateAccount(trx, accountId, {
      lastLoginAt: now,
      totalLoginCount: account.totalLoginCount + 1,
      failedLoginCount: 0,
      lastFailedLoginAt: null,
    });
    await stores.tokens.insertSession(trx, {
      ...stored,
      accountId,
      uiAppId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: toTimestamp(clock.now() + config.sessionMaxSeconds * 1000),
    });
  });
  return { oauth_token: pair.token, oauth_token_secret: pair.secret, account_id: accountId };
};

/** A session for an active account. 403 whatever is wrong with the credentials, 429 after too many of those. */
export const createSession = ({
  body,
  principal,
  services,
}: Call<unknown, unknown, Login>): Promise<Readonly<Record<string, string>>> => {
  const uiAppId = effectiveId(principal) ?? '';
  return limitFailures(services, credentialBuckets(services.config, body.username, uiAppId), () =>
    refuseLate(async () => {
      const known = await (body.password === '' ? byExternalSystem(services, body) : byPassword(services, body));
      if (!known) {
        throw errors.permissionDenied();
      }
      return openSession(services, known, uiAppId);
    }),
  );
};
