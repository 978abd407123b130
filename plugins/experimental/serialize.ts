/** serialize: a subscription as it is shown (specification 2.17). */
import { wireTime } from '../../core/base/clock';
import { xml } from '../../core/http/replies';
import type { SubscriptionRow } from '../../core/outbox/subscriptions-store';
import { element, type XmlElement } from '../../core/xml/write';

function subscriptionElement({ id, expiresAt, url }: SubscriptionRow): XmlElement {
  return element('Subscription', { id }, [element('expires_at', {}, wireTime(expiresAt)), element('url', {}, url)]);
}

export const subscriptionReply = xml<SubscriptionRow>('Subscription', subscriptionElement);

export const subscriptionList = xml<readonly SubscriptionRow[]>('Subscriptions', (rows) =>
  element('Subscriptions', {}, rows.map(subscriptionElement)),
);
