/** asking: finds the caller of a request for resources, and the part of a record that the caller may see. */
import type { SmartPrincipal } from '../../core/auth/principal';
import type { Principal } from '../../core/auth/principal';
import { allows, type ScopeLetter } from '../../core/auth/smart-scopes';
import { errors } from '../../core/base/errors';
import type { Services } from '../../core/services';
import type { DocumentScope } from '../../core/storage/stores/documents';

export type Asking = {
  readonly services: Services;
  readonly principal: SmartPrincipal;
  readonly scope: DocumentScope;
};

/** The SMART token that the access rule has let pass. @throws errors.permissionDenied for any other caller */
export const askingOf = ({ services, principal }: { services: Services; principal: Principal }): Asking => {
  if (principal.kind !== 'access_token' || !('scopes' in principal)) {
    throw errors.permissionDenied();
  }
  const smart = principal as SmartPrincipal;
  const { recordId, carenetId } = smart;
  return { services, principal: smart, scope: carenetId === null ? { recordId } : { recordId, carenetId } };
};

/** Whether the scopes allow a type of resources that an answer would include. */
export const mayAlso = ({ principal }: Asking, type: string, letter: ScopeLetter): boolean =>
  allows(principal.scopes, type, letter);

/** The address of the FHIR door. */
export const fhirBase = ({ baseUrl }: Pick<Services, 'baseUrl'>): string => `${baseUrl()}/fhir`;
