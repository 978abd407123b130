/** external-ids: the names that apps give to documents of their own making (specification 4.5, external-id rules). */
import type { ExternalId } from '../../core/storage/stores/documents';

export type InExternal = { RECORD_ID: string; PHA_EMAIL: string; EXTERNAL_ID: string };

/** The app of the path is the caller: the access rule has seen to it. */
export const externalIdOf = ({
  PHA_EMAIL: appId,
  EXTERNAL_ID: externalId,
}: {
  PHA_EMAIL: string;
  EXTERNAL_ID: string;
}): ExternalId => ({ appId, externalId });
