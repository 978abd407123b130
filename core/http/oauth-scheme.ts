/** oauth-scheme: how the OAuth door finds who is calling: credentials are judged by the head and admitted with the body. */
import type { Request, ServerAuthScheme } from '@hapi/hapi';
import type { Judged } from '../auth/caller';
import { anonymous, type Principal } from '../auth/principal';
import type { Later } from '../services';
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

const admit = async (request: Request, judged: Judged, body: Buffer | null): Promise<void> => {
  const { principal, consumerKey, claimed } = await judged.admit(body);
  request.auth.credentials = { principal, consumerKey, claimed } satisfies Calling as typeof request.auth.credentials;
};

/** Whoever is refused by the head sends no body to the end. A call without credentials is nobody's. */
export const oauthScheme =
  ({ services }: Later): ServerAuthScheme =>
  () => ({
    authenticate: async (request, h) => {
      const judged = await services().authenticate({
        method: request.method.toUpperCase(),
        rawPath: rawPathOf(request),
        rawQuery: rawQueryOf(request),
        authorization: request.headers.authorization as string | undefined,
        mediaType: mediaTypeOf(request),
      });
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
