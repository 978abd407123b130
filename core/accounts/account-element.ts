/** account-element: an account as XML (specification 2.1). Secrets never leave here. */
import { wireTime } from '../base/clock';
import type { Account } from './store';
import { element, type XmlElement } from '../xml/write';

export function accountElement(account: Account): XmlElement {
  return element('Account', { id: account.id }, [
    element('fullName', {}, account.fullName),
    element('contactEmail', {}, account.contactEmail),
    element('lastLoginAt', {}, wireTime(account.lastLoginAt)),
    element('totalLoginCount', {}, String(account.totalLoginCount)),
    element('failedLoginCount', {}, String(account.failedLoginCount)),
    element('state', {}, account.state),
    element('lastStateChange', {}, wireTime(account.lastStateChange)),
    ...account.authSystems.map(({ name, username }) => element('authSystem', { name, username })),
  ]);
}
