/** people: who sees a record, person by person, and what each of them sees by a carenet of their own. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { effectiveId } from '../../core/auth/principal';
import { groupedBy } from '../../core/base/grouped-by';
import type { Id, PrincipalId, Timestamp } from '../../core/base/types';
import { ownZone } from '../../core/apps/own-zone';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { addInvitation, type Told } from '../../core/outbox/invitations';
import {
  endOfDay,
  endSharing,
  lastDayOf,
  requireKinds,
  shareWithPerson,
  type OwnDocuments,
} from '../../core/records/own-circle';
import { changeRecord, requireAccountState, requireGuest, requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import { listWithKinds } from '../../core/sharing/kinds-store';
import { listWays, type Way } from '../../core/sharing/own-circles-store';
import type { RecordRow } from '../../core/records/store';

/** More people than these are not listed, and the page says so. */
const MOST_PEOPLE = 100;
/** A person is in a few carenets at most; the rest of the people is left out rather than one of these. */
const MOST_WAYS = 1000;

type SeenCircle = {
  readonly id: Id;
  readonly name: string;
  /** True: it is the person's own. */ readonly own: boolean;
  /** Names of the kinds of facts that it was given. */ readonly kinds: readonly string[];
  /** The last day, in the time zone of the record's owner; empty: it has none. */ readonly lastDay: string;
};

type SeeingPerson = {
  readonly id: PrincipalId;
  readonly name: string;
  readonly since: Timestamp;
  /** True: the person has a full share. Only the owner is told. */ readonly whole: boolean;
  readonly circles: readonly SeenCircle[];
};

export type SeeingPeople = {
  readonly people: readonly SeeingPerson[];
  /** Carenet -> names of the kinds of facts that it was given. */
  readonly given: ReadonlyMap<Id, readonly string[]>;
  readonly more: boolean;
  /** Carenets that are one person's own, and hold nobody else. */ readonly ownCircles: readonly Id[];
};

function isOwner({ principal }: Pick<Call, 'principal'>, { ownerId }: RecordRow): boolean {
  return principal.kind === 'account' && principal.accountId === ownerId;
}

async function zoneOf(services: Services, { ownerId }: RecordRow): Promise<string> {
  return (ownerId === null ? undefined : await ownZone(services, ownerId)) ?? 'UTC';
}

type Circles = ReadonlyMap<Id, Pick<SeenCircle, 'name' | 'kinds'>>;

function makeSeeingPerson(ways: readonly Way[], circles: Circles, zone: string): SeeingPerson {
  return {
    id: ways[0]!.accountId,
    name: ways[0]!.name,
    since: ways.map(({ since }) => since).sort()[0]!,
    whole: ways.some(({ carenetId }) => carenetId === null),
    circles: ways.flatMap(({ carenetId, own, endsAt }): readonly SeenCircle[] => {
      const circle = carenetId === null ? undefined : circles.get(carenetId);
      const lastDay = endsAt === null ? '' : lastDayOf(endsAt, zone);
      return carenetId !== null && circle ? [{ id: carenetId, ...circle, own, lastDay }] : [];
    }),
  };
}

type Asked = { readonly account?: string };

