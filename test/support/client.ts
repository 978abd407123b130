/** client: calls the service as an app does, with every request signed by oauth-1.0a. */
import type { Server } from '@hapi/hapi';
import { authorizationHeader, type Signer } from '../../core/auth/sign';

/** Credentials of the signer; null sends none. */
export type Credentials = Signer | null;

export type CallOptions = {
  /** Form parameters. */
  readonly form?: Readonly<Record<string, string>>;
  /** A raw body and its media type. */
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra OAuth parameters of the header, such as oauth_verifier. */
  readonly oauth?: Readonly<Record<string, string>>;
};

export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type Client = (credentials: Credentials, method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** A client of a server in this process. A request passes through all of hapi, but not through a socket. */
export const injectClient =
  (server: Server, baseUrl: string): Client =>
  async (credentials, method, path, options = {}) => {
    const form = options.form ?? {};
    const payload = options.form ? new URLSearchParams(form).toString() : options.body;
    const type = options.form
      ? 'application/x-www-form-urlencoded'
      : (options.type ?? (options.body === undefined ? undefined : 'application/xml'));
    const response = await server.inject({
      method,
      url: path,
      headers: {
        ...(credentials
          ? { authorization: authorizationHeader(credentials, method, `${baseUrl}${path}`, form, options.oauth) }
          : {}),
        ...(type ? { 'content-type': type } : {}),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    return {
      status: response.statusCode,
      text: response.payload,
      bytes: response.rawPayload,
      headers: response.headers,
    };
  };

/**
 * A client over real HTTP, to a server in this process or another.
 * @param signedUrl the public address that is signed, if it is another one
 */
export const httpClient =
  (baseUrl: string, signedUrl = baseUrl): Client =>
  async (credentials, method, path, options = {}) => {
    const form = options.form ?? {};
    const body = options.form ? new URLSearchParams(form).toString() : options.body;
    const type = options.form
      ? 'application/x-www-form-urlencoded'
      : (options.type ?? (options.body === undefined ? undefined : 'application/xml'));
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(credentials
          ? { authorization: authorizationHeader(credentials, method, `${signedUrl}${path}`, form, options.oauth) }
          : {}),
        ...(type ? { 'content-type': type } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body as string }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      status: response.status,
      text: bytes.toString('utf8'),
      bytes,
      headers: Object.fromEntries(response.headers),
    };
  };
