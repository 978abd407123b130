/**
 * nonces: makes sure that a signed request is served only once. Concurrent claims share one statement that inserts the
 * new ones. If some existed already, a second statement asks who claimed them. The unique index decides, also between
 * processes. When a clock goes back, nonces may be missing that were used a moment ago and have been deleted. Until it
 * is certain that none is missing, requests of that time are refused.
 */
import { createHash } from 'node:crypto';
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import { inGroups } from '../base/groups';
import { newId } from '../base/ids';
import type { Database } from '../db/database';
import { insertRows } from '../db/insert-rows';

export type Nonce = {
  readonly consumerKey: string;
  readonly token: string | null;
  readonly timestamp: string;
  readonly nonce: string;
};

export type Nonces = {
  /**
   * True for the first claim of a nonce; false for later claims, and for a nonce that may be one of the missing ones.
   */
  readonly claim: (nonce: Nonce) => Promise<boolean>;
};

/** How far the timestamp of a request may be from the service's time, in both directions. */
export const WINDOW_SECONDS = 300;

/** Nonces are kept for this time, which is longer than timestamps are accepted in both directions together. */
const KEPT_SECONDS = 900;
const GROUP = 500;
const AGAIN_MILLISECONDS = 1000;

/** A claim of a nonce; the timestamp is in milliseconds. */
type Claim = { readonly hash: string; readonly id: string; readonly timestamp: number };

function hashOf({ consumerKey, token, timestamp, nonce }: Nonce): string {
  return createHash('sha256')
    .update(JSON.stringify([consumerKey, token, timestamp, nonce]))
    .digest('base64url');
}

/** @returns how many of the claims were new */
function insertClaims({ write, dialect }: Database, claims: readonly Claim[], expiresAt: string): Promise<number> {
  const rows = claims.map(({ hash, id }) => ({ nonce_hash: hash, claim: id, expires_at: expiresAt }));
  // The change that the request makes, or at least its audit row, is written after this, and makes the claim durable.
  return write(
    (trx) => insertRows(trx, 'nonce', ['nonce_hash', 'claim', 'expires_at'], rows, dialect.insertIgnore),
    'ahead',
  );
}

async function ownersOf({ reads }: Database, claims: readonly Claim[]): Promise<ReadonlyMap<string, string>> {
  const rows = (await reads('nonce')
    .whereIn(
      'nonce_hash',
      claims.map(({ hash }) => hash),
    )
    .select('nonce_hash', 'claim')) as { nonce_hash: string; claim: string }[];
  return new Map(rows.map((row) => [row.nonce_hash, row.claim]));
}

/** The times of the first and the last claim that are stored, in milliseconds. */
type Span = { readonly first: number; readonly last: number };

function claimedAt(expiresAt: string): number {
  return fromTimestamp(expiresAt) - KEPT_SECONDS * 1000;
}

async function nonceSpan({ reads }: Database): Promise<Span | undefined> {
  const [row] = (await reads.select({
    first_at: reads('nonce').min('expires_at'),
    last_at: reads('nonce').max('expires_at'),
  })) as { first_at: string | null; last_at: string | null }[];
  return row?.first_at && row.last_at ? { first: claimedAt(row.first_at), last: claimedAt(row.last_at) } : undefined;
}

/**
 * The time up to which the timestamp of a request may belong to a missing nonce; 0 when none is missing. While a clock
 * was ahead, nonces may have been deleted that matter again once it goes back: all that were claimed before the first
 * one still stored.
 */
function lostUntil(span: Span | undefined, now: number): number {
  return span !== undefined && span.last - WINDOW_SECONDS * 1000 > now ? span.first + WINDOW_SECONDS * 1000 : 0;
}

/**
 * Nonces that expire before this time may be deleted. It is counted from the latest claim and not from the clock, which
 * may be ahead for a moment. Claims that a clock made while it was ahead are ignored once it has been corrected.
 */
export async function noncesEnd({ reads }: Pick<Database, 'reads'>, clock: Clock): Promise<string> {
  const latest = (await reads('nonce')
    .where('expires_at', '<=', toTimestamp(clock.now() + (KEPT_SECONDS + 2 * WINDOW_SECONDS) * 1000))
    .max({ at: 'expires_at' })
    .first()) as { at: string | null } | undefined;
  return latest?.at ? toTimestamp(claimedAt(latest.at)) : '';
}

export function makeNonces(database: Database, clock: Clock): Nonces {
  // Claims are identified by the process and a number: a random id for each would cost more than the claim.
  const claimant = newId().slice(-12);
  let claims = 0;
  let span: Span | undefined;
  let readAt = { clock: -Infinity, runtime: -Infinity };

  /** The result of `lostUntil`. The span is read once a second, and whenever the clock has gone back or far ahead. */
  const lostUntilNow = async (): Promise<number> => {
    const at = { clock: clock.now(), runtime: performance.now() };
    const passed = at.clock - readAt.clock;
    if (passed < 0 || passed > AGAIN_MILLISECONDS || at.runtime - readAt.runtime > AGAIN_MILLISECONDS) {
      span = await nonceSpan(database);
      readAt = at;
    }
    return lostUntil(span, at.clock);
  };

  const claimAll = inGroups(GROUP, async (group: readonly Claim[]): Promise<readonly boolean[]> => {
    const lost = await lostUntilNow();
    // All processes insert in the same order, so that two groups never wait for each other.
    const sorted = [...group].sort((a, b) => (a.hash < b.hash ? -1 : 1));
    const first = await insertClaims(database, sorted, toTimestamp(clock.now() + KEPT_SECONDS * 1000));
    const owners = first < group.length ? await ownersOf(database, sorted) : undefined;
    return group.map(
      ({ hash, id, timestamp }) => timestamp > lost && (owners === undefined || owners.get(hash) === id),
    );
  });

  const claimOf = (nonce: Nonce): Claim => {
    claims += 1;
    return { hash: hashOf(nonce), id: `${claimant} ${claims}`, timestamp: Number(nonce.timestamp) * 1000 };
  };

  return { claim: (nonce) => claimAll(claimOf(nonce)) };
}
