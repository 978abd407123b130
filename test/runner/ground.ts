/**
 * ground: what a run of the tests needs: a database server of its own, a fast folder for temporary files, clean
 * settings.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../core/db/open';
import { findMariadb, startMariadb } from '../support/mariadb';

export type Ground = {
  /** Address of the server, without a database; undefined when there is no server. */
  readonly mysqlUrl: string | undefined;
  /** In memory where there is enough: tests write small databases by the hundred, and each would wait for the disk. */
  readonly folder: string;
  readonly leave: () => Promise<void>;
};

const IN_MEMORY = '/dev/shm';
const ROOM = 4 * 2 ** 30;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
};

/**
 * @param server false when SQLite is enough
 * @throws Error when SVC_REQUIRE_MYSQL=1 and there is no server
 */
export const makeGround = async ({ server: wanted = true } = {}): Promise<Ground> => {
  const folder = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'svc-tests-'));
  const given = process.env['SVC_TEST_DATABASE_URL'];
  const program = given || !wanted ? undefined : findMariadb();
  const server = program ? await startMariadb(program, [], folder) : undefined;
  const leave = async (): Promise<void> => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const mysqlUrl = given ?? server?.url;
  if (wanted && mysqlUrl === undefined && process.env['SVC_REQUIRE_MYSQL'] === '1') {
    await leave();
    throw new Error(
      'SVC_REQUIRE_MYSQL=1, but no MariaDB or MySQL server was found: install mariadb-server or set SVC_TEST_DATABASE_URL',
    );
  }
  return { mysqlUrl, folder, leave };
};

/** Whether a setting of the person who runs the tests is one of the tests: how many cases they try, and which. */
const isOfTests = (name: string): boolean =>
  name.startsWith('SVC_REQUIRE_') || (name.startsWith('SVC_TEST_') && name !== 'SVC_TEST_DATABASE_URL');

/** Leaves out the settings of the person who runs the tests, which must not influence them. */
export const cleanEnvironment = (settings: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('SVC_') || isOfTests(name))),
  SVC_LOG_LEVEL: 'fatal',
});

/** The names and versions of the databases, as they report them. */
export const databaseVersions = async ({ mysqlUrl }: Ground): Promise<readonly string[]> => {
  const urls = [
    'sqlite::memory:',
    ...(mysqlUrl ? [`${mysqlUrl.replace(/(:\d+)\/.*$/, '$1')}/information_schema`] : []),
  ];
  return Promise.all(
    urls.map(async (url) => {
      const database = await openDatabase(url, 1);
      await database.close();
      return database.dialect.version;
    }),
  );
};
