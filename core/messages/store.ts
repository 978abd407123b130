/** store: rows of inboxes, record messages with their attachments, and notifications (specification 2.2, 2.3). */
import type { Knex } from 'knex';
import type { Id, PrincipalId, Timestamp } from '../base/types';
import type { Reads, Transaction } from '../db/database';
import { inParts } from '../db/in-parts';
import { insertRows } from '../db/insert-rows';
import { orderOf, readPart, type ListPart, type PageQuery, type Seek } from '../db/page';
import type { ContentKey, ContentPlace, Contents, Sealer, StoredContent } from '../sealing/contents-store';
import { openTexts, sealTexts, type StoredTexts } from '../sealing/sealed-texts-store';

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
  /** The document that was made when it was accepted into the record. */ readonly documentId: Id | null;
};

/** Columns of a message that are sealed together. When they are sealed, the columns themselves are empty. */
export const MESSAGE_TEXTS = ['subject', 'body'] as const;
export const NOTICE_TEXTS = ['content'] as const;

function recordMessagePlace(id: Id): ContentPlace {
  return ['record_message', id];
}
function messagePlace(accountId: PrincipalId, id: Id): ContentPlace {
  return ['message', accountId, id];
}
function noticePlace(accountId: PrincipalId, id: Id): ContentPlace {
  return ['notification', accountId, id];
}
function attachmentPlace(recordMessageId: Id, num: number): ContentPlace {
  return ['record_message_attachment', recordMessageId, String(num)];
}

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
  /** The operator who imported the message from an archive. Such a message was sent in another installation. */
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
  'sealed_texts',
] as const;

/** Fails with the driver's duplicate error when an account has a message of this sender with the external id. */
export function insertMessages(trx: Transaction, sealer: Sealer, messages: readonly NewMessage[]): Promise<unknown> {
  return insertRows(
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
      ...sealTexts(sealer, messagePlace(message.accountId, message.id), MESSAGE_TEXTS, message),
      body_type: message.bodyType,
      severity: message.severity,
      received_at: message.receivedAt,
    })),
  );
}

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
type StoredMessage = Bare & StoredTexts<'subject' | 'body'> & { readonly content_key: ContentKey };

/**
 * Selects messages. One about a record is sealed under the record's key, and is not found while the record is being
 * forgotten.
 */
function selectMessages(on: Reads) {
  return on('message as m')
    .leftJoin('record_message as rm', 'rm.id', 'm.record_message_id')
    .leftJoin('record', 'record.id', 'm.record_id')
    .where((present) => {
      void present.whereNull('record.id').orWhereNot('record.creator_id', '');
    })
    .select({
      ...columns,
      sealed_texts: 'm.sealed_texts',
      content_key: 'record.content_key',
      externalId: on.raw('coalesce(rm.external_id, m.external_id)'),
      importedBy: on.raw('coalesce(m.imported_by, rm.imported_by)'),
      importedAt: on.raw('coalesce(m.imported_at, rm.imported_at)'),
    });
}

/** @throws UnreadableContent */
async function openMessages(on: Reads, contents: Contents, rows: readonly StoredMessage[]): Promise<readonly Bare[]> {
  const common = await contents.common(on);
  return rows.map(({ sealed_texts: sealed, content_key: key, ...row }) => {
    const sealer = row.recordId === null ? common : contents.under(key);
    const texts = { subject: row.subject, body: row.body, sealed_texts: sealed };
    return { ...row, ...openTexts(sealer, messagePlace(row.accountId, row.id), MESSAGE_TEXTS, texts) };
  });
}

type AttachmentRow = { record_message_id: string; num: number; type: string; size: number; document_id: string | null };

async function withAttachments(on: Reads, rows: readonly Bare[]): Promise<readonly MessageRow[]> {
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
}

/** @throws UnreadableContent */
export async function findMessage(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  id: Id,
): Promise<MessageRow | undefined> {
  const row = (await selectMessages(on).where({ 'm.account_id': accountId, 'm.id': id }).first()) as
    StoredMessage | undefined;
  return row && (await withAttachments(on, await openMessages(on, contents, [row])))[0];
}

/** Rows that are opened at once for sorting. */
const OPENED_AT_ONCE = 500;

type TextOrder<T> = {
  readonly seq: string;
  readonly textOf: (row: T) => string;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
};

/**
 * One page in the order of a sealed text. All rows are opened in parts, and only what decides the order is kept of
 * each. Texts compare byte by byte, as in the database, and rows with equal texts stay in their order.
 */
