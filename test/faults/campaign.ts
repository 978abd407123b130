/** campaign: rounds of load and fault on one database, and the report of what survived. */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inProject } from '../../core/base/paths';
import { openDatabase, type Database } from '../../core/storage/database';
import { listDeliveries } from '../../core/storage/stores/outbox';
import { ownApp, type OwnApp } from '../support/app-folder';
import { httpClient } from '../support/client';
import { sleep, startReceiver, until, type Receiver } from '../support/receiver';
import { admin } from '../support/server';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { checkAll, checkSent, countMails, countUnsent } from './checks';
import { newLedger, type Ledger } from './ledger';
import { startLoad, type Stage } from './load';
import { startMailbox, type Mailbox } from './mailbox';
import { fakeTime, fakeTimeLibrary, mariadbServer, serviceProcess, smallDisk, sqliteServer, type DatabaseServer, type Service, type SmallDisk } from './processes';

export type CampaignOptions = { readonly kills: number; readonly callers: number; /** Faults of this name only. */ readonly only?: string };

export type Report = {
  readonly database: string;
  readonly kills: { service: number; database: number };
  readonly faultsMade: Record<string, number>;
  readonly requests: number;
  readonly writesAcknowledged: number;
  readonly outcomesUnknown: number;
  readonly answersChecked: number;
  readonly documentsChecked: number;
  readonly mails: { owed: number; arrivedTwice: number };
  readonly pings: { owed: number; arrivedTwice: number };
  readonly auditVerified: string;
  readonly seconds: number;
  readonly faults: string[];
};

const say = (line: string): void => { process.stdout.write(`${line}\n`); };

type Field = {
  readonly server: DatabaseServer; readonly service: Service; readonly settings: Record<string, string>; readonly clock: string; readonly disk: SmallDisk | undefined;
  readonly mailbox: Mailbox; readonly receiver: Receiver; readonly app: OwnApp; readonly stage: Stage; readonly mails: number; readonly clean: () => Promise<void>;
};

const makeField = async (server: DatabaseServer, disk: SmallDisk | undefined): Promise<Field> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-field-'));
  const clock = join(folder, 'clock');
  writeFileSync(clock, '+0\n');
  const mailbox = await startMailbox();
  const receiver = await startReceiver();
  const app = ownApp({ oauth_callback_url: `${receiver.url}/oauth` });
  const settings = { SVC_DATABASE_URL: server.url, SVC_SMTP_URL: mailbox.url, SVC_MANIFESTS_DIR: app.folders, SVC_CALLBACK_ALLOW_PRIVATE: '1' };
  const service = await serviceProcess(settings, fakeTime(clock));
  await service.start();
  const call = httpClient(service.url);
  for (const name of ['alice', 'bob']) {
    await createAccount(call, `${name}@example.org`);
  }
  const recordId = await createRecord(call, 'alice@example.org');
  const alice = await signIn(call, 'alice@example.org');
  succeeded(await call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org', role_label: 'helper' } }));
  const token = await authorizeApp(call, app.app, alice, { record_id: recordId });
  succeeded(await call(token, 'POST', `/experimental/records/${recordId}/apps/${encodeURIComponent(app.id)}/subscriptions/`, { form: { url: 'reports/Procedure/', callback: `${receiver.url}/told` } }));
  const database = await openDatabase(server.url, 1);
  const mails = await countMails(database);
  await database.close();
  return {
    server, service, settings, clock, disk, mailbox, receiver, app, mails,
    stage: { clients: [call], admin: admin!, app: token, recordId, accountId: 'alice@example.org' },
    clean: async () => {
      await service.kill('SIGKILL');
      await server.kill('SIGKILL');
      await mailbox.stop();
      await receiver.stop();
      app.remove();
      server.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

type Fault = { readonly name: string; readonly make: (field: Field, kills: Report['kills']) => Promise<void> };

const killService = async ({ service }: Field, kills: Report['kills']): Promise<void> => {
  kills.service += Number(await service.kill('SIGKILL'));
};
const killDatabase = async ({ server }: Field, kills: Report['kills']): Promise<void> => {
  kills.database += Number(await server.kill('SIGKILL'));
};

const closeConnections = async ({ server }: Field): Promise<void> => {
  const database = await openDatabase(server.url, 1);
  const [rows] = (await database.knex.raw('select id from information_schema.processlist where id <> connection_id() and db is not null')) as [{ id: number }[]];
  for (const { id } of rows) {
    await database.knex.raw(`kill connection ${Number(id)}`).catch(() => undefined);
  }
  await database.close();
};

/** The wall clock of the service stands still, then jumps to where it should be. */
const stopClock = async ({ clock }: Field): Promise<void> => {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, '0');
  const local = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
  writeFileSync(clock, `${local}\n`);
  await sleep(1000 + randomInt(2000));
  writeFileSync(clock, '+0\n');
};

const fillDisk = async ({ disk }: Field): Promise<void> => {
  disk?.fill();
  await sleep(1500);
  disk?.free();
};

/** Frozen in the middle of whatever it did, as a machine that swaps or a virtual one that is moved. */
const freeze = async ({ service }: Field): Promise<void> => {
  process.kill(service.pid()!, 'SIGSTOP');
  await sleep(500 + randomInt(1500));
  process.kill(service.pid()!, 'SIGCONT');
};

const faultsFor = (field: Field): readonly Fault[] => {
  const server = field.server.running();
  return [
    { name: 'service killed', make: killService },
    { name: 'service killed', make: killService },
    ...(server ? [
      { name: 'database killed', make: killDatabase },
      { name: 'database killed', make: killDatabase },
      { name: 'both killed', make: async (on: Field, kills: Report['kills']) => { await Promise.all([killService(on, kills), killDatabase(on, kills)]); } },
      { name: 'connections closed', make: closeConnections },
    ] : []),
    { name: 'process frozen', make: freeze },
    ...(fakeTimeLibrary === undefined ? [] : [{ name: 'clock stopped', make: stopClock }]),
    ...(field.disk === undefined ? [] : [{ name: 'disk full', make: fillDisk }]),
  ];
};

const rightAgain = async ({ server, service }: Field): Promise<void> => {
  if (server.pid() !== undefined && !server.running()) {
    await server.start();
  }
  if (!service.running()) {
    await service.start();
  }
  await until(async () => (await fetch(`${service.url}/health/ready`).then(({ status }) => status, () => 0)) === 200, 60_000, 'a service that is ready again');
};

const verifyAudit = async ({ settings }: Field): Promise<{ readonly line: string; readonly failed: boolean }> => {
  const environment = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))), SVC_SECRET_KEY: 'only for tests: 0123456789abcdef', ...settings };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [inProject('bin', 'svc'), 'verify-audit'], { env: environment, maxBuffer: 1 << 26 });
    return { line: stdout.trim(), failed: false };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { line: `${stdout.trim()} ${stderr.trim().slice(-500)}`, failed: true };
  }
};

