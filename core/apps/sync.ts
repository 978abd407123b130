/** sync: makes the stored apps equal the manifests (specification 2.12). Each app has a transaction of its own. */
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { problemsOf, SetupError } from '../base/errors';
import type { PrincipalId } from '../base/types';
import type { Config } from '../config/schema';
import type { Database } from '../storage/database';
import { isDuplicate } from '../storage/db-errors';
import { insertApp, listEveryApp, replaceApp, retireApp, type AppRow } from '../storage/stores/apps';
import { readManifests, type AppFiles, type Manifests } from './manifests';

export type SyncParts = {
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

const isMachine = (kind: AppRow['kind']): boolean => kind !== 'user';

/** False also when the stored secret was sealed with another key, so that it is sealed again. */
const sameSecret = (sealing: Sealing, stored: AppRow, { secret }: AppFiles): boolean => {
  try {
    return sealing.open(stored.consumerSecret) === secret;
  } catch {
    return false;
  }
};

const toRow = ({ secret, ...files }: AppFiles, stored: AppRow | undefined, { sealing, clock }: SyncParts): AppRow => {
  const now = toTimestamp(clock.now());
  return {
    ...files,
    consumerSecret: sealing.seal(secret),
    retiredAt: null,
    createdAt: stored?.createdAt ?? now,
    updatedAt: now,
  };
};

const outcomeOf = (app: AppFiles, stored: AppRow | undefined, sealing: Sealing, { register }: SyncOptions): Outcome => {
  if (!stored || stored.retiredAt !== null) {
    // When the service starts, an app that deleted itself does not come back; only the operator's command brings it
    // back.
    return register && stored?.digest === app.digest ? 'unchanged' : 'added';
  }
  return stored.digest === app.digest && sameSecret(sealing, stored, app) ? 'unchanged' : 'updated';
};

/** @throws SetupError when the id or the key belongs to somebody else */
const put = async (app: AppFiles, stored: AppRow | undefined, parts: SyncParts): Promise<void> => {
  const row = toRow(app, stored, parts);
  try {
    await parts.database.transaction((trx) => (stored ? replaceApp(trx, row) : insertApp(trx, row)));
  } catch (error) {
    throw isDuplicate(error)
      ? new SetupError([`${app.folder}: the id ${app.id} or its consumer_key is in use already`])
      : error;
  }
};

/**
 * Stores an app. When two processes start at once, both may find it missing; the second one then accepts the app that
 * the first one stored.
 */
const apply = async (app: AppFiles, stored: AppRow | undefined, parts: SyncParts): Promise<void> => {
  try {
    await put(app, stored, parts);
  } catch (error) {
    const now = (await listEveryApp(parts.database.reads)).find(({ id }) => id === app.id);
    if (stored || now?.digest !== app.digest) {
      throw error;
    }
  }
};

const keepers = (
  manifests: Manifests,
  stored: readonly AppRow[],
): { readonly keep: (app: AppRow) => boolean; readonly problems: readonly string[] } => {
  const known = (app: AppRow): boolean =>
    manifests.broken.some(({ folder, id }) => app.folder === folder || app.id === id);
  const strange = manifests.broken.filter(
    ({ folder, id }) => !stored.some((app) => app.folder === folder || app.id === id),
  );
  // A broken folder might be any app's folder under a new name, so nothing is removed.
  const all = strange.some(({ id }) => id === undefined) || manifests.missingRoots.length > 0;
  return {
    keep: (app) => all || known(app),
    problems: all ? ['no app was removed, because a broken folder may belong to any of them'] : [],
  };
};

const removable = (
  manifests: Manifests,
  stored: readonly AppRow[],
  { force }: SyncOptions,
): { readonly apps: readonly AppRow[]; readonly problems: readonly string[] } => {
  const gone = stored.filter((app) => app.retiredAt === null && !manifests.apps.some(({ id }) => id === app.id));
  if (manifests.apps.length === 0 && gone.length > 0 && !force) {
    return { apps: [], problems: ['no app was found: nothing was removed; use --force to remove every app'] };
  }
  const { keep, problems } = keepers(manifests, stored);
  const apps = gone.filter((app) => !keep(app));
  return { apps, problems: apps.length === gone.length ? [] : problems };
};

/**
 * Adds, updates and removes apps until the stored ones equal the folders. Removing retires an app: medical documents,
 * messages, accounts and records are never touched.
 */
export const syncApps = async (parts: SyncParts, options: SyncOptions = {}): Promise<SyncResult> => {
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
    const outcome = outcomeOf(app, before, sealing, options);
    if (outcome === 'unchanged' && before?.retiredAt) {
      warnings.push(
        `${app.folder}: ${app.id} was deleted and stays so until svc sync-apps brings it back; remove the folder to be rid of this line`,
      );
    }
    try {
      if (outcome !== 'unchanged' && !options.dryRun) {
        await apply(app, before, parts);
      }
      result[outcome].push(app.id);
    } catch (error) {
      problems.push(...problemsOf(error));
    }
  }
  const removal = options.register ? { apps: [], problems: [] } : removable(manifests, stored, options);
  for (const { id } of removal.apps) {
    if (!options.dryRun) {
      await database.transaction((trx) => retireApp(trx, id, toTimestamp(clock.now())));
    }
    result.removed.push(id);
  }
  return { ...result, problems: [...problems, ...removal.problems], warnings };
};