async function byText<T>(
  all: () => Knex.QueryBuilder,
  open: (rows: readonly unknown[]) => Promise<readonly T[]>,
  { seq, textOf, descending, limit, offset }: TextOrder<T>,
): Promise<readonly T[]> {
  const keys: { readonly seq: number; readonly text: Buffer }[] = [];
  for (let last = 0; ;) {
    const rows = (await all()
      .where(seq, '>', last)
      .orderBy(seq)
      .limit(OPENED_AT_ONCE)
      .select({ row_seq: seq })) as readonly { row_seq: number | string }[];
    const texts = (await open(rows)).map(textOf);
    keys.push(...rows.map(({ row_seq: at }, index) => ({ seq: Number(at), text: Buffer.from(texts[index]!, 'utf8') })));
    if (rows.length < OPENED_AT_ONCE) {
      break;
    }
    last = keys.at(-1)!.seq;
  }
  const sign = descending ? -1 : 1;
  keys.sort((one, other) => sign * (Buffer.compare(one.text, other.text) || one.seq - other.seq));
  const page = keys.slice(offset, offset + limit).map((key) => key.seq);
  const rows = (await all().whereIn(seq, page).select({ row_seq: seq })) as readonly { row_seq: number | string }[];
  const found = await open(rows);
  const bySeq = new Map(rows.map(({ row_seq: at }, index) => [Number(at), found[index]!]));
  return page.flatMap((at) => bySeq.get(at) ?? []);
}

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

function inboxOf(on: Reads, accountId: PrincipalId, withArchived: boolean) {
  return selectMessages(on)
    .where('m.account_id', accountId)
    .modify((inbox) => {
      if (!withArchived) {
        void inbox.whereNull('m.archived_at');
      }
    });
}

/** A part of an inbox, the newest first. */
export async function seekMessages(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  withArchived: boolean,
  seek: Seek,
): Promise<ListPart<MessageRow>> {
  const inbox = inboxOf(on, accountId, withArchived);
  const part = await readPart<StoredMessage>(inbox, ['m.received_at', 'm.seq'], true, seek);
  return { ...part, rows: await withAttachments(on, await openMessages(on, contents, part.rows)) };
}

/** One page, the newest first unless asked otherwise; an unknown field has no effect. */
export async function listMessages(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  { limit, offset, orderBy, withArchived }: InboxQuery,
): Promise<readonly MessageRow[]> {
  const order = orderOf(orderBy, sortableMessages, '-created_at', 'm.seq');
  const inbox = (): Knex.QueryBuilder => inboxOf(on, accountId, withArchived);
  const rows =
    order[0]!.column === 'm.subject'
      ? await byText(inbox, (some) => openMessages(on, contents, some as StoredMessage[]), {
          seq: 'm.seq',
          textOf: ({ subject }) => subject,
          descending: order[0]!.order === 'desc',
          limit,
          offset,
        })
      : await openMessages(on, contents, (await inbox().orderBy(order).limit(limit).offset(offset)) as StoredMessage[]);
  return withAttachments(on, rows);
}

/** The newest messages about a record that an account has not read; without archived ones. */
export async function listUnreadAbout(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  recordId: Id,
  limit: number,
): Promise<readonly MessageRow[]> {
  const unread = inboxOf(on, accountId, false).whereNull('m.read_at').where('m.record_id', recordId);
  const rows = (await unread.orderBy('m.received_at', 'desc').orderBy('m.seq', 'desc').limit(limit)) as StoredMessage[];
  return withAttachments(on, await openMessages(on, contents, rows));
}

/** How many messages about each record an account has not read; without archived ones, and those about no record. */
export async function countUnreadByRecord(
  on: Reads,
  accountId: PrincipalId,
): Promise<readonly { readonly recordId: Id; readonly count: number }[]> {
  return (
    (await on('message')
      .where({ account_id: accountId })
      .whereNull('archived_at')
      .whereNull('read_at')
      .whereNotNull('record_id')
      .groupBy('record_id')
      .select('record_id')
      .count({ n: '*' })) as { record_id: string; n: number | string }[]
  ).map((row) => ({ recordId: row.record_id, count: Number(row.n) }));
}

/** Marks a message as read. The first time stays. */
export function markRead(trx: Transaction, accountId: PrincipalId, id: Id, now: Timestamp): Promise<unknown> {
  return trx('message').where({ account_id: accountId, id }).whereNull('read_at').update({ read_at: now });
}

