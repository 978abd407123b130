/** bearer-scheme: finds out who calls through the FHIR door, and what the SMART token of the call permits. */
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import { identifyBearer, type RecordFinder } from '../auth/bearer';
import type { SmartPrincipal } from '../auth/principal';
import { errors } from '../base/errors';
import { traced } from '../base/tracing';
import type { LazyServices, Services } from '../services';
import { callingOf, type Calling } from './oauth-scheme';

/** Name of the scheme and of its strategy. */
export const BEARER = 'bearer';

type BearerCalling = Calling & { readonly principal: SmartPrincipal };

/**
 * Every request needs a token. Routes that are open to everybody have no strategy.
 * @param finderOf finds the record of a request, for apps that act by themselves
 */
export function bearerScheme(
  { services }: LazyServices,
  finderOf?: (services: Services, request: Request) => RecordFinder,
): ServerAuthScheme {
  return () => ({
    authenticate: async (request, h) => {
      const authorization = request.headers.authorization as string | undefined;
      const find = finderOf?.(services(), request);
      const caller = await traced('credentials', {}, () => identifyBearer(services(), authorization, find));
      const calling: BearerCalling = { ...caller, claimed: Promise.resolve() };
      return h.authenticated({ credentials: calling as typeof request.auth.credentials });
    },
  });
}

/** Who calls through the FHIR door. @throws errors.noToken on a route without the strategy */
export function smartPrincipalOf(request: Request): SmartPrincipal {
  const { principal } = callingOf(request);
  if (principal.kind !== 'access_token' || !('scopes' in principal)) {
    throw errors.noToken();
  }
  return principal as SmartPrincipal;
}
