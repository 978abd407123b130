/** record-frame: the record of a page: the parameters of its operations, the address of its pages, and its name. */
import { operations } from '../http/operations';
import type { PersonVisit } from '../http/page';

/** The parameters of operations that name the record. */
export function inRecord({ params }: PersonVisit) {
  return { RECORD_ID: params['RECORD_ID']! };
}

export function recordBase({ site, params }: PersonVisit): string {
  return `${site}/records/${encodeURIComponent(params['RECORD_ID']!)}/`;
}

/**
 * The address and the name of the record. People who may not see the record get a page that says that it does not
 * exist.
 */
export async function recordFrame(visit: PersonVisit) {
  const { label } = await visit.ask(operations.records.record, { params: inRecord(visit) });
  return { base: recordBase(visit), name: label };
}
export type RecordFrame = Awaited<ReturnType<typeof recordFrame>>;
