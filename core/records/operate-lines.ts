/** operate-lines: what an operator reads of the lines of a record; it is in the audit log. */
import { ensureOperator, OPERATOR } from '../accounts/operator';
import { trailRow } from '../audit/trail';
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { Line } from '../lines/lines';
import type { Services } from '../services';
import { readLinesOf } from './lines';
import { findRecord } from './store';

/** @throws AppError not_found for an unknown record or model */
export async function linesForOperator(services: Services, recordId: Id, model: string): Promise<readonly Line[]> {
  const record = await findRecord(services.database.reads, recordId);
  if (!record) {
    throw errors.notFound('record');
  }
  await ensureOperator(services);
  const lines = await readLinesOf(services, { recordId: record.id }, model);
  const row = { principal_id: OPERATOR, function_name: 'record_lines', record_id: record.id };
  await services.audit.write(trailRow(services, row));
  return lines;
}
