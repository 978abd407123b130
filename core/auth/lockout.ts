/**
 * lockout: refuses the password of an account for a while after failed log-ins. The state of the account is `disabled`
 * then, but its sessions and tokens stay valid. They end only when an admin app sets `disabled`.
 */
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import type { PrincipalId } from '../base/types';
import type { Config } from '../config/schema';
import type { Database, Transaction } from '../db/database';
import { findLockedSince, isLocked, lockAccount, updateAccount, type LockState } from '../accounts/store';

type Rules = { readonly clock: Clock; readonly config: Pick<Config, 'lockoutFailures' | 'lockoutSeconds'> };
type Parts = Rules & { readonly database: Database };

/** Whether the lock-out is over; with a delay of 0 it never ends by itself. */
export function isLockoutOver(account: LockState, { clock, config }: Rules): boolean {
  return (
    isLocked(account) &&
    config.lockoutSeconds > 0 &&
    fromTimestamp(account.lastFailedLoginAt!) + config.lockoutSeconds * 1000 <= clock.now()
  );
}

/** The columns that change when a lock-out ends. */
export function unlocked(clock: Clock) {
  return {
    state: 'active' as const,
    lastStateChange: toTimestamp(clock.now()),
    failedLoginCount: 0,
    lastFailedLoginAt: null,
  };
}

/**
 * Counts a wrong password or secret of an active account; the last one allowed locks it.
 * @param accountId empty for an unknown account; the same statements run
 */
export async function countFailedLogin(trx: Transaction, rules: Rules, accountId: PrincipalId): Promise<void> {
  const account = await lockAccount(trx, accountId);
  const over = account !== undefined && isLockoutOver(account, rules);
  const counts = account?.state === 'active' || over;
  const now = toTimestamp(rules.clock.now());
  const failedLoginCount = (over ? 0 : (account?.failedLoginCount ?? 0)) + 1;
  const locks = failedLoginCount >= rules.config.lockoutFailures;
  // For an unknown account the same statement changes no row.
  await updateAccount(trx, counts ? accountId : '', {
    ...(over ? unlocked(rules.clock) : {}),
    failedLoginCount,
    lastFailedLoginAt: now,
    ...(locks ? { state: 'disabled' as const, lastStateChange: now } : {}),
  });
}

/** Makes an account active again if its lock-out is over. */
function endLockout({ database, ...rules }: Parts, accountId: PrincipalId): Promise<void> {
  return database.transaction(async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (account && isLockoutOver(account, rules)) {
      await updateAccount(trx, accountId, unlocked(rules.clock));
    }
  });
}

/**
 * Ends the lock-outs that are over, once a minute, so that the states of accounts are right even when nobody signs in.
 */
export async function endLockouts(parts: Parts): Promise<void> {
  const { database, clock, config } = parts;
  if (config.lockoutSeconds > 0) {
    for (const id of await findLockedSince(database.reads, toTimestamp(clock.now() - config.lockoutSeconds * 1000))) {
      await endLockout(parts, id);
    }
  }
}
