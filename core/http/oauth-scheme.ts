/**
 * oauth-scheme: how the OAuth door finds who is calling: credentials are judged by the head and admitted with the body.
 */
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import { consumerOfRefusal, type Judged } from '../auth/caller';
import { anonymous, type Principal } from '../auth/principal';
import { traced } from '../base/tracing';
import type { LazyServices } from '../services';
import { bytesOf, mediaTypeOf, rawPathOf, rawQueryOf } from './read-request';

/** Who is calling through a door, as hapi's `request.auth.credentials`. */
export type Calling = {
  readonly principal: Principal;
  readonly consumerKey: string | null;
  /** Settles when the nonce is claimed. */ readonly claimed: Promise<void>;
};

export const nobody: Calling = { principal: anonymous, consumerKey: null, claimed: Promise.resolve() };

/** Whose call a request is; nobody's while nothing has been admitted, or where credentials are not looked at. */
export const callingOf = (request: Request): Calling =>
  (request.auth.credentials as Calling | null | undefined) ?? nobody;

/** Requests whose credentials were refused although they name somebody who is known here. */
const named = new WeakMap<Request, string>();

/** The consumer that the refused credentials of a request name, when it is known here. */
export const refusedConsumerOf = (request: Request): string | undefined => named.get(request);

const remembering = async <T>(request: Request, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const consumer = consumerOfRefusal(error);
    if (consumer !== undefined) {
      named.set(request, consumer);
    }
    throw error;
  }
};

const admit = async (request: Request, judged: Judged, body: Buffer | null): Promise<void> => {
  const { principal, consumerKey, claimed } = await remembering(
    request,
    traced('body credentials', {}, () => judged.admit(body)),
  );
  request.auth.credentials = { principal, consumerKey, claimed } satisfies Calling as typeof request.auth.credentials;
};

/** A caller who is refused by the head need not send the body to its end. A call without credentials has no caller. */
export const oauthScheme =
  ({ services }: LazyServices): ServerAuthScheme =>
  () => ({
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

/** Requests without a body have no later step, so that the handler admits them. */
export const admitWithoutBody = (request: Request): Promise<void> =>
  admit(request, request.auth.artifacts as Judged, null);
