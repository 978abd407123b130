/** serialize: accounts and their carenets as XML (specification 2.1, 2.9). Secrets never leave here (decisions 28). */
import { wireTime } from '../../core/base/clock';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import type { Account } from '../../core/storage/stores/accounts';
import { element, type XmlElement } from '../../core/xml/write';

const accountElement = (account: Account): XmlElement =>
  element('Account', { id: account.id }, [
    element('fullName', {}, account.fullName),
    element('contactEmail', {}, account.contactEmail),
    element('lastLoginAt', {}, wireTime(account.lastLoginAt)),
    element('totalLoginCount', {}, String(account.totalLoginCount)),
    element('failedLoginCount', {}, String(account.failedLoginCount)),
    element('state', {}, account.state),
    element('lastStateChange', {}, wireTime(account.lastStateChange)),
    ...account.authSystems.map(({ name, username }) => element('authSystem', { name, username })),
  ]);

export const accountReply: Serializer<Account> = xml('Account', accountElement);

export const accountsReply: Serializer<readonly Account[]> = xml('Accounts', (accounts) => element('Accounts', {}, accounts.map(accountElement)));
