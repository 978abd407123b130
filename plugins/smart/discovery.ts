/**
 * discovery: makes the document that a SMART app reads first, with the addresses and features of this service (SMART
 * App Launch 2.2, conformance).
 */
import type { Services } from '../../core/services';
import * as appStore from '../../core/apps/store';
import { addresses } from './addresses';
import { shownScopes } from './scopes';

const capabilities = [
  'launch-ehr',
  'launch-standalone',
  'authorize-post',
  'client-public',
  'client-confidential-symmetric',
  'client-confidential-asymmetric',
  'sso-openid-connect',
  'context-banner',
  'context-ehr-patient',
  'context-standalone-patient',
  'permission-offline',
  'permission-online',
  'permission-patient',
  'permission-v1',
  'permission-v2',
] as const;

/** What the discovery documents name. Apps act by themselves only where the operator has registered one that may. */
export async function offered({
  database,
}: Pick<Services, 'database'>): Promise<{ readonly scopes: readonly string[]; readonly grants: readonly string[] }> {
  const alone = await appStore.hasBackends(database.reads);
  return {
    scopes: [...shownScopes, ...(alone ? ['system/*.rs'] : [])],
    grants: ['authorization_code', 'refresh_token', ...(alone ? ['client_credentials'] : [])],
  };
}

export async function smartConfiguration(
  services: Pick<Services, 'baseUrl' | 'database'>,
): Promise<Readonly<Record<string, unknown>>> {
  const { baseUrl } = services;
  const { scopes, grants } = await offered(services);
  const at = (path: string): string => `${baseUrl()}${path}`;
  return {
    issuer: baseUrl(),
    jwks_uri: at(addresses.jwks),
    authorization_endpoint: at(addresses.authorization),
    token_endpoint: at(addresses.token),
    introspection_endpoint: at(addresses.introspection),
    revocation_endpoint: at(addresses.revocation),
    userinfo_endpoint: at(addresses.userinfo),
    grant_types_supported: grants,
    response_types_supported: ['code'],
    scopes_supported: scopes,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
    capabilities,
  };
}
