/**
 * states: `npm run tool bench-states -- --other FOLDER`: what storing and reading cost in processor time, and how many
 * bytes the database needs for a document, beside another built state of the service. Both run at once and are asked in
 * turns, so that a slow hour slows both.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient } from '../support/client';
import { openDatabase } from '../../core/db/open';
import { inProject } from '../../core/base/paths';
import { direct } from '../support/direct';
import { aboveZero, program } from '../support/program';
import { serve, type Served } from '../support/svc';
import { authorizeApp, createRecord, signIn, succeeded } from '../support/world';
import { medications } from '../support/server';
import { giveBearers, makeBenchWorld, OWNER } from './bench-world';
import { startChild, type Child } from './child';
import { problems, vitals } from './documents';
import { databaseOption, eachLeg, type DatabaseName, type Leg } from './legs';
import type { Load, Measured } from './load';
import { operations } from './operations';
import { benchSettings } from './service';
import { shown, table } from './table';
import type { Template } from './wire';

const options = program('bench:states', 'Measures processor time and growth beside another state of the service.')
  .requiredOption('--other <folder>', 'the folder of the other state, which is built')
  .addOption(databaseOption.default('sqlite'))
  .option('--only <text>', 'only operations with this in their name')
  .option('--rounds <number>', 'how often each is measured', aboveZero, 5)
  .option('--seconds <number>', 'length of each measurement', aboveZero, 2)
  .parse()
  .opts<{
    readonly other: string;
    readonly database: DatabaseName;
    readonly only?: string;
    readonly rounds: number;
    readonly seconds: number;
  }>();

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const TICK = 10;

type Process = {
  readonly parent: number;
  readonly milliseconds: number;
  /** Of the processes that it started and that have ended. */ readonly ended: number;
};

const processOf = (pid: string): Process | undefined => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
    const spent = (from: number): number => (fields[from]! + fields[from + 1]!) * TICK;
    return { parent: fields[1]!, milliseconds: spent(11), ended: spent(13) };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
};

type Times = { readonly main: number; readonly others: number };

/** The processor time of a service and of all processes that it started, in milliseconds. */
const timesOf = (pid: number): Times => {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const found = processOf(name);
        return found ? [[Number(name), found] as const] : [];
      }),
  );
  const isBelow = (one: number): boolean => {
    const parent = all.get(one)?.parent ?? 0;
    return parent === pid || (parent > 1 && isBelow(parent));
  };
  const below = [...all.keys()].filter(isBelow);
  const own = all.get(pid);
  return {
    main: own?.milliseconds ?? 0,
    others: below.reduce((sum, one) => sum + all.get(one)!.milliseconds + all.get(one)!.ended, own?.ended ?? 0),
  };
};

/** The bytes of all tables and indexes. */
const bytesOf = async (url: string): Promise<number> => {
  const database = await openDatabase(url, 1);
  try {
    const on = direct(database);
    const isSqlite = url.startsWith('sqlite:');
    const found: unknown = await on.raw(
      isSqlite
        ? 'select (page_count - freelist_count) * page_size as bytes from pragma_page_count, pragma_freelist_count, pragma_page_size'
        : "select sum(file_size) as bytes from information_schema.innodb_sys_tablespaces where name like 'svc_bench%'",
    );
    const rows = (isSqlite ? found : (found as unknown[])[0]) as { bytes: number }[];
    return Number(rows[0]!.bytes);
  } finally {
    await database.close();
  }
};

type Asked = { readonly name: string; readonly templates: readonly Template[]; readonly connections: number };

type State = {
  readonly name: string;
  readonly url: string;
  readonly service: Served;
  readonly asked: readonly Asked[];
};

const HOUR = 3_600_000;
const RECENT = new Date(Date.UTC(2020, 0, 1) + 600 * 4 * HOUR).toISOString().slice(0, 10);

/** A record of 100 problems, 600 readings with their visits, and what is asked of it. */
const everydayRecord = async (url: string, databaseUrl: string): Promise<readonly Asked[]> => {
  const call = httpClient(url);
  const recordId = await createRecord(call, OWNER, 'Every', 'Day');
  const app = await authorizeApp(call, medications!, await signIn(call, OWNER), { record_id: recordId });
  for (const body of [problems(100), vitals(600)]) {
    succeeded(await call(app, 'POST', `/records/${recordId}/documents/`, { body }));
  }
  const database = await openDatabase(databaseUrl, 1);
  const bearers = await giveBearers(database, recordId).finally(() => database.close());
  const get = (name: string, path: string, connections = 8): Asked => ({
    name,
    templates: [{ signers: [], bearers, method: 'GET', path: `/fhir/${path}` }],
    connections,
  });
  return [
    get('fhir_search, 20 by date', `Observation?category=vital-signs&date=lt${RECENT}&_sort=-date&_count=20`),
    get('fhir_search, 100 Conditions', 'Condition?_count=100'),
    get('fhir_everything, 1,300 resources', `Patient/${recordId}/$everything`, 1),
  ];
};

