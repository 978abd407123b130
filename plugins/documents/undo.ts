/** undo: takes a document back right after it was added. It is void then, and no page shows it. */
import { effectiveId, proxyId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { notifyOfDocument } from '../../core/outbox/subscribers';
import { requireDocument } from '../../core/records/read-documents';
import { changeRecord } from '../../core/records/require';
import type { DocumentRow } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';

const MINUTES = 10;
const REASON = 'Undone';

/** @throws errors.permissionDenied, errors.invalidState */
function requireOwnAndNew(
  { creator, createdAt, latest, id }: DocumentRow,
  changedBy: string | null,
  now: number,
): void {
  if (creator.id !== changedBy) {
    throw errors.permissionDenied();
  }
  if (id !== latest.id || now - Date.parse(createdAt) > MINUTES * 60_000) {
    throw errors.invalidState(`only what was added within the last ${MINUTES} minutes can be taken back`);
  }
}

/**
 * Makes a document void with the reason "Undone". Taking it back twice changes nothing more.
 * @throws errors.permissionDenied for somebody else's; errors.invalidState for one that is older, or void already
 */
export async function undoDocument({ params, principal, services }: Call<InRecordDocument>): Promise<void> {
  const now = services.clock.now();
  const row = await requireDocument(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  const changedBy = effectiveId(principal);
  requireOwnAndNew(row, changedBy, now);
  await changeRecord(services, params.RECORD_ID, async (trx) => {
    const before = await documentStore.lockStatus(trx, row.lineageId);
    if (before !== 'active') {
      if (row.undone) {
        return;
      }
      throw errors.invalidState('only active documents can be taken back');
    }
    await documentStore.setStatus(
      trx,
      row.lineageId,
      { status: 'void', reason: REASON, changedBy: changedBy!, changedAt: toTimestamp(now) },
      proxyId(principal),
      true,
    );
    await notifyOfDocument(services, trx, { recordId: params.RECORD_ID, lineageId: row.lineageId }, row.id);
  });
}
