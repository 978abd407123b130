/**
 * own-circle: what one person sees of a record. Their kinds of facts and their documents are a carenet of their own, made
 * and kept for them, so that every rule about carenets holds for a person. Their membership in it may have a last day, which
 * is read where rights are looked up: it needs no sweep.
 */
import { fromTimestamp, toTimestamp } from '../base/clock';
import type { Principal } from '../auth/principal';
import { errors } from '../base/errors';
import { momentOf, offsetAt } from '../base/time-zones';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Transaction } from '../db/database';
import type { Services } from '../services';
import * as principalStore from '../accounts/principals-store';
import * as kindStore from '../sharing/kinds-store';
import * as ownStore from '../sharing/own-circles-store';
import * as sharingStore from '../sharing/store';
import { requireSeen } from './seen';
import { lockRecord } from './store';

const DAY = 86_400_000;

/**
 * The end of a day in a time zone.
 * @throws AppError invalid_parameter for what is no day, and for one that is over
 */
export function endOfDay(day: string, zone: string, now: number): Timestamp {
  const begin = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(begin) || new Date(begin).toISOString().slice(0, 10) !== day) {
    throw errors.invalidParameter('last_day', 'it must be a day');
  }
  const end = momentOf(zone, begin + DAY);
  if (end <= now) {
    throw errors.invalidParameter('last_day', 'the day is over');
  }
  return toTimestamp(end);
}

/** The last day of what ends at this moment. */
export function lastDayOf(endsAt: Timestamp, zone: string): string {
  const last = fromTimestamp(endsAt) - 1;
  return new Date(last + offsetAt(zone, last)).toISOString().slice(0, 10);
}

/** None, those that were chosen one by one or by kind, or all, later ones too; `kept`: as it was. */
export type OwnDocuments = 'none' | 'these' | 'all' | 'kept';

type Wanted = {
  readonly recordId: Id;
  readonly accountId: PrincipalId;
  /** Names of kinds. */ readonly kinds: readonly string[];
  readonly at: Timestamp;
};

/** @throws AppError invalid_parameter for a kind that the installation does not have */
export function requireKinds(
  { models }: Pick<Services, 'models'>,
  names: readonly string[],
): readonly kindStore.GivenKind[] {
  const { kinds } = models();
  return [...new Set(names)].map((name) => {
    const kind = kinds.find(name);
    if (!kind) {
      throw errors.invalidParameter('kinds', 'it must name kinds of facts');
    }
    return { name, ...(kind.tests ? { tests: kind.tests } : {}) };
  });
}

/**
 * The person's own carenet, if they are in it. One in which they no longer are is left to those who are in it, or removed:
 * whoever is let in again sees what is chosen now, and nothing that was chosen before.
 */
async function findCurrentCircle(
  trx: Transaction,
  { recordId, accountId, at }: Omit<Wanted, 'kinds'>,
): Promise<Id | undefined> {
  const found = await ownStore.findOwnCircle(trx, recordId, accountId);
  if (found === undefined || (await sharingStore.findMember(trx, found, accountId, at)) !== undefined) {
    return found;
  }
  if (await ownStore.hasMembers(trx, found, at)) {
    await ownStore.dropPersonOf(trx, found);
  } else {
    await sharingStore.deleteCarenet(trx, found);
  }
  return undefined;
}

/**
 * Finds or makes the person's own carenet with the person in it, and gives it kinds beside those that it has. The record
 * must be locked.
 * @returns the carenet; `isNew`: whether the person was not in it before
 */
export async function openOwnCircle(
  services: Pick<Services, 'models'>,
  trx: Transaction,
  { recordId, accountId, kinds, at }: Wanted,
): Promise<{ readonly id: Id; readonly isNew: boolean }> {
  const found = await findCurrentCircle(trx, { recordId, accountId, at });
  const isNew = found === undefined;
  const name = isNew ? ((await principalStore.findPrincipal(trx, accountId))?.name ?? '') : '';
  const id = found ?? (await ownStore.insertOwnCircle(trx, { recordId, accountId, name }, at));
  if (isNew) {
    await sharingStore.putMember(trx, id, accountId, false, at);
  }
  const before = new Set(isNew ? [] : (await kindStore.listKinds(trx, id)).map((kind) => kind.name));
  // One that was given before keeps the tests that it had then.
  await kindStore.putKinds(
    trx,
    id,
    requireKinds(services, kinds).filter((kind) => !before.has(kind.name)),
    at,
  );
  return { id, isNew };
}

/** Whether the carenet gets every type of documents that the record has and that can be added. */
function holdsAllTypes(shared: readonly string[], types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => shared.includes(type));
}

