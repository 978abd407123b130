/** development: the secrets in the bundled manifests, which everybody knows. */

/** These secrets begin with this. */
const DEVELOPMENT = /^development-secret-/;

export const isDevelopmentSecret = (secret: string | null): boolean => secret !== null && DEVELOPMENT.test(secret);
