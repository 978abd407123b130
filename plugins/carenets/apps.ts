/** apps: the apps in a carenet. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { ShownApps } from '../../core/apps/app-element';
import type { Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { changeCarenet, holdUserApp, requireCarenet, requireUserApp } from '../../core/records/require';
import type { InCarenet } from './service';
import * as appStore from '../../core/apps/store';
import * as sharingStore from '../../core/sharing/store';

type InCarenetApp = InCarenet & { APP_ID: string };

export async function listApps({ params, query, services }: Call<InCarenet, Page>): Promise<ShownApps> {
  const { id } = await requireCarenet(services, params.CARENET_ID);
  const apps = await appStore.listAppsInCarenet(services.database.reads, id, pageOf(services, query));
  return { apps, uiBaseUrl: uiBaseUrl(services) };
}

/** 400 for an autonomous app, because it sees the whole record anyway; 404 unless the app is enabled on the record. */
export async function addApp({ params, services }: Call<InCarenetApp>): Promise<void> {
  const { clock } = services;
  const { id, recordId } = await requireCarenet(services, params.CARENET_ID);
  const app = await requireUserApp(services, params.APP_ID);
  await changeCarenet(services, id, async (trx) => {
    await holdUserApp(trx, app.id);
    if (!(await appStore.findAppOnRecord(trx, recordId, app.id))) {
      throw errors.notFound('app on this record');
    }
    if (app.autonomous) {
      throw errors.invalidParameter('APP_ID', 'an autonomous app cannot be placed in a carenet');
    }
    await sharingStore.putCarenetApp(trx, id, app.id, toTimestamp(clock.now()));
  });
}

/**
 * Removes the app from the carenet, and ends its tokens for this carenet. It is no error when the app was not placed
 * there. 404 for an unknown app.
 */
export async function removeApp({ params, services }: Call<InCarenetApp>): Promise<void> {
  const { id } = await requireCarenet(services, params.CARENET_ID);
  const app = await requireUserApp(services, params.APP_ID);
  await changeCarenet(services, id, (trx) => sharingStore.deleteCarenetApp(trx, id, app.id), { ends: true });
}
