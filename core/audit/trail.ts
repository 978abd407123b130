/** trail: records in the audit log what operators do from the command line, as a short chain of its own. */
import { toTimestamp } from '../base/clock';
import { newId } from '../base/ids';
import { operatorName } from './operator';
import { aboutNothing, type AuditFacts } from './row';
import { makeAuditWriter, type AuditWriterParts } from './writer';

/** A row without any information. */
export const blank: AuditFacts = {
  id: '',
  requested_at: '',
  function_name: '',
  successful: 1,
  principal_id: null,
  proxy_id: null,
  ui_app_id: null,
  consumer_key: null,
  ...aboutNothing,
  url: '',
  ip_address: '',
  domain: '',
  method: 'SVC',
  status: 200,
  content_type: '',
};

/** A complete row for what an operator does now. */
export function trailRow({ clock }: Pick<AuditWriterParts, 'clock'>, row: Partial<AuditFacts>): AuditFacts {
  return {
    ...blank,
    domain: operatorName(),
    id: newId(),
    requested_at: toTimestamp(clock.now()),
    ...row,
  };
}

/** Adds audit rows; resolves when they are durable and signed. */
export async function recordTrail(parts: AuditWriterParts, rows: readonly Partial<AuditFacts>[]): Promise<void> {
  const writer = makeAuditWriter(parts);
  await Promise.all(rows.map((row) => writer.write(trailRow(parts, row))));
  await writer.drain();
}
