/** service: makes, renews, lists and ends subscriptions (specification 3.7). */
import type { Principal } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId, sha256 } from '../../core/base/ids';
import type { Timestamp } from '../../core/base/types';
import type { Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { namesClosedAddress } from '../../core/outbox/public-address';
import { reportTarget, withoutSlash } from '../../core/outbox/report-target';
import { uiBaseUrl } from '../../core/http/ui-links';
import { changeRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { AppRow } from '../../core/apps/store';
import { dropSubject } from '../../core/outbox/store';
import type { SubscriptionRow } from '../../core/outbox/subscriptions-store';
import * as appStore from '../../core/apps/store';
import * as subscriptionStore from '../../core/outbox/subscriptions-store';

export type NewSubscription = { url: string; callback: string };
type Holder = { record_id: string; pha_email: string };

const MONTHS = 3;
const MOST = 100;

/**
 * The time three calendar months later. If that month has no such day, it is the last day of the month. @param now in
 * milliseconds
 */
export function expiryOf(now: number): Timestamp {
  const end = new Date(now);
  const day = end.getUTCDate();
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + MONTHS);
  const daysInMonth = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, daysInMonth));
  return toTimestamp(end.getTime());
}

function parsed(address: string | null, base?: string): URL | undefined {
  return address !== null && address !== '' && URL.canParse(address, base) ? new URL(address, base) : undefined;
}

/** The origins of the callback and start addresses of the manifest; relative ones have the origin of the UI. */
function originsOf({ callbackUrl, indexUrl }: AppRow, services: Services): readonly string[] {
  const base = uiBaseUrl(services);
  return [parsed(callbackUrl, base), parsed(indexUrl, base)].flatMap((address) => (address ? [address.origin] : []));
}

function requireCallback(callback: string, app: AppRow, services: Services): void {
  const address = parsed(callback);
  if (
    !address ||
    !['http:', 'https:'].includes(address.protocol) ||
    address.username !== '' ||
    address.password !== '' ||
    address.hash !== ''
  ) {
    throw errors.invalidParameter(
      'callback',
      'it must be an http or https address without credentials and without fragment',
    );
  }
  if (!originsOf(app, services).includes(address.origin)) {
    throw errors.invalidParameter(
      'callback',
      'it must have the origin of the callback or index address in the manifest of the app',
    );
  }
  if (!services.config.callbackAllowPrivate && namesClosedAddress(address)) {
    throw errors.invalidParameter('callback', 'it must not name a private address');
  }
}

/** The access that the subscription depends on (see `SubscriptionRow`). */
function accessOf(principal: Principal): Pick<SubscriptionRow, 'accountId' | 'carenetId'> {
  return principal.kind === 'access_token'
    ? { accountId: principal.accountId, carenetId: principal.carenetId }
    : { accountId: null, carenetId: null };
}

/**
 * Subscribes to a report, or renews the subscription to the same report with the same callback (specification 3.7). 400
 * for a url that is no report, for a callback whose origin is not one of the app's, and beyond 100 subscriptions.
 */
export async function createSubscription({
  params,
  body,
  principal,
  services,
}: Call<Holder, unknown, NewSubscription>): Promise<SubscriptionRow> {
  const { database, clock } = services;
  const holder = { appId: params.pha_email, recordId: params.record_id };
  const app = await appStore.findUserApp(database.reads, holder.appId);
  if (!app) {
    throw errors.permissionDenied();
  }
  const target = reportTarget(services.models(), body.url);
  if (target === undefined) {
    throw errors.invalidParameter('url', 'it must name a report of the record, such as reports/minimal/medications/');
  }
  requireCallback(body.callback, app, services);
  const now = clock.now();
  const access = accessOf(principal);
  const digest = sha256([withoutSlash(body.url), body.callback, access.carenetId ?? []].flat().join('\n'));
  return changeRecord(services, holder.recordId, async (trx) => {
    const present = await subscriptionStore.listSubscriptions(trx, holder, toTimestamp(now));
    if (present.length >= MOST && !present.some((row) => row.digest === digest)) {
      throw errors.invalidState(`an app can have ${MOST} subscriptions on a record`);
    }
    return subscriptionStore.putSubscription(trx, {
      ...holder,
      ...access,
      id: newId(),
      url: body.url,
      callback: body.callback,
      target,
      digest,
      createdAt: toTimestamp(now),
      expiresAt: expiryOf(now),
    });
  });
}

/** A page of the subscriptions that have not expired, the oldest first. */
export function listSubscriptions({
  params,
  query,
  services,
}: Call<Holder, Page>): Promise<readonly SubscriptionRow[]> {
  return subscriptionStore.listSubscriptions(
    services.database.reads,
    { appId: params.pha_email, recordId: params.record_id },
    toTimestamp(services.clock.now()),
    pageOf(services, query),
  );
}

/**
 * Deletes a subscription and the pings that have not left yet. 404 when the app has no such subscription on the record.
 */
export async function deleteSubscription({
  params,
  services,
}: Call<Holder & { subscription_id: string }>): Promise<void> {
  await services.database.transaction(async (trx) => {
    const ended = await subscriptionStore.deleteSubscription(
      trx,
      { appId: params.pha_email, recordId: params.record_id },
      params.subscription_id,
    );
    if (!ended) {
      throw errors.notFound('subscription');
    }
    await dropSubject(trx, 'ping', params.subscription_id);
  });
}
