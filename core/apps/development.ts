/** development: the secrets in the bundled manifests, which everybody knows. */

/** What they begin with. */
const DEVELOPMENT = /^development-secret-/;

export const isDevelopmentSecret = (secret: string | null): boolean => secret !== null && DEVELOPMENT.test(secret);
