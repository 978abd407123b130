/** overview: who can see what of a record, counted for the page of sharing. */
import type { InRecord } from '../../core/http/inputs';
import { openPlace, type Pages } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import { requireRecord } from '../../core/records/require';
import type { Id, PrincipalId } from '../../core/base/types';
import type { Services } from '../../core/services';
import type { ListPart } from '../../core/db/page';
import type { Autoshare, CarenetRow } from '../../core/sharing/store';
import {
  countPreferences,
  countShared,
  countTypes,
  firstMembers,
  listPreferencesOf,
  seekDecided,
  seekMembers,
  type Decided,
  type PreferenceCount,
  type SharedWith,
  type TypeCount,
} from '../../core/sharing/overview-store';
import * as principalStore from '../../core/accounts/principals-store';
import * as sharingStore from '../../core/sharing/store';

/** The page says so when there are more. */
const MOST_CARENETS = 100;

type CarenetOverview = {
  readonly id: Id;
  readonly name: string;
  readonly members: readonly SharedWith[];
  readonly memberCount: number;
  readonly memberPages: Pages;
  /** Types whose documents it contains, also later ones. */
  readonly types: readonly string[];
  /** All documents that it contains. */ readonly documents: number;
  /** How many of these were placed one by one and have a type that is not shared. */ readonly placed: number;
  /**
   * How many documents of the shared types it does not contain, because they were excluded one by one or have the flag
   * nevershare.
   */
  readonly keptOut: number;
};

export type SharingOverview = {
  readonly record: { readonly id: Id; readonly label: string };
  readonly owner: { readonly id: PrincipalId; readonly name: string } | null;
  /** True: the caller owns the record. */ readonly mine: boolean;
  /**
   * How many accounts besides the owner see the whole record (0 unless the caller owns it), and how many others see a
   * part of it.
   */
  readonly people: { readonly whole: number; readonly part: number };
  readonly carenets: readonly CarenetOverview[];
  /** True: the record has more carenets than are listed. */ readonly more: boolean;
  /** The types of the record's documents. */ readonly types: readonly TypeCount[];
  /** Types that have a format, whether or not the record has such documents. */ readonly formats: readonly string[];
  readonly decided: {
    readonly total: number;
    readonly pages: Pages;
    readonly documents: readonly (Decided & {
      readonly carenets: readonly { readonly name: string; readonly shared: boolean }[];
    })[];
  };
};

function sum<T>(list: readonly T[], count: (one: T) => number): number {
  return list.reduce((total, one) => total + count(one), 0);
}

/**
 * Counts by the rule of containment: first the flag nevershare, then the decision about one document, then its type.
 */
function countsOf(
  shared: readonly string[],
  types: readonly TypeCount[],
  preferences: readonly PreferenceCount[],
): Pick<CarenetOverview, 'documents' | 'placed' | 'keptOut'> {
  const ofShared = types.filter(({ type }) => shared.includes(type));
  const free = preferences.filter(({ nevershare }) => !nevershare);
  const placed = sum(
    free.filter((one) => one.shared && !shared.includes(one.type)),
    ({ count }) => count,
  );
  const takenOut = sum(
    free.filter((one) => !one.shared && shared.includes(one.type)),
    ({ count }) => count,
  );
  const keptOut = takenOut + sum(ofShared, ({ nevershare }) => nevershare);
  return { placed, keptOut, documents: placed + sum(ofShared, ({ count }) => count) - keptOut };
}

/** The part of `record_sharing` about types, without people and documents. */
export type SharedKinds = Pick<SharingOverview, 'types' | 'formats'> & {
  readonly carenets: readonly Pick<CarenetOverview, 'id' | 'name' | 'types'>[];
};

function formatsOf({ reader }: Services): readonly string[] {
  return reader.entries.all.map(({ type }) => type);
}

function typesIn(autoshares: readonly Autoshare[], id: Id): readonly string[] {
  return autoshares.filter(({ carenet }) => carenet.id === id).map(({ type }) => type);
}

