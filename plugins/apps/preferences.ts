/** preferences: one text per account and app, which the app alone understands. */
import { toTimestamp } from '../../core/base/clock';
import type { Call } from '../../core/http/route';
import { holdUserApp, requireUserApp } from '../../core/records/require';
import type { Preferences } from '../../core/storage/stores/preferences';
import { contentOf } from './storage';

type InAccountApp = { ACCOUNT_EMAIL: string; PHA_EMAIL: string };

/** Undefined when nothing was stored. */
export const readPreferences = async ({ params, services }: Call<InAccountApp>): Promise<Preferences | undefined> => {
  const { id } = await requireUserApp(services, params.PHA_EMAIL);
  return services.stores.preferences.findPreferences(services.database.reads, params.ACCOUNT_EMAIL, id);
};

/** 400 for XML that is not well-formed. */
export const savePreferences = async (call: Call<InAccountApp, unknown, Buffer>): Promise<void> => {
  const { params, body, services } = call;
  const { id } = await requireUserApp(services, params.PHA_EMAIL);
  const { mediaType } = await contentOf(call);
  const now = toTimestamp(services.clock.now());
  await services.database.transaction(async (trx) => {
    await holdUserApp(services, trx, id);
    await services.stores.preferences.putPreferences(trx, params.ACCOUNT_EMAIL, id, { content: body, mediaType }, now);
  });
};

/** Fine when nothing was stored. */
export const deletePreferences = async ({ params, services }: Call<InAccountApp>): Promise<void> => {
  const { id } = await requireUserApp(services, params.PHA_EMAIL);
  await services.database.write((connection) =>
    services.stores.preferences.deletePreferences(connection, params.ACCOUNT_EMAIL, id),
  );
};
