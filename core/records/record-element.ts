/** record-element: a record as XML, alone and in lists (specification 2.4). */
import { wireTime } from '../base/clock';
import { xml } from '../http/replies';
import type { Serializer } from '../http/route';
import type { ListedRecord, RecordRow } from './store';
import { element, type XmlElement } from '../xml/write';

export const recordReply: Serializer<RecordRow> = xml('Record', (record) =>
  element('Record', { id: record.id, label: record.label }, [
    element('demographics', { document_id: record.demographicsId ?? '' }),
    element('created', { at: wireTime(record.createdAt), by: record.creatorId }),
  ]),
);

const labelSuffixes: Readonly<Record<ListedRecord['kind'], string>> = {
  owned: '',
  full_share: ' (shared)',
  carenet: ' (carenet)',
};

function listedRecord(record: ListedRecord): XmlElement {
  return element('Record', {
    id: record.id,
    label: `${record.label}${labelSuffixes[record.kind]}`,
    ...(record.kind === 'owned' ? {} : { shared: true }),
    ...(record.kind === 'full_share' ? { role_label: record.roleLabel } : {}),
    ...(record.carenet ? { carenet_id: record.carenet.id, carenet_name: record.carenet.name } : {}),
  });
}

/** `Records`: the entries of a list are empty elements. */
export const recordList: Serializer<readonly ListedRecord[]> = xml('Records', (records) =>
  element('Records', {}, records.map(listedRecord)),
);
