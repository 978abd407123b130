/** serialize: owners and shares as XML. */
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import type { AppShare, Share } from '../../core/storage/stores/sharing';
import { element } from '../../core/xml/write';

/** `Account`, with an empty id when nobody owns the record; an app may own one too. */
export const ownerReply: Serializer<{ readonly id: string | null }> = xml('Account', ({ id }) => element('Account', { id: id ?? '' }));

export type Shares = { readonly recordId: string; readonly shares: readonly Share[]; readonly apps: readonly AppShare[] };

/** `Shares`: full shares first, then apps. */
export const sharesReply: Serializer<Shares> = xml('Shares', ({ recordId, shares, apps }) =>
  element('Shares', { record: recordId }, [
    ...shares.map(({ id, accountId, roleLabel }) => element('Share', { id, account: accountId, role_label: roleLabel })),
    ...apps.map(({ id, appId }) => element('Share', { id, pha: appId })),
  ]));
