/** fhir-user: tells whether the user of an app is the patient of a record or a related person. */
import { sha256 } from '../base/ids';
import type { Id, PrincipalId } from '../base/types';

const CHARACTERS = 32;

/** Id of the RelatedPerson for an account in a record that it does not own. */
export function relatedPersonId(recordId: Id, accountId: PrincipalId): string {
  return sha256(`related person ${recordId} ${accountId}`).slice(0, CHARACTERS);
}

/** The `fhirUser` of a token, relative to the base of the FHIR door. */
export function fhirUserOf(recordId: Id, accountId: PrincipalId, ownerId: PrincipalId | null): string {
  return ownerId === accountId ? `Patient/${recordId}` : `RelatedPerson/${relatedPersonId(recordId, accountId)}`;
}
