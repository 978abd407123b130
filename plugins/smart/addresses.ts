/** addresses: the addresses at which this service authorizes apps of the FHIR door. */

export const FHIR = '/fhir';

export const addresses = {
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  revocation: '/oauth2/revoke',
  introspection: '/oauth2/introspect',
  userinfo: '/oauth2/userinfo',
  jwks: '/oauth2/jwks',
} as const;

export const OPENID = '/.well-known/openid-configuration';
export const SMART = `${FHIR}/.well-known/smart-configuration`;
