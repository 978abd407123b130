/** messages: rows of inboxes, record messages with their attachments, and notifications (specification 2.2, 2.3). */
import type { Id, PrincipalId, Timestamp } from '../../base/types';
import type { Reads, Transaction } from '../database';
import { inParts } from '../in-parts';
import { insertRows } from '../insert-rows';
import { orderOf, readPart, type ListPart, type PageQuery, type Seek } from '../page';

export type Severity = 'low' | 'medium' | 'high';
export type BodyType = 'plaintext' | 'markdown';

export type MessageText = {
  readonly subject: string;
  readonly body: string;
  readonly bodyType: BodyType;
  readonly severity: Severity;
};

export type Attachment = {
  readonly num: number;
  readonly type: string;
  readonly size: number;
  /** Set once it was accepted into the record. */ readonly documentId: Id | null;
};

/** One account's copy of a message. */
export type MessageRow = MessageText & {
  readonly id: Id;
  readonly accountId: PrincipalId;
  readonly senderId: PrincipalId;
  /** The sender's own id of the message. */
  readonly externalId: string | null;
  readonly recordMessageId: Id | null;
  readonly recordId: Id | null;
  readonly receivedAt: Timestamp;
  readonly readAt: Timestamp | null;
  readonly archivedAt: Timestamp | null;
  readonly attachments: readonly Attachment[];
  /** The operator who brought it in from an archive: nobody here has seen it being sent. */
  readonly importedBy?: string | null;
  readonly importedAt?: Timestamp | null;
};

export type NewMessage = Omit<MessageRow, 'readAt' | 'archivedAt' | 'attachments' | 'importedBy' | 'importedAt'>;

const messageColumns = [
  'id',
  'account_id',
  'sender_id',
  'external_id',
  'record_message_id',
  'record_id',
  'subject',
  'body',
  'body_type',
  'severity',
  'received_at',
] as const;

/** Fails with the driver's duplicate error when an account has a message of this sender with the external id. */
export const insertMessages = (trx: Transaction, messages: readonly NewMessage[]): Promise<unknown> =>
  insertRows(
    trx,
    'message',
    messageColumns,
    messages.map((message) => ({
      id: message.id,
      account_id: message.accountId,
      sender_id: message.senderId,
      external_id: message.externalId,
      record_message_id: message.recordMessageId,
      record_id: message.recordId,
      subject: message.subject,
      body: message.body,
      body_type: message.bodyType,
      severity: message.severity,
      received_at: message.receivedAt,
    })),
  );

const columns = {
  id: 'm.id',
  accountId: 'm.account_id',
  senderId: 'm.sender_id',
  recordMessageId: 'm.record_message_id',
  recordId: 'm.record_id',
  subject: 'm.subject',
  body: 'm.body',
  bodyType: 'm.body_type',
  severity: 'm.severity',
  receivedAt: 'm.received_at',
  readAt: 'm.read_at',
  archivedAt: 'm.archived_at',
};

type Bare = Omit<MessageRow, 'attachments'>;

const select = (on: Reads) =>
  on('message as m')
    .leftJoin('record_message as rm', 'rm.id', 'm.record_message_id')
    .select({
      ...columns,
      externalId: on.raw('coalesce(rm.external_id, m.external_id)'),
      importedBy: on.raw('coalesce(m.imported_by, rm.imported_by)'),
      importedAt: on.raw('coalesce(m.imported_at, rm.imported_at)'),
    });

type AttachmentRow = { record_message_id: string; num: number; type: string; size: number; document_id: string | null };

const withAttachments = async (on: Reads, rows: readonly Bare[]): Promise<readonly MessageRow[]> => {
  const ids = rows.map(({ recordMessageId }) => recordMessageId).filter((id) => id !== null);
  const attachments: AttachmentRow[] = [];
  for (const some of inParts(ids)) {
    attachments.push(
      ...((await on('record_message_attachment')
        .whereIn('record_message_id', some)
        .orderBy('num')
        .select('record_message_id', 'num', 'type', 'size', 'document_id')) as AttachmentRow[]),
    );
  }
  return rows.map((row) => ({
    ...row,
    attachments: attachments
      .filter((attachment) => attachment.record_message_id === row.recordMessageId)
      .map(({ num, type, size, document_id: documentId }) => ({
        num: Number(num),
        type,
        size: Number(size),
        documentId,
      })),
  }));
};

export const findMessage = async (on: Reads, accountId: PrincipalId, id: Id): Promise<MessageRow | undefined> => {
  const row = (await select(on).where({ 'm.account_id': accountId, 'm.id': id }).first()) as Bare | undefined;
  return row && (await withAttachments(on, [row]))[0];
};

export type InboxQuery = PageQuery & { readonly withArchived: boolean };

