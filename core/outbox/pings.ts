/**
 * pings: tells an app that a report to which it subscribed has changed, by a signed POST to its callback (specification
 * 6.1).
 */
import { createHmac } from 'node:crypto';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { toTimestamp, type Clock } from '../base/clock';
import { projectVersion } from '../base/paths';
import type { Id, Json } from '../base/types';
import type { Sealing } from '../auth/sealing';
import type { Config } from '../config/schema';
import type { Database, Transaction } from '../db/database';
import { findPingAddress, type PingCause } from './subscriptions-store';
import type { Outbox } from './kind';
import type { Kind } from './kind';
import { ClosedAddress, namesClosedAddress, publicLookup } from './public-address';

/**
 * Adds a ping for each subscription in the transaction of their cause; the pings are sent when it is committed.
 * @param lineageId the document whose facts have changed
 */
export function addPings(
  outbox: Outbox,
  trx: Transaction,
  lineageId: Id,
  subscriptionIds: readonly Id[],
): Promise<void> {
  return outbox.add(
    trx,
    ...subscriptionIds.map((subscriptionId) => ({
      kind: 'ping',
      subject: subscriptionId,
      payload: { subscriptionId, lineageId },
    })),
  );
}

/** Shorter than the lease of a delivery, so that no other process delivers it meanwhile. */
const WAIT = 10_000;
const MINUTE = 60;
const SEVEN_DAYS = 604_800;
const AT_ONCE = 32;

/** The callback answered with another status than 200. */
class PingRefused extends Error {
  override readonly name = 'PingRefused';
  constructor(readonly responseCode: number) {
    super();
  }
}

/** `sha256=` and the hexadecimal HMAC of the body under the consumer secret, which a receiver compares. */
function pingSignature(body: string, consumerSecret: string): string {
  return `sha256=${createHmac('sha256', consumerSecret).update(body).digest('hex')}`;
}

type Ping = { readonly callback: URL; readonly body: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Resolves when the status is 200. Redirects are not followed: they would lead away from the origin that the app
 * registered.
 */
function post({ callback, body, headers }: Ping, reach: Pick<RequestOptions, 'lookup'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = callback.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(
      callback,
      { ...reach, method: 'POST', agent: false, headers, signal: AbortSignal.timeout(WAIT) },
      (response) => {
        // What it says besides its status is of no use, and may have no end.
        response.on('error', () => undefined).destroy();
        if (response.statusCode === 200) {
          resolve();
        } else {
          reject(new PingRefused(response.statusCode ?? 0));
        }
      },
    );
    request.on('error', reject).end(body);
  });
}

type PingParts = {
  readonly config: Pick<Config, 'callbackAllowPrivate'>;
  readonly database: Database;
  readonly sealing: Sealing;
  readonly clock: Clock;
};

async function deliverPing({ config, database, sealing, clock }: PingParts, payload: Json, id: Id): Promise<void> {
  // Pings of earlier releases name no document, so they are sent only where the app may read the whole record.
  const { subscriptionId, lineageId = '' } = payload as Partial<PingCause> & Pick<PingCause, 'subscriptionId'>;
  const address = await findPingAddress(database.reads, { subscriptionId, lineageId }, toTimestamp(clock.now()));
  if (!address) {
    // The subscription or the app's access has ended meanwhile, so no ping is due.
    return;
  }
  const callback = new URL(address.callback);
  if (!config.callbackAllowPrivate && namesClosedAddress(callback)) {
    throw new ClosedAddress();
  }
  const body = new URLSearchParams({ record_id: address.recordId, url: address.url }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': `personal-health-records-service/${projectVersion}`,
    'x-svc-delivery': id,
    'x-svc-signature': pingSignature(body, sealing.open(address.consumerSecret)),
  };
  await post({ callback, body, headers }, config.callbackAllowPrivate ? {} : { lookup: publicLookup });
}

/**
 * Pings are tried again after 1, 2, 4, 8 ... minutes and given up when the next try would come later than seven days
 * after the change.
 */
export function pingKind(parts: PingParts): Kind {
  return {
    deliver: (payload, id) => deliverPing(parts, payload, id),
    retryAfterSeconds: (attempts) => MINUTE * 2 ** (attempts - 1),
    giveUpAfterSeconds: SEVEN_DAYS,
    atOnce: AT_ONCE,
    inOrder: true,
  };
}
