/**
 * known-secrets: the secrets that earlier releases shipped in the bundled manifests, which everybody knows. No app that
 * acts by itself may have one where other machines reach the service.
 */
import { staysOnThisMachine } from '../config/loopback';
import type { Config } from '../config/schema';
import type { AppRow } from './store';

/** These secrets begin with this. */
const DEVELOPMENT = /^development-secret-/;

export function isDevelopmentSecret(secret: string | null | undefined): boolean {
  return typeof secret === 'string' && DEVELOPMENT.test(secret);
}

/** Whoever signs as such an app needs no person who says yes at that moment. */
export function actsByItself({ kind, autonomous }: Pick<AppRow, 'kind' | 'autonomous'>): boolean {
  return kind !== 'user' || autonomous;
}

/** How to change such a secret. */
export const HOW_TO_CHANGE =
  'take "consumer_secret" out of its credentials.json, so that a random one is made, or write one of your own there; ' +
  'if it has no folder any more, run svc sync-apps';

/** Why the service does not serve with this app as it is; undefined if it does. */
export function refusalOfSecret(
  app: Pick<AppRow, 'id' | 'folder' | 'kind' | 'autonomous'>,
  secret: string | null | undefined,
  config: Pick<Config, 'host' | 'baseUrl'>,
): string | undefined {
  return isDevelopmentSecret(secret) && actsByItself(app) && !staysOnThisMachine(config)
    ? `${app.folder}: ${app.id} has a development-secret, which everybody knows, and is served with it only while ` +
        `SVC_HOST and SVC_BASE_URL are loopback addresses: ${HOW_TO_CHANGE}`
    : undefined;
}