const sortableMessages = {
  created_at: 'm.received_at',
  received_at: 'm.received_at',
  read_at: 'm.read_at',
  archived_at: 'm.archived_at',
  subject: 'm.subject',
  severity: 'm.severity',
  sender: 'm.sender_id',
};

const inboxOf = (on: Reads, accountId: PrincipalId, withArchived: boolean) =>
  select(on)
    .where('m.account_id', accountId)
    .modify((inbox) => {
      if (!withArchived) {
        void inbox.whereNull('m.archived_at');
      }
    });

/** A part of an inbox, the newest first. */
export const seekMessages = async (
  on: Reads,
  accountId: PrincipalId,
  withArchived: boolean,
  seek: Seek,
): Promise<ListPart<MessageRow>> => {
  const part = await readPart<Bare>(inboxOf(on, accountId, withArchived), ['m.received_at', 'm.seq'], true, seek);
  return { ...part, rows: await withAttachments(on, part.rows) };
};

/** One page, the newest first unless asked otherwise; an unknown field has no effect. */
export const listMessages = async (
  on: Reads,
  accountId: PrincipalId,
  { limit, offset, orderBy, withArchived }: InboxQuery,
): Promise<readonly MessageRow[]> => {
  const rows = (await inboxOf(on, accountId, withArchived)
    .orderBy(orderOf(orderBy, sortableMessages, '-created_at', 'm.seq'))
    .limit(limit)
    .offset(offset)) as Bare[];
  return withAttachments(on, rows);
};

/** The first time stays. */
export const markRead = (trx: Transaction, accountId: PrincipalId, id: Id, now: Timestamp): Promise<unknown> =>
  trx('message').where({ account_id: accountId, id }).whereNull('read_at').update({ read_at: now });

/** The first time stays. @returns false when there is no such message */
export const archiveMessage = async (
  trx: Transaction,
  accountId: PrincipalId,
  id: Id,
  now: Timestamp,
): Promise<boolean> =>
  (await trx('message')
    .where({ account_id: accountId, id })
    .update({ archived_at: trx.raw('coalesce(archived_at, ?)', [now]) })) === 1;

/** A message to all who are authorized on a record, before it is delivered. */
export type RecordMessage = MessageText & {
  readonly id: Id;
  readonly recordId: Id;
  readonly senderId: PrincipalId;
  readonly externalId: string;
  readonly attachmentCount: number;
  readonly createdAt: Timestamp;
  /** Null while attachments are missing. */
  readonly deliveredAt: Timestamp | null;
};

/** Fails with the driver's duplicate error when the sender used the external id on this record before. */
export const insertRecordMessage = (trx: Transaction, message: RecordMessage): Promise<unknown> =>
  trx('record_message').insert({
    id: message.id,
    record_id: message.recordId,
    sender_id: message.senderId,
    external_id: message.externalId,
    subject: message.subject,
    body: message.body,
    body_type: message.bodyType,
    severity: message.severity,
    attachment_count: message.attachmentCount,
    created_at: message.createdAt,
    delivered_at: message.deliveredAt,
  });

const recordMessageColumns = {
  id: 'id',
  recordId: 'record_id',
  senderId: 'sender_id',
  externalId: 'external_id',
  subject: 'subject',
  body: 'body',
  bodyType: 'body_type',
  severity: 'severity',
  attachmentCount: 'attachment_count',
  createdAt: 'created_at',
  deliveredAt: 'delivered_at',
};

export type RecordMessageKey = { readonly recordId: Id; readonly senderId: PrincipalId; readonly externalId: string };

/** Keeps the row for the rest of the transaction, so that one of two last attachments delivers the message. */
export const lockRecordMessage = async (
  trx: Transaction,
  { recordId, senderId, externalId }: RecordMessageKey,
): Promise<RecordMessage | undefined> => {
  const row = (await trx('record_message')
    .where({ record_id: recordId, sender_id: senderId, external_id: externalId })
    .forUpdate()
    .first(recordMessageColumns)) as RecordMessage | undefined;
  return row && { ...row, attachmentCount: Number(row.attachmentCount) };
};

export const markDelivered = (trx: Transaction, id: Id, now: Timestamp): Promise<unknown> =>
  trx('record_message').where({ id }).update({ delivered_at: now });

export type NewAttachment = {
  readonly recordMessageId: Id;
  readonly num: number;
  readonly type: string;
  readonly mediaType: string;
  readonly content: Buffer;
};