const CREATES = /^document_create/;

const openState = async (name: string, folder: string, { url }: Leg): Promise<State> => {
  say(`${name}: making the records`);
  const service = await serve(benchSettings(url), [], join(folder, 'bin', 'svc'));
  const world = await makeBenchWorld(httpClient(service.url), url);
  const all = [
    ...operations(world)
      .filter((one) => /^document_create|^fhir_/.test(one.name))
      // Readers that fall behind get others beside them, whose start would be measured.
      .map((one) => (CREATES.test(one.name) ? { ...one, connections: 2 } : one)),
    ...(await everydayRecord(service.url, url)),
  ];
  return { name, url, service, asked: all.filter((one) => one.name.includes(options.only ?? '')) };
};

type Figures = Times & { readonly rate: number; readonly bytes: number };

const measured = async (state: State, asked: Asked, load: Child<Load, Measured>): Promise<Figures> => {
  const pid = state.service.process.pid!;
  const isCreate = CREATES.test(asked.name);
  const size = isCreate ? await bytesOf(state.url) : 0;
  const before = timesOf(pid);
  const found = await load.ask({ ...asked, url: state.service.url, seconds: options.seconds, part: 'rate' });
  const after = timesOf(pid);
  if (found.refused > 0) {
    throw new Error(`${found.refused} requests of ${asked.name} were not answered with 200`);
  }
  return {
    rate: found.rate,
    main: (after.main - before.main) / found.answers,
    others: (after.others - before.others) / found.answers,
    bytes: isCreate ? ((await bytesOf(state.url)) - size) / found.answers : 0,
  };
};

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]!;

const middle = (all: readonly Figures[]): Figures => ({
  rate: median(all.map(({ rate }) => rate)),
  main: median(all.map(({ main }) => main)),
  others: median(all.map(({ others }) => others)),
  bytes: median(all.map(({ bytes }) => bytes)),
});

const HEAD = [
  'Operation',
  'main ms',
  'other',
  'ratio',
  'readers ms',
  'other',
  'ratio',
  'rate/s',
  'other',
  'ratio',
  'kB',
  'other',
  'ratio',
];

const compare = async (
  states: readonly [State, State],
  index: number,
  load: Child<Load, Measured>,
): Promise<string[]> => {
  const [now, other] = states;
  const name = now.asked[index]!.name;
  const found: readonly [Figures[], Figures[]] = [[], []];
  for (const { asked, service } of states) {
    await load.ask({ ...asked[index]!, url: service.url, seconds: options.seconds, part: 'warm-up' });
  }
  for (let round = 0; round < options.rounds; round += 1) {
    found[0].push(await measured(now, now.asked[index]!, load));
    found[1].push(await measured(other, other.asked[index]!, load));
  }
  const [ours, theirs] = found.map(middle) as [Figures, Figures];
  say(`${name}: ${shown(ours.main)} ms beside ${shown(theirs.main)}`);
  const pair = (of: (figures: Figures) => number): readonly string[] => [
    shown(of(ours)),
    shown(of(theirs)),
    shown(of(ours) / of(theirs)),
  ];
  return [
    name,
    ...pair(({ main }) => main),
    ...pair(({ others }) => others),
    ...pair(({ rate }) => rate),
    ...pair(({ bytes }) => bytes / 1000),
  ];
};

const bench = async (legs: readonly [Leg, Leg]): Promise<void> => {
  const states = [
    await openState('this state', inProject(), legs[0]),
    await openState('the other', options.other, legs[1]),
  ] as const;
  const load = startChild<Load, Measured>('load-process');
  try {
    const rows: string[][] = [];
    for (let index = 0; index < states[0].asked.length; index += 1) {
      rows.push(await compare(states, index, load));
    }
    process.stdout.write(`${table(HEAD, rows)}\n`);
  } finally {
    load.stop();
    await Promise.all(states.map(({ service }) => service.stop()));
  }
};

eachLeg(options.database, (one) => eachLeg(options.database, (other) => bench([one, other]))).then(
  () => process.exit(0),
  (error: unknown) => {
    say(String((error as Error).stack ?? error));
    process.exit(1);
  },
);
