/** server: a whole service on a database of its own, for one test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import { areas } from '../../core/server/plugins';
import { start, type Running, type StartOptions } from '../../core/server/start';
import { injectClient, type Client, type Credentials } from './client';
import type { DatabaseLeg } from './databases';
import { beginShared } from './shared-reader';
import { testManifests } from './test-manifests';

export type TestService = {
  readonly running: Running;
  readonly services: Running['services'];
  readonly call: Client;
  /** Folder of the .eml files. */
  readonly mailDir: string;
  readonly stop: () => Promise<void>;
};

const signing = (id: string): Credentials => ({
  consumer: { key: `${id}@apps.svc.example`, secret: `secret of tests for ${id}` },
});

/** Credentials of the apps under manifests/, with the secrets that tests give them: see `testManifests`. */
export const admin = signing('admin');
export const ui = signing('ui');
export const medications = signing('medications');
export const connector = signing('connector');

/**
 * Passwords are hashed with little work: the usual work would take a quarter of the time of the account tests. Tests of
 * simultaneous guesses use the usual work (`usualHashes`), and services in processes of their own always do.
 */
const QUICK_HASHES: Partial<StartOptions> = { hashCost: { memoryCost: 8, timeCost: 1, parallelism: 1 } };
export const usualHashes: Partial<StartOptions> = {};

/**
 * Starts a service on the leg's database. It does not clean up every minute; a test that needs it calls `cleanUp`.
 * @param settings environment names as a deployer writes them
 * @param options of `start` that replace the usual ones of tests
 */
export const startService = async (
  leg: DatabaseLeg,
  settings: Readonly<Record<string, string>> = {},
  change: Partial<Config> = {},
  options: Partial<StartOptions> = QUICK_HASHES,
): Promise<TestService> => {
  const { url, drop } = await leg.create();
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'));
  const mailDir = join(folder, 'mail');
  const config = {
    ...loadConfig({
      SVC_PORT: '0',
      SVC_DATABASE_URL: url,
      SVC_MAIL_DIR: mailDir,
      SVC_AUDIT_HEAD: join(folder, 'audit.head'),
      SVC_MANIFESTS_DIR: testManifests,
      SVC_LOG_LEVEL: 'fatal',
      SVC_SECRET_KEY: 'only for tests: 0123456789abcdef',
      ...settings,
    }),
    // A machine that runs many tests at once may keep even a short read waiting.
    longReadSeconds: 120,
    xmlWorkers: 1,
    ...change,
  };
  const running = await start(config, areas, { prepare: true, beginning: beginShared(config), ...options });
  // In a test of more than a minute, its statements would be counted with those of a page.
  await running.cleaning.stop();
  return {
    running,
    services: running.services,
    call: injectClient(running.server, running.services.baseUrl()),
    mailDir,
    stop: async () => {
      await running.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
