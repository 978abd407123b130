/**
 * oauth-scheme: finds out who calls through the OAuth door. Credentials are checked with the head of the request, and
 * admitted once its body has arrived.
 */
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import { consumerOfRefusal, type Judged } from '../auth/caller';
import { anonymous, type Principal } from '../auth/principal';
import { traced } from '../base/tracing';
import type { LazyServices } from '../services';
import { bytesOf, mediaTypeOf, rawPathOf, rawQueryOf } from './read-request';

/** The caller at a door, as hapi's `request.auth.credentials`. */
export type Calling = {
  readonly principal: Principal;
  readonly consumerKey: string | null;
  /** Settles when the nonce is claimed. */ readonly claimed: Promise<void>;
};

export const nobody: Calling = { principal: anonymous, consumerKey: null, claimed: Promise.resolve() };

/**
 * The caller of a request. It is nobody as long as nothing has been admitted, and where credentials are not checked.
 */
export function callingOf(request: Request): Calling {
  return (request.auth.credentials as Calling | null | undefined) ?? nobody;
}

/** Refused requests whose credentials name a consumer that is known here. */
const named = new WeakMap<Request, string>();

/** The known consumer that the refused credentials of a request name, if there is one. */
export function refusedConsumerOf(request: Request): string | undefined {
  return named.get(request);
}

async function remembering<T>(request: Request, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const consumer = consumerOfRefusal(error);
    if (consumer !== undefined) {
      named.set(request, consumer);
    }
    throw error;
  }
}

async function admit(request: Request, judged: Judged, body: Buffer | null): Promise<void> {
  const { principal, consumerKey, claimed } = await remembering(
    request,
    traced('body credentials', {}, () => judged.admit(body)),
  );
  request.auth.credentials = { principal, consumerKey, claimed } satisfies Calling as typeof request.auth.credentials;
}

/**
 * A caller whose request is refused by its head need not send the whole body. A call without credentials has no caller.
 */
export function oauthScheme({ services }: LazyServices): ServerAuthScheme {
  return () => ({
    authenticate: async (request, h) => {
      const judging = traced('credentials', {}, () =>
        services().authenticate({
          method: request.method.toUpperCase(),
          rawPath: rawPathOf(request),
          rawQuery: rawQueryOf(request),
          authorization: request.headers.authorization as string | undefined,
          mediaType: mediaTypeOf(request),
        }),
      );
      const judged = await remembering(request, judging);
      return h.authenticated({ credentials: { ...nobody }, artifacts: judged });
    },
    payload: async (request, h) => {
      await admit(request, request.auth.artifacts as Judged, bytesOf(request));
      return h.continue;
    },
  });
}

/** Admits a request without a body. Such a request has no later step that could do it, so the handler calls this. */
export function admitWithoutBody(request: Request): Promise<void> {
  return admit(request, request.auth.artifacts as Judged, null);
}
