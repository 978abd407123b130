/** examine: runs all checks of `svc doctor`, whatever state the installation is in, and writes nothing. */
import { isDevelopmentSecret } from '../apps/known-secrets';
import { readManifests } from '../apps/manifests';
import { makeSealing, type Sealing } from '../auth/sealing';
import type { SecretKeys } from '../auth/secret-key';
import type { Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import { sqlitePath } from '../config/sqlite-url';
import { loadModels } from '../facts/model/models';
import { openDatabase } from '../db/open';
import { checkDatabase, checkKnownSecrets } from './database-checks';
import { fine, problem, type Finding } from './finding';
import { checkMachine } from './machine-checks';

function setupReason(error: unknown): string {
  return error instanceof SetupError ? error.problems.join('; ') : (error as Error).message;
}

function examineFiles(config: Config): readonly Finding[] {
  const manifests = readManifests(config);
  const problems = [...loadModels(config.datamodelsDirs, config.vocabBase).problems, ...manifests.problems];
  return [
    problems.length === 0
      ? fine('files', 'data models and manifests can be read')
      : problem('files', problems[0]!, 'run svc check: it lists everything that is wrong'),
    ...checkKnownSecrets(
      manifests.apps.filter(({ secret }) => isDevelopmentSecret(secret)),
      'secrets in files',
    ),
  ];
}

type Keys = () => SecretKeys | undefined;

function openKey(keys: Keys): {
  readonly sealing: Sealing | 'absent' | 'unreadable';
  readonly findings: readonly Finding[];
} {
  try {
    const found = keys();
    return { sealing: found === undefined ? 'absent' : makeSealing(found), findings: [] };
  } catch (error) {
    return {
      sealing: 'unreadable',
      findings: [problem('keys', setupReason(error), 'without the right key nobody can sign in through an app')],
    };
  }
}

async function examineDatabase(config: Config, clock: Clock, keys: Keys): Promise<readonly Finding[]> {
  let database;
  try {
    database = await openDatabase(config.databaseUrl, 2);
  } catch (error) {
    return [
      problem(
        'database',
        setupReason(error),
        sqlitePath(config.databaseUrl) !== undefined
          ? 'give the service the right to write there, or name another file in SVC_DATABASE_URL'
          : 'is the server running, and may this machine and this user reach it? See SVC_DATABASE_URL',
      ),
    ];
  }
  try {
    const { models } = loadModels(config.datamodelsDirs, config.vocabBase);
    const { sealing, findings } = openKey(keys);
    const checked = await checkDatabase({ database, models, clock, sealing });
    return [fine('database', `${database.dialect.version} answers`), ...findings, ...checked];
  } catch (error) {
    return [
      problem(
        'database',
        setupReason(error),
        "if a newer release migrated it, start that one; else look at the server's log",
      ),
    ];
  } finally {
    await database.close();
  }
}

/** @param keys reads the installation's secret keys; undefined if none was made yet; throws when they cannot be read */
export async function examine(config: Config, clock: Clock, keys: Keys): Promise<readonly Finding[]> {
  return [...(await examineDatabase(config, clock, keys)), ...examineFiles(config), ...(await checkMachine(config))];
}
