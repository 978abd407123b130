/** campaign: rounds of load and faults on one database, with checks after each of them. */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { toTimestamp } from '../../core/base/clock';
import { inProject } from '../../core/base/paths';
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import { listDeliveries } from '../../core/outbox/store';
import { sleep } from '../support/receiver';
import { checkAll, checkSent, countUnsent, everything, type Extent, type Trouble } from './checks';
import { smallDisk, type SmallDisk } from './disk';
import { makeField, rightAgain, type Field } from './field';
import { deathsOn, deck, impossibleOn, troublesOn, type Fault } from './kinds';
import type { Ledger } from './ledger';
import { startLoad } from './load';
import { arrived, type Arrivals } from './mailbox';
import { fakeTimeLibrary, mariadbServer, sqliteServer, type DatabaseServer } from './processes';
import { summary, type Report } from './report';
import { direct } from '../support/direct';
import { auditHead } from '../support/svc';

export type CampaignOptions = {
  /** Number of rounds, each of which ends with a kill -9 or a power cut. */
  readonly kills: number;
  readonly callers: number;
  /** Only faults of this name. */
  readonly only?: string;
};

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const verifyAudit = async ({ settings }: Field): Promise<{ readonly line: string; readonly failed: boolean }> => {
  const environment = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'))),
    SVC_SECRET_KEY: 'only for tests: 0123456789abcdef',
    SVC_AUDIT_HEAD: auditHead,
    ...settings,
  };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [inProject('bin', 'svc'), 'verify-audit'], {
      env: environment,
      maxBuffer: 1 << 26,
    });
    return { line: stdout.trim(), failed: false };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { line: `${stdout.trim()} ${stderr.trim().slice(-500)}`, failed: true };
  }
};

/**
 * Restarts the service with its clock an hour ahead, so that nothing has to wait: the lease of a killed process lasts
 * half a minute, and a failed ping waits a minute, then two.
 */
const goAhead = async ({ service, clock }: Field): Promise<void> => {
  if (fakeTimeLibrary !== undefined) {
    await service.kill('SIGTERM');
    writeFileSync(clock, '+3600\n');
    await service.start();
  }
};

const NO_PROGRESS = 300_000;

/** Waits until every delivery in the outbox has been sent. */
const settle = async (database: Database): Promise<void> => {
  let least = Number.POSITIVE_INFINITY;
  let since = Date.now();
  for (let left = await countUnsent(database); left > 0; left = await countUnsent(database)) {
    if (left < least) {
      least = left;
      since = Date.now();
    }
    if (Date.now() - since > NO_PROGRESS) {
      const waiting = await listDeliveries(direct(database), {}, 5);
      throw new Error(`${left} deliveries have not left: ${JSON.stringify(waiting)}`);
    }
    await sleep(200);
  }
};

type Choose = (round: number) => readonly Fault[];

/** Each round has a kill or power cut, and every other round another fault before it; or one kind of fault alone. */
const chooser = (field: Field, only: string | undefined): Choose => {
  const [deaths, troubles] = [deathsOn(field), troublesOn(field)];
  if (only !== undefined) {
    const wanted = [...deaths, ...troubles].filter(({ name }) => name === only);
    if (wanted.length === 0) {
      throw new Error(
        `no such fault here: ${only}; there are: ${[...deaths, ...troubles].map(({ name }) => name).join(', ')}`,
      );
    }
    return () => wanted;
  }
  const [death, trouble] = [deck(deaths), deck(troubles)];
  return (round) => [...(round % 2 === 1 ? [trouble()] : []), death()];
};

const FULL_SWING = 20;
const LONGEST_WARM_UP = 20_000;

/**
 * Waits for some requests: a fault without a request under way proves little, and a process that has just started is
 * slow.
 */
const inFullSwing = async (requests: () => number): Promise<void> => {
  for (const end = Date.now() + LONGEST_WARM_UP; requests() < FULL_SWING && Date.now() < end;) {
    await sleep(20);
  }
};

/**
 * Makes load and faults, and ends the load when the service is healthy again. Resolves to the times when something was
 * wrong.
 */
const oneRound = async (
  field: Field,
  faults: readonly Fault[],
  callers: number,
  report: Pick<Report, 'faultsMade' | 'requests'>,
): Promise<readonly Trouble[]> => {
  const load = startLoad(field.stage, field.ledger, callers);
  const troubles: Trouble[] = [];
  try {
    await inFullSwing(load.requests);
    for (const fault of faults) {
      await sleep(100 + randomInt(900));
      const from = Date.now();
      await fault.make(field);
      // Sometimes the load continues for a while without the service.
      await sleep(randomInt(300));
      await rightAgain(field);
      troubles.push({ from, to: Date.now() });
      report.faultsMade[fault.name] = (report.faultsMade[fault.name] ?? 0) + 1;
    }
  } catch (error) {
    await load.abandon();
    throw error;
  }
  await load.stop();
  report.requests += load.requests();
  return troubles;
};

