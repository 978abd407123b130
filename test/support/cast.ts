/** cast: puts people, apps and tokens straight into the database, for tests that are not about how they come there. */
import { toTimestamp } from '../../core/base/clock';
import { newId, newToken, sha256 } from '../../core/base/ids';
import type { AccountState, AppKind, Id, PrincipalId, Timestamp } from '../../core/base/types';
import type { Services } from '../../core/services';
import type { Credentials } from './client';
import { ui } from './server';
import { direct } from './direct';
import * as accountStore from '../../core/accounts/store';
import * as appStore from '../../core/apps/store';
import * as tokenStore from '../../core/tokens/store';

export type Signs = Exclude<Credentials, null>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const now = ({ clock }: Services): Timestamp => toTimestamp(clock.now());
const later = ({ clock }: Services, milliseconds: number): Timestamp => toTimestamp(clock.now() + milliseconds);

/** Runs work one after the other: SQLite has one connection, and the order of insertion is part of some tests. */
export const inTurn = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (const item of items) {
    results.push(await work(item));
  }
  return results;
};

export const addAccount = (
  services: Services,
  id: PrincipalId,
  fullName = 'A Person',
  state: AccountState = 'active',
): Promise<void> =>
  accountStore.insertAccount(
    direct(services.database),
    accountStore.newAccount({
      id,
      fullName,
      contactEmail: id,
      state,
      createdAt: now(services),
      createdBy: null,
    }),
  );

/** Credentials that sign as an account. */
export const addSession = async (services: Services, accountId: PrincipalId): Promise<Signs> => {
  const token = { key: newToken(), secret: newToken() };
  await tokenStore.insertSession(direct(services.database), {
    tokenHash: sha256(token.key),
    secret: services.sealing.seal(token.secret),
    accountId,
    uiAppId: ui!.consumer.key,
    createdAt: now(services),
    lastUsedAt: now(services),
    expiresAt: later(services, DAY),
  });
  return { consumer: ui!.consumer, token };
};

/** An account with a session. */
export const addPerson = async (services: Services, id: PrincipalId, fullName?: string): Promise<Signs> => {
  await addAccount(services, id, fullName);
  return addSession(services, id);
};

/** An app with credentials that sign as itself; its consumer key is its id. */
export const addApp = async (
  services: Services,
  id: PrincipalId,
  kind: AppKind,
  autonomous = false,
): Promise<Signs> => {
  const secret = newToken();
  await appStore.insertApp(direct(services.database), {
    id,
    kind,
    name: id,
    description: 'for tests',
    author: 'tests',
    version: '1',
    svcVersion: null,
    autonomous,
    autonomousReason: null,
    frameable: true,
    hasUi: true,
    indexUrl: null,
    icon: null,
    callbackUrl: null,
    manifest: { id, name: id },
    folder: `${kind}/${id}`,
    consumerKey: id,
    consumerSecret: services.sealing.seal(secret),
    digest: sha256(id),
    retiredAt: null,
    createdAt: now(services),
    updatedAt: now(services),
  });
  return { consumer: { key: id, secret } };
};

export const enable = async (services: Services, recordId: Id, appId: PrincipalId): Promise<void> => {
  await appStore.enableApp(direct(services.database), {
    id: newId(),
    recordId,
    appId,
    by: null,
    at: now(services),
  });
};

export type TokenOf = {
  readonly app: Signs;
  /** Null for a token of the app itself. */
  readonly accountId: PrincipalId | null;
  readonly recordId: Id;
  readonly carenetId?: Id;
};

/** Credentials that sign as an app with an access token. */
export const addToken = async (
  services: Services,
  { app, accountId, recordId, carenetId }: TokenOf,
): Promise<Signs> => {
  const token = { key: newToken(), secret: newToken() };
  await tokenStore.insertAccessToken(direct(services.database), {
    tokenHash: sha256(token.key),
    secret: services.sealing.seal(token.secret),
    kind: 'ordinary',
    appId: app.consumer.key,
    accountId,
    recordId,
    carenetId: carenetId ?? null,
    createdAt: now(services),
    expiresAt: later(services, HOUR),
  });
  return { consumer: app.consumer, token };
};
