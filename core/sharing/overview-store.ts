/** overview-store: everything that is shared of one record, read with a fixed number of statements. */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { storedAbout, type About } from '../facts/about';
import { containsText } from './containment';
import type { Reads } from '../db/database';
import { partOf, readPart, type ListPart, type Seek } from '../db/page';

export type SharedWith = { readonly accountId: PrincipalId; readonly name: string; readonly since: Timestamp };

type PersonRow = { account_id: string; name: string | null; created_at: string };

function toPerson(row: PersonRow): SharedWith {
  return {
    accountId: row.account_id,
    name: row.name ?? row.account_id,
    since: row.created_at,
  };
}

export type Holder = { readonly id: Id; readonly name: string; readonly holds: boolean };

/**
 * A part of the carenets of a document's record, in the order in which they were made, and which of them hold the
 * document.
 */
export async function seekHolders(on: Reads, lineageId: Id, seek: Seek): Promise<ListPart<Holder>> {
  const query = on('document_lineage as lineage')
    .join('carenet', 'carenet.record_id', 'lineage.record_id')
    .where('lineage.id', lineageId)
    .select('carenet.id', 'carenet.name', on.raw(`${containsText('lineage', 'carenet')} as holds`));
  const part = await readPart<{ id: Id; name: string; holds: number }>(query, ['carenet.seq'], false, seek);
  return { ...part, rows: part.rows.map(({ id, name, holds }) => ({ id, name, holds: Number(holds) === 1 })) };
}

const IN_ORDER = ['member.created_at', 'member.account_id'];
const memberColumns = ['member.account_id', 'principal.name', 'member.created_at'];

function membersQuery(on: Reads) {
  return on('carenet_account as member').leftJoin('principal', 'principal.id', 'member.account_id');
}

/** A part of the people in a carenet, in the order in which they were added. */
export async function seekMembers(on: Reads, carenetId: Id, seek: Seek): Promise<ListPart<SharedWith>> {
  const query = membersQuery(on)
    .where('member.carenet_id', carenetId)
    .select(...memberColumns);
  const part = await readPart<PersonRow>(query, IN_ORDER, false, seek);
  return { ...part, rows: part.rows.map(toPerson) };
}

/** The first people of every carenet of a record, as many for each as `seekMembers` reads for the same limit. */
export async function firstMembers(
  on: Reads,
  recordId: Id,
  limit: number,
): Promise<ReadonlyMap<Id, ListPart<SharedWith> & { readonly total: number }>> {
  const numbered = membersQuery(on)
    .join('carenet', 'carenet.id', 'member.carenet_id')
    .where('carenet.record_id', recordId)
    .select('member.carenet_id', ...memberColumns)
    .select(
      on.raw(
        'row_number() over (partition by member.carenet_id order by member.created_at, member.account_id) as place',
      ),
      on.raw('count(*) over (partition by member.carenet_id) as total'),
    );
  const rows = (await on
    .from(numbered.as('numbered'))
    .where('place', '<=', limit + 1)
    .orderBy(['carenet_id', 'place'])) as (PersonRow & { carenet_id: string; total: number | string })[];
  return new Map(
    [...new Set(rows.map((row) => row.carenet_id))].map((id) => {
      const own = rows.filter((row) => row.carenet_id === id);
      const part = partOf(own, { limit }, (row) => [row.created_at, row.account_id]);
      return [id, { ...part, rows: part.rows.map(toPerson), total: Number(own[0]!.total) }];
    }),
  );
}

export type TypeCount = { readonly type: string; readonly count: number; readonly nevershare: number };

type CountRow = { type: string; n: number | string; never: number | string | null };

/** How many documents of each type a record has, and how many of these are never to be shared. */
export async function countTypes(on: Reads, recordId: Id): Promise<readonly TypeCount[]> {
  return (
    (await on('document_lineage')
      .where({ record_id: recordId })
      .groupBy('type')
      .orderBy('type')
      .select('type')
      .count({ n: '*' })
      .sum({ never: 'nevershare' })) as CountRow[]
  ).map((row) => ({ type: row.type, count: Number(row.n), nevershare: Number(row.never ?? 0) }));
}

/** How many documents of a type somebody put into a carenet, or took out of it, one by one. */
export type PreferenceCount = {
  readonly carenetId: Id;
  readonly type: string;
  readonly shared: boolean;
  readonly nevershare: boolean;
  readonly count: number;
};

