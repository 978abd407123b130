/** preferences: what an app keeps about how an account likes it, one text per account and app (specification 4.1). */
import type { PrincipalId, Timestamp } from '../../base/types';
import type { Reads, Transaction } from '../database';

export type Preferences = { readonly content: Buffer; readonly mediaType: string };

export const findPreferences = async (
  on: Reads,
  accountId: PrincipalId,
  appId: PrincipalId,
): Promise<Preferences | undefined> =>
  (await on('app_preference')
    .where({ account_id: accountId, app_id: appId })
    .first({ content: 'content', mediaType: 'media_type' })) as Preferences | undefined;

/** In place of whatever was there. */
export const putPreferences = async (
  trx: Transaction,
  accountId: PrincipalId,
  appId: PrincipalId,
  { content, mediaType }: Preferences,
  now: Timestamp,
): Promise<void> => {
  const row = { media_type: mediaType, updated_at: now, content };
  await trx('app_preference')
    .insert({ account_id: accountId, app_id: appId, ...row })
    .onConflict(['account_id', 'app_id'])
    .merge(row);
};

export const deletePreferences = (trx: Transaction, accountId: PrincipalId, appId: PrincipalId): Promise<unknown> =>
  trx('app_preference').where({ account_id: accountId, app_id: appId }).delete();
