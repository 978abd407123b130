/**
 * profile: `npm run tool bench-profile`: where a create and a read spend their processor time, by part of the service and by
 * function.
 */
import type { Profiler } from 'node:inspector';
import { httpClient } from '../support/client';
import { aboveZero, program } from '../support/program';
import { makeBenchWorld } from './bench-world';
import { startChild } from './child';
import { databaseOption, eachLeg, type DatabaseName } from './legs';
import type { Load, Measured } from './load';
import { operations } from './operations';
import type { Profiled, ProfileOrder } from './profile-process';
import { benchSettings } from './service';
import { shown, table } from './table';

const options = program(
  'bench:profile',
  'Shows where a create and a read spend the processor time of the server, by part of the service and by function.',
)
  .addOption(databaseOption.default('sqlite'))
  .option('--only <text>', 'all operations with this in their name, instead of a create, a read and a report')
  .option('--seconds <number>', 'length of each measurement', aboveZero, 3)
  .option('--functions <number>', 'how many functions to list', aboveZero, 15)
  .parse()
  .opts<{
    readonly database: DatabaseName;
    readonly only?: string;
    readonly seconds: number;
    readonly functions: number;
  }>();

/** The part of the service that a function belongs to, by the path of its file; the first pattern that matches. */
const parts: readonly (readonly [pattern: RegExp, part: string])[] = [
  [/core\/auth\//, 'signature, nonce, principal (core/auth)'],
  [/core\/access\//, 'access rules (core/access)'],
  [/core\/audit\//, 'audit (core/audit)'],
  [/core\/pipeline\//, 'pipeline (core/pipeline)'],
  [/core\/xml\//, 'XML writer (core/xml)'],
  [/core\/(?:http|server)\//, 'HTTP adapter (core/http, core/server)'],
  [/core\/db\//, 'storage (core/db)'],
  [/(?:core|plugins)\//, 'areas and all else of the service'],
  [/better-sqlite3/, 'SQLite driver and SQLite itself'],
  [/mysql2|denque|sqlstring|lru/, 'MySQL driver'],
  [/knex|tarn/, 'knex and its pool'],
  [/joi|@hapi\/(?:validate|address)/, 'Joi'],
  [/@hapi/, 'hapi'],
  [/node:internal\/child_process|node:v8|serdes/, 'messages to reader processes'],
  [/node:internal\/crypto|node:crypto/, 'cryptography'],
  [/node:/, 'Node: HTTP, sockets, streams'],
  [/node_modules/, 'other packages'],
];

const partOf = ({ url, functionName }: Profiler.ProfileNode['callFrame']): string => {
  if (url !== '') {
    return parts.find(([pattern]) => pattern.test(url))?.[1] ?? 'other';
  }
  return functionName === '(garbage collector)'
    ? 'garbage collection'
    : 'native code without a file (writes to sockets, disk, microtasks)';
};

type Shares = {
  readonly parts: ReadonlyMap<string, number>;
  readonly functions: ReadonlyMap<string, number>;
  readonly busy: number;
};

const sharesOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares => {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPart = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, index) => {
    const frame = frames.get(id)!;
    const time = timeDeltas[index] ?? 0;
    if (frame.functionName === '(idle)') {
      return;
    }
    const place = `${frame.functionName || '(anonymous)'}  ${frame.url.replace(/^.*\/(?:node_modules|dist)\//, '')}${frame.url ? `:${frame.lineNumber + 1}` : ''}`;
    busy += time;
    byPart.set(partOf(frame), (byPart.get(partOf(frame)) ?? 0) + time);
    byFunction.set(place, (byFunction.get(place) ?? 0) + time);
  });
  return { parts: byPart, functions: byFunction, busy };
};

const rows = (
  times: ReadonlyMap<string, number>,
  busy: number,
  perRequest: number,
  most: number,
): readonly (readonly string[])[] =>
  [...times]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([what, time]) => [what, `${shown((time / busy) * 100)} %`, shown((time / busy) * perRequest)]);

const print = (name: string, { parts: byPart, functions, busy }: Shares, perRequest: number, rate: number): void => {
  process.stdout.write(
    `\n${name}: ${shown(perRequest)} microseconds of the server process for each request, at ${shown(rate)} requests a second\n\n`,
  );
  process.stdout.write(`${table(['Part', 'share', 'us/request'], rows(byPart, busy, perRequest, 30))}\n\n`);
  process.stdout.write(
    `${table(['Function', 'share', 'us/request'], rows(functions, busy, perRequest, options.functions))}\n`,
  );
};

const { seconds } = options;

eachLeg(options.database, async ({ url }) => {
  const service = startChild<ProfileOrder, Profiled>('profile-process');
  const load = startChild<Load, Measured>('load-process');
  const { url: address } = await service.ask({ kind: 'start', settings: benchSettings(url) });
  const all = operations(await makeBenchWorld(httpClient(address), url));
  const wanted = all.filter(({ name }) =>
    options.only === undefined
      ? ['document_create, 2 kB, 1 fact', 'record_document', 'generic report, 100 facts'].includes(name)
      : name.includes(options.only),
  );
  for (const { name, templates, connections } of wanted) {
    await load.ask({ url: address, templates, connections, seconds: 0.5 });
    await service.ask({ kind: 'begin' });
    const measured = await load.ask({ url: address, templates, connections, seconds });
    const { profile, processor } = await service.ask({ kind: 'end' });
    print(name, sharesOf(profile!), processor / measured.answers, measured.rate);
  }
  load.stop();
  service.stop();
}).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
