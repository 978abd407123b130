/**
 * pages: `npm run tool bench-pages`: what pages of the website cost over a record of 10,000 facts. For each page it measures
 * the processor time of the process, on which other programs on the machine have little influence, and the response
 * time at 20 requests a second, on which they have much.
 */
import { loadavg } from 'node:os';
import { openBrowserSession } from '../../core/auth/browser-sessions';
import { addPerson } from '../support/cast';
import { sqliteFile } from '../support/databases';
import { aboveZero, program } from '../support/program';
import { startService, type TestService } from '../support/server';
import { makeSite, type Site } from '../support/site';
import { createRecord, succeeded } from '../support/world';
import { table } from './table';

const OWNER = 'owner@bench.example';
const NAMESPACE = 'https://svc.example/vocab/xml/documents#';
const IN_DOCUMENT = 500;
const WARM_UP = 60;

const options = program('bench:pages', 'Measures pages of the website over a record of many facts.')
  .option('--facts <number>', 'facts in the record', aboveZero, 10_000)
  .option('--requests <number>', 'requests for each page', aboveZero, 200)
  .option('--rate <number>', 'requests a second', aboveZero, 20)
  .option('--only <text>', 'only pages with this in their name')
  .parse()
  .opts<{ readonly facts: number; readonly requests: number; readonly rate: number; readonly only?: string }>();

type Fields = Readonly<Record<string, string | number>>;

/**
 * Every second fact is a reading and every fourth a lab result; the rest is spread over the kinds that an overview
 * lists.
 */
const factOf = (number: number): readonly [string, Fields] => {
  const date = new Date(Date.UTC(2016, 0, 1) + number * 8 * 3_600_000).toISOString();
  switch (number % 8) {
    case 1:
    case 5:
      return [
        'LabResult',
        {
          test_name_title: `Test ${number % 12}`,
          collected_at: date,
          quantitative_result_value_value: 4 + (number % 9),
          quantitative_result_value_unit: 'mmol/L',
        },
      ];
    case 3:
      return [
        'Medication',
        { drugName_title: `Medicine ${number % 40}`, startDate: date, ...(number % 80 === 3 ? {} : { endDate: date }) },
      ];
    case 7:
      return [
        'Problem',
        { name_title: `Problem ${number % 40}`, startDate: date, ...(number % 80 === 7 ? {} : { endDate: date }) },
      ];
    default:
      return [
        'VitalSigns',
        {
          date,
          bp_systolic_value: 120 + (number % 30),
          bp_systolic_unit: 'mm[Hg]',
          bp_diastolic_value: 70 + (number % 20),
          bp_diastolic_unit: 'mm[Hg]',
          weight_value: 70 + (number % 10),
          weight_unit: 'kg',
        },
      ];
  }
};

const documentOf = (first: number, count: number): string => {
  const facts = Array.from({ length: count }, (_, index) => {
    const [model, fields] = factOf(first + index);
    const inside = Object.entries(fields).map(([name, value]) => `<Field name="${name}">${value}</Field>`);
    return `<Model name="${model}">${inside.join('')}</Model>`;
  });
  return `<Models xmlns="${NAMESPACE}">${facts.join('')}</Models>`;
};

type Measured = { readonly cpu: number; readonly p50: number; readonly p99: number };

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

const opened = async (site: Site, path: string): Promise<void> => {
  const { status, text } = await site.get(path);
  if (status !== 200) {
    throw new Error(`${path} answered ${status}: ${text.slice(0, 200)}`);
  }
};

/** Processor time of one request after the other. It includes the client's part, which is small. */
const cpuOf = async (site: Site, path: string): Promise<number> => {
  const before = process.cpuUsage();
  for (let index = 0; index < options.requests; index += 1) {
    await opened(site, path);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / options.requests;
};

/** Latencies, each counted from the moment when the request was due. */
const latenciesOf = async (site: Site, path: string): Promise<readonly number[]> => {
  const began = performance.now();
  const latencies = Array.from({ length: options.requests }, async (_, index) => {
    const due = began + (index * 1000) / options.rate;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    await opened(site, path);
    return performance.now() - due;
  });
  return (await Promise.all(latencies)).sort((a, b) => a - b);
};

const measure = async (site: Site, path: string): Promise<Measured> => {
  for (let index = 0; index < WARM_UP; index += 1) {
    await opened(site, path);
  }
  const cpu = await cpuOf(site, path);
  const latencies = await latenciesOf(site, path);
  return { cpu, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
};

const enter = async ({ services, running, call }: TestService): Promise<{ site: Site; recordId: string }> => {
  const person = await addPerson(services, OWNER, 'Olga Owner');
  const recordId = await createRecord(call, OWNER, 'Olga', 'Owner');
  for (let first = 0; first < options.facts; first += IN_DOCUMENT) {
    const body = documentOf(first, Math.min(IN_DOCUMENT, options.facts - first));
    succeeded(await call(person, 'POST', `/records/${recordId}/documents/`, { body }));
  }
  const site = makeSite(running.server);
  const manner = { language: 'en', zone: 'UTC', device: 'bench' } as const;
  site.cookies.set('svc_session', await openBrowserSession(services, person.token!.key, manner));
  return { site, recordId };
};

const pages = [
  'overview',
  'timeline',
  'data/VitalSigns',
  'data/LabResult',
  'tests',
  'paper',
  'documents/',
  'sharing',
  'history',
];

const main = async (): Promise<void> => {
  const service = await startService(sqliteFile, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
  try {
    const { site, recordId } = await enter(service);
    const rows: string[][] = [];
    for (const page of pages.filter((one) => one.includes(options.only ?? ''))) {
      const { cpu, p50, p99 } = await measure(site, `/my/records/${recordId}/${page === 'overview' ? '' : page}`);
      rows.push([page, ...[cpu, p50, p99].map((value) => value.toFixed(1))]);
    }
    process.stdout.write(
      `${options.facts} facts, ${options.rate} requests a second, load ${loadavg()[0]!.toFixed(1)}\n`,
    );
    process.stdout.write(`${table(['Page', 'cpu ms', 'p50 ms', 'p99 ms'], rows)}\n`);
  } finally {
    await service.stop();
  }
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
