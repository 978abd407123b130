/** new-address: a new contact address is in use once somebody has followed the link that was mailed to it. */
import { freeOldName } from '../../core/accounts/usernames';
import { isAddress } from '../../core/auth/address';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Timestamp } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { AccountRow } from '../../core/accounts/store';
import { requireAccount, type InAccount } from './find';
import { countMail, sendAddressChanged, sendNewAddress, sendUsernameChanged } from '../../core/accounts/letters';
import * as accountStore from '../../core/accounts/store';

const DAY = 86_400_000;

/** The content of the link, which is sealed. Nothing of it is in the database before somebody follows the link. */
type Asked = {
  readonly account: string;
  readonly from: string;
  readonly to: string;
  readonly expires: Timestamp;
};

/**
 * Mails a link to the new address, which may be anybody's. Therefore such mails are counted. 400 for a malformed
 * address, 429 after too many mails in a minute.
 */
export async function askForAddress({
  params,
  body,
  services,
}: Call<InAccount, unknown, { contact_email: string }>): Promise<void> {
  const { database, sealing, clock } = services;
  if (!isAddress(body.contact_email)) {
    throw errors.invalidParameter('contact_email', 'it must be an e-mail address');
  }
  const account = await requireAccount(services, params.ACCOUNT_EMAIL);
  const asked: Asked = {
    account: account.id,
    from: account.contactEmail,
    to: body.contact_email,
    expires: toTimestamp(clock.now() + DAY),
  };
  const secret = sealing.seal(JSON.stringify(asked));
  await database.transaction(async (trx) => {
    await countMail(services, trx, account, asked.to);
    await sendNewAddress(services, trx, account, asked.to, secret);
  });
}

/**
 * Stores a contact address. If the old one was the user name, the id becomes the user name, and a mail to the old
 * address says so.
 * @param account locked, as it was before
 */
export async function changeAddress(
  services: Services,
  trx: Transaction,
  account: AccountRow,
  { address, confirmed }: { readonly address: string; readonly confirmed: boolean },
): Promise<void> {
  // An address that was confirmed before stays confirmed, however its letters are written.
  const same = address.toLowerCase() === account.contactEmail.toLowerCase();
  const kept = same && !confirmed ? account.unconfirmedEmail : 1;
  const changed = { ...account, contactEmail: address, unconfirmedEmail: confirmed ? null : kept };
  const { contactEmail, unconfirmedEmail } = changed;
  await accountStore.updateAccount(trx, account.id, { contactEmail, unconfirmedEmail });
  const { username } = (await accountStore.findWithUsername(trx, account.id)) ?? {};
  const freed = await freeOldName(trx, changed, username ?? undefined);
  if (freed !== undefined) {
    await sendUsernameChanged(services, trx, account, freed);
  }
}

function openAsked(text: string, unseal: (sealed: string) => string): Asked | undefined {
  try {
    return JSON.parse(unseal(text)) as Asked;
  } catch {
    return undefined;
  }
}

/**
 * Stores the new address, and sends a mail to the old one. 403 for a link that was made for another account, has
 * expired, or was made before the address changed in another way.
 */
export async function confirmAddress({
  params,
  body,
  services,
}: Call<InAccount, unknown, { secret: string }>): Promise<void> {
  const { database, sealing, clock } = services;
  const asked = openAsked(body.secret, sealing.open);
  const wrong = errors.refused('the link is not good any more');
  if (asked?.account !== params.ACCOUNT_EMAIL || asked.expires <= toTimestamp(clock.now())) {
    throw wrong;
  }
  await database.transaction(async (trx) => {
    const account = await accountStore.lockAccount(trx, asked.account);
    if (account?.contactEmail !== asked.from) {
      throw wrong;
    }
    await changeAddress(services, trx, account, { address: asked.to, confirmed: true });
    await sendAddressChanged(services, trx, account, asked.to);
  });
}
