/** serialize: the status history as XML (specification 2.8). */
import { wireTime } from '../../core/base/clock';
import { xml } from '../../core/http/replies';
import type { Serializer } from '../../core/http/route';
import { element } from '../../core/xml/write';
import type { StatusHistory } from './status';

export const statusHistoryReply: Serializer<StatusHistory> = xml('DocumentStatusHistory', ({ documentId, changes }) =>
  element(
    'DocumentStatusHistory',
    { document_id: documentId },
    changes.map(({ changedBy, changedAt, status, reason }) =>
      element('DocumentStatus', { by: changedBy, at: wireTime(changedAt), status }, [element('reason', {}, reason)]),
    ),
  ),
);
