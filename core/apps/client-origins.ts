/**
 * client-origins: the origins on which the pages of apps run, which are those of their redirect addresses. Scripts of
 * other origins can read nothing of the FHIR door.
 */
import { smartClientOf } from './smart-client';
import type { PrincipalId } from '../base/types';
import type { Services } from '../services';
import * as appStore from './store';

/** How long the origins are cached: a preflight request has no credentials, and must cost next to nothing. */
const REMEMBERED_MILLISECONDS = 10_000;

type Origins = ReadonlyMap<PrincipalId, ReadonlySet<string>>;
type Known = { readonly at: number; readonly origins: Promise<Origins> };

const known = new WeakMap<Services['database']['reads'], Known>();

function originOf(address: string): readonly string[] {
  const origin = URL.canParse(address) ? new URL(address).origin : 'null';
  return origin === 'null' ? [] : [origin];
}

async function readOrigins({ database }: Services): Promise<Origins> {
  const apps = await appStore.listClients(database.reads);
  return new Map(apps.map((app) => [app.id, new Set((smartClientOf(app)?.redirect_uris ?? []).flatMap(originOf))]));
}

async function originsOf(services: Services): Promise<Origins> {
  const key = services.database.reads;
  const now = services.clock.now();
  const before = known.get(key);
  if (before && now >= before.at && now - before.at < REMEMBERED_MILLISECONDS) {
    return before.origins;
  }
  const origins = readOrigins(services);
  known.set(key, { at: now, origins });
  origins.catch(() => known.delete(key));
  return origins;
}

/**
 * Whether an app's pages run on an origin.
 * @param appId of the calling app; without it, the origin of any app will do
 */
async function isClientOrigin(services: Services, origin: string, appId?: PrincipalId): Promise<boolean> {
  const origins = await originsOf(services);
  return appId === undefined
    ? [...origins.values()].some((some) => some.has(origin))
    : (origins.get(appId)?.has(origin) ?? false);
}

/**
 * The headers of CORS that say whether a page on an origin may read an answer. Some clients send every request with the
 * credentials of the browser, and a browser gives them an answer only if it allows that by name. Nothing behind these
 * headers ever looks at a cookie.
 * @param readers `open`: any page may read; else only the pages of the app with this id, or of any app without one
 */
export async function originHeaders(
  services: Services,
  origin: string | undefined,
  readers: { readonly open: boolean; readonly appId?: PrincipalId | undefined },
): Promise<Readonly<Record<string, string>>> {
  const known = origin !== undefined && origin !== '' && (await knownOrigin(services, origin, readers));
  if (known) {
    return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
  }
  return readers.open ? { 'access-control-allow-origin': '*' } : {};
}

/** An answer must not fail because the origins could not be read. */
function knownOrigin(
  services: Services,
  origin: string,
  { appId }: { readonly appId?: PrincipalId | undefined },
): Promise<boolean> {
  return isClientOrigin(services, origin, appId).catch(() => false);
}
