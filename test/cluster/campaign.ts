/**
 * campaign: three service processes on three nodes under load. A node or process is killed or frozen and brought back,
 * and everything is checked after each round.
 */
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import { checkAll, countMails } from '../faults/checks';
import { newLedger, type Ledger } from '../faults/ledger';
import { startLoad, type Stage } from '../faults/load';
import { serviceProcess, type Service } from '../faults/processes';
import { setStage } from '../faults/stage';
import { ownApp, type OwnApp } from '../support/app-folder';
import { httpClient } from '../support/client';
import { sleep, startReceiver, until, type Receiver } from '../support/receiver';
import { svc } from '../support/svc';
import { makeCluster, type Cluster, type Node } from './nodes';
import { startProbes, type Outage } from './probes';
import { race, readElsewhere, replay } from './races';

const BASE_URL = 'http://svc.test';

/** What is killed or frozen, and the number of that node or service process. */
export type Trouble = {
  readonly what: 'node killed' | 'node killed and emptied' | 'node frozen' | 'service killed';
  readonly which: 0 | 1 | 2;
};

export type CampaignOptions = {
  readonly troubles: readonly Trouble[];
  /**
   * How long a node may be silent before the others treat it as lost. A node that waits for a processor is silent, too.
   */
  readonly suspectSeconds: number;
  readonly callers: number;
  /** How long each caller rests after a call. */
  readonly restMilliseconds: number;
  /** How many callers ask for the same thing at once, and how many times a round does that. */
  readonly raceWidth: number;
  readonly races: number;
  /** How long a killed or frozen node or process stays away. */
  readonly awaySeconds: number;
  /**
   * Longest time that requests to one process may fail, and that requests of a caller who switches to another process
   * may fail.
   */
  readonly limit: { readonly failing: number; readonly balanced: number };
  readonly say: (line: string) => void;
};

export type RoundReport = {
  readonly trouble: string;
  readonly caughtUpBy: string;
  readonly failingMilliseconds: number;
  readonly silentMilliseconds: number;
  readonly balancedMilliseconds: number;
  readonly failed: number;
};

export type CampaignReport = {
  readonly rounds: readonly RoundReport[];
  readonly requests: number;
  readonly writesAcknowledged: number;
  readonly outcomesUnknown: number;
  readonly answersChecked: number;
  readonly documentsChecked: number;
  readonly races: number;
  readonly pingsArrived: number;
  readonly tablesCompared: number;
  readonly auditVerified: string;
  readonly seconds: number;
  readonly faults: readonly string[];
};

type Field = {
  readonly cluster: Cluster;
  readonly services: readonly Service[];
  readonly receiver: Receiver;
  readonly stage: Stage;
  readonly ledger: Ledger;
  readonly mails: number;
};

/** Every process lists the nodes of the cluster in another order, so that each begins with another node. */
const urlFrom = (nodes: readonly Node[], first: number): string =>
  `mysql://root@${nodes.map((_node, index) => nodes[(first + index) % nodes.length]!.address).join(',')}/svc`;

