/** store: rows of app, and where apps are enabled (specification 2.10, 4.3). */
import type { AppKind, Id, Json, PrincipalId, Timestamp } from '../base/types';
import { columnsNamed, inTable, toColumns, type Columns } from '../db/columns';
import type { Transaction, Reads } from '../db/database';
import { keptStatement } from '../db/kept-statement';
import { countRows, orderOf, readPart, type ListPart, type Order, type PageQuery, type Seek } from '../db/page';
import { insertPrincipal, renamePrincipal, type PrincipalKind } from '../accounts/principals-store';

export type AppRow = {
  readonly id: PrincipalId;
  readonly kind: AppKind;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly version: string;
  readonly svcVersion: string | null;
  readonly autonomous: boolean;
  readonly autonomousReason: string | null;
  readonly frameable: boolean;
  readonly hasUi: boolean;
  /** Start address with its placeholders. */
  readonly indexUrl: string | null;
  readonly icon: string | null;
  readonly callbackUrl: string | null;
  /** The manifest's remaining keys, as validated. */
  readonly manifest: Readonly<Record<string, Json>>;
  /** `<kind>/<folder name>` that it was registered from. */
  readonly folder: string;
  readonly consumerKey: string;
  /** Sealed; the sealed empty text for apps that only use connect tokens. */
  readonly consumerSecret: string;
  /** Digest of everything but the secret. */
  readonly digest: string;
  readonly retiredAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
};

const columns: Columns<keyof AppRow> = columnsNamed(
  'id',
  'kind',
  'name',
  'description',
  'author',
  'version',
  'svcVersion',
  'autonomous',
  'autonomousReason',
  'frameable',
  'hasUi',
  'indexUrl',
  'icon',
  'callbackUrl',
  'manifest',
  'folder',
  'consumerKey',
  'consumerSecret',
  'digest',
  'retiredAt',
  'createdAt',
  'updatedAt',
);

const selection = inTable('app', columns);

type Stored = Omit<AppRow, 'autonomous' | 'frameable' | 'hasUi' | 'manifest'> & {
  autonomous: number;
  frameable: number;
  hasUi: number;
  manifest: string;
};

function toApp(row: Stored): AppRow {
  return {
    ...row,
    autonomous: Number(row.autonomous) === 1,
    frameable: Number(row.frameable) === 1,
    hasUi: Number(row.hasUi) === 1,
    manifest: JSON.parse(row.manifest) as AppRow['manifest'],
  };
}

function toStored(app: AppRow): Record<string, unknown> {
  return toColumns(columns, {
    ...app,
    autonomous: app.autonomous ? 1 : 0,
    frameable: app.frameable ? 1 : 0,
    hasUi: app.hasUi ? 1 : 0,
    manifest: JSON.stringify(app.manifest),
  });
}

/** Apps that are not retired. */
function present(on: Reads) {
  return on('app').whereNull('app.retired_at').select(selection);
}

export async function findApp(on: Reads, id: PrincipalId): Promise<AppRow | undefined> {
  const row = (await present(on).where('app.id', id).first()) as Stored | undefined;
  return row && toApp(row);
}

/** The app that a path names. Admin and UI apps are not found. */
export async function findUserApp(on: Reads, id: PrincipalId): Promise<AppRow | undefined> {
  const app = await findApp(on, id);
  return app?.kind === 'user' ? app : undefined;
}

/** A user app by its consumer key. */
export async function findUserAppByKey(on: Reads, consumerKey: string): Promise<AppRow | undefined> {
  const row = (await present(on).where({ 'app.consumer_key': consumerKey, 'app.kind': 'user' }).first()) as
    Stored | undefined;
  return row && toApp(row);
}

const registeredApp = keptStatement<unknown, readonly [id: PrincipalId]>((on, id) =>
  on('app').where({ id }).whereNull('retired_at').select(on.raw('1')).forShare(),
);

/** Whether the app is registered. It stays so until the transaction ends. */
export async function holdApp(trx: Transaction, id: PrincipalId): Promise<boolean> {
  return (await registeredApp(trx, id)).length > 0;
}

function orderOfApps(asked: string | undefined): Order {
  return orderOf(asked, { id: 'app.id', name: 'app.name' }, 'name', 'app.id');
}

