/** carenet-element: carenets as XML (specification 2.9). */
import { xml } from '../http/replies';
import type { Serializer } from '../http/route';
import type { CarenetRow } from './store';
import { element, type XmlElement } from '../xml/write';

/** `bytype`: the carenet has a document because of the document's type. */
type CarenetMode = 'explicit' | 'bytype';

type ShownCarenet = Pick<CarenetRow, 'id' | 'name'> & { readonly mode?: CarenetMode };

export function carenetElement({ id, name, mode = 'explicit' }: ShownCarenet): XmlElement {
  return element('Carenet', { id, name, mode });
}

/** Carenets of one record. For carenets of several records, the id is empty. */
export type CarenetList = { readonly recordId: string; readonly carenets: readonly ShownCarenet[] };

export const carenetList: Serializer<CarenetList> = xml('Carenets', ({ recordId, carenets }) =>
  element('Carenets', { record_id: recordId }, carenets.map(carenetElement)),
);