const NO_PROGRESS = 300_000;

/** Waits until all that is owed has left. A lease of a killed process lasts half a minute, a ping that failed waits a minute, then two. */
const settle = async (database: Database): Promise<void> => {
  let least = Number.POSITIVE_INFINITY;
  let since = Date.now();
  for (let left = await countUnsent(database); left > 0; left = await countUnsent(database)) {
    if (left < least) {
      least = left;
      since = Date.now();
    }
    if (Date.now() - since > NO_PROGRESS) {
      const waiting = await listDeliveries(database.knex, {}, 5);
      throw new Error(`${left} deliveries have not left: ${JSON.stringify(waiting)}`);
    }
    await sleep(200);
  }
};

const oneRound = async (field: Field, ledger: Ledger, { callers, only }: CampaignOptions, report: Pick<Report, 'kills' | 'faultsMade'>): Promise<number> => {
  const choices = faultsFor(field).filter(({ name }) => only === undefined || name === only);
  const fault = choices[randomInt(choices.length)]!;
  const load = startLoad(field.stage, ledger, callers);
  await sleep(200 + randomInt(1300));
  await fault.make(field, report.kills);
  report.faultsMade[fault.name] = (report.faultsMade[fault.name] ?? 0) + 1;
  // Sometimes the load goes on without the service for a while.
  await sleep(randomInt(300));
  await rightAgain(field);
  await load.stop();
  return load.requests();
};

const run = async (name: string, server: DatabaseServer, disk: SmallDisk | undefined, options: CampaignOptions): Promise<Report> => {
  const { kills } = options;
  const began = Date.now();
  const field = await makeField(server, disk);
  const ledger = newLedger();
  const report = { kills: { service: 0, database: 0 }, faultsMade: {} as Record<string, number> };
  const faults: string[] = [];
  let requests = 0;
  try {
    for (let round = 1; (options.only === undefined || /killed/.test(options.only) ? report.kills.service + report.kills.database : round - 1) < kills && faults.length === 0; round += 1) {
      requests += await oneRound(field, ledger, options, report);
      const database = await openDatabase(server.url, 2);
      faults.push(...(await checkAll(database, ledger, field)));
      await database.close();
      if (round % 20 === 0) {
        say(`${name}: round ${round}, ${report.kills.service + report.kills.database} kills, ${ledger.acknowledged} writes acknowledged, ${faults.length} faults`);
      }
    }
    const database = await openDatabase(server.url, 2);
    await settle(database);
    const pings = new Map<string, number>();
    for (const { headers } of field.receiver.received) {
      const key = String(headers['x-svc-delivery']);
      pings.set(key, (pings.get(key) ?? 0) + 1);
    }
    faults.push(...(await checkAll(database, ledger, field)), ...(await checkSent(database, { mail: field.mailbox.seen, ping: pings })));
    await database.close();
    const verified = await verifyAudit(field);
    if (verified.failed) {
      faults.push(`verify-audit: ${verified.line}`);
    }
    const twice = (seen: ReadonlyMap<string, number>): number => [...seen.values()].filter((times) => times > 1).length;
    return {
      database: name, ...report, requests, writesAcknowledged: ledger.acknowledged, outcomesUnknown: ledger.unknown, answersChecked: ledger.told.length, documentsChecked: ledger.documents.size,
      mails: { owed: field.mailbox.seen.size, arrivedTwice: twice(field.mailbox.seen) }, pings: { owed: pings.size, arrivedTwice: twice(pings) },
      auditVerified: verified.line, seconds: Math.round((Date.now() - began) / 1000), faults,
    };
  } catch (error) {
    say(field.service.log().slice(-3000));
    throw error;
  } finally {
    await field.clean();
    disk?.remove();
  }
};

/** SQLite in a file; only the service can be killed. */
export const sqliteRun = (options: CampaignOptions): Promise<Report> => {
  const disk = smallDisk(512);
  return run('SQLite', sqliteServer(disk?.folder), disk, options);
};

/** A mariadbd of its own. */
export const mysqlRun = async (options: CampaignOptions): Promise<Report> => {
  const disk = smallDisk(1024);
  return run('MariaDB', await mariadbServer(disk?.folder), disk, options);
};
