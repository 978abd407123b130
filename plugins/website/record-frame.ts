/** record-frame: whose record a page adds to. */
import type { PersonVisit } from './page';

export const recordBase = ({ site, params }: PersonVisit): string =>
  `${site}/records/${encodeURIComponent(params['RECORD_ID']!)}/`;

/** The record's name; for whom the record is not open this page is not there. */
export const recordFrame = async (visit: PersonVisit) => {
  const { label } = await visit.ask('record', { params: { RECORD_ID: visit.params['RECORD_ID']! } });
  return { base: recordBase(visit), name: label };
};
export type RecordFrame = Awaited<ReturnType<typeof recordFrame>>;
