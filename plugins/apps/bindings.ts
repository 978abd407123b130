/** bindings: apps enabled on records (specification 4.3). */
import type { ShownApp, ShownApps } from '../../core/apps/app-element';
import { effectiveId } from '../../core/auth/principal';
import { issueAccessToken } from '../../core/auth/tokens';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId, sha256 } from '../../core/base/ids';
import type { InRecord, TypedPage } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { typeUri } from '../../core/documents/document-types';
import { changeRecord, holdUserApp, requireRecord, requireUserApp } from '../../core/records/require';
import type { Transaction } from '../../core/db/database';
import type { AppRow } from '../../core/apps/store';
import { uploadedContent, keepFirst } from './storage';
import * as appDocumentStore from '../../core/apps/documents-store';
import * as appStore from '../../core/apps/store';

type InRecordApp = { RECORD_ID: string; PHA_EMAIL: string };

/**
 * A page of the apps on a record; with `type` (a type URI or the name of one of our types) only those whose manifest
 * requires it. 404 for an unknown record.
 */
export async function listRecordApps({ params, query, services }: Call<InRecord, TypedPage>): Promise<ShownApps> {
  const { id: recordId } = await requireRecord(services, params.RECORD_ID);
  const asked = {
    ...pageOf(services, query),
    ...(query.type ? { type: typeUri(query.type, services.config.vocabBase) } : {}),
  };
  return {
    apps: await appStore.listAppsOnRecord(services.database.reads, recordId, asked),
    uiBaseUrl: uiBaseUrl(services),
  };
}

/** 404 for an unknown record and for an app that is not enabled on it. */
export async function readRecordApp({ params, services }: Call<InRecordApp>): Promise<ShownApp> {
  const { id: recordId } = await requireRecord(services, params.RECORD_ID);
  const app = await appStore.findAppOnRecord(services.database.reads, recordId, params.PHA_EMAIL);
  if (!app) {
    throw errors.notFound('app on this record');
  }
  return { app, uiBaseUrl: uiBaseUrl(services) };
}

async function bind(
  { principal, services }: Pick<Call, 'principal' | 'services'>,
  trx: Transaction,
  recordId: string,
  app: AppRow,
): Promise<void> {
  await holdUserApp(trx, app.id);
  await appStore.enableApp(trx, {
    id: newId(),
    recordId,
    appId: app.id,
    by: principal.kind === 'account' ? principal.accountId : null,
    at: toTimestamp(services.clock.now()),
  });
}

/**
 * Enables the app without asking anybody. If it is enabled already, nothing changes. 404 for an unknown record or app
 * (specification 4.3).
 */
export async function enableApp(call: Call<InRecordApp>): Promise<void> {
  const { id: recordId } = await requireRecord(call.services, call.params.RECORD_ID);
  const app = await requireUserApp(call.services, call.params.PHA_EMAIL);
  await changeRecord(call.services, recordId, (trx) => bind(call, trx, recordId, app));
}

/**
 * Ends the app's tokens, subscriptions and places in carenets of the record. It is no error when it was not enabled.
 * Its storage on the record is kept for the case that it is enabled again. 404 for an unknown record or app.
 */
export async function disableApp({ params, services }: Call<InRecordApp>): Promise<void> {
  const { id: recordId } = await requireRecord(services, params.RECORD_ID);
  const { id } = await requireUserApp(services, params.PHA_EMAIL);
  await changeRecord(services, recordId, (trx) => appStore.disableApp(trx, recordId, id), { ends: true });
}

const SETUP_ID = 'SETUP';

/**
 * Enables the app and answers a token that acts for no account. The first body is stored as the app's document with the
 * external id SETUP, later ones are ignored. 404 for an unknown record or app, 413 beyond the app's quota.
 */
export async function setUpApp(call: Call<InRecordApp, unknown, Buffer>): Promise<Readonly<Record<string, string>>> {
  const { params, body, principal, services, note } = call;
  const { id: recordId } = await requireRecord(services, params.RECORD_ID);
  const app = await requireUserApp(services, params.PHA_EMAIL);
  const shelf = { appId: app.id, recordId };
  const ignored =
    body.length === 0 ||
    (await appDocumentStore.findAppDocumentByExternalId(services.database.reads, shelf, SETUP_ID)) !== undefined;
  const content = ignored ? undefined : await uploadedContent(call);
  const document = content && {
    ...content,
    content: body,
    digest: sha256(body),
    externalId: SETUP_ID,
    creatorId: effectiveId(principal) ?? app.id,
    now: toTimestamp(services.clock.now()),
  };
  const { token, documentId } = await changeRecord(services, recordId, async (trx, { contentKey }) => {
    await bind(call, trx, recordId, app);
    const sealer = services.contents.under(contentKey);
    const kept = document && (await keepFirst(services, trx, sealer, shelf, document));
    const issued = await issueAccessToken(services, trx, {
      kind: 'ordinary',
      appId: app.id,
      accountId: null,
      recordId,
      carenetId: null,
      seconds: app.autonomous ? services.config.accessTokenSeconds : services.config.connectTokenSeconds,
    });
    return { token: issued, documentId: kept };
  });
  if (documentId !== undefined) {
    note({ documentId });
  }
  return { oauth_token: token.token, oauth_token_secret: token.secret, xoauth_svc_record_id: recordId };
}
