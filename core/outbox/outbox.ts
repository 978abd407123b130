/**
 * outbox: delivers everything that leaves the service. A row is written with its cause, in one transaction. A worker in
 * every process leases rows, delivers them and tries again after failures, so that a crash loses none and a slow
 * receiver slows no request.
 */
import type { Logger } from 'pino';
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import { newId } from '../base/ids';
import type { Json } from '../base/types';
import type { Config } from '../config/schema';
import { causeHere, tracedAlone, untraced } from '../base/tracing';
import type { Database } from '../db/database';
import { claimDue, dropDeliveries, insertDeliveries, markDead, markSent, postpone, type DueDelivery } from './store';
import type { Sealing } from '../auth/sealing';
import { mailIn } from './invitations';
import { mailKind } from './mail';
import { pingKind } from './pings';
import { syslogKind } from './syslog';
import type { Kind, Outbox } from './kind';

type OutboxParts = {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sealing: Sealing;
};

/** Milliseconds after which each process looks again for messages that other processes have added or left. */
const ROUND = 1000;
const AT_ONCE = 8;
/** Longer than any delivery may take. A process that died holds its messages for this time. */
const LEASE_SECONDS = 30;

/** The kind of failure without its message, because the answer of a server may repeat addresses or content. */
function deliveryFailureKind(error: unknown): string {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return [name, code, responseCode].filter(Boolean).join(' ').slice(0, 300);
}

/**
 * The payload, which is sealed, also names the request that caused the delivery. Kinds read only the keys that they
 * know.
 */
function withCause(payload: Json): Json {
  const cause = causeHere();
  return cause === undefined || payload === null || typeof payload !== 'object' || Array.isArray(payload)
    ? payload
    : { ...payload, cause };
}

function causeOf(payload: Json): string | undefined {
  const { cause } = (payload ?? {}) as { readonly cause?: Json };
  return typeof cause === 'string' ? cause : undefined;
}

/** The kinds that need nothing but these parts. */
export function everyKind(parts: OutboxParts): Readonly<Record<string, Kind>> {
  const syslog = syslogKind(parts.config, parts.database);
  return {
    mail: mailKind(parts.config, (payload) => mailIn(parts, payload)),
    ping: pingKind(parts),
    ...(syslog ? { syslog } : {}),
  };
}

// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export function makeOutbox(parts: OutboxParts, kinds: Readonly<Record<string, Kind>> = everyKind(parts)): Outbox {
  const { database, clock, log, sealing } = parts;
  const workerId = newId();
  const later = (seconds: number): string => toTimestamp(clock.now() + seconds * 1000);
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let again = false;
  let stopped = true;

  const fail = async ({ id, kind, attempts, createdAt }: DueDelivery, error: unknown): Promise<void> => {
    const rules = kinds[kind]!;
    const reason = deliveryFailureKind(error);
    const next = later(rules.retryAfterSeconds(attempts + 1));
    const end = toTimestamp(fromTimestamp(createdAt) + rules.giveUpAfterSeconds * 1000);
    log.warn({ kind, delivery: id, attempts: attempts + 1, reason, givenUp: next > end }, 'delivery failed');
    await database.write((trx) => (next > end ? markDead(trx, id, later(0), reason) : postpone(trx, id, next, reason)));
  };

  const deliver = async (due: DueDelivery): Promise<void> => {
    try {
      const payload = JSON.parse(sealing.open(due.payload)) as Json;
      const attributes = { 'svc.attempts': due.attempts + 1 };
      await tracedAlone(`deliver ${due.kind}`, { attributes, kind: 'delivery', cause: causeOf(payload) }, () =>
        kinds[due.kind]!.deliver(payload, due.id),
      );
    } catch (error) {
      await fail(due, error);
      return;
    }
    const { leavesNothing = false } = kinds[due.kind]!;
    await database.write((trx) =>
      leavesNothing ? dropDeliveries(trx, { ids: [due.id] }) : markSent(trx, due.id, later(0)),
    );
  };

  /** Deliveries in progress, by kind, so that slow mail servers do not delay pings, nor the other way round. */
  const busy = new Map<string, Set<Promise<void>>>(Object.keys(kinds).map((kind) => [kind, new Set()]));

  const begin = (due: DueDelivery, running: Set<Promise<void>>): void => {
    const delivery: Promise<void> = deliver(due)
      .catch((error: unknown) =>
        log.warn({ reason: deliveryFailureKind(error) }, 'the outcome of a delivery could not be written'),
      )
      .finally(() => {
        running.delete(delivery);
        wake();
      });
    running.add(delivery);
  };

  const round = async (): Promise<void> => {
    for (const [kind, running] of busy) {
      const { atOnce = AT_ONCE, inOrder = false } = kinds[kind]!;
      const limit = atOnce - running.size;
      const due =
        limit === 0
          ? []
          : await claimDue(database, {
              kind,
              inOrder,
              workerId,
              now: later(0),
              leaseUntil: later(LEASE_SECONDS),
              limit,
            });
      due.forEach((one) => begin(one, running));
    }
  };

  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        await round();
      } catch (error) {
        log.warn({ reason: deliveryFailureKind(error) }, 'the outbox could not be read');
      }
    } while (again && !stopped);
    looking = undefined;
  };

  const wake = (): void => {
    again = true;
    if (!stopped) {
      looking ??= untraced(run);
    }
  };

  return {
    add: async (trx, ...messages) => {
      await insertDeliveries(
        trx,
        messages.map(({ kind, subject, payload }) => {
          const id = newId();
          return {
            id,
            kind,
            subject: subject ?? id,
            payload: sealing.seal(JSON.stringify(withCause(payload))),
            createdAt: later(0),
          };
        }),
      );
      trx.onCommit(wake);
    },
    wake,
    start: () => {
      stopped = false;
      timer = setInterval(wake, ROUND);
      timer.unref();
      wake();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all([...busy.values()].flatMap((running) => [...running]));
    },
  };
}
