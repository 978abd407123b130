/** session-life: decides how long a session lives, whether an app or a browser holds it. */
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import type { AccountState, Timestamp } from '../base/types';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { touchSession } from '../tokens/store';

type SessionTimes = {
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** 1: the person keeps it on this device, so only its age ends it. */ readonly kept?: number | null;
};

type Limits = Pick<Config, 'sessionIdleSeconds'>;

/** The reason why a session has ended; undefined while it is valid. */
export function whySessionEnded(
  { lastUsedAt, expiresAt, kept, accountState }: SessionTimes & { readonly accountState: AccountState },
  clock: Clock,
  { sessionIdleSeconds }: Limits,
): string | undefined {
  const now = clock.now();
  const idle = kept !== 1 && fromTimestamp(lastUsedAt) + sessionIdleSeconds * 1000 <= now;
  if (fromTimestamp(expiresAt) <= now || idle) {
    return 'the session has expired';
  }
  return accountState === 'active' ? undefined : 'the account is not active';
}

const TOUCH_SECONDS = 60;

/** Stores that a session was used, at most once a minute. While another process locks the database, this is put off. */
export async function keepSessionAlive(
  { lastUsedAt }: SessionTimes,
  tokenHash: string,
  { database, clock, config }: { readonly database: Database; readonly clock: Clock; readonly config: Limits },
): Promise<void> {
  const step = Math.min(TOUCH_SECONDS, config.sessionIdleSeconds / 10) * 1000;
  if (clock.now() - fromTimestamp(lastUsedAt) > step) {
    await database.write((trx) => touchSession(trx, tokenHash, toTimestamp(clock.now())));
  }
}