/** Runs the work on the database of any node that answers, beginning with this one. */
const onDatabase = async <T>(
  { nodes }: Cluster,
  first: number,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase(urlFrom(nodes, first), 2);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

const startServices = async ({ nodes }: Cluster, own: OwnApp, services: Service[]): Promise<void> => {
  const migrated = await svc(['migrate'], { SVC_DATABASE_URL: urlFrom(nodes, 0) });
  if (migrated.code !== 0) {
    throw new Error(`svc migrate: ${migrated.stderr}`);
  }
  for (const index of nodes.keys()) {
    services.push(
      await serviceProcess({
        SVC_DATABASE_URL: urlFrom(nodes, index),
        SVC_AUTO_MIGRATE: '0',
        SVC_MANIFESTS_DIR: own.folders,
        SVC_CALLBACK_ALLOW_PRIVATE: '1',
        SVC_BASE_URL: BASE_URL,
        SVC_MAIL_DIR: `${own.folders.split(':').at(-1)!}/mail`,
      }),
    );
  }
  await Promise.all(services.map((service) => service.start()));
};

const begin = async ({ cluster, services }: Field, { what, which }: Trouble): Promise<void> => {
  const node = cluster.nodes[which]!;
  if (what === 'service killed') {
    await services[which]!.kill('SIGKILL');
  } else if (what === 'node frozen') {
    node.freeze();
  } else {
    await node.kill();
  }
};

const end = async ({ cluster, services }: Field, { what, which }: Trouble): Promise<string> => {
  const node = cluster.nodes[which]!;
  if (what === 'service killed') {
    await services[which]!.start();
    return '';
  }
  if (what === 'node frozen') {
    node.thaw();
  } else {
    if (what === 'node killed and emptied') {
      node.forget();
    }
    await node.start();
  }
  await until(async () => {
    await sleep(200);
    return cluster.nodes.every((one) => one.synced() && one.knows() === cluster.nodes.length);
  }, 'a cluster of all nodes');
  return what === 'node frozen' ? '' : node.caughtUpBy();
};

const worst = (outages: readonly Outage[], value: (outage: Outage) => number): number =>
  Math.max(0, ...outages.map(value));

/** Makes load and trouble. Requests to a process that is itself killed may fail. */
const disturb = async (
  field: Field,
  trouble: Trouble,
  { callers, restMilliseconds, awaySeconds }: CampaignOptions,
): Promise<{ report: RoundReport; requests: number }> => {
  const load = startLoad(field.stage, field.ledger, callers, restMilliseconds);
  const probes = startProbes(field.stage);
  await sleep(1500);
  probes.take();
  await begin(field, trouble);
  await sleep(awaySeconds * 1000);
  const caughtUpBy = await end(field, trouble);
  await sleep(1000);
  const { each, balanced } = probes.take();
  await probes.stop();
  await load.stop();
  const others = trouble.what === 'service killed' ? each.filter((_outage, index) => index !== trouble.which) : each;
  return {
    requests: load.requests(),
    report: {
      trouble: `${trouble.what} (${trouble.which + 1})`,
      caughtUpBy,
      failingMilliseconds: worst(others, ({ failing }) => failing),
      silentMilliseconds: worst(others, ({ silent }) => silent),
      balancedMilliseconds: Math.max(balanced.failing, balanced.silent),
      failed: [...others, balanced].reduce((sum, { failed }) => sum + failed, 0),
    },
  };
};

const tooLong = (
  { trouble, silentMilliseconds, balancedMilliseconds }: RoundReport,
  { limit }: CampaignOptions,
): readonly string[] => [
  ...(silentMilliseconds > limit.failing ? [`${trouble}: a process did not serve for ${silentMilliseconds} ms`] : []),
  ...(balancedMilliseconds > limit.balanced ? [`${trouble}: no process served for ${balancedMilliseconds} ms`] : []),
];

const races = async ({ stage, services }: Field, options: CampaignOptions): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (let round = 0; round < options.races; round += 1) {
    faults.push(
      ...(await race(stage, options.raceWidth)),
      ...(await readElsewhere(stage)),
      ...(await replay(
        services.map(({ url }) => url),
        stage,
      )),
    );
  }
  return faults;
};

/**
 * Compares every table of the service row by row on all nodes; each node first waits for what the others have
 * committed.
 */
const compareNodes = ({ nodes }: Cluster): { readonly tables: number; readonly faults: readonly string[] } => {
  const tables = nodes[0]!
    .sql(
      "select table_name from information_schema.tables where table_schema = 'svc' and table_type = 'BASE TABLE' order by 1",
    )
    .split('\n');
  const list = tables.map((table) => `svc.\`${table}\``).join(', ');
  const sums = nodes.map((node) => node.sql(`set session wsrep_sync_wait = 15; checksum table ${list}`).split('\n'));
  return {
    tables: tables.length,
    faults: tables.flatMap((table, index) =>
      new Set(sums.map((lines) => lines[index])).size === 1 && !sums[0]![index]!.endsWith('NULL')
        ? []
        : [`the nodes hold different rows of ${table}`],
    ),
  };
};

const verifyAudit = async ({
  nodes,
}: Cluster): Promise<{ readonly said: string; readonly faults: readonly string[] }> => {
  const { code, stdout, stderr } = await svc(['verify-audit'], { SVC_DATABASE_URL: urlFrom(nodes, 2) });
  return { said: stdout.trim(), faults: code === 0 ? [] : [`verify-audit: ${stdout}${stderr}`] };
};