export async function countPreferences(on: Reads, recordId: Id): Promise<readonly PreferenceCount[]> {
  const rows = (await on('carenet')
    .join('carenet_preference as preference', 'preference.carenet_id', 'carenet.id')
    .join('document_lineage as lineage', 'lineage.id', 'preference.lineage_id')
    .where('carenet.record_id', recordId)
    .groupBy('preference.carenet_id', 'lineage.type', 'preference.shared', 'lineage.nevershare')
    .select('preference.carenet_id', 'lineage.type', 'preference.shared', 'lineage.nevershare')
    .count({ n: '*' })) as {
    carenet_id: string;
    type: string;
    shared: number;
    nevershare: number;
    n: number | string;
  }[];
  return rows.map((row) => ({
    carenetId: row.carenet_id,
    type: row.type,
    shared: Number(row.shared) === 1,
    nevershare: Number(row.nevershare) === 1,
    count: Number(row.n),
  }));
}

/** A document for which somebody decided individually whether it is shared. */
export type Decided = {
  /** Id of its latest version. */ readonly documentId: Id;
  readonly type: string;
  readonly label: string | null;
  /** The document's description of itself; null: it has none. */
  readonly about: About | null;
  readonly createdAt: Timestamp;
  readonly nevershare: boolean;
};

function decidedOf(on: Reads, recordId: Id) {
  return on('document_lineage as lineage')
    .where('lineage.record_id', recordId)
    .where((query) => {
      void query
        .where('lineage.nevershare', 1)
        .orWhereExists(
          on('carenet_preference as preference')
            .where('preference.lineage_id', on.ref('lineage.id'))
            .select(on.raw('1')),
        );
    });
}

/**
 * The number of people with a full share, of other people in a carenet except the owner, and of documents for which
 * somebody decided individually.
 * @param withShares false: full shares are not counted, and a person who has one is counted for the carenet
 */
export async function countShared(
  on: Reads,
  recordId: Id,
  owner: PrincipalId | null,
  withShares: boolean,
): Promise<{ readonly whole: number; readonly part: number; readonly decided: number }> {
  const shares = (alias: string) =>
    on(`record_share as ${alias}`).where(`${alias}.record_id`, withShares ? recordId : '');
  const [row] = (await on.select({
    whole: shares('whole').count(),
    part: on('carenet')
      .join('carenet_account as member', 'member.carenet_id', 'carenet.id')
      .where('carenet.record_id', recordId)
      .whereNot('member.account_id', owner ?? '')
      .whereNotExists(shares('other').where('other.account_id', on.ref('member.account_id')).select(on.raw('1')))
      .countDistinct('member.account_id'),
    decided: decidedOf(on, recordId).count(),
  })) as Record<'whole' | 'part' | 'decided', number | string>[];
  return { whole: Number(row?.whole ?? 0), part: Number(row?.part ?? 0), decided: Number(row?.decided ?? 0) };
}

type DecidedRow = {
  id: string;
  latest_id: string;
  type: string;
  label: string | null;
  about: string | null;
  latest_created_at: string;
  nevershare: number;
};

/** A part of the documents for which somebody decided individually, the newest first. */
export async function seekDecided(
  on: Reads,
  recordId: Id,
  seek: Seek,
): Promise<ListPart<Decided & { readonly lineageId: Id }>> {
  const query = decidedOf(on, recordId)
    .join('document as latest', 'latest.id', 'lineage.latest_id')
    .select('lineage.id', 'lineage.latest_id', 'lineage.type', 'lineage.label', 'lineage.latest_created_at')
    .select('lineage.nevershare', 'latest.about');
  const part = await readPart<DecidedRow>(query, ['lineage.latest_created_at', 'lineage.seq'], true, seek);
  const rows = part.rows.map((row) => ({
    lineageId: row.id,
    documentId: row.latest_id,
    type: row.type,
    label: row.label,
    about: storedAbout(row.about),
    createdAt: row.latest_created_at,
    nevershare: Number(row.nevershare) === 1,
  }));
  return { ...part, rows };
}

type PreferenceOf = { readonly lineageId: Id; readonly carenetId: Id; readonly shared: boolean };

export async function listPreferencesOf(on: Reads, lineageIds: readonly Id[]): Promise<readonly PreferenceOf[]> {
  return lineageIds.length === 0
    ? []
    : (
        (await on('carenet_preference')
          .whereIn('lineage_id', [...lineageIds])
          .select('lineage_id', 'carenet_id', 'shared')) as {
          lineage_id: string;
          carenet_id: string;
          shared: number;
        }[]
      ).map((row) => ({ lineageId: row.lineage_id, carenetId: row.carenet_id, shared: Number(row.shared) === 1 }));
}
