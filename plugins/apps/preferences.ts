/**
 * preferences: what an app remembers of an account: one content of any media type that only the app understands
 * (specification 4.1).
 */
import { toTimestamp } from '../../core/base/clock';
import type { Call } from '../../core/http/route';
import { holdUserApp, requireUserApp } from '../../core/records/require';
import type { Preferences } from '../../core/apps/preferences-store';
import { uploadedContent } from './storage';
import * as preferenceStore from '../../core/apps/preferences-store';

type InAccountApp = { ACCOUNT_EMAIL: string; PHA_EMAIL: string };

/** A user app, or the UI app through which the person is signed in. @throws errors.notFound for all others */
async function preferringApp({
  params,
  principal,
  services,
}: Pick<Call<InAccountApp>, 'params' | 'principal' | 'services'>): Promise<{ readonly id: string }> {
  return principal.kind === 'account' && principal.uiAppId === params.PHA_EMAIL
    ? { id: principal.uiAppId }
    : requireUserApp(services, params.PHA_EMAIL);
}

/** Undefined when nothing is stored. 404 for an unknown app. */
export async function readPreferences({
  params,
  principal,
  services,
}: Call<InAccountApp>): Promise<Preferences | undefined> {
  const { id } = await preferringApp({ params, principal, services });
  return preferenceStore.findPreferences(services.database.reads, services.contents, params.ACCOUNT_EMAIL, id);
}

/** Replaces what is stored. 400 for XML that is not well-formed, 404 for an unknown app. */
export async function savePreferences(call: Call<InAccountApp, unknown, Buffer>): Promise<void> {
  const { params, body, services } = call;
  const { id } = await preferringApp(call);
  const { mediaType } = await uploadedContent(call);
  const now = toTimestamp(services.clock.now());
  await services.database.transaction(async (trx) => {
    await holdUserApp(trx, id);
    const kept = { content: body, mediaType };
    await preferenceStore.putPreferences(trx, services.contents, params.ACCOUNT_EMAIL, id, kept, now);
  });
}

/** It is no error when nothing is stored. 404 for an unknown app. */
export async function deletePreferences({ params, principal, services }: Call<InAccountApp>): Promise<void> {
  const { id } = await preferringApp({ params, principal, services });
  await services.database.write((connection) =>
    preferenceStore.deletePreferences(connection, params.ACCOUNT_EMAIL, id),
  );
}
