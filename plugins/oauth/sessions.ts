/**
 * sessions: signing in (specification 4.8, 5.4). Neither the answer nor the time that it takes tells whether an account
 * exists.
 */
import { countFailure, credentialBuckets } from '../../core/auth/attempts';
import { countFailedLogin, isLockoutOver, unlocked } from '../../core/auth/lockout';
import { effectiveId } from '../../core/auth/principal';
import { newTokenPair } from '../../core/auth/tokens';
import { toTimestamp } from '../../core/base/clock';
import { networkOf } from '../../core/base/networks';
import { errors } from '../../core/base/errors';
import { isLanguage } from '../../core/base/languages';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import { isLocked, type AccountRow, type LockState } from '../../core/accounts/store';
import * as accountStore from '../../core/accounts/store';
import * as tokenStore from '../../core/tokens/store';

export type Login = {
  username: string;
  password: string;
  system: string;
  /** The language of the page on which the person signs in. */ language?: string;
};

/**
 * The account that signs in, and the hash of the password that was given; null when an external system vouches for it.
 */
type Known = { readonly accountId: string; readonly passwordHash: string | null };

/** A lock-out refuses sign-ins by password until it is over; sign-ins through external systems still work. */
function maySignIn(services: Services, account: LockState, byPassword: boolean): boolean {
  return account.state === 'active' || (isLocked(account) && (!byPassword || isLockoutOver(account, services)));
}

/** The account of a user name, if there is one; `known` if it may sign in. */
type Attempt = { readonly accountId: string | null; readonly known: Known | undefined };

async function byPassword(services: Services, { username, password }: Login, network: string): Promise<Attempt> {
  const { database, passwords } = services;
  const login = await accountStore.findLogin(database.reads, 'password', username);
  const matches = await passwords.verify(login?.passwordHash ?? null, password, [network, username]);
  return {
    accountId: login?.accountId ?? null,
    known: login && matches && maySignIn(services, login, true) ? login : undefined,
  };
}

/** The UI app vouches for people whom one of the configured external systems knows. */
async function byExternalSystem(services: Services, { username, system }: Login): Promise<Attempt> {
  const { database, config } = services;
  const login = config.authSystems.includes(system)
    ? await accountStore.findLogin(database.reads, system, username)
    : undefined;
  const known =
    login && maySignIn(services, login, false) ? { accountId: login.accountId, passwordHash: null } : undefined;
  // Without an account id, the failure is not counted towards a lock-out, because no password was guessed.
  return { accountId: null, known };
}

/**
 * What a sign-in changes: the count of failures becomes 0, except during a lock-out, which a sign-in by an external
 * system does not end.
 */
function signedIn(services: Services, account: LockState): Partial<AccountRow> {
  if (isLockoutOver(account, services)) {
    return unlocked(services.clock);
  }
  return isLocked(account) ? {} : { failedLoginCount: 0, lastFailedLoginAt: null };
}

/** A language that the service does not have changes nothing. */
function spokenIn(language: string): Partial<AccountRow> {
  return isLanguage(language) ? { spokenLanguage: language } : {};
}

/** @returns undefined when the account or its password has changed since they were checked */
async function openSession(
  services: Services,
  { accountId, passwordHash }: Known,
  { uiAppId, language }: { readonly uiAppId: string; readonly language: string },
): Promise<Readonly<Record<string, string>> | undefined> {
  const { database, clock, config, sealing } = services;
  const { pair, stored } = newTokenPair(sealing);
  const opened = await database.transaction(async (trx) => {
    const account = await accountStore.lockAccount(trx, accountId);
    // A changed password has ended the sessions of the old one, so the old one must not open another.
    if (
      !account ||
      !maySignIn(services, account, passwordHash !== null) ||
      (passwordHash !== null && !(await accountStore.holdPassword(trx, accountId, passwordHash)))
    ) {
      return false;
    }
    const now = toTimestamp(clock.now());
    await accountStore.updateAccount(trx, accountId, {
      lastLoginAt: now,
      totalLoginCount: account.totalLoginCount + 1,
      ...signedIn(services, account),
      ...spokenIn(language),
    });
    await tokenStore.insertSession(trx, {
      ...stored,
      accountId,
      uiAppId,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: toTimestamp(clock.now() + config.sessionMaxSeconds * 1000),
    });
    return true;
  });
  return opened ? { oauth_token: pair.token, oauth_token_secret: pair.secret, account_id: accountId } : undefined;
}

/**
 * Opens a session. Correct credentials are never refused because of the failures of others. 403 for wrong credentials
 * of any kind, 429 after too many failures. Both are answered after one query, one comparison of a password and one
 * transaction, whether or not the account exists.
 */
export async function createSession({
  body,
  principal,
  request,
  services,
}: Call<unknown, unknown, Login>): Promise<Readonly<Record<string, string>>> {
  const uiAppId = effectiveId(principal) ?? '';
  const { accountId, known } = await (body.password === ''
    ? byExternalSystem(services, body)
    : byPassword(services, body, networkOf(request.ipAddress)));
  const { language = '' } = body;
  const session = known && (await openSession(services, known, { uiAppId, language }));
  if (!session) {
    await countFailure(services, credentialBuckets(services.config, body.username, uiAppId), (trx) =>
      countFailedLogin(trx, services, accountId ?? ''),
    );
    throw errors.permissionDenied();
  }
  return session;
}
