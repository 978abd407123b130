/** sync: makes the stored apps equal the manifests (specification 2.12). Each app has a transaction of its own. */
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { problemsOf, SetupError } from '../base/errors';
import { newToken } from '../base/ids';
import type { PrincipalId } from '../base/types';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { isDuplicate } from '../db/db-errors';
import { insertApp, listEveryApp, lockApp, replaceApp, retireApp, type AppRow } from './store';
import { isDevelopmentSecret, refusalOfSecret } from './known-secrets';
import { readManifests, type AppFiles, type Manifests } from './manifests';

type SyncParts = {
  readonly config: Config;
  readonly database: Database;
  readonly sealing: Sealing;
  readonly clock: Clock;
};

export type SyncOptions = {
  /** Reports the differences and changes nothing. */
  readonly dryRun?: boolean;
  /** Continues even if no app was found, which removes all of them. */
  readonly force?: boolean;
  /** Adds and updates only. */
  readonly register?: boolean;
};

export type SyncResult = {
  readonly added: readonly PrincipalId[];
  readonly updated: readonly PrincipalId[];
  readonly removed: readonly PrincipalId[];
  readonly unchanged: readonly PrincipalId[];
  /** Apps that are named here stay as they were. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
};

type Outcome = 'added' | 'updated' | 'unchanged';

function isMachine(kind: AppRow['kind']): boolean {
  return kind !== 'user';
}

/** The stored secret; undefined also when it was sealed under a key that is not at hand. */
function openedSecret(sealing: Sealing, { consumerSecret }: AppRow): string | undefined {
  try {
    return sealing.open(consumerSecret);
  } catch {
    return undefined;
  }
}

/** Whether a stored secret may stay for an app whose folder names none. A retired app comes back with a new one. */
function mayStay(secret: string, { retiredAt }: AppRow): boolean {
  return retiredAt === null && secret !== '' && !isDevelopmentSecret(secret);
}

/** False also when the stored secret was sealed with another key, so that it is sealed again. */
function hasRightSecret(sealing: Sealing, stored: AppRow, { secret: named }: AppFiles): boolean {
  const secret = openedSecret(sealing, stored);
  return secret !== undefined && (named === undefined ? mayStay(secret, stored) : secret === named);
}

/**
 * The secret of an app: that of its folder, else the stored one, else a new one.
 * @throws SetupError when the stored one cannot be opened, because other processes may have the right key
 */
function secretFor(app: AppFiles, stored: AppRow | undefined, sealing: Sealing): string {
  if (app.secret !== undefined) {
    return app.secret;
  }
  if (!stored || stored.retiredAt !== null) {
    return newToken();
  }
  const secret = openedSecret(sealing, stored);
  if (secret === undefined) {
    throw new SetupError([
      `${app.folder}: the stored secret of ${app.id} cannot be opened with this SVC_SECRET_KEY: give the right one, or ` +
        'make another secret with svc apps secret --new',
    ]);
  }
  return mayStay(secret, stored) ? secret : newToken();
}

function toRow(
  { secret: _, ...files }: AppFiles,
  secret: string,
  stored: AppRow | undefined,
  { sealing, clock }: SyncParts,
): AppRow {
  const now = toTimestamp(clock.now());
  return {
    ...files,
    consumerSecret: sealing.seal(secret),
    retiredAt: null,
    createdAt: stored?.createdAt ?? now,
    updatedAt: now,
  };
}

function syncOutcome(app: AppFiles, stored: AppRow | undefined, sealing: Sealing, { register }: SyncOptions): Outcome {
  if (!stored || stored.retiredAt !== null) {
    // When the service starts, an app that deleted itself does not come back; only the operator's command brings it
    // back.
    return register && stored?.digest === app.digest ? 'unchanged' : 'added';
  }
  return stored.digest === app.digest && hasRightSecret(sealing, stored, app) ? 'unchanged' : 'updated';
}

/**
 * Two processes that start at once agree on one secret: the later one finds, under its lock, what the earlier one made.
 * @throws SetupError when the id or the key belongs to somebody else
 */
async function storeApp(app: AppFiles, stored: AppRow | undefined, parts: SyncParts): Promise<void> {
  try {
    await parts.database.transaction(async (trx) => {
      const now = stored && (await lockApp(trx, app.id));
      const row = toRow(app, secretFor(app, now, parts.sealing), now, parts);
      await (stored ? replaceApp(trx, row) : insertApp(trx, row));
    });
  } catch (error) {
    throw isDuplicate(error)
      ? new SetupError([`${app.folder}: the id ${app.id} or its consumer_key is in use already`])
      : error;
  }
}

/**
 * Stores an app. When two processes start at once, both may find it missing; the second one then accepts the app that
 * the first one stored.
 */
async function storeAppOnce(app: AppFiles, stored: AppRow | undefined, parts: SyncParts): Promise<void> {
  try {
    await storeApp(app, stored, parts);
  } catch (error) {
    const now = (await listEveryApp(parts.database.reads)).find(({ id }) => id === app.id);
    if (stored || now?.digest !== app.digest) {
      throw error;
    }
  }
}

function appsToKeep(
  manifests: Manifests,
  stored: readonly AppRow[],
): { readonly keep: (app: AppRow) => boolean; readonly problems: readonly string[] } {
  const isOf = (app: AppRow, broken: Manifests['broken'][number]): boolean =>
    app.folder === broken.folder || app.id === broken.id;
  // A broken folder of no stored app might be any app's folder under a new name, so nothing is removed.
  const all =
    manifests.missingRoots.length > 0 ||
    manifests.broken.some((broken) => broken.id === undefined && !stored.some((app) => isOf(app, broken)));
  return {
    keep: (app) => all || manifests.broken.some((broken) => isOf(app, broken)),
    problems: all ? ['no app was removed, because a broken folder may belong to any of them'] : [],
  };
}

function appsToRemove(
  manifests: Manifests,
  stored: readonly AppRow[],
  { force }: SyncOptions,
): { readonly apps: readonly AppRow[]; readonly problems: readonly string[] } {
  const gone = stored.filter((app) => app.retiredAt === null && !manifests.apps.some(({ id }) => id === app.id));
  if (manifests.apps.length === 0 && gone.length > 0 && !force) {
    return { apps: [], problems: ['no app was found: nothing was removed; use --force to remove every app'] };
  }
  const { keep, problems } = appsToKeep(manifests, stored);
  const apps = gone.filter((app) => !keep(app));
  return { apps, problems: apps.length === gone.length ? [] : problems };
}

/**
 * Adds, updates and removes apps until the stored ones equal the folders. Removing retires an app: medical documents,
 * messages, accounts and records are never touched.
 */
export async function syncApps(parts: SyncParts, options: SyncOptions = {}): Promise<SyncResult> {
  const { database, config, clock, sealing } = parts;
  const manifests = readManifests(config);
  const stored = await listEveryApp(database.reads);
  const result = { added: [] as string[], updated: [] as string[], unchanged: [] as string[], removed: [] as string[] };
  const problems = [...manifests.problems];
  const warnings = [...manifests.warnings];
  for (const app of manifests.apps) {
    const before = stored.find(({ id }) => id === app.id);
    if (before && isMachine(before.kind) !== isMachine(app.kind)) {
      problems.push(
        `${app.folder}: ${app.id} is registered as ${before.kind} app and cannot become ${app.kind} app: give it another id`,
      );
      continue;
    }
    const refusal = refusalOfSecret(app, app.secret, config);
    if (refusal !== undefined) {
      problems.push(refusal);
      continue;
    }
    const outcome = syncOutcome(app, before, sealing, options);
    if (outcome === 'unchanged' && before?.retiredAt) {
      warnings.push(
        `${app.folder}: ${app.id} was deleted and stays so until svc sync-apps brings it back; remove the folder to be rid of this line`,
      );
    }
    try {
      if (outcome !== 'unchanged' && !options.dryRun) {
        await storeAppOnce(app, before, parts);
      }
      result[outcome].push(app.id);
    } catch (error) {
      problems.push(...problemsOf(error));
    }
  }
  const removal = options.register ? { apps: [], problems: [] } : appsToRemove(manifests, stored, options);
  for (const { id } of removal.apps) {
    if (!options.dryRun) {
      await database.transaction((trx) => retireApp(trx, id, toTimestamp(clock.now())));
    }
    result.removed.push(id);
  }
  return { ...result, problems: [...problems, ...removal.problems], warnings };
}

/**
 * Refuses to serve while an app that acts by itself has a secret that everybody knows and other machines reach the
 * service.
 * @throws SetupError naming each such app, and how to change its secret
 */
export async function refuseKnownSecrets({ database, config, sealing }: Omit<SyncParts, 'clock'>): Promise<void> {
  const stored = await listEveryApp(database.reads);
  const refusals = [
    ...stored
      .filter(({ retiredAt }) => retiredAt === null)
      .map((app) => refusalOfSecret(app, openedSecret(sealing, app), config)),
    ...readManifests(config).apps.map((app) => refusalOfSecret(app, app.secret, config)),
  ].filter((refusal) => refusal !== undefined);
  if (refusals.length > 0) {
    throw new SetupError([...new Set(refusals)]);
  }
}