/** Archives a message. The first time stays. @returns false when there is no such message */
export async function archiveMessage(
  trx: Transaction,
  accountId: PrincipalId,
  id: Id,
  now: Timestamp,
): Promise<boolean> {
  return (
    (await trx('message')
      .where({ account_id: accountId, id })
      .update({ archived_at: trx.raw('coalesce(archived_at, ?)', [now]) })) === 1
  );
}

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
export function insertRecordMessage(trx: Transaction, sealer: Sealer, message: RecordMessage): Promise<unknown> {
  return trx('record_message').insert({
    id: message.id,
    record_id: message.recordId,
    sender_id: message.senderId,
    external_id: message.externalId,
    ...sealTexts(sealer, recordMessagePlace(message.id), MESSAGE_TEXTS, message),
    body_type: message.bodyType,
    severity: message.severity,
    attachment_count: message.attachmentCount,
    created_at: message.createdAt,
    delivered_at: message.deliveredAt,
  });
}

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
  sealed_texts: 'sealed_texts',
};

export type RecordMessageKey = { readonly recordId: Id; readonly senderId: PrincipalId; readonly externalId: string };

/** Locks the row for the rest of the transaction, so that only one of two last attachments delivers the message. */
export async function lockRecordMessage(
  trx: Transaction,
  sealer: Sealer,
  { recordId, senderId, externalId }: RecordMessageKey,
): Promise<RecordMessage | undefined> {
  const row = (await trx('record_message')
    .where({ record_id: recordId, sender_id: senderId, external_id: externalId })
    .forUpdate()
    .first(recordMessageColumns)) as (RecordMessage & StoredTexts<'subject' | 'body'>) | undefined;
  if (!row) {
    return undefined;
  }
  const { sealed_texts: sealed, ...message } = row;
  const texts = openTexts(sealer, recordMessagePlace(row.id), MESSAGE_TEXTS, row);
  return { ...message, subject: texts.subject, body: texts.body, attachmentCount: Number(row.attachmentCount) };
}

export function markDelivered(trx: Transaction, id: Id, now: Timestamp): Promise<unknown> {
  return trx('record_message').where({ id }).update({ delivered_at: now });
}

export type NewAttachment = {
  readonly recordMessageId: Id;
  readonly num: number;
  readonly type: string;
  readonly mediaType: string;
  readonly content: Buffer;
};

/** Fails with the driver's duplicate error when the number exists. @returns how many attachments there are now */
export async function insertAttachment(
  trx: Transaction,
  sealer: Sealer,
  { recordMessageId, num, type, mediaType, content }: NewAttachment,
): Promise<number> {
  await trx('record_message_attachment').insert({
    record_message_id: recordMessageId,
    num,
    type,
    media_type: mediaType,
    size: content.length,
    document_id: null,
    ...sealer.seal(attachmentPlace(recordMessageId, num), content),
  });
  const row = (await trx('record_message_attachment')
    .where({ record_message_id: recordMessageId })
    .count({ total: '*' })
    .first()) as { total: number | string };
  return Number(row.total);
}

/** @throws UnreadableContent */
export async function readAttachment(
  on: Reads,
  contents: Contents,
  recordMessageId: Id,
  num: number,
): Promise<{ readonly content: Buffer; readonly mediaType: string; readonly documentId: Id | null } | undefined> {
  const row = (await on('record_message_attachment as a')
    .join('record_message as rm', 'rm.id', 'a.record_message_id')
    .join('record', 'record.id', 'rm.record_id')
    .where({ 'a.record_message_id': recordMessageId, 'a.num': num })
    .whereNot('record.creator_id', '')
    .first({
      content: 'a.content',
      sealed: 'a.sealed',
      key: 'record.content_key',
      mediaType: 'a.media_type',
      documentId: 'a.document_id',
    })) as (StoredContent & { key: ContentKey; mediaType: string; documentId: Id | null }) | undefined;
  return (
    row && {
      content: contents.under(row.key).open(attachmentPlace(recordMessageId, num), row),
      mediaType: row.mediaType,
      documentId: row.documentId,
    }
  );
}

/** @returns false when somebody accepted it before */
export async function markAccepted(
  trx: Transaction,
  recordMessageId: Id,
  num: number,
  documentId: Id,
): Promise<boolean> {
  return (
    (await trx('record_message_attachment')
      .where({ record_message_id: recordMessageId, num })
      .whereNull('document_id')
      .update({ document_id: documentId })) === 1
  );
}

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

