/** clients: makes a client of the authorization server from a user app with redirect addresses. */
import type { ClientMetadata } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { smartBackendOf, smartClientOf } from '../../core/apps/smart-client';
import type { Services } from '../../core/services';
import type { AppRow } from '../../core/apps/store';
import * as appStore from '../../core/apps/store';

function isWeb(address: string): boolean {
  return /^https?:/i.test(address);
}

/** An app that acts by itself: nobody is sent to it, and it gets tokens for its key alone. */
function backendMetadata(
  app: AppRow,
  { jwks, jwks_uri }: NonNullable<ReturnType<typeof smartBackendOf>>,
): ClientMetadata {
  return {
    client_id: app.consumerKey,
    client_name: app.name,
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'private_key_jwt',
    ...(jwks ? { jwks: jwks as never } : {}),
    ...(jwks_uri ? { jwks_uri } : {}),
  };
}

/**
 * The app as a client; undefined for an app that cannot be one.
 * @param proven the app has proven already who it is, so that nothing else is asked of it
 */
function metadataOf(app: AppRow, { sealing }: Services, proven: boolean): ClientMetadata | undefined {
  const backend = smartBackendOf(app);
  if (backend) {
    return backendMetadata(app, backend);
  }
  const client = smartClientOf(app);
  if (!client) {
    return undefined;
  }
  const { redirect_uris, jwks, jwks_uri } = client;
  const method = proven ? 'none' : client.token_endpoint_auth_method;
  return {
    client_id: app.consumerKey,
    client_name: app.name,
    redirect_uris: [...redirect_uris],
    application_type: redirect_uris.every(isWeb) ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query', 'fragment'],
    token_endpoint_auth_method: method,
    ...(method.startsWith('client_secret') ? { client_secret: sealing.open(app.consumerSecret) } : {}),
    ...(jwks ? { jwks: jwks as never } : {}),
    ...(jwks_uri ? { jwks_uri } : {}),
  };
}

/** Finds a client by its id, which is the app's consumer key. @param proven whether it has proven already who it is */
export async function findClient(
  services: Services,
  clientId: string,
  proven = false,
): Promise<ClientMetadata | undefined> {
  const app = await appStore.findUserAppByKey(services.database.reads, clientId);
  return app && metadataOf(app, services, proven);
}
