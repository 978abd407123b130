/** external-ids: the ids that apps give to the documents that they create (specification 4.5, external-id rules). */
import type { ExternalId } from '../../core/documents/store';

export type InExternal = { RECORD_ID: string; PHA_EMAIL: string; EXTERNAL_ID: string };

/** The app of the path is the calling app: the access rule has checked that. */
export function externalIdOf({
  PHA_EMAIL: appId,
  EXTERNAL_ID: externalId,
}: {
  PHA_EMAIL: string;
  EXTERNAL_ID: string;
}): ExternalId {
  return { appId, externalId };
}