async function setDocuments(
  { reader }: Pick<Services, 'reader'>,
  trx: Transaction,
  {
    id,
    isNew,
    recordId,
    documents,
    at,
  }: { id: Id; isNew: boolean; recordId: Id; documents: OwnDocuments; at: Timestamp },
): Promise<void> {
  if (documents === 'kept' || (isNew && documents !== 'all')) {
    return;
  }
  const shared = isNew ? [] : await ownStore.listTypes(trx, id);
  const formats = reader.entries.all.map(({ type }) => type);
  const types = [...new Set([...formats, ...(await ownStore.listRecordTypes(trx, recordId))])];
  if (documents === 'all') {
    await sharingStore.putAutoshares(trx, id, types, at);
    return;
  }
  if (shared.length > 0 && (documents === 'none' || holdsAllTypes(shared, types))) {
    await sharingStore.deleteAutoshares(trx, id, shared);
  }
  if (documents === 'none') {
    await ownStore.deletePlacements(trx, id);
  }
}

/**
 * Says what a person sees: exactly these kinds and documents, until the end of a day. The record must be locked.
 * @returns the carenet; `isNew`: whether the person was not in it before
 */
export async function shareWithPerson(
  services: Pick<Services, 'models' | 'reader'>,
  trx: Transaction,
  wanted: Wanted & { readonly documents: OwnDocuments; readonly endsAt: Timestamp | null },
): Promise<{ readonly id: Id; readonly isNew: boolean }> {
  const { recordId, accountId, kinds, documents, endsAt, at } = wanted;
  const own = await openOwnCircle(services, trx, wanted);
  if (!own.isNew) {
    await kindStore.deleteOtherKinds(trx, own.id, kinds);
  }
  await setDocuments(services, trx, { ...own, recordId, documents, at });
  if (!own.isNew || endsAt !== null) {
    await ownStore.setEnd(trx, own.id, accountId, endsAt);
  }
  return own;
}

/** Ends a membership. A carenet that was the person's own and holds nobody else is gone with it. */
async function endMembership(
  trx: Transaction,
  { recordId, carenetId, accountId }: ownStore.Ended,
  ownCircles: readonly Id[],
): Promise<void> {
  if (ownCircles.includes(carenetId)) {
    await sharingStore.deleteCarenet(trx, carenetId);
  }
  await sharingStore.deleteMember(trx, { id: carenetId, recordId }, accountId);
}

/**
 * Ends every way by which a person sees a record, and what they gave to apps and made as links. The record must be locked.
 * @param withShare false: a full share stays
 */
export async function endSharing(
  trx: Transaction,
  { recordId, accountId, at }: Pick<Wanted, 'recordId' | 'accountId' | 'at'>,
  withShare: boolean,
): Promise<{ readonly ended: boolean }> {
  const looked = { recordId, accountId, now: at, withShares: withShare, limit: 1000 };
  const ways = await ownStore.listWays(trx, looked);
  if (withShare) {
    await sharingStore.deleteShares(trx, recordId, accountId);
  }
  const ownCircles = await ownStore.listOwnCircles(trx, recordId);
  const gone = ownCircles.filter((id) => ways.some(({ carenetId }) => carenetId === id));
  for (const id of gone) {
    await sharingStore.deleteCarenet(trx, id);
  }
  await ownStore.deleteMemberships(trx, recordId, accountId);
  await ownStore.deleteComing(trx, recordId, accountId);
  await sharingStore.deleteTokensWithoutControl(trx, recordId, accountId);
  return { ended: ways.length > 0 };
}

/** As many ended memberships are removed at once. */
const SWEPT = 200;

/** Removes memberships whose last day is over. They have not counted since then. */
export async function sweepMemberships({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<void> {
  const now = toTimestamp(clock.now());
  for (const ended of await ownStore.listEnded(database.reads, now, SWEPT)) {
    await database.transaction(async (trx) => {
      // The owner may have chosen another day since.
      if ((await lockRecord(trx, ended.recordId, true)) && (await ownStore.isEnded(trx, ended, now))) {
        await endMembership(trx, ended, await ownStore.listOwnCircles(trx, ended.recordId));
      }
    });
  }
}

/** `person`: whose own the carenet is; null: several people share it. */
export type LookedAtAs = {
  readonly recordId: Id;
  readonly person: { readonly id: PrincipalId; readonly name: string } | null;
};

/** Null for everybody but the owner: to others the carenet is what they see of the record. */
export async function lookedAtAs(
  services: Pick<Services, 'database' | 'models' | 'once'>,
  principal: Principal,
  { recordId, carenetId, ownerId }: { recordId: Id; carenetId: Id; ownerId: PrincipalId | null },
): Promise<LookedAtAs | null> {
  return principal.kind === 'account' && principal.accountId === ownerId
    ? { recordId, person: (await requireSeen(services, carenetId)).carenet.person }
    : null;
}
