/**
 * servers: the authorization server of this process. It is made when the first app asks, and made again when its keys
 * have changed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { storedKeys } from '../../core/auth/smart-keys';
import type { Services } from '../../core/services';
import { makeAuthorizationServer } from './authorization-server';
import { expectNewKeys } from './client-keys';

export type AuthorizationServer = {
  readonly serve: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Has the keys of the app of a form fetched again, if it signs with a key that is not known yet. */
  readonly expectNewKeys: (form: string) => Promise<void>;
  /** The client and the grant of a request that the server has answered. */
  readonly contextOf: (request: object) => KoaContextWithOIDC | undefined;
  /** The error of a request that failed through no fault of the caller. */
  readonly faultOf: (request: object) => unknown;
};

async function make(services: Services, keys: string): Promise<AuthorizationServer> {
  const provider = await makeAuthorizationServer(services, keys);
  const contexts = new WeakMap<object, KoaContextWithOIDC>();
  const faults = new WeakMap<object, unknown>();
  provider.use(async (ctx, next) => {
    contexts.set(ctx.req, ctx as KoaContextWithOIDC);
    await next();
  });
  provider.on('server_error', (ctx, error) => faults.set(ctx.req, error));
  // Without a listener the package would write errors to the terminal.
  (provider as NodeJS.EventEmitter).on('error', (error: unknown, ctx: { readonly req: object }) =>
    faults.set(ctx.req, error),
  );
  return {
    serve: provider.callback(),
    expectNewKeys: (form) => expectNewKeys(provider, services.clock, form),
    contextOf: (request) => contexts.get(request),
    faultOf: (request) => faults.get(request),
  };
}

/** After how many milliseconds this process uses keys that another process has changed. */
const LOOK_AGAIN = 60_000;

type Made = { readonly at: number; readonly keys: string; readonly server: Promise<AuthorizationServer> };

const servers = new WeakMap<Services, Made>();

export async function authorizationServerOf(services: Services): Promise<AuthorizationServer> {
  const before = servers.get(services);
  const now = services.clock.now();
  if (before && Math.abs(now - before.at) < LOOK_AGAIN) {
    return before.server;
  }
  const keys = await storedKeys(services);
  // Another request may have made the server while the keys were read.
  const latest = servers.get(services);
  const server = latest?.keys === keys ? latest.server : make(services, keys);
  servers.set(services, { at: now, keys, server });
  server.catch(() => servers.get(services)?.server === server && servers.delete(services));
  return server;
}
