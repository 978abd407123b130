/**
 * nonces: a signed request is served once. Claims that come together share one statement that inserts what is new; when some
 * were there already, a second one asks whose they are. The unique index decides, also between processes.
 */
import { createHash } from 'node:crypto';
import { toTimestamp, type Clock } from '../base/clock';
import { inGroups } from '../base/groups';
import { newId } from '../base/ids';
import type { Database } from '../storage/database';
import { insertRows } from '../storage/insert-rows';

export type Nonce = {
  readonly consumerKey: string;
  readonly token: string | null;
  readonly timestamp: string;
  readonly nonce: string;
};

export type Nonces = {
  /** True for the first who claims it, false for everybody after. */
  readonly claim: (nonce: Nonce) => Promise<boolean>;
};

/** Longer than timestamps are accepted, in both directions. */
const KEPT_SECONDS = 900;
const GROUP = 500;

type Claim = { readonly hash: string; readonly id: string };

const hashOf = ({ consumerKey, token, timestamp, nonce }: Nonce): string =>
  createHash('sha256')
    .update(JSON.stringify([consumerKey, token, timestamp, nonce]))
    .digest('base64url');

/** @returns how many of them were new */
const insertClaims = ({ write, dialect }: Database, claims: readonly Claim[], expiresAt: string): Promise<number> => {
  const rows = claims.map(({ hash, id }) => ({ nonce_hash: hash, claim: id, expires_at: expiresAt }));
  // What the request does, or at least its audit row, is written after this.
  return write(
    (trx) => insertRows(trx, 'nonce', ['nonce_hash', 'claim', 'expires_at'], rows, dialect.insertIgnore),
    'ahead',
  );
};

const ownersOf = async ({ reads }: Database, claims: readonly Claim[]): Promise<ReadonlyMap<string, string>> => {
  const rows = (await reads('nonce')
    .whereIn(
      'nonce_hash',
      claims.map(({ hash }) => hash),
    )
    .select('nonce_hash', 'claim')) as { nonce_hash: string; claim: string }[];
  return new Map(rows.map((row) => [row.nonce_hash, row.claim]));
};

export const makeNonces = (database: Database, clock: Clock): Nonces => {
  // Claims are told apart by the process and a number: a random id for each would cost more than the claim.
  const claimant = newId().slice(-12);
  let claims = 0;

  const claimAll = inGroups(GROUP, async (group: readonly Claim[]): Promise<readonly boolean[]> => {
    // One order for all processes, so that two groups never wait for each other.
    const sorted = [...group].sort((a, b) => (a.hash < b.hash ? -1 : 1));
    const first = await insertClaims(database, sorted, toTimestamp(clock.now() + KEPT_SECONDS * 1000));
    const owners = first < group.length ? await ownersOf(database, sorted) : undefined;
    return group.map(({ hash, id }) => owners === undefined || owners.get(hash) === id);
  });

  return {
    claim: (nonce) => {
      claims += 1;
      return claimAll({ hash: hashOf(nonce), id: `${claimant} ${claims}` });
    },
  };
};
