/** notifications: short notices to everybody who is authorized on a record; no mail goes out for them. */
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId } from '../../core/base/ids';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { changeRecord } from '../../core/records/require';
import { senderOf } from './sending';
import * as accountStore from '../../core/accounts/store';
import * as documentStore from '../../core/documents/store';
import * as messageStore from '../../core/messages/store';

export type Notice = { content: string; app_url?: string; document_id?: string };

/** One notification per account. 404 for a document that the record does not hold. */
export async function notify({
  params,
  body,
  principal,
  services,
  note,
}: Call<InRecord, unknown, Notice>): Promise<void> {
  const { clock } = services;
  const senderId = senderOf(principal);
  const documentId = body.document_id ?? null;
  await changeRecord(services, params.RECORD_ID, async (trx, { contentKey }) => {
    if (documentId !== null && !(await documentStore.findDocument(trx, { recordId: params.RECORD_ID }, documentId))) {
      throw errors.notFound('document');
    }
    const accounts = await accountStore.accountsAuthorizedOn(trx, params.RECORD_ID);
    await messageStore.insertNotifications(
      trx,
      services.contents.under(contentKey),
      accounts.map(({ id: accountId }) => ({
        id: newId(),
        accountId,
        senderId,
        recordId: params.RECORD_ID,
        documentId,
        content: body.content,
        appUrl: body.app_url ?? null,
        receivedAt: toTimestamp(clock.now()),
      })),
    );
  });
  if (documentId !== null) {
    note({ documentId });
  }
}