export async function readKinds({ params, services }: Call<InRecord>): Promise<SharedKinds> {
  const { database } = services;
  const { reads } = database;
  const [carenets, autoshares, types] = await Promise.all([
    sharingStore.listCarenets(reads, params.RECORD_ID, { limit: MOST_CARENETS, offset: 0 }),
    sharingStore.listAutoshares(reads, params.RECORD_ID),
    countTypes(reads.long, params.RECORD_ID),
  ]);
  return {
    types,
    formats: formatsOf(services),
    carenets: carenets.map(({ id, name }) => ({ id, name, types: typesIn(autoshares, id) })),
  };
}

/**
 * `members` (of `carenet`), `decided`: the places where these lists begin; `limit`: how many entries of each are shown.
 */
export type SharingQuery = {
  readonly limit: number;
  readonly carenet?: string;
  readonly members?: string;
  readonly decided?: string;
};

/**
 * The members of each carenet. The list of `carenet` begins at the place `members`, all others at their first member.
 */
async function membersIn(services: Services, recordId: Id, { limit, carenet, members }: SharingQuery) {
  const { reads } = services.database;
  const opened = (id: Id) =>
    openPlace(services, `members ${id}`, { limit, place: id === carenet ? members : undefined });
  const [first, further] = await Promise.all([
    firstMembers(reads, recordId, limit),
    carenet !== undefined && opened(carenet).seek.place ? seekMembers(reads, carenet, opened(carenet).seek) : undefined,
  ]);
  return (id: Id): Pick<CarenetOverview, 'members' | 'memberCount' | 'memberPages'> => {
    const of = first.get(id);
    const part: ListPart<SharedWith> = (id === carenet ? further : undefined) ?? of ?? { rows: [], more: false };
    return { members: part.rows, memberCount: of?.total ?? 0, memberPages: opened(id).pagesOf(part) };
  };
}

/** What the page shows of one carenet, without its members. */
function carenetView(
  { id, name }: CarenetRow,
  autoshares: readonly Autoshare[],
  types: readonly TypeCount[],
  preferences: readonly PreferenceCount[],
) {
  const shared = typesIn(autoshares, id);
  const own = preferences.filter(({ carenetId }) => carenetId === id);
  return { id, name, types: shared, ...countsOf(shared, types, own) };
}

/** Who can see what of a record. Only the owner learns of full shares (specification 5.8). 404 for an unknown record. */
export async function readSharing({
  params,
  query,
  principal,
  services,
}: Call<InRecord, SharingQuery>): Promise<SharingOverview> {
  const { database } = services;
  const { reads } = database;
  const record = await requireRecord(services, params.RECORD_ID);
  const mine = principal.kind === 'account' && principal.accountId === record.ownerId;
  const ofDecided = openPlace(services, `decided ${record.id}`, { limit: query.limit, place: query.decided });
  const [owner, counts, carenets, members, autoshares, types, preferences, decided] = await Promise.all([
    record.ownerId === null ? undefined : principalStore.findPrincipal(reads, record.ownerId),
    countShared(reads.long, record.id, record.ownerId, mine),
    sharingStore.listCarenets(reads, record.id, { limit: MOST_CARENETS + 1, offset: 0 }),
    membersIn(services, record.id, query),
    sharingStore.listAutoshares(reads, record.id),
    countTypes(reads.long, record.id),
    countPreferences(reads.long, record.id),
    seekDecided(reads, record.id, ofDecided.seek),
  ]);
  const said = await listPreferencesOf(
    reads,
    decided.rows.map(({ lineageId }) => lineageId),
  );
  const nameOf = new Map(carenets.map(({ id, name }) => [id, name]));
  return {
    record: { id: record.id, label: record.label },
    owner: owner ? { id: owner.id, name: owner.name } : null,
    mine,
    people: { whole: counts.whole, part: counts.part },
    carenets: carenets
      .slice(0, MOST_CARENETS)
      .map((carenet) => ({ ...carenetView(carenet, autoshares, types, preferences), ...members(carenet.id) })),
    more: carenets.length > MOST_CARENETS,
    types,
    formats: formatsOf(services),
    decided: {
      total: counts.decided,
      pages: ofDecided.pagesOf(decided),
      documents: decided.rows.map(({ lineageId, ...document }) => ({
        ...document,
        carenets: said
          .filter((one) => one.lineageId === lineageId)
          .map(({ carenetId, shared }) => ({ name: nameOf.get(carenetId) ?? '', shared })),
      })),
    },
  };
}
