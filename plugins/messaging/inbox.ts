/** inbox: what a person does with messages and notifications. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Page } from '../../core/http/inputs';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { atUi, uiBaseUrl } from '../../core/http/ui-links';
import type { Services } from '../../core/services';
import type { MessageRow, NotificationRow } from '../../core/messages/store';
import { renderMarkdown } from './markdown';
import type { ShownMessage } from './serialize';
import * as appStore from '../../core/apps/store';
import * as messageStore from '../../core/messages/store';

export type InboxPage = Page & { include_archive: string };
export type InMessage = { ACCOUNT_EMAIL: string; MESSAGE_ID: string };
type InAccount = { ACCOUNT_EMAIL: string };

/** The messages, newest first; archived ones only with include_archive. */
export function listInbox({ params, query, services }: Call<InAccount, InboxPage>): Promise<readonly MessageRow[]> {
  return messageStore.listMessages(services.database.reads, services.contents, params.ACCOUNT_EMAIL, {
    ...pageOf(services, query),
    withArchived: ['1', 'true'].includes(query.include_archive),
  });
}

async function baseOf(services: Services, senderId: string): Promise<string> {
  const app = await appStore.findApp(services.database.reads, senderId);
  const address = atUi(uiBaseUrl(services), app?.indexUrl ?? null);
  return URL.canParse(address) ? new URL(address).origin : '';
}

/** One message with its body as HTML that may be shown. */
export async function showMessage(services: Services, message: MessageRow): Promise<ShownMessage> {
  return {
    message,
    shownBody:
      message.bodyType === 'plaintext'
        ? message.body
        : renderMarkdown(message.body, {
            APP_BASE: await baseOf(services, message.senderId),
            MESSAGE_ID: message.externalId ?? message.id,
          }),
  };
}

/** Finds a message of the account. @throws errors.notFound also for somebody else's message */
export async function requireMessage(
  { contents, database }: Services,
  { ACCOUNT_EMAIL: accountId, MESSAGE_ID: id }: InMessage,
): Promise<MessageRow> {
  const message = await messageStore.findMessage(database.reads, contents, accountId, id);
  if (!message) {
    throw errors.notFound('message');
  }
  return message;
}

/** Answers the message, and marks it as read the first time. */
export async function readMessage({ params, request, services, note }: Call<InMessage>): Promise<ShownMessage> {
  const { database, clock } = services;
  if (!request.isHead) {
    await database.write((trx) =>
      messageStore.markRead(trx, params.ACCOUNT_EMAIL, params.MESSAGE_ID, toTimestamp(clock.now())),
    );
  }
  const message = await requireMessage(services, params);
  if (message.recordId !== null) {
    note({ recordId: message.recordId });
  }
  return showMessage(services, message);
}

/** Archives a message; archiving it again changes nothing. */
export async function archive({ params, services }: Call<InMessage>): Promise<void> {
  const { database, clock } = services;
  if (
    !(await database.write((connection) =>
      messageStore.archiveMessage(connection, params.ACCOUNT_EMAIL, params.MESSAGE_ID, toTimestamp(clock.now())),
    ))
  ) {
    throw errors.notFound('message');
  }
}

export function listNotifications({
  params,
  query,
  services,
}: Call<InAccount, InboxPage>): Promise<readonly NotificationRow[]> {
  return messageStore.listNotifications(
    services.database.reads,
    services.contents,
    params.ACCOUNT_EMAIL,
    pageOf(services, query),
  );
}
