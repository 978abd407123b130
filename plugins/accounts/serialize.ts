/** serialize: accounts as XML (specification 2.1). */
import { accountElement } from '../../core/accounts/account-element';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import type { Account } from '../../core/accounts/store';
import { element } from '../../core/xml/write';

export const accountReply: Serializer<Account> = xml('Account', accountElement);

export const accountsReply: Serializer<readonly Account[]> = xml('Accounts', (accounts) =>
  element('Accounts', {}, accounts.map(accountElement)),
);