/** A notification as it is shown, with the current labels of its record and document. */
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
  'sealed_texts',
] as const;

export function insertNotifications(
  trx: Transaction,
  sealer: Sealer,
  rows: readonly NewNotification[],
): Promise<unknown> {
  return insertRows(
    trx,
    'notification',
    notificationColumns,
    rows.map((row) => ({
      id: row.id,
      account_id: row.accountId,
      sender_id: row.senderId,
      record_id: row.recordId,
      document_id: row.documentId,
      ...sealTexts(sealer, noticePlace(row.accountId, row.id), NOTICE_TEXTS, row),
      app_url: row.appUrl,
      received_at: row.receivedAt,
    })),
  );
}

const sortableNotifications = {
  created_at: 'n.received_at',
  received_at: 'n.received_at',
  sender: 'n.sender_id',
  content: 'n.content',
};

type StoredNotice = Omit<NotificationRow, 'recordLabel' | 'documentLabel'> &
  StoredTexts<'content'> & {
    readonly accountId: PrincipalId;
    readonly content_key: ContentKey;
    readonly recordLabel: string | null;
    readonly documentLabel: string | null;
  };

/** @throws UnreadableContent */
function openedNotices(contents: Contents, rows: readonly StoredNotice[]): readonly NotificationRow[] {
  return rows.map(({ sealed_texts: sealed, content_key: key, accountId, content, ...row }) => ({
    ...row,
    ...openTexts(contents.under(key), noticePlace(accountId, row.id), NOTICE_TEXTS, { content, sealed_texts: sealed }),
    recordLabel: row.recordLabel ?? '',
    documentLabel: row.documentLabel ?? '',
  }));
}

/**
 * Labels are the current ones, so only people who still control the record see them. A record that is being forgotten
 * has no notifications.
 */
function noticesOf(on: Reads, accountId: PrincipalId): Knex.QueryBuilder {
  return on('notification as n')
    .join('record as subject', 'subject.id', 'n.record_id')
    .leftJoin('record_share as share', { 'share.record_id': 'n.record_id', 'share.account_id': 'n.account_id' })
    .leftJoin('record', (join) => {
      join.on('record.id', 'n.record_id').andOn((control) => {
        control.on('record.owner_id', 'n.account_id').orOnNotNull('share.account_id');
      });
    })
    .leftJoin('document', { 'document.id': 'n.document_id', 'document.record_id': 'record.id' })
    .leftJoin('document_lineage as lineage', 'lineage.id', 'document.lineage_id')
    .where('n.account_id', accountId)
    .whereNot('subject.creator_id', '')
    .select({
      id: 'n.id',
      accountId: 'n.account_id',
      senderId: 'n.sender_id',
      recordId: 'n.record_id',
      documentId: 'n.document_id',
      content: 'n.content',
      sealed_texts: 'n.sealed_texts',
      content_key: 'subject.content_key',
      appUrl: 'n.app_url',
      receivedAt: 'n.received_at',
      recordLabel: 'record.label',
      documentLabel: 'lineage.label',
    });
}

/** A part of the notifications, the newest first. @throws UnreadableContent */
export async function seekNotifications(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  seek: Seek,
): Promise<ListPart<NotificationRow>> {
  const part = await readPart<StoredNotice>(noticesOf(on, accountId), ['n.received_at', 'n.seq'], true, seek);
  return { ...part, rows: openedNotices(contents, part.rows) };
}

/** One page, the newest first unless asked otherwise; an unknown field has no effect. @throws UnreadableContent */
export async function listNotifications(
  on: Reads,
  contents: Contents,
  accountId: PrincipalId,
  { limit, offset, orderBy }: PageQuery,
): Promise<readonly NotificationRow[]> {
  const notices = (): Knex.QueryBuilder => noticesOf(on, accountId);
  const order = orderOf(orderBy, sortableNotifications, '-created_at', 'n.seq');
  return order[0]!.column === 'n.content'
    ? byText(notices, (some) => Promise.resolve(openedNotices(contents, some as StoredNotice[])), {
        seq: 'n.seq',
        textOf: ({ content }) => content,
        descending: order[0]!.order === 'desc',
        limit,
        offset,
      })
    : openedNotices(contents, (await notices().orderBy(order).limit(limit).offset(offset)) as StoredNotice[]);
}
