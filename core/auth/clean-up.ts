/** clean-up: deletes expired rows. A running service does this by itself, never inside a request. */
import type { Logger } from 'pino';
import { toTimestamp, type Clock } from '../base/clock';
import type { Database } from '../db/database';
import { noncesEnd } from './nonces';

const DAY = 86_400_000;

/**
 * The tables with expiring rows, by the name that an operator reads, with the column of their end. Some rows are kept
 * for a while longer.
 */
const expiring = {
  sessions: { table: 'session_token', column: 'expires_at' },
  'cookies of sessions': { table: 'browser_session', column: 'expires_at' },
  'forms that were used': { table: 'used_form', column: 'expires_at' },
  'challenges that passkeys answered': { table: 'used_challenge', column: 'expires_at' },
  'files that nobody added': { table: 'kept_file', column: 'expires_at' },
  'offers of records': { table: 'record_handover', column: 'expires_at' },
  'invitations to records': { table: 'record_invitation', column: 'expires_at' },
  'access tokens': { table: 'access_token', column: 'expires_at' },
  'tokens of apps that act by themselves': { table: 'system_token', column: 'expires_at' },
  'request tokens': { table: 'request_token', column: 'expires_at' },
  'questions of SMART apps': { table: 'smart_request', column: 'expires_at' },
  'grants to SMART apps': { table: 'smart_grant', column: 'expires_at' },
  'codes and refresh tokens': { table: 'smart_code', column: 'expires_at' },
  'used assertions': { table: 'smart_assertion', column: 'expires_at' },
  'health links that have ended': { table: 'health_link', column: 'expires_at', kept: 30 * DAY },
  'exports and their files': { table: 'export_part', column: 'expires_at' },
  'orders of exports': { table: 'export_job', column: 'expires_at' },
  nonces: { table: 'nonce', column: 'expires_at' },
  'counts of failed attempts': { table: 'failed_attempt', column: 'expires_at' },
  'sent mails and pings': { table: 'outbox', column: 'sent_at', kept: DAY },
  'mails and pings given up': { table: 'outbox', column: 'dead_at', kept: 30 * DAY },
  'expired subscriptions': { table: 'subscription', column: 'expires_at', kept: 30 * DAY },
} as const;

type CleanUpCounts = Readonly<Record<keyof typeof expiring, number>>;

const PART = 1000;

/** Deletes a limited number of rows per statement, so that no statement locks many rows for long. */
async function deleteBefore({ reads, write }: Database, table: string, column: string, end: string): Promise<number> {
  const key = {
    session_token: 'token_hash',
    browser_session: 'cookie_hash',
    used_form: 'form_hash',
    used_challenge: 'challenge_hash',
    kept_file: 'form_hash',
    record_handover: 'record_id',
    record_invitation: 'id',
    access_token: 'token_hash',
    system_token: 'token_hash',
    request_token: 'token_hash',
    smart_request: 'request_hash',
    smart_grant: 'grant_hash',
    smart_code: 'code_hash',
    smart_assertion: 'assertion_hash',
    health_link: 'id',
    export_part: 'seq',
    export_job: 'id',
    nonce: 'nonce_hash',
    failed_attempt: 'bucket',
    outbox: 'id',
    subscription: 'id',
  }[table]!;
  let deleted = 0;
  for (;;) {
    const keys = (await reads(table).where(column, '<', end).limit(PART).pluck(key)) as string[];
    if (keys.length === 0) {
      return deleted;
    }
    deleted += await write((trx) => trx(table).where(column, '<', end).whereIn(key, keys).delete());
  }
}

/** Deletes expired sessions, tokens, nonces and counts, and returns how many were deleted. */
export async function cleanUp(database: Database, clock: Clock): Promise<CleanUpCounts> {
  const counts: Record<string, number> = {};
  for (const [what, { table, column, ...rest }] of Object.entries(expiring)) {
    const end =
      table === 'nonce'
        ? await noncesEnd(database, clock)
        : toTimestamp(clock.now() - ('kept' in rest ? rest.kept : 0));
    counts[what] = await deleteBefore(database, table, column, end);
  }
  return counts as CleanUpCounts;
}

const EVERY = 60_000;

type CleanUpTimer = { readonly stop: () => Promise<void> };

/**
 * Cleans up once a minute until it is stopped. A failure is logged, and the next minute tries again.
 * @param also other work to do once a minute
 */
export function startCleanUp(
  { database, clock, log }: { readonly database: Database; readonly clock: Clock; readonly log: Logger },
  also: () => Promise<unknown>,
): CleanUpTimer {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => cleanUp(database, clock))
      .then(also)
      .catch((error: unknown) => {
        log.warn({ error: (error as Error).name, code: (error as { code?: string }).code }, 'clean-up failed');
      });
  }, EVERY);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
