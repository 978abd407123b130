/**
 * run: `npm run bench`: measures every operation on SQLite and MariaDB, each beside the least that any implementation
 * must do.
 */
import { cpus, totalmem } from 'node:os';
import { httpClient } from '../support/client';
import { aboveZero, program } from '../support/program';
import { makeBenchWorld } from './bench-world';
import { startChild, type Child } from './child';
import type { Floor, FloorJob, FloorRound } from './floor-process';
import { databaseOption, eachLeg, type DatabaseName, type Leg } from './legs';
import { SHARE_OF_RATE, type Load, type Measured } from './load';
import { operations, type Operation } from './operations';
import { LONG_PAUSE, type Pauses } from './pauses';
import { benchSettings, highestMemoryOf, memoryOf, startBenchService, type BenchService } from './service';
import { shown, table } from './table';
import type { Template } from './wire';

type Row = {
  readonly database: string;
  readonly operation: string;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly floor: number;
  readonly ratio: number;
  readonly megabytes: number;
};
type Note = { readonly database: string; readonly what: string; readonly value: number; readonly unit: string };

const options = program(
  'bench',
  'Measures every operation on SQLite and MariaDB, each beside the least that any implementation must do.',
)
  .addOption(databaseOption)
  .option(
    '--only <text>',
    'only operations with this in their name; the cheap GET beside big documents is then left out',
  )
  .option('--seconds <number>', 'length of each measurement', aboveZero, 2)
  .option('--json', 'print the figures for machines', false)
  .parse()
  .opts<{
    readonly database?: DatabaseName;
    readonly only?: string;
    readonly seconds: number;
    readonly json: boolean;
  }>();
const { seconds } = options;
const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

type Bench = {
  readonly leg: Leg;
  readonly service: BenchService;
  readonly load: Child<Load, Measured>;
  readonly floors: Child<FloorJob | FloorRound, Floor>;
  readonly settings: FloorJob['settings'];
};

/** The template that is sent to its floor: unsigned, and without the form that would be signed. */
const bareTemplate = (
  { form: _form, paths: _paths, bearers: _bearers, ...template }: Template,
  path: string,
): Template => ({
  ...template,
  signers: [],
  path,
});

/** Measures a part, and resolves to its responses a second. */
type Round = (part: Pick<Load, 'part' | 'expected'>) => Promise<number>;

/** Service and floor are measured in turns, so that a machine that is slow for a while slows both. */
const ROUNDS = 5;
const ROUND_SECONDS = seconds / 2;

/** The rate of a server over HTTP: service and floor get the same load. */
const overHttp =
  (load: Bench['load'], on: Pick<Load, 'url' | 'templates' | 'connections'>): Round =>
  async (part) => {
    const { rate, refused } = await load.ask({ ...on, ...part, seconds: ROUND_SECONDS });
    if (refused > 0) {
      throw new Error(`${refused} requests to ${on.url} were not answered with 200`);
    }
    return rate;
  };

const openFloor = async (
  { load, floors, settings }: Bench,
  work: FloorJob['work'],
  connections: number,
  template: Template,
): Promise<Round> => {
  const opened = await floors.ask({ settings, template, work });
  if ('rate' in opened) {
    return async ({ part }) =>
      (part === 'warm-up' ? opened : ((await floors.ask({ round: ROUND_SECONDS })) as { readonly rate: number })).rate;
  }
  return overHttp(load, { url: opened.url, templates: [bareTemplate(template, opened.path)], connections });
};

const known = new Map<string, number>();
const keyOf = ({ leg }: Bench, { method, path, body }: Template): string =>
  `${leg.name} ${method} ${path} ${body?.length ?? 0}`;

/** The floor of a part that was not measured by itself. */
const floorAlone = async (bench: Bench, { connections }: Operation, template: Template): Promise<number> => {
  const floor = await openFloor(bench, template.method === 'GET' ? 'http' : 'http and xml', connections, template);
  return floor({ part: 'rate', expected: await floor({ part: 'warm-up' }) });
};