/** Fails with the driver's duplicate error when the number is there. @returns how many there are now */
export const insertAttachment = async (
  trx: Transaction,
  { recordMessageId, num, type, mediaType, content }: NewAttachment,
): Promise<number> => {
  await trx('record_message_attachment').insert({
    record_message_id: recordMessageId,
    num,
    type,
    media_type: mediaType,
    size: content.length,
    document_id: null,
    content,
  });
  const row = (await trx('record_message_attachment')
    .where({ record_message_id: recordMessageId })
    .count({ total: '*' })
    .first()) as { total: number | string };
  return Number(row.total);
};

export const readAttachment = async (
  on: Reads,
  recordMessageId: Id,
  num: number,
): Promise<{ readonly content: Buffer; readonly mediaType: string; readonly documentId: Id | null } | undefined> =>
  (await on('record_message_attachment')
    .where({ record_message_id: recordMessageId, num })
    .first({ content: 'content', mediaType: 'media_type', documentId: 'document_id' })) as
    { content: Buffer; mediaType: string; documentId: Id | null } | undefined;

/** @returns false when somebody accepted it before */
export const markAccepted = async (
  trx: Transaction,
  recordMessageId: Id,
  num: number,
  documentId: Id,
): Promise<boolean> =>
  (await trx('record_message_attachment')
    .where({ record_message_id: recordMessageId, num })
    .whereNull('document_id')
    .update({ document_id: documentId })) === 1;

export type NewNotification = {
  readonly id: Id;
  readonly accountId: PrincipalId;
  readonly senderId: PrincipalId;
  readonly recordId: Id;
  readonly documentId: Id | null;
  readonly content: string;
  readonly appUrl: string | null;
  readonly receivedAt: Timestamp;
};

/** As shown: with the present labels of its record and document. */
export type NotificationRow = Omit<NewNotification, 'accountId'> & {
  readonly recordLabel: string;
  readonly documentLabel: string;
};

const notificationColumns = [
  'id',
  'account_id',
  'sender_id',
  'record_id',
  'document_id',
  'content',
  'app_url',
  'received_at',
] as const;

export const insertNotifications = (trx: Transaction, rows: readonly NewNotification[]): Promise<unknown> =>
  insertRows(
    trx,
    'notification',
    notificationColumns,
    rows.map((row) => ({
      id: row.id,
      account_id: row.accountId,
      sender_id: row.senderId,
      record_id: row.recordId,
      document_id: row.documentId,
      content: row.content,
      app_url: row.appUrl,
      received_at: row.receivedAt,
    })),
  );

const sortableNotifications = {
  created_at: 'n.received_at',
  received_at: 'n.received_at',
  sender: 'n.sender_id',
  content: 'n.content',
};

type NoticeRow = NotificationRow & { readonly recordLabel: string | null; readonly documentLabel: string | null };

const toNotice = (row: NoticeRow): NotificationRow => ({
  ...row,
  recordLabel: row.recordLabel ?? '',
  documentLabel: row.documentLabel ?? '',
});

/** Labels are those of today, so only who is still in control of the record sees them. */
const noticesOf = (on: Reads, accountId: PrincipalId) =>
  on('notification as n')
    .leftJoin('record_share as share', (join) => {
      join.on('share.record_id', 'n.record_id').andOn('share.account_id', 'n.account_id');
    })
    .leftJoin('record', (join) => {
      join.on('record.id', 'n.record_id').andOn((control) => {
        control.on('record.owner_id', 'n.account_id').orOnNotNull('share.account_id');
      });
    })
    .leftJoin('document', (join) => {
      join.on('document.id', 'n.document_id').andOn('document.record_id', 'record.id');
    })
    .leftJoin('document_lineage as lineage', 'lineage.id', 'document.lineage_id')
    .where('n.account_id', accountId)
    .select({
      id: 'n.id',
      senderId: 'n.sender_id',
      recordId: 'n.record_id',
      documentId: 'n.document_id',
      content: 'n.content',
      appUrl: 'n.app_url',
      receivedAt: 'n.received_at',
      recordLabel: 'record.label',
      documentLabel: 'lineage.label',
    });

/** A part of the notifications, the newest first. */
export const seekNotifications = async (
  on: Reads,
  accountId: PrincipalId,
  seek: Seek,
): Promise<ListPart<NotificationRow>> => {
  const part = await readPart<NoticeRow>(noticesOf(on, accountId), ['n.received_at', 'n.seq'], true, seek);
  return { ...part, rows: part.rows.map(toNotice) };
};

/** One page, the newest first unless asked otherwise; an unknown field has no effect. */
export const listNotifications = async (
  on: Reads,
  accountId: PrincipalId,
  { limit, offset, orderBy }: PageQuery,
): Promise<readonly NotificationRow[]> =>
  (
    (await noticesOf(on, accountId)
      .orderBy(orderOf(orderBy, sortableNotifications, '-created_at', 'n.seq'))
      .limit(limit)
      .offset(offset)) as NoticeRow[]
  ).map(toNotice);
