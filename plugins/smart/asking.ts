/**
 * asking: what a SMART app asks a person, and the person's answer. A yes enables the app as an approval of the
 * OAuth 1.0a dance does.
 */
import { chosenScope, give, type Chosen, type Scope } from '../../core/access/giving';
import { makeLookups } from '../../core/access/lookups';
import { startUrl, type ShownApp } from '../../core/apps/app-element';
import { smartClientOf } from '../../core/apps/smart-client';
import { newLaunch, readLaunch } from './launch';
import { answerAsking, lockAsking, readAsking, signInWanted, type KeptAsking, type SmartAsking } from './requests';
import { scopeWords } from '../../core/tokens/smart-scopes';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { PrincipalId } from '../../core/base/types';
import { newToken, sha256 } from '../../core/base/ids';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { Reads } from '../../core/db/connection';
import type { Transaction } from '../../core/db/database';
import type { AppRow } from '../../core/apps/store';
import type { FoundGrant } from './store';
import { listGivable, type GivableHolding, type GivingQuery } from '../../core/records/givable';
import * as accountStore from '../../core/accounts/store';
import * as appStore from '../../core/apps/store';
import * as smartStore from './store';
import * as tokenStore from '../../core/tokens/store';

type InAsking = { SMART_REQUEST: string };

export type SmartQuestion = {
  readonly app: AppRow;
  /** The address to which the browser goes with the answer. */ readonly redirectUri: string;
  /** The scopes that the app gets with a yes. */ readonly scopes: readonly string[];
  readonly givable: readonly GivableHolding[];
  /** Whether the website opened the app for a certain record. */ readonly launched: boolean;
  /** How long, in seconds, the app has access after a yes; null: as long as the person stays signed in. */
  readonly seconds: number | null;
  /** Whether this person has said yes already and the app has not received the answer yet. */
  readonly answered: boolean;
  /** Whether the app wants the person to sign in again before a yes. */ readonly signInAgain: boolean;
};

/** An app without a refresh token has access for an hour, and two minutes to fetch its token. In seconds. */
const ONE_TOKEN = 3600;
const TO_BEGIN = 120;

function secondsOf(scopes: readonly string[], { config }: Services): number {
  return scopes.some((scope) => ['offline_access', 'online_access'].includes(scope))
    ? config.refreshTokenSeconds
    : ONE_TOKEN;
}

function endsWithSession(scopes: readonly string[]): boolean {
  return scopes.includes('online_access') && !scopes.includes('offline_access');
}

function requirePerson({ principal }: Pick<Call, 'principal'>) {
  if (principal.kind !== 'account') {
    throw errors.permissionDenied();
  }
  return principal;
}

type Question = {
  readonly kept: KeptAsking;
  readonly asking: SmartAsking;
  readonly app: AppRow;
  /** What the person's yes gave. */ readonly given?: FoundGrant | undefined;
};

/** @throws errors.notFound for a question that has ended or was answered, unless a yes of this person was the answer */
async function openQuestion(on: Reads, found: KeptAsking | undefined, accountId: PrincipalId): Promise<Question> {
  const app = found && (await appStore.findUserAppByKey(on, found.asking.params.client_id));
  if (!app || !smartClientOf(app)) {
    throw errors.notFound('question of an app');
  }
  const { result } = found.asking;
  const given = result && 'consent' in result ? await smartStore.findGrant(on, result.consent.grantId) : undefined;
  if (result && given?.accountId !== accountId) {
    throw errors.notFound('question of an app');
  }
  return { kept: found, asking: found.asking, app, given };
}

/**
 * When the person of a session signed in, in milliseconds.
 * @throws errors.permissionDenied when the session has ended meanwhile
 */
async function signedInAt(on: Reads, sessionHash: string): Promise<number> {
  const session = await tokenStore.findSession(on, sessionHash);
  if (!session) {
    throw errors.permissionDenied();
  }
  return fromTimestamp(session.createdAt);
}

/** Whether the app wants a later sign-in than the one at this time. */
function isTooOld({ kept }: Question, signedIn: number): boolean {
  return signedIn < (signInWanted(kept) ?? -Infinity);
}

function launchOf(services: Services, { params }: SmartAsking, app: AppRow) {
  return params.launch === undefined ? undefined : readLaunch(services, params.launch, app.id);
}

/** What the app asks for, and what the account may give it. 404 for an unknown request. */
export async function readQuestion(call: Call<InAsking, GivingQuery>): Promise<SmartQuestion> {
  const { params, services } = call;
  const { accountId, sessionHash } = requirePerson(call);
  const { reads } = services.database;
  const found = await readAsking(services, reads, params.SMART_REQUEST);
  const question = await openQuestion(reads, found, accountId);
  const { asking, app, given } = question;
  const launch = launchOf(services, asking, app);
  const scopes = scopeWords(asking.params.scope);
  return {
    app,
    redirectUri: asking.params.redirect_uri,
    scopes,
    givable: await listGivable(
      services,
      {
        accountId,
        app,
        recordId: launch?.recordId ?? null,
        carenetId: null,
      },
      call.query,
    ),
    launched: launch !== undefined,
    seconds: endsWithSession(scopes) ? null : secondsOf(scopes, services),
    answered: given !== undefined,
    signInAgain: isTooOld(question, await signedInAt(reads, sessionHash)),
  };
}