const FULL_CHECK_EVERY = 20;
const RECENT = 500;
/** The clock of the service may have been stopped. */
const CLOCK_SLACK = 30_000;

/** What to check after most rounds: only what this round may have changed, so that the rounds do not grow longer. */
const extentOf = (ledger: Ledger, toldBefore: number, began: number): Extent => ({
  documents: [...ledger.documents.values()].slice(-RECENT),
  told: ledger.told.slice(toldBefore),
  since: toTimestamp(began - CLOCK_SLACK),
});

const withDatabase = async <T>({ server }: Field, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase(server.url, 2);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

const checkTrail = async (field: Field, report: Pick<Report, 'auditVerified'>): Promise<readonly string[]> => {
  const { line, failed } = await verifyAudit(field);
  report.auditVerified = line;
  return failed ? [`verify-audit: ${line}`] : [];
};

const arrivalsOf = ({ mailbox, receiver }: Field): { mail: Arrivals; ping: Arrivals } => {
  const ping: Arrivals = new Map();
  receiver.received.forEach(({ headers, at }) => arrived(ping, String(headers['x-svc-delivery']), at));
  return { mail: mailbox.arrivals, ping };
};

/** Runs all rounds, up to the first that leaves something wrong. */
const allRounds = async (field: Field, options: CampaignOptions, report: Report): Promise<readonly Trouble[]> => {
  const { ledger } = field;
  const choose = chooser(field, options.only);
  const troubles: Trouble[] = [];
  for (let round = 1; round <= options.kills && report.faults.length === 0; round += 1) {
    const [toldBefore, began] = [ledger.told.length, Date.now()];
    troubles.push(...(await oneRound(field, choose(round), options.callers, report)));
    const full = round % FULL_CHECK_EVERY === 0;
    report.faults.push(
      ...(await withDatabase(field, (database) =>
        checkAll(database, ledger, field, full ? everything(ledger) : extentOf(ledger, toldBefore, began)),
      )),
    );
    report.rounds = round;
    if (full) {
      report.faults.push(...(await checkTrail(field, report)));
      say(
        `${report.database}: round ${round}, ${ledger.acknowledged} writes acknowledged, ${report.faults.length} ` +
          `faults found, ${Math.round((Date.now() - report.began) / 1000)} s`,
      );
    }
  }
  return troubles;
};

/** At the end, without faults: checks everything once more, and that every delivery has arrived. */
const allHasLeft = async (field: Field, troubles: readonly Trouble[], report: Report): Promise<void> => {
  const from = Date.now();
  await goAhead(field);
  const restart = { from, to: Date.now() };
  await withDatabase(field, async (database) => {
    await settle(database);
    report.faults.push(
      ...(await checkAll(database, field.ledger, field)),
      ...(await checkSent(database, arrivalsOf(field), [...troubles, restart])),
      ...(await checkTrail(field, report)),
    );
  });
};

const run = async (
  name: string,
  server: DatabaseServer,
  disk: SmallDisk | undefined,
  options: CampaignOptions,
): Promise<Report> => {
  const field = await makeField(server, disk);
  const report: Report = {
    database: name,
    began: Date.now(),
    rounds: 0,
    kills: field.kills,
    faultsMade: Object.fromEntries([...deathsOn(field), ...troublesOn(field)].map(({ name }) => [name, 0])),
    impossible: impossibleOn(field),
    requests: 0,
    auditVerified: '',
    faults: [],
  };
  try {
    const troubles = await allRounds(field, options, report);
    if (report.faults.length === 0) {
      await allHasLeft(field, troubles, report);
    }
    if (report.faults.length > 0) {
      say(field.service.log().slice(-3000));
    }
    report.figures = summary(field.ledger, arrivalsOf(field), report.began);
    return report;
  } catch (error) {
    say(field.service.log().slice(-3000));
    throw error;
  } finally {
    await field.clean();
  }
};

/** Runs the campaign on SQLite in a file, where only the service can be killed. */
export const sqliteRun = (options: CampaignOptions): Promise<Report> => {
  const disk = smallDisk(512);
  return run('SQLite', sqliteServer(disk?.folder), disk, options);
};

/** Runs the campaign on a private mariadbd. */
export const mysqlRun = async (options: CampaignOptions): Promise<Report> => {
  const disk = smallDisk(1024);
  const server = await mariadbServer(disk?.folder).catch((error: unknown) => {
    disk?.remove();
    throw error;
  });
  return run('MariaDB', server, disk, options);
};
