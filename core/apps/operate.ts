/** operate: what an operator does with the secrets of apps: find the app, show its secret, make another one. */
import type { Sealing } from '../auth/sealing';
import { SetupError } from '../base/errors';
import { newToken } from '../base/ids';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { listEveryApp, replaceAppSecret, type AppRow } from './store';
import { readManifests } from './manifests';

type Parts = { readonly config: Config; readonly database: Database; readonly sealing: Sealing };

function lastPart(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}

/** @throws SetupError when no app has the name, or several have it */
async function findNamed({ database }: Parts, name: string): Promise<AppRow> {
  const apps = (await listEveryApp(database.reads)).filter(({ retiredAt }) => retiredAt === null);
  const named = apps.filter(({ id, folder }) => id === name || folder === name);
  const found = named.length > 0 ? named : apps.filter(({ folder }) => lastPart(folder) === name);
  if (found.length !== 1) {
    throw new SetupError([
      found.length === 0
        ? `no app has the id or the folder ${name}: there are ${apps.map(({ folder }) => folder).join(', ') || 'none yet, svc sync-apps registers them'}`
        : `${name} is the name of several folders: say ${found.map(({ folder }) => folder).join(' or ')}`,
    ]);
  }
  return found[0]!;
}

/**
 * The secret of the app with this id or folder (`user/medications`, or `medications`).
 * @throws SetupError when there is no such app, it has no secret, or the key at hand does not open it
 */
export async function readAppSecret(parts: Parts, name: string): Promise<string> {
  const { id, consumerSecret } = await findNamed(parts, name);
  let secret: string;
  try {
    secret = parts.sealing.open(consumerSecret);
  } catch {
    throw new SetupError([`the secret of ${id} cannot be opened with this SVC_SECRET_KEY: give the right one`]);
  }
  if (secret === '') {
    throw new SetupError([`${id} has no secret: it works with tokens of people, or proves with keys who it is`]);
  }
  return secret;
}

/**
 * Gives the app another random secret. What is signed with the one before is refused from now on.
 * @throws SetupError when there is no such app, or its folder names its secret
 */
export async function renewAppSecret(parts: Parts, name: string): Promise<string> {
  const { id, folder } = await findNamed(parts, name);
  if (readManifests(parts.config).apps.some((app) => app.id === id && app.secret !== undefined)) {
    throw new SetupError([
      `the secret of ${id} is that of its folder ${folder}: change "consumer_secret" in its credentials.json there, and run svc sync-apps`,
    ]);
  }
  const secret = newToken();
  await parts.database.transaction((trx) => replaceAppSecret(trx, id, parts.sealing.seal(secret)));
  return secret;
}