/** The newest failures that the processes logged, but for those that a lost node explains. */
const loggedFailures = (services: readonly Service[]): string =>
  services
    .flatMap((service) => service.log().split('\n'))
    .filter((line) => line.includes('request failed') && !/ECONNREFUSED|CONNECTION_LOST|ER_UNKNOWN_COM/.test(line))
    .slice(-4)
    .map((line) => line.slice(0, 700))
    .join('\n');

const fight = async (field: Field, options: CampaignOptions): Promise<Omit<CampaignReport, 'seconds'>> => {
  const { cluster, ledger, services, mails, receiver } = field;
  const rounds: RoundReport[] = [];
  const faults: string[] = [];
  let requests = 0;
  for (const [round, trouble] of options.troubles.entries()) {
    faults.push(...(await races(field, options)));
    const disturbed = await disturb(field, trouble, options);
    rounds.push(disturbed.report);
    requests += disturbed.requests;
    faults.push(
      ...tooLong(disturbed.report, options),
      ...(await onDatabase(cluster, round, (database) => checkAll(database, ledger, { mails }))),
    );
    options.say(
      `${JSON.stringify(disturbed.report)}, ${ledger.acknowledged} writes acknowledged${faults.map((fault) => `\n  ${fault}`).join('')}`,
    );
    if (faults.length > 0) {
      // The first lines of a long message are the ones that are seen.
      faults.push(`the log of the processes: ${loggedFailures(services)}`);
      services.forEach((service, index) => options.say(`process ${index + 1} said:\n${service.log().slice(-3000)}`));
      break;
    }
  }
  const ends = await Promise.all(services.map((service) => service.kill('SIGTERM')));
  const compared = compareNodes(cluster);
  const audit = await verifyAudit(cluster);
  return {
    rounds,
    requests,
    writesAcknowledged: ledger.acknowledged,
    outcomesUnknown: ledger.unknown,
    answersChecked: ledger.told.length,
    documentsChecked: ledger.documents.size,
    races: options.races * options.troubles.length,
    pingsArrived: receiver.received.length,
    tablesCompared: compared.tables,
    auditVerified: audit.said,
    faults: [
      ...faults,
      ...(ends.every(Boolean) ? [] : ['a service process ended by itself']),
      ...compared.faults,
      ...audit.faults,
    ],
  };
};

/** Clean-ups that must run whatever happens, the last one first. */
const endings: (() => Promise<void>)[] = [];

/** Ends all processes of a campaign that is stopped half-way. */
export const cleanUp = async (): Promise<void> => {
  for (let ending = endings.pop(); ending; ending = endings.pop()) {
    await ending();
  }
};

/** Starts everything, runs the rounds and ends everything. */
export const runCampaign = async (options: CampaignOptions): Promise<CampaignReport> => {
  const began = Date.now();
  const services: Service[] = [];
  const cluster = await makeCluster(options.suspectSeconds);
  try {
    endings.push(() => cluster.stop());
    await cluster.form();
    options.say(`three nodes synced after ${Date.now() - began} ms`);
    const receiver = await startReceiver();
    endings.push(() => receiver.stop());
    const own = ownApp({ oauth_callback_url: `${receiver.url}/oauth` });
    endings.push(
      async () => own.remove(),
      async () => {
        await Promise.all(services.map((service) => service.kill('SIGKILL')));
      },
    );
    await startServices(cluster, own, services);
    // All processes have one public address, so a request signed for it may be sent to any of them.
    const stage = await setStage(
      services.map(({ url }) => httpClient(url, BASE_URL)),
      own,
      receiver,
      ['reports/Procedure/'],
    );
    const mails = await onDatabase(cluster, 0, countMails);
    options.say(`three service processes ready after ${Date.now() - began} ms`);
    const report = await fight({ cluster, services, receiver, stage, ledger: newLedger(), mails }, options);
    return { ...report, seconds: Math.round((Date.now() - began) / 1000) };
  } catch (error) {
    services.forEach((service) => options.say(service.log().slice(-2000)));
    cluster.nodes.forEach((node) => options.say(node.log().slice(-1500)));
    throw error;
  } finally {
    await cleanUp();
  }
};
