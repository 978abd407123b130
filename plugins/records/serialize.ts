/** serialize: owners and shares as XML. */
import { accountElement } from '../../core/accounts/account-element';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import type { Account } from '../../core/accounts/store';
import type { AppShare, Share } from '../../core/sharing/store';
import { element } from '../../core/xml/write';

/** `Account` of a new owner in full, or the bare id of an app. */
export const newOwnerReply: Serializer<Account | { readonly id: string }> = xml('Account', (owner) =>
  'fullName' in owner ? accountElement(owner) : element('Account', { id: owner.id }),
);

/** `Account`, with an empty id when nobody owns the record; an app may own one too. */
export const ownerReply: Serializer<{ readonly id: string | null }> = xml('Account', ({ id }) =>
  element('Account', { id: id ?? '' }),
);

export type Shares = { readonly recordId: string; readonly shares: readonly (Share | AppShare)[] };

/** `Shares`: full shares first, then apps. */
export const sharesReply: Serializer<Shares> = xml('Shares', ({ recordId, shares }) =>
  element(
    'Shares',
    { record: recordId },
    shares.map((share) =>
      element(
        'Share',
        'appId' in share
          ? { id: share.id, pha: share.appId }
          : { id: share.id, account: share.accountId, role_label: share.roleLabel },
      ),
    ),
  ),
);
