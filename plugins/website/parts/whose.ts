/** whose: the record or carenet that a page is about. The same pages show both. */
import type { Fields } from '../../../core/http/operation';
import { operations } from '../http/operations';
import type { InRecord, PersonVisit } from '../http/page';
import { circleName } from '../words/circle-names';

export type Whose = {
  readonly kind: 'record' | 'carenet';
  readonly name: string;
  /** Address of its first page, with a slash at the end. */
  readonly base: string;
  /** The parameters of its operations that name the record or carenet. */
  readonly params: Fields;
  readonly frame: InRecord;
};

function whoseAddress({ site, params }: PersonVisit) {
  return params['CARENET_ID'] === undefined
    ? ({ kind: 'record', id: params['RECORD_ID'] ?? '', base: `${site}/records/` } as const)
    : ({ kind: 'carenet', id: params['CARENET_ID'], base: `${site}/carenets/` } as const);
}

/** The record or carenet of a page whose own operation answers its name. */
export function whoseNamed(visit: PersonVisit, name: string, carenet = '', as: InRecord['as'] = null): Whose {
  const { kind, id, base: begin } = whoseAddress(visit);
  const base = `${begin}${encodeURIComponent(id)}/`;
  const params: Fields = kind === 'record' ? { RECORD_ID: id } : { CARENET_ID: id };
  return {
    kind,
    name,
    base,
    params,
    frame: { base, name, ...(kind === 'carenet' ? { carenet: circleName(carenet, visit.words), as } : {}) },
  };
}

/** @throws AppError permission_denied for a record or carenet that the person may not see */
export async function whoseOf(visit: PersonVisit): Promise<Whose> {
  const { kind, params } = whoseNamed(visit, '');
  if (kind === 'record') {
    return whoseNamed(visit, (await visit.ask(operations.records.record, { params })).label);
  }
  const { label, carenetName, as } = await visit.ask(operations.carenets.carenetRecord, { params });
  return whoseNamed(visit, label, carenetName, as);
}

/** One page for a record and for a carenet. */
export function forBoth<P>(make: (begin: '/records/{RECORD_ID}' | '/carenets/{CARENET_ID}') => P): readonly [P, P] {
  return [make('/records/{RECORD_ID}'), make('/carenets/{CARENET_ID}')];
}
