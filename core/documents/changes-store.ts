/**
 * changes-store: what others added to a record and who looked at it, since a person said that they have seen it. One time
 * is kept for a person and record, because ticks would need a row for each document and person.
 */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';

/** Keeps the later one of both times. */
export async function keepSeen(trx: Transaction, recordId: Id, accountId: PrincipalId, at: Timestamp): Promise<void> {
  const own = { record_id: recordId, account_id: accountId };
  await trx('seen_changes')
    .insert({ ...own, seen_at: at })
    .onConflict(['record_id', 'account_id'])
    .ignore();
  await trx('seen_changes').where(own).where('seen_at', '<', at).update({ seen_at: at });
}

type Asked = {
  readonly recordId: Id;
  /** Whose own changes are no news. */ readonly accountId: PrincipalId;
  /** Through which app they make them; what another app adds for them is news. */ readonly appId: PrincipalId;
  /** What is older is no news. */ readonly first: Timestamp;
  readonly mostAdded: number;
  readonly mostNewest: number;
  readonly mostLookers: number;
  /** A lineage that is no news. */ readonly except: Id | null;
};

export type Looker = { readonly id: PrincipalId; readonly name: string; readonly at: Timestamp };

type Row = {
  readonly what: 'seen' | 'newest' | 'added' | 'looker' | 'total';
  readonly id: string;
  readonly name: string | null;
  readonly at: Timestamp | null;
  readonly n: number | string;
};

const NEWEST = [
  { column: 'lineage.latest_created_at', order: 'desc' },
  { column: 'lineage.seq', order: 'desc' },
] as const;

/** The active documents of the record. */
function activeLineages(on: Reads, { recordId }: Asked): Knex.QueryBuilder {
  return on('document_lineage as lineage').where({ 'lineage.record_id': recordId, 'lineage.status': 'active' });
}

/** The condition that a time is after the one until which the person has seen all. */
function isNewSince(query: Knex.QueryBuilder, column: string, { recordId, accountId, first }: Asked): void {
  void query
    .where(column, '>', first)
    .whereRaw(`${column} > coalesce((select seen_at from seen_changes where record_id = ? and account_id = ?), '')`, [
      recordId,
      accountId,
    ]);
}

/** The latest versions that others added. */
function addedBy(on: Reads, asked: Asked): Knex.QueryBuilder {
  const query = activeLineages(on, asked)
    .join('document', 'document.id', 'lineage.latest_id')
    .where((others) => {
      void others.whereNot('document.creator_id', asked.accountId).orWhere((apps) => {
        void apps.whereNotNull('document.proxy_id').whereNot('document.proxy_id', asked.appId);
      });
    });
  isNewSince(query, 'lineage.latest_created_at', asked);
  return asked.except === null ? query : query.whereNot('lineage.id', asked.except);
}

/** The people beside the asker, on one side of them in the index of people, so that their own rows are not read. */
function beside(on: Reads, asked: Asked, sign: '<' | '>'): Knex.QueryBuilder {
  const query = on('audit')
    .where({ record_id: asked.recordId, successful: 1 })
    .where('principal_id', sign, asked.accountId)
    .groupBy('principal_id')
    .select('principal_id')
    .max({ at: 'requested_at' });
  isNewSince(query, 'requested_at', asked);
  // Without brackets of its own the groups of a part of a union become those of all.
  return on.from(query.as(sign === '<' ? 'those_before' : 'those_after')).select('principal_id', 'at');
}

function lookersOf(on: Reads, asked: Asked): Knex.QueryBuilder {
  return on
    .from(
      beside(on, asked, '<')
        .unionAll(beside(on, asked, '>'))
        .as('looker'),
    )
    .join('principal', 'principal.id', 'looker.principal_id')
    .where('principal.kind', 'account')
    .orderBy('looker.at', 'desc')
    .limit(asked.mostLookers);
}

type ChangesFound = {
  /** When the person last said that they have seen all; undefined: never. */ readonly seenAt: Timestamp | undefined;
  /** Latest versions that others added since, the newest first. */ readonly added: readonly Id[];
  /** The newest documents, whoever added them. */ readonly newest: readonly Id[];
  /** How many documents there are. */ readonly total: number;
  /** Other people with the time of their last call since, the latest first. */ readonly lookers: readonly Looker[];
};

/** All of it with one statement, because the first page of a record needs it each time. */
export async function findChanges(on: Reads, asked: Asked): Promise<ChangesFound> {
  const columns = (what: Row['what'], id: string, name: string, at: string, n: string) =>
    on.raw(`'${what}' as what, ${id} as id, ${name} as name, ${at} as at, ${n} as n`);
  const document = (what: 'newest' | 'added') =>
    columns(what, 'lineage.latest_id', 'null', 'lineage.latest_created_at', 'lineage.seq');
  const selects = [
    on('seen_changes')
      .where({ record_id: asked.recordId, account_id: asked.accountId })
      .select(columns('seen', "''", 'null', 'seen_at', '0')),
    activeLineages(on, asked)
      .select(document('newest'))
      .orderBy([...NEWEST])
      .limit(asked.mostNewest),
    addedBy(on, asked)
      .select(document('added'))
      .orderBy([...NEWEST])
      .limit(asked.mostAdded),
    lookersOf(on, asked).select(columns('looker', 'principal.id', 'principal.name', 'looker.at', '0')),
    activeLineages(on, asked).select(columns('total', "''", 'null', 'null', 'count(*)')),
  ];
  // SQLite orders a part of a union only within brackets of its own.
  const [first, ...others] = selects.map((select, at) => on.from(select.as(`part_${at}`)).select('*'));
  const rows = (await first!.unionAll(others)) as Row[];
  const latest = (one: Row, other: Row): number =>
    one.at === other.at ? Number(other.n) - Number(one.n) : Number(one.at! < other.at!) * 2 - 1;
  const ofKind = (what: Row['what']): readonly Row[] => rows.filter((row) => row.what === what);
  const ids = (what: Row['what']): readonly Id[] => [...ofKind(what)].sort(latest).map(({ id }) => id);
  return {
    seenAt: ofKind('seen')[0]?.at ?? undefined,
    added: ids('added'),
    newest: ids('newest'),
    total: Number(ofKind('total')[0]?.n ?? 0),
    lookers: [...ofKind('looker')].sort(latest).map(({ id, name, at }) => ({ id, name: name ?? id, at: at! })),
  };
}