/** Who sees the record besides its owner. For other callers than the owner, full shares are left out. */
export async function listPeople(call: Call<InRecord, Asked>): Promise<SeeingPeople> {
  const { params, query, services } = call;
  const { reads } = services.database;
  const record = await requireRecord(services, params.RECORD_ID);
  const now = services.clock.now();
  const looked = { recordId: record.id, withShares: isOwner(call, record), now: toTimestamp(now), limit: MOST_WAYS };
  const [ways, circles] = await Promise.all([
    listWays(reads, { ...looked, ...(query.account ? { accountId: query.account } : {}) }),
    listWithKinds(reads, record.id),
  ]);
  const zone = ways.some(({ endsAt }) => endsAt !== null) ? await zoneOf(services, record) : 'UTC';
  const { kinds } = services.models();
  const named = circles.map(({ id, name, kinds: given }) => {
    return [id, { name, kinds: given.flatMap((kind) => kinds.find(kind.name)?.name ?? []) }] as const;
  });
  const people = [...groupedBy(ways, ({ accountId }) => accountId).values()].map((own) =>
    makeSeeingPerson(own, new Map(named), zone),
  );
  return {
    people: people.slice(0, MOST_PEOPLE),
    more: people.length > MOST_PEOPLE || ways.length === MOST_WAYS,
    given: new Map(named.map(([id, circle]) => [id, circle.kinds])),
    ownCircles: [...groupedBy(ways, ({ carenetId }) => carenetId ?? '').values()].flatMap(([way, other]) =>
      way?.own && way.carenetId !== null && !other ? [way.carenetId] : [],
    ),
  };
}

export type PersonShare = {
  readonly kinds: readonly string[];
  readonly documents: OwnDocuments;
  readonly last_day: string;
  /** Whether it is for somebody only who sees the record already. */ readonly seeing: boolean;
};

type InPerson = InRecord & { readonly ACCOUNT_ID: string };

/**
 * Says what a person sees of the record by a carenet of their own, which is made if there is none. 400 for the owner, an
 * unknown kind, and a last day that is over; 404 for an unknown account, and with `seeing` for one who sees nothing.
 */
export async function sharePerson(call: Call<InPerson, unknown, PersonShare>): Promise<Told> {
  const { params, body, principal, services } = call;
  const { clock, outbox } = services;
  const record = await requireRecord(services, params.RECORD_ID);
  const [accountId, now] = [params.ACCOUNT_ID, clock.now()];
  const endsAt = body.last_day === '' ? null : endOfDay(body.last_day, await zoneOf(services, record), now);
  if (body.seeing) {
    const looked = {
      recordId: record.id,
      accountId,
      withShares: isOwner(call, record),
      now: toTimestamp(now),
      limit: 1,
    };
    if ((await listWays(services.database.reads, looked)).length === 0) {
      throw errors.notFound('person');
    }
  }
  await requireGuest(services, accountId);
  if (record.ownerId === accountId) {
    throw errors.invalidParameter('account_id', 'the owner sees the whole record');
  }
  requireKinds(services, body.kinds);
  return changeRecord(
    services,
    record.id,
    async (trx) => {
      const { kinds, documents } = body;
      const at = toTimestamp(now);
      const own = await shareWithPerson(services, trx, {
        recordId: record.id,
        accountId,
        kinds,
        documents,
        endsAt,
        at,
      });
      if (own.isNew) {
        const link = `${uiBaseUrl(services)}/carenets/${own.id}/`;
        const from = effectiveId(principal) ?? '';
        await addInvitation(outbox, trx, { from, to: accountId, given: { carenetId: own.id }, at, link });
      }
      return { told: own.isNew };
    },
    { ends: true },
  );
}

/**
 * Ends every way by which a person sees the record. A full share ends if the owner asks; others are not told of it. It is no error for
 * the owner when there was none. 404 for an unknown account, and for others for somebody who does not see the record.
 */
export async function endPerson(call: Call<InPerson>): Promise<void> {
  const { params, services } = call;
  const record = await requireRecord(services, params.RECORD_ID);
  await requireAccountState(services, params.ACCOUNT_ID);
  if (params.ACCOUNT_ID === record.ownerId) {
    throw errors.notFound('person');
  }
  const at = toTimestamp(services.clock.now());
  const { ended } = await changeRecord(
    services,
    record.id,
    (trx) => endSharing(trx, { recordId: record.id, accountId: params.ACCOUNT_ID, at }, isOwner(call, record)),
    { ends: true },
  );
  if (!ended && !isOwner(call, record)) {
    throw errors.notFound('person');
  }
}
