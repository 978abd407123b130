/** scope: may this account give this app access to a record or a carenet. */
import { makeLookups } from '../../core/access/lookups';
import type { Connection } from '../../core/storage/database';
import type { AppRow } from '../../core/storage/stores/apps';

/** One of the two. */
export type Scope = { readonly recordId?: string; readonly carenetId?: string };

export type Gift = { readonly accountId: string; readonly app: AppRow; readonly scope: Scope };

/**
 * A record: the account has full control of it. A carenet: the account is in it or has full control of its record, the app is
 * placed there, and is not one that acts by itself. False for unknown ids.
 */
export const mayGive = async (connection: Connection, { accountId, app, scope }: Gift): Promise<boolean> => {
  const lookups = makeLookups(connection);
  if (scope.recordId !== undefined) {
    return lookups.fullControl(accountId, scope.recordId);
  }
  const standing = app.autonomous ? undefined : await lookups.carenet(scope.carenetId ?? '', accountId, app.id);
  return standing !== undefined && standing.appPlaced && (standing.member || standing.fullControl);
};
