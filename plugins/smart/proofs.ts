/** proofs: apps that have proven who they are with an access token, which they may do at the introspection address. */
import type { Request } from '@hapi/hapi';
import { identifyBearer, type BearerCaller } from '../../core/auth/bearer';
import { errors } from '../../core/base/errors';
import { header } from '../../core/http/read-request';
import type { Services } from '../../core/services';

/** The apps that requests to the authorization server come from, by the request. */
const proven = new WeakMap<object, string>();

export function keepProof(made: object, clientId: string): void {
  proven.set(made, clientId);
}

/** The app that has proven itself for a request; undefined when the authorization server has to ask for a proof. */
export function proofOf(made: object | undefined): string | undefined {
  return made && proven.get(made);
}

const OTHER_PROOFS = ['client_secret', 'client_assertion'] as const;

/**
 * The app whose access token a request carries.
 * @returns undefined without such a token
 * @throws errors.noToken for a token that is not known or has ended, errors.invalidBody when another proof or the id of
 * another app comes with it
 */
export async function identifyByToken(
  services: Services,
  request: Request,
  form: string,
): Promise<BearerCaller | undefined> {
  const authorization = header(request, 'authorization');
  if (!/^bearer /i.test(authorization)) {
    return undefined;
  }
  const caller = await identifyBearer(services, authorization);
  const pairs = new URLSearchParams(form);
  const named = pairs.getAll('client_id');
  if (OTHER_PROOFS.some((name) => pairs.has(name)) || named.some((id) => id !== caller.consumerKey)) {
    throw errors.invalidBody('an app must prove who it is in one way only');
  }
  return caller;
}

/** The form with the id of the app. */
export function nameClient(form: string, clientId: string): string {
  const pairs = new URLSearchParams(form);
  pairs.set('client_id', clientId);
  return pairs.toString();
}
