/** record-frame: the record of a page: what its operations need to know, where its pages stand, and its name. */
import type { PersonVisit } from './page';

/** Parameters of operations: which record. */
export const inRecord = ({ params }: PersonVisit) => ({ RECORD_ID: params['RECORD_ID']! });

export const recordBase = ({ site, params }: PersonVisit): string =>
  `${site}/records/${encodeURIComponent(params['RECORD_ID']!)}/`;

/** The record's name; for whom the record is not open this page is not there. */
export const recordFrame = async (visit: PersonVisit) => {
  const { label } = await visit.ask('record', { params: inRecord(visit) });
  return { base: recordBase(visit), name: label };
};
export type RecordFrame = Awaited<ReturnType<typeof recordFrame>>;
