/** knocks: finds the record at whose door somebody stands, so that its owner sees in its audit who was refused. */
import type { Request } from '@hapi/hapi';
import { isId } from '../../core/base/ids';
import { rawQueryOf } from '../../core/http/read-request';
import { noteOn } from '../../core/http/to-hapi';

const PATIENT = /^\/fhir\/Patient(?:\/|$)/;

/** The record that the address of a call names as its Patient. */
export function knockedAt(request: Request): string | undefined {
  const query = new URLSearchParams(rawQueryOf(request));
  const isPatient = PATIENT.test(request.path);
  const named = [
    ...(isPatient ? [(request.params as Readonly<Record<string, string | undefined>>)['ID'], query.get('_id')] : []),
    query.get('patient'),
    query.get('subject'),
  ];
  return named.map((one) => (one ?? '').split('/').at(-1)!).find(isId);
}

/** Notes the record at which a call knocks. What the call is allowed to read overrides it. */
export function noteKnock(request: Request): void {
  const recordId = knockedAt(request);
  if (recordId !== undefined) {
    noteOn(request, { recordId });
  }
}
