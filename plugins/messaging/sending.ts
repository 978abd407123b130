/** sending: messages to one account, and to everybody who is authorized on a record. */
import type { Principal } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId } from '../../core/base/ids';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { writeLetter } from '../../core/outbox/letters';
import { addMail, type Mail } from '../../core/outbox/mail';
import { changeRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import { isDuplicate } from '../../core/db/db-errors';
import type { Sealer } from '../../core/sealing/contents-store';
import type { AccountRow } from '../../core/accounts/store';
import type { BodyType, MessageText, NewMessage, RecordMessage, Severity } from '../../core/messages/store';
import { showMessage } from './inbox';
import type { ShownMessage } from './serialize';
import * as accountStore from '../../core/accounts/store';
import * as messageStore from '../../core/messages/store';

type Text = { subject: string; body: string; body_type: BodyType; severity: Severity };
export type ToAccount = Text & { message_id?: string };
export type ToRecord = Text & { num_attachments: number };

/** The sender is the app, even when it acts for a person. */
export function senderOf(principal: Principal): string {
  if (principal.kind !== 'app' && principal.kind !== 'access_token') {
    throw errors.permissionDenied();
  }
  return principal.app.id;
}

function messageText({ subject, body, body_type: bodyType, severity }: Text): MessageText {
  return {
    subject,
    body,
    bodyType,
    severity,
  };
}

/** The mail says that a message waits, but nothing about its content. */
function alertFor(services: Services, account: AccountRow): Mail {
  return writeLetter(services.config, account, 'message.subject', [['message.text', { link: uiBaseUrl(services) }]]);
}

/**
 * Stores each account's message and sends a mail. People who cannot sign in get no mail, and retired accounts get
 * nothing.
 */
async function put(
  services: Services,
  trx: Transaction,
  sealer: Sealer,
  accounts: readonly AccountRow[],
  messageFor: (account: AccountRow) => NewMessage,
): Promise<void> {
  const reached = accounts.filter(({ state }) => state !== 'retired');
  await messageStore.insertMessages(trx, sealer, reached.map(messageFor));
  const told = reached.filter(({ state }) => state === 'active' || state === 'disabled');
  await addMail(services.outbox, trx, ...told.map((account) => alertFor(services, account)));
}

/** Sends a message to one account. 400 when it has a message of this sender with the same id. */
export async function sendToAccount({
  params,
  body,
  principal,
  services,
}: Call<{ ACCOUNT_EMAIL: string }, unknown, ToAccount>): Promise<ShownMessage> {
  const { database, contents, clock } = services;
  const message: NewMessage = {
    ...messageText(body),
    id: newId(),
    accountId: params.ACCOUNT_EMAIL,
    senderId: senderOf(principal),
    externalId: body.message_id ?? null,
    recordMessageId: null,
    recordId: null,
    receivedAt: toTimestamp(clock.now()),
  };
  try {
    await database.transaction(async (trx) => {
      const account = await accountStore.findAccount(trx, params.ACCOUNT_EMAIL);
      if (!account) {
        throw errors.notFound('account');
      }
      await put(services, trx, await contents.common(trx), [account], () => message);
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The message_id') : error;
  }
  return showMessage(services, { ...message, readAt: null, archivedAt: null, attachments: [] });
}

/** Sends a copy and a mail to everybody who is authorized on the record at this moment. */
export async function deliver(
  services: Services,
  trx: Transaction,
  sealer: Sealer,
  message: RecordMessage,
  now: string,
): Promise<void> {
  const { subject, body, bodyType, severity, senderId, recordId } = message;
  await messageStore.markDelivered(trx, message.id, now);
  const accounts = await accountStore.accountsAuthorizedOn(trx, recordId);
  await put(services, trx, sealer, accounts, ({ id: accountId }) => ({
    subject,
    body,
    bodyType,
    severity,
    senderId,
    recordId,
    id: newId(),
    accountId,
    externalId: null,
    recordMessageId: message.id,
    receivedAt: now,
  }));
}

/**
 * Sends a message to a record, at once or when the last declared attachment has arrived. 400 when the sender used the
 * id on this record before.
 */
export async function sendToRecord({
  params,
  body,
  principal,
  services,
}: Call<{ RECORD_ID: string; MESSAGE_ID: string }, unknown, ToRecord>): Promise<void> {
  const { clock } = services;
  const now = toTimestamp(clock.now());
  const message: RecordMessage = {
    ...messageText(body),
    id: newId(),
    recordId: params.RECORD_ID,
    senderId: senderOf(principal),
    externalId: params.MESSAGE_ID,
    attachmentCount: body.num_attachments,
    createdAt: now,
    deliveredAt: null,
  };
  try {
    await changeRecord(services, message.recordId, async (trx, { contentKey }) => {
      const sealer = services.contents.under(contentKey);
      await messageStore.insertRecordMessage(trx, sealer, message);
      if (message.attachmentCount === 0) {
        await deliver(services, trx, sealer, message, now);
      }
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The message id') : error;
  }
}
