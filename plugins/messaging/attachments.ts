/**
 * attachments: documents that are sent with a message to a record, and become documents of the record when somebody
 * accepts them.
 */
import { makeLookups } from '../../core/access/lookups';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import { storedMediaType } from '../../core/documents/media-type';
import { changeRecord } from '../../core/records/require';
import { isDuplicate } from '../../core/db/db-errors';
import { requireMessage, type InMessage } from './inbox';
import { deliver, senderOf } from './sending';
import * as messageStore from '../../core/messages/store';

export type AttachmentNumber = { ATTACHMENT_NUM: number };
type InRecordMessage = { RECORD_ID: string; MESSAGE_ID: string };

const LONGEST_TYPE = 250;

/**
 * Keeps the attachment; the last one delivers the message. 404 unless the message is the sender's own; 400 for a number
 * that is in use or too high, and for content that is not XML.
 */
export async function attach({
  params,
  body,
  principal,
  services,
  request,
}: Call<InRecordMessage & AttachmentNumber, unknown, Buffer>): Promise<void> {
  const { contents, clock, reader } = services;
  const key = { recordId: params.RECORD_ID, senderId: senderOf(principal), externalId: params.MESSAGE_ID };
  const mediaType = storedMediaType(request.mediaType, body);
  const { type } = await reader.inspect(body, key.senderId);
  if (type.length > LONGEST_TYPE) {
    throw errors.invalidDocument('its type is too long');
  }
  try {
    await changeRecord(services, params.RECORD_ID, async (trx, { contentKey }) => {
      const sealer = contents.under(contentKey);
      const message = await messageStore.lockRecordMessage(trx, sealer, key);
      if (!message) {
        throw errors.notFound('message of this sender');
      }
      if (params.ATTACHMENT_NUM > message.attachmentCount) {
        throw errors.invalidParameter(
          'ATTACHMENT_NUM',
          `the message was declared with ${message.attachmentCount} attachments`,
        );
      }
      const received = await messageStore.insertAttachment(trx, sealer, {
        recordMessageId: message.id,
        num: params.ATTACHMENT_NUM,
        type,
        mediaType,
        content: body,
      });
      if (received === message.attachmentCount) {
        await deliver(services, trx, sealer, message, toTimestamp(clock.now()));
      }
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.alreadyUploaded() : error;
  }
}

/** The number of an attachment; 0, which no attachment has, for any other text. */
function attachmentNumber(text: string): number {
  return /^[1-9]\d?$/.test(text) ? Number(text) : 0;
}

/**
 * Sends the attachment through the pipeline into the record that the message concerns. 404 for an unknown attachment,
 * 403 without full control of the record, 410 if it was already accepted, 400 for content that the pipeline refuses.
 */
export async function acceptAttachment({
  params,
  principal,
  services,
  note,
}: Call<InMessage & { ATTACHMENT_NUM: string }>): Promise<void> {
  const { database, contents, lookups, pipeline } = services;
  const { recordMessageId, recordId } = await requireMessage(services, params);
  const num = attachmentNumber(params.ATTACHMENT_NUM);
  const attachment =
    recordMessageId === null
      ? undefined
      : await messageStore.readAttachment(database.reads, contents, recordMessageId, num);
  if (recordMessageId === null || recordId === null || !attachment) {
    throw errors.notFound('attachment');
  }
  note({ recordId });
  if (!(await lookups.fullControl(params.ACCOUNT_EMAIL, recordId))) {
    throw errors.permissionDenied();
  }
  if (attachment.documentId !== null) {
    throw errors.gone('The attachment');
  }
  const document = await pipeline.create({
    recordId,
    bytes: attachment.content,
    mediaType: attachment.mediaType,
    principal,
    // When two people accept at the same time, the row decides: the document of the later one is rolled back.
    within: async (trx, stored) => {
      // The record is locked now, so somebody who lost it while the attachment was read stores nothing in it.
      if (!(await makeLookups(trx, services.clock).fullControl(params.ACCOUNT_EMAIL, recordId))) {
        throw errors.permissionDenied();
      }
      if (!(await messageStore.markAccepted(trx, recordMessageId, num, stored.id))) {
        throw errors.gone('The attachment');
      }
    },
  });
  note({ documentId: document.id });
}
