/** preferences-store: the settings that an app keeps for an account, one text per account and app (specification 4.1). */
import type { PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';
import type { Contents, ContentPlace, StoredContent } from '../sealing/contents-store';

export type Preferences = { readonly content: Buffer; readonly mediaType: string };

function preferencePlace(accountId: PrincipalId, appId: PrincipalId): ContentPlace {
  return ['app_preference', accountId, appId];
}

/** @throws UnreadableContent */
export async function findPreferences(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  appId: PrincipalId,
): Promise<Preferences | undefined> {
  const row = (await on('app_preference')
    .where({ account_id: accountId, app_id: appId })
    .first({ content: 'content', sealed: 'sealed', mediaType: 'media_type' })) as
    (StoredContent & { mediaType: string }) | undefined;
  return (
    row && {
      content: (await contents.common(on)).open(preferencePlace(accountId, appId), row),
      mediaType: row.mediaType,
    }
  );
}

/** Replaces the earlier preferences, if there are any. */
export async function putPreferences(
  trx: Transaction,
  contents: Contents,
  accountId: PrincipalId,
  appId: PrincipalId,
  { content, mediaType }: Preferences,
  now: Timestamp,
): Promise<void> {
  const stored = (await contents.common(trx)).seal(preferencePlace(accountId, appId), content);
  const row = { media_type: mediaType, updated_at: now, ...stored };
  await trx('app_preference')
    .insert({ account_id: accountId, app_id: appId, ...row })
    .onConflict(['account_id', 'app_id'])
    .merge(row);
}

export function deletePreferences(trx: Transaction, accountId: PrincipalId, appId: PrincipalId): Promise<unknown> {
  return trx('app_preference').where({ account_id: accountId, app_id: appId }).delete();
}
