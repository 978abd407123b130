/** overview: the first page of a record: who it is. */
import { page, shown } from './page';
import { Head } from './parts/layout';

export const overview = page({
  path: '/records/{RECORD_ID}/',
  show: async (visit) => {
    const recordId = visit.params['RECORD_ID']!;
    const record = await visit.ask('record', { params: { RECORD_ID: recordId } });
    const frame = { base: `${visit.site}/records/${encodeURIComponent(recordId)}/`, name: record.label };
    return shown(record.label, <Head title={record.label} />, { record: frame });
  },
});
