/** routes: what people do with their inboxes, and what apps send to people and records. */
import Joi from 'joi';
import { adminApp, anyOf, appWithAccess, sameAccount } from '../../core/access/rules';
import {
  characters,
  documentBytes,
  form,
  inAccount,
  inPath,
  inRecord,
  pagingKeys,
  wholeNumber,
} from '../../core/http/inputs';
import { ok } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { acceptAttachment, attach, type AttachmentNumber } from './attachments';
import { archive, listInbox, listNotifications, readMessage, type InboxPage } from './inbox';
import { notify, type Notice } from './notifications';
import { inboxReply, messageReply, notificationsReply } from './serialize';
import { sendToAccount, sendToRecord, type ToAccount, type ToRecord } from './sending';

const maySend = anyOf(adminApp, appWithAccess);
const inMessage = inPath('ACCOUNT_EMAIL', 'MESSAGE_ID');
const inRecordMessage = inPath('RECORD_ID', 'MESSAGE_ID');

const num = wholeNumber.min(1).max(50).required();
function withNum<P>(params: Joi.ObjectSchema<P>): Joi.ObjectSchema<P & AttachmentNumber> {
  return params.keys({ ATTACHMENT_NUM: num } as never) as unknown as Joi.ObjectSchema<P & AttachmentNumber>;
}

const text = {
  subject: characters(100).empty('').default('[no subject]'),
  body: Joi.string().empty('').default('[no body]'),
  body_type: Joi.string().empty('').valid('plaintext', 'markdown').default('plaintext'),
  severity: Joi.string().empty('').valid('low', 'medium', 'high').default('low'),
};

const inbox = Joi.object<InboxPage>({ ...pagingKeys, include_archive: Joi.string().allow('').default('') }).unknown(
  true,
);

const notifies = {
  name: 'record_notify' as const,
  method: 'POST' as const,
  summary: 'Notify every account that is authorized on a record',
  access: maySend,
  params: inRecord,
  reply: ok,
  body: form<Notice>({
    content: characters(500).required(),
    app_url: Joi.string()
      .empty('')
      .uri({ scheme: ['http', 'https'], allowRelative: true })
      .max(300),
    document_id: Joi.string().empty(''),
  }),
  handle: notify,
};

export const operations = {
  accountInbox: route({
    name: 'account_inbox',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/inbox/',
    summary: 'List the messages of an account',
    access: sameAccount,
    params: inAccount,
    query: inbox,
    reply: inboxReply,
    handle: listInbox,
  }),
  accountSendMessage: route({
    name: 'account_send_message',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/inbox/',
    summary: 'Send an account a message; it is told by mail',
    access: adminApp,
    params: inAccount,
    body: form<ToAccount>({ ...text, message_id: characters(250).empty('') }),
    reply: messageReply,
    handle: sendToAccount,
  }),
  accountInboxMessage: route({
    name: 'account_inbox_message',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}',
    summary: 'Read a message, which marks it as read',
    access: sameAccount,
    params: inMessage,
    reply: messageReply,
    handle: readMessage,
  }),
  accountMessageArchive: route({
    name: 'account_message_archive',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}/archive',
    summary: 'Archive a message',
    access: sameAccount,
    params: inMessage,
    reply: ok,
    handle: archive,
  }),
  accountInboxMessageAttachmentAccept: route({
    name: 'account_inbox_message_attachment_accept',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}/attachments/{ATTACHMENT_NUM}/accept',
    summary: 'Store an attachment as a document of the record that the message concerns',
    access: sameAccount,
    params: inPath('ACCOUNT_EMAIL', 'MESSAGE_ID', 'ATTACHMENT_NUM'),
    reply: ok,
    fails: { 400: 'The attachment does not fit its format', 410: 'Somebody has accepted the attachment already' },
    handle: acceptAttachment,
  }),
  accountNotifications: route({
    name: 'account_notifications',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/notifications/',
    summary: 'List the notifications of an account',
    access: sameAccount,
    params: inAccount,
    query: inbox,
    reply: notificationsReply,
    handle: listNotifications,
  }),
  recordSendMessage: route({
    name: 'record_send_message',
    method: 'POST',
    path: '/records/{RECORD_ID}/inbox/{MESSAGE_ID}',
    summary: 'Send every account that is authorized on a record a message, once all its attachments are there',
    access: maySend,
    params: inRecordMessage,
    body: form<ToRecord>({ ...text, num_attachments: wholeNumber.max(50).empty('').default(0) }),
    reply: ok,
    handle: sendToRecord,
  }),
  recordMessageAttach: route({
    name: 'record_message_attach',
    method: 'POST',
    path: '/records/{RECORD_ID}/inbox/{MESSAGE_ID}/attachments/{ATTACHMENT_NUM}',
    summary: 'Upload one attachment of a message to a record',
    access: maySend,
    params: withNum(inRecordMessage),
    body: documentBytes,
    reply: ok,
    handle: attach,
  }),
  recordNotify: route({ ...notifies, path: '/records/{RECORD_ID}/notifications/' }),
  recordNotifyFormerly: route({ ...notifies, path: '/records/{RECORD_ID}/notify', deprecated: true }),
};

export const routes = Object.values(operations);
