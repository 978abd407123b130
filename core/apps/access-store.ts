/** access-store: what a person may give an app, and what the apps of a record can see and since when. */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Reads } from '../db/database';

/** A whole record, or one carenet of it. */
export type Givable = {
  readonly recordId: Id;
  readonly label: string;
  readonly carenet: { readonly id: Id; readonly name: string } | null;
  /** True: the app is enabled or placed there already. */ readonly placed: boolean;
};

export type Asking = {
  readonly accountId: PrincipalId;
  readonly now: Timestamp;
  readonly app: { readonly id: PrincipalId; readonly autonomous: boolean };
  /** The record that the request token names, if any. */ readonly recordId: Id | null;
  readonly carenetId: Id | null;
};

/** The most entries of the list that a person chooses from. */
const MOST = 200;

type RecordOption = { id: string; label: string; enabled: string | null };
type CarenetOption = { id: string; name: string; record_id: string; label: string; placed: string | null };

function toCarenetOption({ id, name, record_id: recordId, label, placed }: CarenetOption): Givable {
  return {
    recordId,
    label,
    carenet: { id, name },
    placed: placed !== null,
  };
}

function controlled(on: Reads, accountId: PrincipalId) {
  return on('record')
    .where({ owner_id: accountId })
    .select('id')
    .union([on('record_share').where({ account_id: accountId }).select('record_id')]);
}

async function wholeRecords(on: Reads, { accountId, app, recordId }: Asking): Promise<readonly Givable[]> {
  const rows = (await on('record')
    .leftJoin('record_app as enabled', { 'enabled.record_id': 'record.id', 'enabled.app_id': on.raw('?', [app.id]) })
    .whereIn('record.id', controlled(on, accountId))
    .modify((query) => {
      if (recordId !== null) {
        void query.where('record.id', recordId);
      }
    })
    .orderByRaw('case when record.owner_id = ? then 0 else 1 end, record.label, record.id', [accountId])
    .limit(MOST)
    .select({ id: 'record.id', label: 'record.label', enabled: 'enabled.app_id' })) as RecordOption[];
  return rows.map(({ id, label, enabled }) => ({ recordId: id, label, carenet: null, placed: enabled !== null }));
}

/**
 * The carenets of records that the account controls, and the carenets that it is in and where the app is already
 * placed.
 */
async function carenets(on: Reads, { accountId, app, carenetId, now }: Asking): Promise<readonly Givable[]> {
  const rows = (await on('carenet')
    .join('record', 'record.id', 'carenet.record_id')
    .leftJoin('carenet_app as inside', { 'inside.carenet_id': 'carenet.id', 'inside.app_id': on.raw('?', [app.id]) })
    .leftJoin('record_app as enabled', { 'enabled.record_id': 'record.id', 'enabled.app_id': 'inside.app_id' })
    .where((either) => {
      void either.whereIn('carenet.record_id', controlled(on, accountId)).orWhere((member) => {
        void member
          .whereNotNull('enabled.app_id')
          .whereIn(
            'carenet.id',
            on('carenet_account')
              .where({ account_id: accountId })
              .whereRaw('(ends_at is null or ends_at > ?)', [now])
              .select('carenet_id'),
          );
      });
    })
    .modify((query) => {
      if (carenetId !== null) {
        void query.where('carenet.id', carenetId);
      }
    })
    .orderBy(['record.label', 'carenet.record_id', 'carenet.seq'])
    .limit(MOST)
    .select({
      id: 'carenet.id',
      name: 'carenet.name',
      record_id: 'carenet.record_id',
      label: 'record.label',
      placed: 'enabled.app_id',
    })) as CarenetOption[];
  return rows.map(toCarenetOption);
}

/**
 * Records and carenets that the account may give the app, its own before those of others, and each record before its
 * carenets. An app that acts by itself gets whole records only.
 */
