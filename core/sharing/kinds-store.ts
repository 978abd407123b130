/** kinds-store: the kinds of facts that carenets were given. */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Knex } from 'knex';
import { groupedBy } from '../base/grouped-by';
import type { Condition } from '../db/condition';
import type { Reads, Transaction } from '../db/database';
import { inParts } from '../db/in-parts';
import { type SeenModel, isOfSeenKind, lineageShowsFacts } from './containment';
import type { CarenetRow } from './store';

/** A statement has room for this many counts, with the codes of all their tests. */
const COUNTED_AT_ONCE = 150;

export type GivenKind = {
  readonly name: string;
  /** Ids of the tests that the kind had when it was given; absent: it is no kind of some tests. */
  readonly tests?: readonly string[];
};

type Row = { readonly kind: string; readonly tests: string | null };

function toGiven({ kind, tests }: Row): GivenKind {
  return {
    name: kind,
    ...(tests === null ? {} : { tests: JSON.parse(tests) as readonly string[] }),
  };
}

/** The kinds that a carenet was given, by name. */
export async function listKinds(on: Reads, carenetId: Id): Promise<readonly GivenKind[]> {
  return (
    (await on('carenet_kind').where({ carenet_id: carenetId }).orderBy('kind').select('kind', 'tests')) as Row[]
  ).map(toGiven);
}

/** A carenet with the kinds that it was given. */
export type KindsOfCarenet = CarenetRow & {
  readonly kinds: readonly GivenKind[];
  /** Whose own it is; null: people share it. */
  readonly person: { readonly id: PrincipalId; readonly name: string } | null;
};

type Joined = { readonly id: Id; readonly record_id: Id; readonly name: string } & Partial<
  Record<keyof Row | 'person_id' | 'person_name', string | null>
>;

async function withGiven(query: Knex.QueryBuilder): Promise<readonly KindsOfCarenet[]> {
  const rows = (await query
    .leftJoin('carenet_kind as given', 'given.carenet_id', 'carenet.id')
    .leftJoin('principal as person', 'person.id', 'carenet.person_id')
    .orderBy(['carenet.seq', 'given.kind'])
    .select('carenet.id', 'carenet.record_id', 'carenet.name', 'given.kind', 'given.tests')
    .select({ person_id: 'person.id', person_name: 'person.name' })) as Joined[];
  return [...groupedBy(rows, ({ id }) => id).values()].map(([first, ...others]) => ({
    id: first!.id,
    recordId: first!.record_id,
    name: first!.name,
    kinds: [first!, ...others].flatMap(({ kind, tests = null }) => (kind ? [toGiven({ kind, tests })] : [])),
    person: first!.person_id ? { id: first!.person_id, name: first!.person_name ?? first!.person_id } : null,
  }));
}

/** One carenet, read with one statement. */
export async function findWithKinds(on: Reads, carenetId: Id): Promise<KindsOfCarenet | undefined> {
  return (await withGiven(on('carenet').where('carenet.id', carenetId)))[0];
}

/** The carenets of a record, in the order in which they were made. */
export function listWithKinds(on: Reads, recordId: Id): Promise<readonly KindsOfCarenet[]> {
  return withGiven(on('carenet').where('carenet.record_id', recordId));
}

/** Facts of one kind, for a carenet. */
type CountedKind = { readonly carenetId: Id; readonly models: readonly SeenModel[] };

function countText(recordId: Id, { carenetId, models }: CountedKind, place: number): Condition {
  const parts = models.map((seen): Condition => {
    const kind = isOfSeenKind('fact', seen);
    const shown = lineageShowsFacts('lineage', carenetId);
    return {
      text:
        `select fact._lineage_id as lineage_id from \`${seen.table}\` as fact ` +
        'join document_lineage as lineage on lineage.id = fact._lineage_id ' +
        `where fact._record_id = ? and ${shown.text} and ${kind.text}`,
      values: [recordId, ...shown.values, ...kind.values],
    };
  });
  return {
    text:
      `select ${place} as place, count(*) as facts, count(distinct lineage_id) as papers from ` +
      `(${parts.map(({ text }) => text).join(' union all ')}) as counted_${place}`,
    values: parts.flatMap(({ values }) => values),
  };
}

/** How many facts of how many documents each of these has, with one statement for hundreds of them. */
export async function countKinds(
  on: Reads,
  recordId: Id,
  kinds: readonly CountedKind[],
): Promise<readonly { readonly facts: number; readonly papers: number }[]> {
  const found = new Map<number, { readonly facts: number; readonly papers: number }>();
  const texts = kinds.map((kind, place) => countText(recordId, kind, place));
  for (const some of inParts(texts, COUNTED_AT_ONCE)) {
    const rows = await on.rows<{ place: number; facts: number | string; papers: number | string }>(
      some.map(({ text }) => text).join(' union all '),
      some.flatMap(({ values }) => values),
    );
    rows.forEach(({ place, facts, papers }) =>
      found.set(Number(place), { facts: Number(facts), papers: Number(papers) }),
    );
  }
  return kinds.map((_, place) => found.get(place) ?? { facts: 0, papers: 0 });
}

/** Gives a carenet a kind. Giving it again takes over the tests that it has now. */
export async function putKind(
  trx: Transaction,
  carenetId: Id,
  { name, tests }: GivenKind,
  now: Timestamp,
): Promise<void> {
  const row = { tests: tests === undefined ? null : JSON.stringify(tests) };
  await trx('carenet_kind')
    .insert({ carenet_id: carenetId, kind: name, ...row, created_at: now })
    .onConflict(['carenet_id', 'kind'])
    .merge(row);
}

/** Gives a carenet kinds that it does not have. */
export async function putKinds(
  trx: Transaction,
  carenetId: Id,
  kinds: readonly GivenKind[],
  now: Timestamp,
): Promise<void> {
  if (kinds.length > 0) {
    await trx('carenet_kind').insert(
      kinds.map(({ name, tests }) => ({
        carenet_id: carenetId,
        kind: name,
        tests: tests === undefined ? null : JSON.stringify(tests),
        created_at: now,
      })),
    );
  }
}

/** Ends all kinds of a carenet but these. */
export async function deleteOtherKinds(trx: Transaction, carenetId: Id, names: readonly string[]): Promise<void> {
  await trx('carenet_kind')
    .where({ carenet_id: carenetId })
    .whereNotIn('kind', [...names])
    .delete();
}

export async function deleteKind(trx: Transaction, carenetId: Id, name: string): Promise<void> {
  await trx('carenet_kind').where({ carenet_id: carenetId, kind: name }).delete();
}
