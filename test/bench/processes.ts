/**
 * processes: `npm run tool bench-processes`: how many responses a second 1, 2 and 4 processes give on one database. Run it
 * where nothing else runs: load and database share the machine with the service, so more processes than half of its
 * processors show little.
 */
import { cpus } from 'node:os';
import { httpClient } from '../support/client';
import { serve } from '../support/svc';
import { aboveZero, program } from '../support/program';
import { makeBenchWorld, type BenchWorld } from './bench-world';
import { startChild } from './child';
import { databaseOption, eachLeg, type DatabaseName, type Leg } from './legs';
import type { Load, Measured } from './load';
import { operations } from './operations';
import { benchSettings } from './service';
import { shown, table } from './table';

const COUNTS = ['1', '2', '4'] as const;
/** Reading, writing, a report, and all of it together. */
const MEASURED = ['document_create, 2 kB, 1 fact', 'record_document', 'generic report, 100 facts', 'mixed, 80 % reads'];

const options = program('bench:processes', 'Measures 1, 2 and 4 processes on one database.')
  .addOption(databaseOption)
  .option('--seconds <number>', 'length of each measurement', aboveZero, 10)
  .parse()
  .opts<{ readonly database?: DatabaseName; readonly seconds: number }>();

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Responses a second of each operation, in the order of `MEASURED`. */
const measureWith = async (leg: Leg, world: BenchWorld, workers: string): Promise<readonly number[]> => {
  const service = await serve(benchSettings(leg.url), ['--workers', workers]);
  const load = startChild<Load, Measured>('load-process');
  const rates: number[] = [];
  try {
    for (const name of MEASURED) {
      const { templates, connections } = operations(world).find((one) => one.name === name)!;
      const on = { url: service.url, templates, connections, seconds: options.seconds };
      const { rate: expected } = await load.ask({ ...on, part: 'warm-up' });
      const { rate, refused } = await load.ask({ ...on, part: 'rate', expected });
      if (refused > 0) {
        throw new Error(`${refused} requests were not answered with 200`);
      }
      say(`${leg.name}, ${workers} processes, ${name}: ${shown(rate)} a second`);
      rates.push(rate);
    }
    return rates;
  } finally {
    load.stop();
    await service.stop();
  }
};

const rows: string[][] = [];

const benchLeg = async (leg: Leg): Promise<void> => {
  const first = await serve(benchSettings(leg.url));
  const world = await makeBenchWorld(httpClient(first.url), leg.url);
  await first.stop();
  const found: (readonly number[])[] = [];
  for (const workers of COUNTS) {
    found.push(await measureWith(leg, world, workers));
  }
  MEASURED.forEach((name, index) => {
    rows.push([`${leg.name}: ${name}`, ...found.map((rates) => shown(rates[index]!))]);
  });
};

eachLeg(options.database, benchLeg).then(
  () => {
    const heads = COUNTS.map((count) => `${count} ${count === '1' ? 'process' : 'processes'}, a second`);
    process.stdout.write(`${table(['Operation', ...heads], rows)}\n`);
    process.stdout.write(`${cpus().length} processors, shared with load and database; Node ${process.version}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    say(String((error as Error).stack ?? error));
    process.exit(1);
  },
);