/** One page, by name, then id. */
export async function listUserApps(on: Reads, { limit, offset, orderBy }: PageQuery): Promise<readonly AppRow[]> {
  const rows = (await present(on)
    .where('app.kind', 'user')
    .orderBy(orderOfApps(orderBy))
    .limit(limit)
    .offset(offset)) as Stored[];
  return rows.map(toApp);
}

/** All user apps that are clients of the FHIR door. There are few, so they are read at once. */
export async function listClients(on: Reads): Promise<readonly AppRow[]> {
  const rows = (await present(on)
    .where('app.kind', 'user')
    .where('app.manifest', 'like', '%"smart_client"%')
    .orderBy('app.id')) as Stored[];
  return rows.map(toApp);
}

/** Whether an app is registered that may act by itself at the FHIR door. */
export async function hasBackends(on: Reads): Promise<boolean> {
  const backends = present(on).where({ 'app.kind': 'user', 'app.autonomous': 1 });
  return (await backends.where('app.manifest', 'like', '%"smart_backend"%').first()) !== undefined;
}

/** Every app that was ever registered, retired ones included; by id. */
export async function listEveryApp(on: Reads): Promise<readonly AppRow[]> {
  const rows = (await on('app').select(selection).orderBy('app.id')) as Stored[];
  return rows.map(toApp);
}

export const principalKindOf: Readonly<Record<AppKind, PrincipalKind>> = {
  user: 'userapp',
  admin: 'adminapp',
  ui: 'uiapp',
};

async function putRequiredTypes(trx: Transaction, { id, manifest }: AppRow): Promise<void> {
  await trx('app_required_type').where({ app_id: id }).delete();
  const types = Object.keys((manifest['requires'] ?? {}) as Record<string, Json>);
  if (types.length > 0) {
    await trx('app_required_type').insert(types.map((type) => ({ app_id: id, type })));
  }
}

/** Fails with the driver's duplicate error when the id or the consumer key is taken. */
export async function insertApp(trx: Transaction, app: AppRow): Promise<void> {
  await insertPrincipal(trx, {
    id: app.id,
    kind: principalKindOf[app.kind],
    name: app.name,
    createdAt: app.createdAt,
    createdBy: null,
  });
  await trx('app').insert(toStored(app));
  await putRequiredTypes(trx, app);
}

/** Locks the row, retired or not, for the rest of the transaction. */
export async function lockApp(trx: Transaction, id: PrincipalId): Promise<AppRow | undefined> {
  const row = (await trx('app').where({ id }).forUpdate().first(selection)) as Stored | undefined;
  return row && toApp(row);
}

/** Replaces the secret, so that calls signed with the one before are refused from now on. */
export async function replaceAppSecret(trx: Transaction, id: PrincipalId, sealed: string): Promise<void> {
  await trx('app').where({ id }).update({ consumer_secret: sealed });
}

/** Replaces everything that is stored about the app; its shares, tokens and documents stay. */
export async function replaceApp(trx: Transaction, app: AppRow): Promise<void> {
  await renamePrincipal(trx, app.id, app.name);
  await trx('app').where({ id: app.id }).update(toStored(app));
  await putRequiredTypes(trx, app);
}

/**
 * Ends an app and deletes its tokens, bindings, storage and preferences. Medical documents, messages, accounts and
 * records stay. The principal stays too, so that it can still be shown as their creator.
 * @returns false when the app was retired already or never existed
 */
export async function retireApp(trx: Transaction, id: PrincipalId, now: Timestamp): Promise<boolean> {
  if ((await trx('app').where({ id }).whereNull('retired_at').update({ retired_at: now, updated_at: now })) === 0) {
    return false;
  }
  await trx('session_token').where({ ui_app_id: id }).delete();
  for (const table of [
    'smart_grant',
    'access_token',
    'system_token',
    'request_token',
    'record_app',
    'carenet_app',
    'app_document',
    'app_preference',
    'subscription',
    'export_job',
    'app_required_type',
  ]) {
    await trx(table).where({ app_id: id }).delete();
  }
  return true;
}

export type AppEnabling = {
  readonly id: Id;
  readonly recordId: Id;
  readonly appId: PrincipalId;
  readonly by: PrincipalId | null;
  readonly at: Timestamp;
};

/** Binds an app to a whole record; an existing binding stays as it is. */
export function enableApp(trx: Transaction, { id, recordId, appId, by, at }: AppEnabling): Promise<unknown> {
  return trx('record_app')
    .insert({ id, record_id: recordId, app_id: appId, authorized_at: at, authorized_by: by })
    .onConflict(['record_id', 'app_id'])
    .ignore();
}

