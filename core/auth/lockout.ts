/** lockout: accounts that are disabled for a while after failed log-ins. */
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import type { PrincipalId } from '../base/types';
import type { Config } from '../config/schema';
import type { Database } from '../storage/database';
import { findLockedSince, lockAccount, updateAccount, type AccountRow } from '../storage/stores/accounts';
import { endSessions } from '../storage/stores/tokens';

type Parts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Pick<Config, 'lockoutFailures' | 'lockoutSeconds'>;
};

/** Counts a wrong password or secret of an active account; the last one allowed disables it. */
export const countFailedLogin = ({ database, clock, config }: Parts, accountId: PrincipalId): Promise<void> =>
  database.transaction(async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (account?.state !== 'active') {
      return;
    }
    const now = toTimestamp(clock.now());
    const failedLoginCount = account.failedLoginCount + 1;
    const locked = failedLoginCount >= config.lockoutFailures;
    await updateAccount(trx, accountId, {
      failedLoginCount,
      lastFailedLoginAt: now,
      ...(locked ? { state: 'disabled' as const, lastStateChange: now } : {}),
    });
    if (locked) {
      await endSessions(trx, accountId);
    }
  });

/** Disabled by its last failed log-in, not by an admin app, and long enough ago; without a delay it stays so. */
const isOver = ({ state, lastStateChange, lastFailedLoginAt }: AccountRow, { clock, config }: Parts): boolean =>
  state === 'disabled' &&
  lastFailedLoginAt !== null &&
  lastFailedLoginAt === lastStateChange &&
  config.lockoutSeconds > 0 &&
  fromTimestamp(lastFailedLoginAt) + config.lockoutSeconds * 1000 <= clock.now();

/** Makes an account active again whose lock-out is over; called when somebody tries to sign in, who must not wait for `endLockouts`. */
export const endLockout = (parts: Parts, accountId: PrincipalId): Promise<void> =>
  parts.database.transaction(async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (account && isOver(account, parts)) {
      await updateAccount(trx, accountId, {
        state: 'active',
        lastStateChange: toTimestamp(parts.clock.now()),
        failedLoginCount: 0,
        lastFailedLoginAt: null,
      });
    }
  });

/** The same for all accounts, within a minute: the apps of somebody who was locked out work again although nobody signs in. */
export const endLockouts = async (parts: Parts): Promise<void> => {
  const { database, clock, config } = parts;
  if (config.lockoutSeconds > 0) {
    for (const id of await findLockedSince(database.knex, toTimestamp(clock.now() - config.lockoutSeconds * 1000))) {
      await endLockout(parts, id);
    }
  }
};
