/** field: the service, its database, the people, the app and the receivers of one campaign. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../core/db/open';
import { ownApp } from '../support/app-folder';
import { httpClient } from '../support/client';
import { startReceiver, until, type Receiver } from '../support/receiver';
import { countMails } from './checks';
import type { SmallDisk } from './disk';
import { newLedger, type Ledger } from './ledger';
import type { Stage } from './load';
import { startMailbox, type Mailbox } from './mailbox';
import { fakeTime, serviceProcess, type DatabaseServer, type Service } from './processes';
import { setStage } from './stage';

export type Field = {
  readonly server: DatabaseServer;
  readonly service: Service;
  readonly disk: SmallDisk | undefined;
  readonly settings: Readonly<Record<string, string>>;
  /** File with the offset of the service's clock. */
  readonly clock: string;
  readonly mailbox: Mailbox;
  readonly receiver: Receiver;
  readonly stage: Stage;
  readonly ledger: Ledger;
  /** Number of mails that the set-up sent. */
  readonly mails: number;
  readonly kills: { service: number; database: number };
  readonly clean: () => Promise<void>;
};

/** Two subscriptions, because deliveries of one are sent one after the other. */
const WATCHED = ['reports/Procedure/', 'reports/minimal/procedures/'];

/** Runs every step on the first call, even when earlier steps fail. */
const once = (steps: readonly (() => unknown)[]): (() => Promise<void>) => {
  let done: Promise<void> | undefined;
  const take = async (): Promise<void> => {
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        process.stderr.write(`could not be cleaned up: ${String(error)}\n`);
      }
    }
  };
  const clean = (): Promise<void> => (done ??= take().finally(() => standing.delete(clean)));
  standing.add(clean);
  return clean;
};

const standing = new Set<() => Promise<void>>();

/** Ends all processes of campaigns and unmounts their disks. */
export const cleanUp = async (): Promise<void> => {
  await Promise.all([...standing].map((clean) => clean()));
};

export const makeField = async (server: DatabaseServer, disk: SmallDisk | undefined): Promise<Field> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-field-'));
  const clock = join(folder, 'clock');
  writeFileSync(clock, '+0\n');
  const mailbox = await startMailbox();
  const receiver = await startReceiver();
  const app = ownApp({ oauth_callback_url: `${receiver.url}/oauth` });
  const settings = {
    SVC_DATABASE_URL: server.url,
    SVC_SMTP_URL: mailbox.url,
    SVC_MANIFESTS_DIR: app.folders,
    SVC_CALLBACK_ALLOW_PRIVATE: '1',
  };
  const service = await serviceProcess(settings, fakeTime(clock));
  const clean = once([
    () => service.kill('SIGKILL'),
    () => server.kill('SIGKILL'),
    () => disk?.remove(),
    () => server.remove(),
    () => mailbox.stop(),
    () => receiver.stop(),
    () => app.remove(),
    () => rmSync(folder, { recursive: true, force: true }),
  ]);
  try {
    await service.start();
    const stage = await setStage([httpClient(service.url)], app, receiver, WATCHED);
    const database = await openDatabase(server.url, 1);
    const mails = await countMails(database);
    await database.close();
    return {
      server,
      service,
      disk,
      settings,
      clock,
      mailbox,
      receiver,
      stage,
      ledger: newLedger(),
      mails,
      kills: { service: 0, database: 0 },
      clean,
    };
  } catch (error) {
    await clean();
    throw error;
  }
};

/** A database whose disk was full may end by itself, even after it ran again. */
const databaseAgain = async (server: DatabaseServer): Promise<void> => {
  if (server.pid() !== undefined && !server.running()) {
    await server.start();
  }
};

/** Starts the processes that do not run, and waits until the service is ready. */
export const rightAgain = async ({ server, service }: Field): Promise<void> => {
  await databaseAgain(server);
  if (!service.running()) {
    await service.start();
  }
  await until(async () => {
    await databaseAgain(server);
    const status = await fetch(`${service.url}/health/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
    return status === 200;
  }, 'a service that is ready again');
};
