/** tokens: makes new tokens and their secrets. Only hashes and sealed secrets are stored (specification 3.6). */
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import { newToken, sha256 } from '../base/ids';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Transaction } from '../db/database';
import { insertAccessToken, type AccessTokenKind, type Standing } from '../tokens/store';
import type { Sealing } from './sealing';

/** A token and its secret in clear, which only the first answer contains. */
type TokenPair = { readonly token: string; readonly secret: string };

/** A new pair, and the columns under which it is stored. */
export function newTokenPair(sealing: Sealing): {
  readonly pair: TokenPair;
  readonly stored: { readonly tokenHash: string; readonly secret: string };
} {
  const pair = { token: newToken(), secret: newToken() };
  return { pair, stored: { tokenHash: sha256(pair.token), secret: sealing.seal(pair.secret) } };
}

type Grant = {
  readonly kind: AccessTokenKind;
  readonly appId: PrincipalId;
  /** Null when the app acts for itself. */
  readonly accountId: PrincipalId | null;
  /** The token's record; for a carenet token, the record to which the carenet belongs. */
  readonly recordId: Id;
  readonly carenetId: Id | null;
  readonly seconds: number;
};

export type AccessToken = TokenPair & { readonly expiresAt: Timestamp };

/** Issues an access token. The caller must have checked that this is allowed. */
export async function issueAccessToken(
  { sealing, clock }: { readonly sealing: Sealing; readonly clock: Clock },
  trx: Transaction,
  { seconds, ...grant }: Grant,
): Promise<AccessToken> {
  const { pair, stored } = newTokenPair(sealing);
  const expiresAt = toTimestamp(clock.now() + seconds * 1000);
  await insertAccessToken(trx, { ...grant, ...stored, createdAt: toTimestamp(clock.now()), expiresAt });
  return { ...pair, expiresAt };
}

/** The reason why an access token is no longer valid, for the log; undefined while it is valid. */
export function whyEnded(access: NonNullable<Standing['access']>, clock: Clock): string | undefined {
  if (fromTimestamp(access.expiresAt) <= clock.now()) {
    return 'the access token has expired';
  }
  if (!access.appEnabled) {
    return 'the app is no longer enabled there';
  }
  return access.accountId !== null && (access.accountState !== 'active' || !access.accountAdmitted)
    ? 'the account of the token has lost its access'
    : undefined;
}
