/** devices: where a person is signed in, and signing out there. */
import { whySessionEnded } from '../../core/auth/session-life';
import { errors } from '../../core/base/errors';
import { sha256 } from '../../core/base/ids';
import type { Timestamp } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { HeldSession } from '../../core/tokens/browser-sessions-store';
import type { InAccount } from './find';
import * as browserSessionStore from '../../core/tokens/browser-sessions-store';

export type SessionView = {
  /** The id by which `account_session_end` finds the session. It is no secret. */
  readonly id: string;
  readonly appName: string;
  /** What the browser calls itself; null where an app holds the session. */
  readonly device: string | null;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp;
  /** When it ends, if the person keeps it on that device; else null. */ readonly keptUntil: Timestamp | null;
  /** Whether the session makes this call. */
  readonly here: boolean;
};

function sessionId({ tokenHash }: Pick<HeldSession, 'tokenHash'>): string {
  return sha256(`session ${tokenHash}`).slice(0, 24);
}

function ownHash({ principal }: Pick<Call, 'principal'>): string {
  return principal.kind === 'account' ? principal.sessionHash : '';
}

/** The sessions that have not ended: first the one that makes this call, then the others by their last use. */
export async function listSessions({ params, principal, services }: Call<InAccount>): Promise<readonly SessionView[]> {
  const { database, clock, config } = services;
  const own = ownHash({ principal });
  return (await browserSessionStore.heldSessions(database.reads, params.ACCOUNT_EMAIL))
    .filter((held) => whySessionEnded({ ...held, accountState: 'active' }, clock, config) === undefined)
    .map((held) => ({
      id: sessionId(held),
      appName: held.appName,
      device: held.device,
      createdAt: held.createdAt,
      lastUsedAt: held.lastUsedAt,
      keptUntil: held.kept === 1 ? held.expiresAt : null,
      here: held.tokenHash === own,
    }))
    .sort((a, b) => Number(b.here) - Number(a.here));
}

/**
 * Ends the session that the form names, or the one that makes this call. 404 for a session of another account or one
 * that has ended.
 */
export async function endOneSession({
  params,
  body,
  principal,
  services,
}: Call<InAccount, unknown, { session?: string }>): Promise<void> {
  const { database } = services;
  const held = await browserSessionStore.heldSessions(database.reads, params.ACCOUNT_EMAIL);
  const ended =
    body.session === undefined
      ? { tokenHash: ownHash({ principal }) }
      : held.find((session) => sessionId(session) === body.session);
  if (!ended) {
    throw errors.notFound('session');
  }
  await database.transaction((trx) => browserSessionStore.endSession(trx, ended.tokenHash));
}