export async function listGivable(on: Reads, asking: Asking): Promise<readonly Givable[]> {
  const [whole, parts] = await Promise.all([
    asking.carenetId === null ? wholeRecords(on, asking) : [],
    asking.recordId === null && !asking.app.autonomous ? carenets(on, asking) : [],
  ]);
  const records = new Set(whole.map(({ recordId }) => recordId));
  return [
    ...whole.flatMap((record) => [record, ...parts.filter(({ recordId }) => recordId === record.recordId)]),
    ...parts.filter(({ recordId }) => !records.has(recordId)),
  ];
}

export type AppAccess = {
  readonly appId: PrincipalId;
  readonly since: Timestamp;
  /** Name of the person who enabled the app, if it was a person. */ readonly by: string | null;
  /** Carenets in which it is placed. */ readonly placedIn: readonly string[];
  /** What its tokens give access to now, and until when. */ readonly open: readonly {
    readonly carenet: string | null;
    readonly until: Timestamp;
    /** SMART scopes, separated by spaces; null: no limit, as with a token of the OAuth door. */ readonly scopes:
      string | null;
  }[];
  /** When it last acted by itself; not known for apps that act for a person. */
  readonly lastAlone: Timestamp | null;
};

type BoundRow = { app_id: string; authorized_at: string; full_name: string | null; last_alone: string | null };
type PlacedRow = { app_id: string; name: string };
type OpenRow = {
  app_id: string;
  carenet_id: string | null;
  name: string | null;
  scopes: string | null;
  until: string;
};

/**
 * Keeps the longest access of each app, place and scopes, because a grant ends later than the tokens that are issued
 * from it.
 */
function longest(rows: readonly OpenRow[]): readonly OpenRow[] {
  return [
    ...new Map(
      [...rows]
        .sort((one, other) => (one.until < other.until ? -1 : 1))
        .map((row) => [`${row.app_id} ${row.carenet_id ?? ''} ${row.scopes ?? 'all'}`, row]),
    ).values(),
  ];
}

/**
 * When an app last acted by itself. Such apps are principals of audit rows, which an index finds by record and
 * principal.
 */
function lastAlone(on: Reads) {
  return on('audit')
    .where('audit.record_id', on.ref('record_app.record_id'))
    .where('audit.principal_id', on.ref('record_app.app_id'))
    .max('audit.requested_at');
}

/**
 * The access of every app on a record, read with four statements for any number of apps.
 * @param now access that ends later than this is open
 */
export async function listAppAccess(on: Reads, recordId: Id, now: Timestamp): Promise<readonly AppAccess[]> {
  const [bound, placed, tokens, grants] = (await Promise.all([
    on('record_app')
      .leftJoin('account', 'account.id', 'record_app.authorized_by')
      .where('record_app.record_id', recordId)
      .select({
        app_id: 'record_app.app_id',
        authorized_at: 'record_app.authorized_at',
        full_name: 'account.full_name',
        last_alone: lastAlone(on),
      }),
    on('carenet')
      .join('carenet_app', 'carenet_app.carenet_id', 'carenet.id')
      .where('carenet.record_id', recordId)
      .orderBy('carenet.seq')
      .select('carenet_app.app_id', 'carenet.name'),
    ...['access_token', 'smart_grant'].map((table) =>
      on(table)
        .leftJoin('carenet', 'carenet.id', `${table}.carenet_id`)
        .where(`${table}.record_id`, recordId)
        .where(`${table}.expires_at`, '>', now)
        .groupBy(`${table}.app_id`, `${table}.carenet_id`, `${table}.scopes`, 'carenet.name')
        .select(`${table}.app_id`, 'carenet.name', `${table}.carenet_id`, `${table}.scopes`)
        .max({ until: `${table}.expires_at` }),
    ),
  ])) as [BoundRow[], PlacedRow[], OpenRow[], OpenRow[]];
  const open = longest([...tokens, ...grants]);
  return bound.map((row) => ({
    appId: row.app_id,
    since: row.authorized_at,
    by: row.full_name,
    placedIn: placed.filter(({ app_id: id }) => id === row.app_id).map(({ name }) => name),
    open: open
      .filter(({ app_id: id }) => id === row.app_id)
      .map(({ name, until, scopes }) => ({ carenet: name, until, scopes })),
    lastAlone: row.last_alone,
  }));
}
