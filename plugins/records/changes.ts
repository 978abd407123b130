/** changes: what is new in a record for a person: what others added, and who looked, since they last said "seen". */
import { WEBSITE_APP } from '../../core/apps/website-app';
import { effectiveId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import type { Id, Timestamp } from '../../core/base/types';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { changeRecord, requireRecord } from '../../core/records/require';
import { findChanges, keepSeen, type Looker } from '../../core/documents/changes-store';

export type Changes = {
  /** When the person said so; null: not within the time that counts. */ readonly seenAt: Timestamp | null;
  /** Documents that others added, the newest first. */ readonly addedIds: readonly Id[];
  /** Whether there are more of them. */ readonly more: boolean;
  /** Other people who looked, the latest first. */ readonly lookers: readonly Looker[];
  /** What the person says "seen" of: everything until this time. */ readonly until: Timestamp;
  /** The newest documents, whoever added them. */ readonly newestIds: readonly Id[];
  /** How many documents there are. */ readonly total: number;
};

/** What is older is no news any more. */
const DAYS = 90;
const DAY_MILLISECONDS = 86_400_000;
const MOST_ADDED = 40;
/** More than are shown: readings of one day stand for each other. */
const MOST_NEWEST = 12;
const MOST_LOOKERS = 3;

export async function readChanges({ params, principal, services }: Call<InRecord>): Promise<Changes> {
  const record = await requireRecord(services, params.RECORD_ID);
  const now = services.clock.now();
  const first = toTimestamp(now - DAYS * DAY_MILLISECONDS);
  const { seenAt, added, newest, total, lookers } = await findChanges(services.database.reads.long, {
    recordId: record.id,
    accountId: effectiveId(principal)!,
    appId: WEBSITE_APP,
    first,
    mostAdded: MOST_ADDED + 1,
    mostNewest: MOST_NEWEST,
    mostLookers: MOST_LOOKERS,
    except: record.demographicsLineageId,
  });
  return {
    seenAt: seenAt !== undefined && seenAt > first ? seenAt : null,
    addedIds: added.slice(0, MOST_ADDED),
    more: added.length > MOST_ADDED,
    lookers,
    until: toTimestamp(now),
    newestIds: newest,
    total,
  };
}

export type SeenUntil = { readonly until: Timestamp };

/** A time to come counts as now, so that nothing is ticked off before it was there. */
export async function seeChanges({ params, principal, body, services }: Call<InRecord, unknown, SeenUntil>) {
  const now = toTimestamp(services.clock.now());
  const at = body.until < now ? body.until : now;
  await changeRecord(services, params.RECORD_ID, (trx) => keepSeen(trx, params.RECORD_ID, effectiveId(principal)!, at));
}
