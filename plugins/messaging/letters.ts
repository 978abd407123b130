/** letters: the inbox for a page, with the names of the senders. */
import { authorOf } from '../../core/apps/message-author';
import { toTimestamp } from '../../core/base/clock';
import type { Id, PrincipalId } from '../../core/base/types';
import { openPlace, type Pages } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import { findNames } from '../../core/audit/history-store';
import type { MessageRow, NotificationRow } from '../../core/messages/store';
import { requireMessage, type InMessage } from './inbox';
import * as messageStore from '../../core/messages/store';
import * as recordStore from '../../core/records/store';

/**
 * `letters`, `notices`: the places where the messages and the notifications begin; `limit`: how many of each are shown.
 */
export type LettersQuery = {
  readonly limit: number;
  readonly archived: boolean;
  readonly letters?: string;
  readonly notices?: string;
};

export type Letter = {
  readonly message: MessageRow;
  readonly from: string;
  /** The name of the record that the message is about; null when the person may not see it any more. */
  readonly about: string | null;
};
export type Letters = {
  readonly letters: readonly Letter[];
  readonly letterPages: Pages;
  readonly noticePages: Pages;
  readonly notices: readonly (NotificationRow & { readonly from: string })[];
  /** The records to whose people the person may write. */
  readonly records: readonly { id: Id; label: string }[];
};

/** How many records of a person are offered. Nobody looks after more. */
const MOST_RECORDS = 500;

function recordsOfAccount(services: Services, accountId: PrincipalId) {
  return recordStore.listRecordsOf(
    services.database.reads,
    accountId,
    { limit: MOST_RECORDS, offset: 0 },
    toTimestamp(services.clock.now()),
  );
}

export async function listLetters({
  params: { ACCOUNT_EMAIL: accountId },
  query,
  services,
}: Call<{ ACCOUNT_EMAIL: string }, LettersQuery>): Promise<Letters> {
  const { reads } = services.database;
  const placeOf = (name: 'letters' | 'notices') =>
    openPlace(services, `${name} ${accountId}`, { limit: query.limit, place: query[name] });
  const [letterPlace, noticePlace] = [placeOf('letters'), placeOf('notices')];
  const [letters, notices, records] = await Promise.all([
    messageStore.seekMessages(reads, services.contents, accountId, query.archived, letterPlace.seek),
    messageStore.seekNotifications(reads, services.contents, accountId, noticePlace.seek),
    recordsOfAccount(services, accountId),
  ]);
  const senders = [...letters.rows.map(authorOf), ...notices.rows.map(({ senderId }) => senderId)];
  const names = await findNames(reads, [...new Set(senders)]);
  const labels = new Map(records.map(({ id, label }) => [id, label]));
  return {
    letters: letters.rows.map((message) => ({
      message,
      from: names.get(authorOf(message)) ?? authorOf(message),
      about: labels.get(message.recordId ?? '') ?? null,
    })),
    letterPages: letterPlace.pagesOf(letters),
    noticePages: noticePlace.pagesOf(notices),
    notices: notices.rows.map((notice) => ({ ...notice, from: names.get(notice.senderId) ?? notice.senderId })),
    records: records.filter(({ carenet }) => !carenet).map(({ id, label }) => ({ id, label })),
  };
}

export type WaitingQuery = { readonly record: Id; readonly limit: number };

/** What a person has not read about one record. */
export async function listWaiting({
  params: { ACCOUNT_EMAIL: accountId },
  query: { record, limit },
  services,
}: Call<{ ACCOUNT_EMAIL: string }, WaitingQuery>): Promise<readonly Omit<Letter, 'about'>[]> {
  const { reads } = services.database;
  const messages = await messageStore.listUnreadAbout(reads, services.contents, accountId, record, limit);
  const names = await findNames(reads, [...new Set(messages.map(authorOf))]);
  return messages.map((message) => ({ message, from: names.get(authorOf(message)) ?? authorOf(message) }));
}

export type LetterFacts = Omit<Letter, 'message'> & {
  /** Whether the person may add the attachments to the record. */
  readonly mayAdd: boolean;
};

export async function readLetterFacts({ params, services }: Call<InMessage>): Promise<LetterFacts> {
  const message = await requireMessage(services, params);
  const author = authorOf(message);
  const [names, records] = await Promise.all([
    findNames(services.database.reads, [author]),
    recordsOfAccount(services, params.ACCOUNT_EMAIL),
  ]);
  const about = records.find(({ id, carenet }) => id === message.recordId && !carenet);
  return { from: names.get(author) ?? author, about: about?.label ?? null, mayAdd: about !== undefined };
}