/** The floor of a mix, as if each of its parts took the time that its own floor takes. */
const mixedFloor = async (bench: Bench, operation: Operation): Promise<number> => {
  const total = operation.templates.reduce((sum, { weight = 1 }) => sum + weight, 0);
  let time = 0;
  for (const template of operation.templates) {
    time +=
      (template.weight ?? 1) /
      total /
      (known.get(keyOf(bench, template)) ?? (await floorAlone(bench, operation, template)));
  }
  return 1 / time;
};

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

type Compared = {
  readonly rate: number;
  readonly floor: number;
  /** The median of the rounds. */ readonly ratio: number;
};

const compare = async (bench: Bench, operation: Operation, own: Round): Promise<Compared> => {
  const template = operation.templates[0]!;
  const expected = await own({ part: 'warm-up' });
  if (operation.floor === 'of its parts') {
    const [rate, floor] = [await own({ part: 'rate', expected }), await mixedFloor(bench, operation)];
    return { rate, floor, ratio: rate / floor };
  }
  const bare = await openFloor(bench, operation.floor, operation.connections, template);
  const bareExpected = await bare({ part: 'warm-up' });
  const rounds: { readonly rate: number; readonly floor: number }[] = [];
  while (rounds.length < ROUNDS) {
    rounds.push({
      rate: await own({ part: 'rate', expected }),
      floor: await bare({ part: 'rate', expected: bareExpected }),
    });
  }
  const floor = mean(rounds.map((round) => round.floor));
  known.set(keyOf(bench, template), floor);
  return {
    rate: mean(rounds.map(({ rate }) => rate)),
    floor,
    ratio: median(rounds.map((round) => round.rate / round.floor)),
  };
};

const measureOne = async (bench: Bench, operation: Operation): Promise<Row> => {
  const { leg, service, load } = bench;
  const { name, templates, connections } = operation;
  say(`${leg.name}: ${name}`);
  const on = { url: service.url, templates, connections };
  const compared = await compare(bench, operation, overHttp(load, on));
  const { p50, p99, refused } = await load.ask({ ...on, seconds, pace: compared.rate * SHARE_OF_RATE });
  if (refused > 0) {
    throw new Error(`${refused} requests were not answered with 200`);
  }
  say(`  ${shown(compared.rate)} a second, ${shown(compared.ratio, 2)} of the floor`);
  return {
    database: leg.name,
    operation: name,
    ...compared,
    p50,
    p99,
    megabytes: highestMemoryOf(service.process.pid!),
  };
};

/** At a hundred requests a second this gives enough of them for a p99 that does not depend on a single one. */
const DISTURBED_SECONDS = 10 * seconds;
const UNDER_WAY_MILLISECONDS = 2000;
const WATCHED_SECONDS = 10;

/** Pauses that the machine imposes on a process that only computes, one process on each processor. */
const measurePauses = async (database: string): Promise<readonly Note[]> => {
  const watchers = cpus().map(() => startChild<number, Pauses>('pause-process'));
  const seen = await Promise.all(watchers.map(({ ask }) => ask(WATCHED_SECONDS)));
  watchers.forEach(({ stop }) => stop());
  const long = seen.reduce((sum, pauses) => sum + pauses.long, 0) / WATCHED_SECONDS / watchers.length;
  return [
    {
      database,
      what: `pauses of this machine over ${LONG_PAUSE} ms, on each processor`,
      value: long,
      unit: 'a second',
    },
    { database, what: 'the longest of them', value: Math.max(...seen.map(({ longest }) => longest)), unit: 'ms' },
  ];
};

/** Latencies of requests at a calm pace: alone, and while big documents are posted to the service without pause. */
const disturbed = async (
  { service, load }: Bench,
  calm: Pick<Load, 'url' | 'templates'>,
  big: Template,
): Promise<{ readonly rest: Measured; readonly busy: Measured }> => {
  const calmly: Load = { ...calm, connections: 8, seconds: DISTURBED_SECONDS, pace: 100 };
  const rest = await load.ask(calmly);
  const poster = startChild<Load, Measured>('load-process');
  const posting = poster.ask({ url: service.url, templates: [big], connections: 2, seconds: DISTURBED_SECONDS });
  try {
    await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MILLISECONDS));
    return {
      rest,
      busy: await Promise.race([
        load.ask(calmly),
        posting.then(() => {
          throw new Error('the big documents were posted too fast');
        }),
      ]),
    };
  } finally {
    poster.stop();
    await posting.catch(() => undefined);
  }
};