/** @throws errors.refused for another record than the one for which the website opened the app */
function fittingScope(chosen: Chosen, launchedFor: string | undefined): Scope {
  const scope = chosenScope(chosen);
  if (launchedFor !== undefined && scope.recordId !== launchedFor) {
    throw errors.refused('the app was opened for another record');
  }
  return scope;
}

type Yes = { readonly call: Call<InAsking, unknown, Chosen>; readonly trx: Transaction };

type Approved = { readonly location: string; readonly recordId: string; readonly appId: PrincipalId };

/**
 * Answers the same yes again, which a button sends when it is pressed twice. Only the last response reaches the
 * browser, so the secret in it must be the valid one. Undefined for the first yes.
 * @throws errors.notFound for a yes to something else
 */
async function approvedBefore({ call, trx }: Yes, scope: Scope, question: Question): Promise<Approved | undefined> {
  const { kept, asking, given } = question;
  if (!given || !asking.result) {
    return undefined;
  }
  if (
    given.carenetId !== (scope.carenetId ?? null) ||
    (given.carenetId === null && given.recordId !== scope.recordId)
  ) {
    throw errors.notFound('question of an app');
  }
  const location = await answerAsking(call.services, trx, call.params.SMART_REQUEST, kept, asking.result);
  return { location, recordId: given.recordId, appId: question.app.id };
}

async function approveWithin({ call, trx }: Yes): Promise<Approved> {
  const { params, body, services } = call;
  const { clock } = services;
  const { accountId, sessionHash } = requirePerson(call);
  const found = await lockAsking(services, trx, params.SMART_REQUEST);
  const question = await openQuestion(trx, found, accountId);
  const { kept, asking, app } = question;
  const signedIn = await signedInAt(trx, sessionHash);
  if (isTooOld(question, signedIn)) {
    throw errors.refused('the app wants the person to sign in again');
  }
  const scope = fittingScope(body, launchOf(services, asking, app)?.recordId);
  const before = await approvedBefore({ call, trx }, scope, question);
  if (before) {
    return before;
  }
  const at = toTimestamp(clock.now());
  const recordId = await give(trx, { clock, accountId, app, scope, at, placing: true });
  const account = await accountStore.findAccount(trx, accountId);
  const scopes = scopeWords(asking.params.scope);
  const grantHash = sha256(newToken());
  const subject = sha256(`${accountId} ${account?.createdAt ?? ''}`);
  await smartStore.insertGrant(trx, {
    grantHash,
    appId: app.id,
    accountId,
    subject,
    recordId,
    carenetId: scope.carenetId ?? null,
    sessionHash: endsWithSession(scopes) ? sessionHash : null,
    scopes: scopes.join(' '),
    createdAt: at,
    expiresAt: toTimestamp(clock.now() + (secondsOf(scopes, services) + TO_BEGIN) * 1000),
  });
  const location = await answerAsking(services, trx, params.SMART_REQUEST, kept, {
    login: { accountId: subject, remember: false, ts: Math.floor(signedIn / 1000) },
    consent: { grantId: grantHash },
  });
  return { location, recordId, appId: app.id };
}

/**
 * The person's yes, for one record or carenet. Answers the address to which the browser goes. 403 for a scope that the
 * person may not give, 404 for an unknown request.
 */
export async function approveQuestion(call: Call<InAsking, unknown, Chosen>): Promise<{ readonly location: string }> {
  const { location, ...noted } = await call.services.database.transaction((trx) => approveWithin({ call, trx }));
  // With this, the call is in the audit log of the record, and its owner can see who let which app in.
  call.note(noted);
  return { location };
}

/** The person's no. Answers the address to which the browser goes. 404 for an unknown request. */
export async function refuseQuestion(call: Call<InAsking>): Promise<{ readonly location: string }> {
  const { params, services } = call;
  const { accountId } = requirePerson(call);
  return services.database.transaction(async (trx) => {
    const found = await lockAsking(services, trx, params.SMART_REQUEST);
    const { kept, given } = await openQuestion(trx, found, accountId);
    if (given) {
      throw errors.notFound('question of an app');
    }
    return {
      location: await answerAsking(services, trx, params.SMART_REQUEST, kept, {
        error: 'access_denied',
        error_description: 'the person said no',
      }),
    };
  });
}

function withLaunch(shown: ShownApp, recordId: string, iss: string, launch: string): string {
  const url = new URL(startUrl(shown, { recordId }));
  // The query of the address itself is not encoded again.
  const added = new URLSearchParams({ iss, launch }).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url.href;
}

/**
 * The address at which the website opens a SMART app for a record: its start address with `iss` and `launch`. Undefined
 * for an app that is not a SMART client. 404 when the app is not enabled on the record.
 */
export async function launchApp({
  params,
  services,
}: Call<{ RECORD_ID: string; PHA_EMAIL: string }>): Promise<{ readonly location: string } | undefined> {
  const { id: recordId } = await requireRecord(services, params.RECORD_ID);
  const app = await appStore.findAppOnRecord(services.database.reads, recordId, params.PHA_EMAIL);
  if (!app || !(await makeLookups(services.database.reads, services.clock).enabled(app.id, recordId))) {
    throw errors.notFound('app on this record');
  }
  if (!smartClientOf(app) || !app.indexUrl || !services.config.fhir) {
    return undefined;
  }
  const launch = newLaunch(services, { appId: app.id, recordId });
  return {
    location: withLaunch({ app, uiBaseUrl: uiBaseUrl(services) }, recordId, `${services.baseUrl()}/fhir`, launch),
  };
}
