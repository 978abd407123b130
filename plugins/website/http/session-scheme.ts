/** session-scheme: finds the person of a request by the cookie of a session that has not ended. */
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import { findSignedIn, type SignedIn } from '../../../core/auth/browser-sessions';
import { nobody } from '../../../core/http/oauth-scheme';
import { traced } from '../../../core/base/tracing';
import type { LazyServices } from '../../../core/services';
import { WEBSITE } from './as-itself';
import { sessionCookie } from './cookies';

type Looking = { readonly person: SignedIn | undefined };

/** The session cookie as the browser sent it; a list is not a cookie of this site. */
export function cookieOf(request: Request, name: string): string | undefined {
  const value: unknown = (request.state as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The record or carenet in the address of the page. */
function reachedPlace({ params }: Request): string {
  const { RECORD_ID, CARENET_ID } = params as Readonly<Record<string, string | undefined>>;
  return CARENET_ID ?? RECORD_ID ?? '';
}

export function sessionScheme({ config, services }: LazyServices): ServerAuthScheme {
  return () => ({
    authenticate: async (request, h) => {
      const cookie = cookieOf(request, sessionCookie(config));
      const person =
        cookie === undefined
          ? undefined
          : await traced('credentials', {}, () => findSignedIn(services(), cookie, WEBSITE, reachedPlace(request)));
      const principal = person?.principal ?? nobody.principal;
      return h.authenticated({ credentials: { ...nobody, principal, person } });
    },
  });
}

export function signedInPerson(request: Request): SignedIn | undefined {
  return (request.auth.credentials as unknown as Looking | null)?.person;
}