/**
 * The same documents also disturb a bare route on this machine. That shows which part of the delay is the service's
 * own.
 */
const measureDisturbance = async (
  bench: Bench,
  [cheap, big]: readonly [Template, Template],
): Promise<readonly Note[]> => {
  const {
    leg: { name: database },
    service,
    floors,
    settings,
  } = bench;
  say(`${database}: a cheap GET beside big documents`);
  const opened = await floors.ask({ settings, template: cheap, work: 'http' });
  if ('rate' in opened) {
    throw new Error('this floor answers over HTTP');
  }
  const pauses = await measurePauses(database);
  const own = await disturbed(bench, { url: service.url, templates: [cheap] }, big);
  const bare = await disturbed(bench, { url: opened.url, templates: [bareTemplate(cheap, opened.path)] }, big);
  return [
    ...pauses,
    ...[
      { who: 'cheap GET', measured: own },
      { who: 'its floor', measured: bare },
    ].flatMap(({ who, measured: { rest, busy } }) => [
      { database, what: `${who} at rest, p50`, value: rest.p50, unit: 'ms' },
      { database, what: `${who} at rest, p99`, value: rest.p99, unit: 'ms' },
      { database, what: `${who} while C-CDAs of 200 kB are posted, p50`, value: busy.p50, unit: 'ms' },
      { database, what: `${who} while C-CDAs of 200 kB are posted, p99`, value: busy.p99, unit: 'ms' },
    ]),
  ];
};

const rows: Row[] = [];
const notes: Note[] = [];

const benchLeg = async (leg: Leg): Promise<void> => {
  const settings = benchSettings(leg.url);
  await startBenchService(settings).then(({ stop }) => stop());
  // At the second start the tables exist already, as at every later start of an installation.
  const service = await startBenchService(settings);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  notes.push(
    { database: leg.name, what: 'start to ready', value: service.startMilliseconds / 1000, unit: 's' },
    { database: leg.name, what: 'memory, idle', value: memoryOf(service.process.pid!), unit: 'MB' },
  );
  const bench: Bench = {
    leg,
    service,
    settings,
    load: startChild('load-process'),
    floors: startChild('floor-process'),
  };
  try {
    say(`${leg.name}: setting up`);
    const world = await makeBenchWorld(httpClient(service.url), leg.url);
    const all = operations(world);
    for (const operation of all.filter(({ name }) => options.only === undefined || name.includes(options.only))) {
      try {
        rows.push(await measureOne(bench, operation));
      } catch (error) {
        say(`  not measured: ${(error as Error).message.split('\n')[0]}`);
      }
    }
    if (options.only === undefined) {
      notes.push(...(await measureDisturbance(bench, [all[3]!.templates[0]!, all[2]!.templates[0]!])));
    }
    const marks = [
      highestMemoryOf(service.process.pid!),
      ...rows.filter(({ database }) => database === leg.name).map(({ megabytes }) => megabytes),
    ];
    notes.push({ database: leg.name, what: 'memory under load, highest', value: Math.max(...marks), unit: 'MB' });
  } finally {
    bench.load.stop();
    bench.floors.stop();
    await service.stop();
  }
};

const print = (): void => {
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ node: process.version, cpus: cpus().map(({ model }) => model), memoryBytes: totalmem(), rows, notes }, null, 2)}\n`,
    );
    return;
  }
  const cells = rows.map((row) => [
    `${row.database}: ${row.operation}`,
    shown(row.rate),
    shown(row.p50, 2),
    shown(row.p99, 2),
    shown(row.floor),
    shown(row.ratio, 2),
    shown(row.megabytes, 0),
  ]);
  process.stdout.write(`${table(['Operation', 'rate/s', 'p50 ms', 'p99 ms', 'floor/s', 'ratio', 'MB'], cells)}\n\n`);
  process.stdout.write(
    `${table(
      ['Beside these', 'value', 'unit'],
      notes.map(({ database, what, value, unit }) => [`${database}: ${what}`, shown(value, 2), unit]),
    )}\n`,
  );
};

eachLeg(options.database, benchLeg).then(
  () => {
    print();
    process.exit(0);
  },
  (error: unknown) => {
    say(String((error as Error).stack ?? error));
    process.exit(1);
  },
);
