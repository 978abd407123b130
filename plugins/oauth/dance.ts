/**
 * dance: issues request tokens and lets people claim and approve them and apps exchange them (specification 3.6, 5.4).
 */
import { chosenScope, give, lockScope, mayGive, type Chosen, type Scope } from '../../core/access/giving';
import { issueAccessToken, newTokenPair } from '../../core/auth/tokens';
import { headerParameter, sameText } from '../../core/auth/signature';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newToken, sha256 } from '../../core/base/ids';
import { uiBaseUrl } from '../../core/http/ui-links';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import { isLocked } from '../../core/accounts/store';
import type { AppRow } from '../../core/apps/store';
import type { RequestTokenRow } from '../../core/tokens/store';
import { checkCallback, redirectAddress } from './callbacks';
import { accountOf, checkToken, type InToken } from './request-tokens';
import type { ShownRequestToken } from './serialize';
import * as accountStore from '../../core/accounts/store';
import * as appStore from '../../core/apps/store';
import * as sharingStore from '../../core/sharing/store';
import * as tokenStore from '../../core/tokens/store';

export type Asked = { svc_record_id?: string; svc_carenet_id?: string; oauth_callback?: string };
type Pairs = Readonly<Record<string, string>>;

function scopePairs({
  recordId,
  carenetId,
}: {
  readonly recordId: string | null;
  readonly carenetId: string | null;
}): Pairs {
  if (carenetId !== null) {
    return { xoauth_svc_carenet_id: carenetId };
  }
  return recordId !== null ? { xoauth_svc_record_id: recordId } : {};
}

async function callingApp({ principal, services }: Pick<Call, 'principal' | 'services'>): Promise<AppRow> {
  const app = 'app' in principal ? await appStore.findUserApp(services.database.reads, principal.app.id) : undefined;
  if (!app) {
    throw errors.permissionDenied();
  }
  return app;
}

/** Keeps the record or carenet of the token from being removed until the transaction ends. @throws errors.notFound */
async function requireKnown(trx: Transaction, recordId: string | null, carenetId: string | null): Promise<void> {
  if (carenetId === null && recordId === null) {
    return;
  }
  const scope = carenetId !== null ? { carenetId } : { recordId: recordId! };
  if ((await lockScope(trx, scope)) === undefined) {
    throw errors.notFound(carenetId === null ? 'record' : 'carenet');
  }
}

/**
 * Issues a request token for a record or carenet that the app names or that the person chooses. 400 for both ids or a
 * foreign callback, 404 for an unknown id.
 */
export async function issueRequestToken(call: Call<unknown, unknown, Asked>): Promise<Pairs> {
  const { body, services, request } = call;
  const app = await callingApp(call);
  const recordId = body.svc_record_id || null;
  const carenetId = body.svc_carenet_id || null;
  if (recordId !== null && carenetId !== null) {
    throw errors.invalidParameter('svc_carenet_id', 'name a record or a carenet, not both');
  }
  const callback = checkCallback(
    app,
    headerParameter(request.authorization, 'oauth_callback') ?? body.oauth_callback,
    uiBaseUrl(services),
  );
  const { database, sealing, clock, config } = services;
  const { pair, stored } = newTokenPair(sealing);
  await database.transaction(async (trx) => {
    await requireKnown(trx, recordId, carenetId);
    await tokenStore.insertRequestToken(trx, {
      ...stored,
      verifier: sealing.seal(newToken()),
      appId: app.id,
      callback,
      recordId,
      carenetId,
      claimedBy: null,
      approvedBy: null,
      approvedAt: null,
      createdAt: toTimestamp(clock.now()),
      expiresAt: toTimestamp(clock.now() + config.requestTokenSeconds * 1000),
    });
  });
  return {
    oauth_token: pair.token,
    oauth_token_secret: pair.secret,
    oauth_callback_confirmed: 'true',
    ...scopePairs({ recordId, carenetId }),
  };
}

/** Claims the token; claiming it again is fine. 403 when another account has claimed it, 404 for an unknown token. */
export async function claim(call: Call<InToken>): Promise<string> {
  const {
    params,
    services: { database, clock },
  } = call;
  const accountId = accountOf(call);
  const hash = sha256(params.REQTOKEN_ID);
  if (!(await tokenStore.findRequestToken(database.reads, hash, toTimestamp(clock.now())))) {
    throw errors.notFound('request token');
  }
  if (!(await database.write((connection) => tokenStore.claimRequestToken(connection, hash, accountId)))) {
    throw errors.refused('the request token is claimed by another account');
  }
  return accountId;
}

async function recordOf(
  { database: { reads } }: Services,
  { recordId, carenetId }: RequestTokenRow,
): Promise<string | null> {
  return carenetId === null ? recordId : ((await sharingStore.findCarenet(reads, carenetId))?.recordId ?? null);
}

/**
 * Any account may read an unclaimed token, and only its claimant may read a claimed one. 403 otherwise, 404 for an
 * unknown token.
 */
export async function readRequestToken(call: Call<InToken>): Promise<ShownRequestToken> {
  const { params, services } = call;
  const {
    database: { reads },
    clock,
    lookups,
  } = services;
  const accountId = accountOf(call);
  const found = await tokenStore.findRequestToken(reads, sha256(params.REQTOKEN_ID), toTimestamp(clock.now()));
  const { token, app } = checkToken(found, found && (await appStore.findUserApp(reads, found.appId)), accountId);
  // Only people with full control may learn which apps are in a record: others may have obtained the token of
  // somebody's app.
  const onRecord = await recordOf(services, token);
  const theirs = onRecord !== null && (await lookups.fullControl(accountId, onRecord));
  const enabled = theirs && (await lookups.enabled(app.id, onRecord));
  return {
    token: params.REQTOKEN_ID,
    recordId: token.recordId,
    carenetId: token.carenetId,
    kind: enabled ? 'same' : 'new',
    app,
  };
}

