/** audit: the principal that the audit row of a request names: a person through an app, or the app alone. */
import type { KoaContextWithOIDC } from 'oidc-provider' with { 'resolution-mode': 'import' };
import { anonymous, type Principal } from '../../core/auth/principal';
import type { Calling } from '../../core/http/oauth-scheme';
import type { Services } from '../../core/services';
import type { FoundGrant } from './store';
import * as appStore from '../../core/apps/store';
import * as smartStore from './store';

type Named = { readonly calling: Calling; readonly recordId?: string };

function appOf({ appId, autonomous }: FoundGrant) {
  return { id: appId, kind: 'user', autonomous } as const;
}

function throughApp(grant: FoundGrant): Principal {
  return {
    kind: 'access_token',
    app: appOf(grant),
    accountId: grant.accountId,
    recordId: grant.recordId,
    carenetId: grant.carenetId,
    tokenHash: '',
    accountInControl: false,
  };
}

/** The principal of an app that has shown a secret or a key. */
async function appAlone(services: Services, clientId: string): Promise<Principal> {
  const app = await appStore.findUserAppByKey(services.database.reads, clientId);
  return app ? { kind: 'app', app: { id: app.id, kind: 'user', autonomous: app.autonomous } } : anonymous;
}

/** @param bearer the principal of the access token with which the app has proven itself, if it has done it so */
export async function nameCalling(
  services: Services,
  context: KoaContextWithOIDC | undefined,
  status: number,
  bearer?: Principal,
): Promise<Named> {
  const { Client: client, Grant: granted } = context?.oidc?.entities ?? {};
  const consumerKey = client?.clientId ?? null;
  const claimed = Promise.resolve();
  const grant = status < 400 && granted ? await smartStore.findGrant(services.database.reads, granted.jti) : undefined;
  if (grant) {
    return { calling: { principal: throughApp(grant), consumerKey, claimed }, recordId: grant.recordId };
  }
  if (bearer) {
    return { calling: { principal: bearer, consumerKey, claimed } };
  }
  const proven =
    client !== undefined && context?.method === 'POST' && status !== 401 && client.tokenEndpointAuthMethod !== 'none';
  const principal = proven ? await appAlone(services, client.clientId) : anonymous;
  return { calling: { principal, consumerKey, claimed } };
}