function carenetsOf(on: Reads, recordId: Id) {
  return on('carenet').where({ record_id: recordId }).select('id');
}

/** Removes an app from a record and from the record's carenets, with all its tokens there; its storage stays. */
export async function disableApp(trx: Transaction, recordId: Id, appId: PrincipalId): Promise<void> {
  await trx('carenet_app').where({ app_id: appId }).whereIn('carenet_id', carenetsOf(trx, recordId)).delete();
  await trx('record_app').where({ record_id: recordId, app_id: appId }).delete();
  await trx('smart_grant').where({ record_id: recordId, app_id: appId }).delete();
  await trx('access_token').where({ record_id: recordId, app_id: appId }).delete();
  await trx('request_token')
    .where({ app_id: appId })
    .where((either) => {
      void either.where({ record_id: recordId }).orWhereIn('carenet_id', carenetsOf(trx, recordId));
    })
    .delete();
  await trx('subscription').where({ record_id: recordId, app_id: appId }).delete();
  await trx('export_job').where({ record_id: recordId, app_id: appId }).delete();
}

/** One page of the apps bound to the whole record, by name; only those that require the type when one is given. */
export async function listAppsOnRecord(
  on: Reads,
  recordId: Id,
  { limit, offset, orderBy, type }: PageQuery & { readonly type?: string },
): Promise<readonly AppRow[]> {
  const rows = (await present(on)
    .join('record_app', 'record_app.app_id', 'app.id')
    .where('record_app.record_id', recordId)
    .modify((query) => {
      if (type !== undefined) {
        void query
          .join('app_required_type', 'app_required_type.app_id', 'app.id')
          .where('app_required_type.type', type);
      }
    })
    .orderBy(orderOfApps(orderBy))
    .limit(limit)
    .offset(offset)) as Stored[];
  return rows.map(toApp);
}

/**
 * A part of the apps that are in a record, or of the user apps that are not, by name, and the number of all of these.
 */
export async function seekApps(
  on: Reads,
  recordId: Id,
  inside: boolean,
  seek: Seek,
): Promise<{ readonly part: ListPart<AppRow>; readonly total: number }> {
  const matching = () => {
    const bound = on('record_app').where('record_id', recordId).where('app_id', on.ref('app.id')).select(on.raw('1'));
    const apps = present(on);
    return inside ? apps.whereExists(bound) : apps.where('app.kind', 'user').whereNotExists(bound);
  };
  const part = await readPart<Stored>(matching(), ['app.name', 'app.id'], false, seek);
  return { part: { ...part, rows: part.rows.map(toApp) }, total: await countRows(matching().clearSelect()) };
}

export async function findAppOnRecord(on: Reads, recordId: Id, appId: PrincipalId): Promise<AppRow | undefined> {
  const row = (await present(on)
    .join('record_app', 'record_app.app_id', 'app.id')
    .where({ 'record_app.record_id': recordId, 'app.id': appId })
    .first()) as Stored | undefined;
  return row && toApp(row);
}

/** One page of the apps placed in a carenet, by name. */
export async function listAppsInCarenet(
  on: Reads,
  carenetId: Id,
  { limit, offset, orderBy }: PageQuery,
): Promise<readonly AppRow[]> {
  const rows = (await present(on)
    .join('carenet_app', 'carenet_app.app_id', 'app.id')
    .where('carenet_app.carenet_id', carenetId)
    .orderBy(orderOfApps(orderBy))
    .limit(limit)
    .offset(offset)) as Stored[];
  return rows.map(toApp);
}

export type RecordOfApp = { readonly id: Id; readonly label: string };

const sortableRecords = { created_at: 'record.seq', label: 'record.label' };

/** One page of the records on which the app is enabled, oldest first unless asked otherwise. */
export async function listRecordsOfApp(
  on: Reads,
  appId: PrincipalId,
  { limit, offset, orderBy }: PageQuery,
): Promise<readonly RecordOfApp[]> {
  return (await on('record')
    .join('record_app', 'record_app.record_id', 'record.id')
    .where('record_app.app_id', appId)
    .orderBy(orderOf(orderBy, sortableRecords, 'created_at', 'record.id'))
    .limit(limit)
    .offset(offset)
    .select('record.id', 'record.label')) as RecordOfApp[];
}