/**
 * What the person chose. If the token names a record or carenet, it must be that one. @throws errors.refused, and as
 * `chosenScope`
 */
function fittingScope(chosen: Chosen, token: RequestTokenRow): Scope {
  const scope = chosenScope(chosen);
  const fits =
    token.carenetId !== null
      ? scope.carenetId === token.carenetId
      : token.recordId === null || scope.recordId === token.recordId;
  if (!fits) {
    throw errors.refused('the id is not the one of the request token');
  }
  return scope;
}

async function approveWithin(
  services: Services,
  trx: Transaction,
  approval: {
    readonly hash: string;
    readonly accountId: string;
    readonly chosen: Chosen;
    /** True: the app is placed in the carenet first. */ readonly placing: boolean;
  },
): Promise<{ token: RequestTokenRow; app: AppRow; recordId: string }> {
  const { clock } = services;
  const { hash, accountId, chosen, placing } = approval;
  const now = toTimestamp(clock.now());
  const found = await tokenStore.lockRequestToken(trx, hash, now);
  const { token, app } = checkToken(found, found && (await appStore.findUserApp(trx, found.appId)), accountId);
  const scope = fittingScope(chosen, token);
  const recordId = await give(trx, { clock, accountId, app, scope, at: now, placing });
  await tokenStore.approveRequestToken(trx, hash, {
    by: accountId,
    at: now,
    recordId: scope.recordId ?? null,
    carenetId: scope.carenetId ?? null,
  });
  return { token, app, recordId };
}

async function approveIt(call: Call<InToken, unknown, Chosen>, placing: boolean): Promise<Pairs> {
  const { params, body, services, note } = call;
  const accountId = accountOf(call);
  const hash = sha256(params.REQTOKEN_ID);
  const { token, app, recordId } = await services.database.transaction((trx) =>
    approveWithin(services, trx, { hash, accountId, chosen: body, placing }),
  );
  // With this, the call is in the audit log of the record, and its owner can see who let which app in.
  note({ recordId, appId: app.id });
  const verifier = services.sealing.open(token.verifier);
  return {
    location: redirectAddress({ app, uiBaseUrl: uiBaseUrl(services) }, token.callback, {
      oauth_token: params.REQTOKEN_ID,
      oauth_verifier: verifier,
    }),
  };
}

/**
 * Approves and claims the token, and enables the app on the record (specification 3.6, 4.8). Answers the address to
 * which the browser goes. 400 without an id, 403 for one that does not fit or is not the account's to give, 404 for an
 * unknown token.
 */
export function approve(call: Call<InToken, unknown, Chosen>): Promise<Pairs> {
  return approveIt(call, false);
}

/**
 * As `approve`, for a carenet in which the app is not placed yet; it is placed there in the same transaction. Needs
 * full control of the record.
 */
export function approvePlacing(call: Call<InToken, unknown, Chosen>): Promise<Pairs> {
  return approveIt(call, true);
}

async function exchangeWithin(
  services: Services,
  trx: Transaction,
  hash: string,
  verifier: string,
): Promise<{ readonly pairs: Pairs; readonly recordId: string } | undefined> {
  const { sealing, clock, config } = services;
  const token = await tokenStore.lockRequestToken(trx, hash, toTimestamp(clock.now()));
  const app = token && (await appStore.findUserApp(trx, token.appId));
  if (!token || !app || token.approvedBy === null || !sameText(sealing.open(token.verifier), verifier)) {
    return undefined;
  }
  const scope = token.carenetId === null ? { recordId: token.recordId ?? '' } : { carenetId: token.carenetId };
  const recordId = await lockScope(trx, scope);
  // The account may have lost its rights since the approval.
  const account = await accountStore.findAccount(trx, token.approvedBy);
  const stillGiven =
    account !== undefined &&
    (account.state === 'active' || isLocked(account)) &&
    (await mayGive(trx, { clock, accountId: token.approvedBy, app, scope }));
  if (recordId === undefined || !stillGiven || !(await tokenStore.deleteRequestToken(trx, hash))) {
    return undefined;
  }
  const issued = await issueAccessToken({ sealing, clock }, trx, {
    kind: 'ordinary',
    appId: app.id,
    accountId: app.autonomous ? null : token.approvedBy,
    recordId,
    carenetId: token.carenetId,
    seconds: config.accessTokenSeconds,
  });
  return {
    pairs: {
      oauth_token: issued.token,
      oauth_token_secret: issued.secret,
      ...scopePairs({ recordId, carenetId: token.carenetId }),
    },
    recordId,
  };
}

/**
 * Exchanges an approved request token and its verifier for an access token, once (specification 4.8). 403 for
 * everything else.
 */
export async function exchange({
  body,
  principal,
  services,
  request,
  note,
}: Call<unknown, unknown, { oauth_verifier?: string }>): Promise<Pairs> {
  if (principal.kind !== 'request_token') {
    throw errors.permissionDenied();
  }
  const verifier = headerParameter(request.authorization, 'oauth_verifier') ?? body.oauth_verifier ?? '';
  const exchanged = await services.database.transaction((trx) =>
    exchangeWithin(services, trx, principal.tokenHash, verifier),
  );
  if (!exchanged) {
    throw errors.refused('the request token cannot be exchanged');
  }
  note({ recordId: exchanged.recordId });
  return exchanged.pairs;
}
