/** serialize: messages and notifications as XML (specification 2.2, 2.3). */
import { wireTime } from '../../core/base/clock';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import type { MessageRow, NotificationRow } from '../../core/messages/store';
import { element, type XmlElement } from '../../core/xml/write';

/** A message. `shownBody` is its body as HTML that may be shown; it is null in lists, which have no bodies. */
export type ShownMessage = { readonly message: MessageRow; readonly shownBody: string | null };

function messageElement({ message, shownBody }: ShownMessage): XmlElement {
  return element('Message', { id: message.id }, [
    element('sender', {}, message.senderId),
    element('received_at', {}, wireTime(message.receivedAt)),
    element('read_at', {}, wireTime(message.readAt)),
    element('archived_at', {}, wireTime(message.archivedAt)),
    element('subject', {}, message.subject),
    shownBody !== null && element('body', {}, shownBody),
    element('severity', {}, message.severity),
    message.recordId !== null && element('record', { id: message.recordId }),
    ...message.attachments.map(({ num, type, size, documentId }) =>
      element('attachment', { num, type, size, doc_id: documentId }),
    ),
    // The message came with an imported archive: this service did not see that it was sent.
    !!message.importedBy &&
      element('imported', { imported_by: message.importedBy, imported_at: wireTime(message.importedAt ?? '') }),
  ]);
}

export const messageReply: Serializer<ShownMessage> = xml('Message', messageElement);

export const inboxReply: Serializer<readonly MessageRow[]> = xml('Messages', (messages) =>
  element(
    'Messages',
    {},
    messages.map((message) => messageElement({ message, shownBody: null })),
  ),
);

function notificationElement(notification: NotificationRow): XmlElement {
  return element('Notification', { id: notification.id }, [
    element('sender', {}, notification.senderId),
    element('received_at', {}, wireTime(notification.receivedAt)),
    element('content', {}, notification.content),
    element('record', { id: notification.recordId, label: notification.recordLabel }),
    notification.documentId === null
      ? element('document')
      : element('document', { id: notification.documentId, label: notification.documentLabel }),
    notification.appUrl !== null && element('app_url', {}, notification.appUrl),
  ]);
}

export const notificationsReply: Serializer<readonly NotificationRow[]> = xml('Notifications', (notifications) =>
  element('Notifications', {}, notifications.map(notificationElement)),
);
