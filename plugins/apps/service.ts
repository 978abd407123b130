/** service: shows apps as everybody may see them, and does what an app may do with itself. */
import { makeLookups } from '../../core/access/lookups';
import { platformManifest, type ShownApp, type ShownApps } from '../../core/apps/app-element';
import { issueAccessToken } from '../../core/auth/tokens';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { requireUserApp } from '../../core/records/require';
import type { ListedRecord } from '../../core/records/store';
import * as appStore from '../../core/apps/store';
import * as recordStore from '../../core/records/store';

type InApp = { PHA_EMAIL: string };

export async function listApps({ query, services }: Call<unknown, Page>): Promise<ShownApps> {
  return {
    apps: await appStore.listUserApps(services.database.reads, pageOf(services, query)),
    uiBaseUrl: uiBaseUrl(services),
  };
}

export async function readApp({ params, services }: Call<InApp>): Promise<ShownApp> {
  return {
    app: await requireUserApp(services, params.PHA_EMAIL),
    uiBaseUrl: uiBaseUrl(services),
  };
}

export async function listManifests(call: Call<unknown, Page>): Promise<object> {
  const shown = await listApps(call);
  return shown.apps.map((app) => platformManifest({ app, uiBaseUrl: shown.uiBaseUrl }));
}

export async function readManifest(call: Call<InApp>): Promise<object> {
  return platformManifest(await readApp(call));
}

/**
 * Retires the app: its tokens, bindings, storage and preferences are deleted; its documents in records and its messages
 * stay. 404 when it is retired already.
 */
export async function deleteApp({ params, services }: Call<InApp>): Promise<void> {
  const { database, clock } = services;
  if (!(await database.transaction((trx) => appStore.retireApp(trx, params.PHA_EMAIL, toTimestamp(clock.now()))))) {
    throw errors.notFound('app');
  }
}

/** A page of the records on which the app is enabled. */
export async function listRecords({ params, query, services }: Call<InApp, Page>): Promise<readonly ListedRecord[]> {
  const records = await appStore.listRecordsOfApp(services.database.reads, params.PHA_EMAIL, pageOf(services, query));
  return records.map(({ id, label }) => ({ id, label, kind: 'owned', roleLabel: null, carenet: null }));
}

/**
 * An access token for no account, with which an autonomous app acts for itself. 403 unless the app is enabled on the
 * record.
 */
export async function issueAutonomousToken({
  params,
  services,
}: Call<InApp & { RECORD_ID: string }>): Promise<Readonly<Record<string, string>>> {
  const { database, config } = services;
  const issued = await database.transaction(async (trx) => {
    await recordStore.lockRecord(trx, params.RECORD_ID, false);
    if (!(await makeLookups(trx, services.clock).enabled(params.PHA_EMAIL, params.RECORD_ID))) {
      throw errors.permissionDenied();
    }
    return issueAccessToken(services, trx, {
      kind: 'ordinary',
      appId: params.PHA_EMAIL,
      accountId: null,
      recordId: params.RECORD_ID,
      carenetId: null,
      seconds: config.accessTokenSeconds,
    });
  });
  return { oauth_token: issued.token, oauth_token_secret: issued.secret, xoauth_svc_record_id: params.RECORD_ID };
}
