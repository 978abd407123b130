/** overview: who can see what of a record, for a page that says it in sentences. */
import { pageOf } from '../../core/http/page';
import type { InRecord, Page } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { requireRecord } from '../../core/records/require';
import type { Id, PrincipalId } from '../../core/base/types';
import type { Services } from '../../core/services';
import type { Autoshare, CarenetRow } from '../../core/storage/stores/sharing';
import {
  countDecided,
  countPreferences,
  countTypes,
  listAllMembers,
  listDecided,
  listPreferencesOf,
  listSharers,
  type Decided,
  type PreferenceCount,
  type SharedWith,
  type TypeCount,
} from '../../core/storage/stores/sharing-overview';

/** More people than a page names; the page says so. */
const MOST_PEOPLE = 500;
const MOST_CARENETS = 100;

export type CarenetOverview = {
  readonly id: Id;
  readonly name: string;
  readonly members: readonly SharedWith[];
  /** Types of which every document lies in it, also those that come later. */
  readonly types: readonly string[];
  /** All documents that it contains. */ readonly documents: number;
  /** Of these, documents that were put there one by one and whose type is not shared. */ readonly placed: number;
  /** Documents of the shared types that stay out, by a decision of their own or because they are never to be shared. */
  readonly keptOut: number;
};

export type SharingOverview = {
  readonly record: { readonly id: Id; readonly label: string };
  readonly owner: { readonly id: PrincipalId; readonly name: string } | null;
  /** The caller owns the record: only then are full shares told. */ readonly mine: boolean;
  readonly shares: readonly SharedWith[];
  readonly carenets: readonly CarenetOverview[];
  /** Some people or carenets are not among these: there are too many for one page. */ readonly more: boolean;
  /** What the record holds. */ readonly types: readonly TypeCount[];
  /** Types that have a format here, whether or not the record has any of them. */ readonly formats: readonly string[];
  readonly decided: {
    readonly total: number;
    readonly documents: readonly (Decided & {
      readonly carenets: readonly { readonly name: string; readonly shared: boolean }[];
    })[];
  };
};

const sum = <T>(list: readonly T[], count: (one: T) => number): number =>
  list.reduce((total, one) => total + count(one), 0);

/** The rule of containment, counted: never share, then the decision about one document, then its type. */
const countsOf = (
  shared: readonly string[],
  types: readonly TypeCount[],
  preferences: readonly PreferenceCount[],
): Pick<CarenetOverview, 'documents' | 'placed' | 'keptOut'> => {
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
};

/** What `record_sharing` says of types, without people and documents. */
export type SharedKinds = Pick<SharingOverview, 'types' | 'formats'> & {
  readonly carenets: readonly Pick<CarenetOverview, 'id' | 'name' | 'types'>[];
};

const formatsOf = ({ reader }: Services): readonly string[] => reader.entries.all.map(({ type }) => type);

const typesIn = (autoshares: readonly Autoshare[], id: Id): readonly string[] =>
  autoshares.filter(({ carenet }) => carenet.id === id).map(({ type }) => type);

export const readKinds = async ({ params, services }: Call<InRecord>): Promise<SharedKinds> => {
  const { stores, database } = services;
  const { reads } = database;
  const [carenets, autoshares, types] = await Promise.all([
    stores.sharing.listCarenets(reads, params.RECORD_ID, { limit: MOST_CARENETS, offset: 0 }),
    stores.sharing.listAutoshares(reads, params.RECORD_ID),
    countTypes(reads.long, params.RECORD_ID),
  ]);
  return {
    types,
    formats: formatsOf(services),
    carenets: carenets.map(({ id, name }) => ({ id, name, types: typesIn(autoshares, id) })),
  };
};

/** Full shares are told to the owner alone (specification 5.8). */
export const readSharing = async ({
  params,
  query,
  principal,
  services,
}: Call<InRecord, Page>): Promise<SharingOverview> => {
  const { stores, database } = services;
  const { reads } = database;
  const record = await requireRecord(services, params.RECORD_ID);
  const mine = principal.kind === 'account' && principal.accountId === record.ownerId;
  const [owner, shares, carenets, members, autoshares, types, preferences, total, decided] = await Promise.all([
    record.ownerId === null ? undefined : stores.principals.findPrincipal(reads, record.ownerId),
    mine ? listSharers(reads, record.id, MOST_PEOPLE + 1) : [],
    stores.sharing.listCarenets(reads, record.id, { limit: MOST_CARENETS + 1, offset: 0 }),
    listAllMembers(reads, record.id, MOST_PEOPLE + 1),
    stores.sharing.listAutoshares(reads, record.id),
    countTypes(reads.long, record.id),
    countPreferences(reads.long, record.id),
    countDecided(reads.long, record.id),
    listDecided(reads, record.id, pageOf(services, query)),
  ]);
  const said = await listPreferencesOf(
    reads,
    decided.map(({ lineageId }) => lineageId),
  );
  const nameOf = new Map(carenets.map(({ id, name }) => [id, name]));
  const overview = ({ id, name }: CarenetRow): CarenetOverview => {
    const shared = typesIn(autoshares, id);
    return {
      id,
      name,
      members: members.filter(({ carenetId }) => carenetId === id),
      types: shared,
      ...countsOf(
        shared,
        types,
        preferences.filter(({ carenetId }) => carenetId === id),
      ),
    };
  };
  return {
    record: { id: record.id, label: record.label },
    owner: owner ? { id: owner.id, name: owner.name } : null,
    mine,
    shares: shares.slice(0, MOST_PEOPLE),
    carenets: carenets.slice(0, MOST_CARENETS).map(overview),
    more: shares.length > MOST_PEOPLE || members.length > MOST_PEOPLE || carenets.length > MOST_CARENETS,
    types,
    formats: formatsOf(services),
    decided: {
      total,
      documents: decided.map(({ lineageId, ...document }) => ({
        ...document,
        carenets: said
          .filter((one) => one.lineageId === lineageId)
          .map(({ carenetId, shared }) => ({ name: nameOf.get(carenetId) ?? '', shared })),
      })),
    },
  };
};
