/**
 * scale: `npm run tool bench-scale`: what each read costs as the installation around it grows, and in a record that is
 * itself huge.
 */
import { openAuditSigner } from '../../core/audit/signer';
import { makeSealing } from '../../core/auth/sealing';
import { systemClock } from '../../core/base/clock';
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import { httpClient, type Client } from '../support/client';
import { aboveZero, program } from '../support/program';
import { attribute, authorizeApp, createRecord, PASSWORD, succeeded } from '../support/world';
import { medications, ui } from '../support/server';
import { svc } from '../support/svc';
import { makeBenchWorld, OWNER, type BenchWorld, type Signs } from './bench-world';
import { addAudits, addDocuments, addMeasurements, addPlacements, addToRecord } from './bulk';
import { startChild, type Child } from './child';
import { smallDocument } from './documents';
import { databaseOption, eachLeg, type DatabaseName } from './legs';
import type { Load, Measured } from './load';
import { operations } from './operations';
import { benchSettings, startBenchService } from './service';
import { shown, table } from './table';
import type { Template } from './wire';

const options = program(
  'bench:scale',
  'Measures each read while the installation grows around it, and in a record that is itself huge.',
)
  .addOption(databaseOption)
  .option(
    '--documents <sizes>',
    'numbers of documents to measure at, with commas between them',
    (text) => text.split(',').map(aboveZero),
    [10_000, 100_000, 1_000_000],
  )
  .option('--facts <number>', 'facts of each document beyond the second size; the others have one', aboveZero, 10)
  .option('--audits <number>', 'audit rows at the last size', aboveZero, 10_000_000)
  .option('--seconds <number>', 'length of each measurement', aboveZero, 2)
  .parse()
  .opts<{
    readonly database?: DatabaseName;
    readonly documents: readonly number[];
    readonly facts: number;
    readonly audits: number;
    readonly seconds: number;
  }>();
const sizes = options.documents;
const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

/** Slow enough for slow reads: no request waits for the one before. */
const PACE = 20;
const HUGE_PACE = 4;
const SUMMARY_PACE = 2;
/** How long MariaDB still writes the pages of millions of rows to disk. */
const SETTLING_MILLISECONDS = 20_000;

type Read = { readonly name: string; readonly template: Template };
type Costs = ReadonlyMap<string, number>;

const medians = async (
  load: Child<Load, Measured>,
  url: string,
  reads: readonly Read[],
  pace: number,
): Promise<Costs> => {
  const costs = new Map<string, number>();
  for (const { name, template } of reads) {
    const { p50, refused } = await load.ask({
      url,
      templates: [template],
      connections: 4,
      seconds: options.seconds,
      pace,
    });
    costs.set(name, refused > 0 ? Number.NaN : p50);
  }
  return costs;
};

/** Searches of the table that grows: the million facts of other records are procedures. */
const searchesOf = ({ fhir: { bearers } }: BenchWorld): readonly Read[] => {
  const search = (name: string, query: string): Read => ({
    name: `fhir_search, ${name}`,
    template: { signers: [], bearers, method: 'GET', path: `/fhir/Procedure?${query}` },
  });
  return [
    search('100 Procedures', '_count=100'),
    search('Procedures since a day', '_count=100&date=ge2024-03-20'),
    search('Procedures, oldest first', '_count=100&_sort=date'),
    search('Procedures stored lately, counted', '_summary=count&_lastUpdated=ge2020-01-01'),
  ];
};

const readsOf = (world: BenchWorld): readonly Read[] => [
  ...operations(world)
    // An operation that is measured with one caller at a time reads all of a record, and is too slow for this pace.
    .filter(({ templates, connections }) => templates.length === 1 && templates[0]!.method === 'GET' && connections > 1)
    .map(({ name, templates }) => ({ name, template: templates[0]! })),
  ...searchesOf(world),
];

/** Reads all of a record in one request, so it is sent at a slower pace. */
const summaryOf = ({ fhir: { summaryBearers, summaryId } }: BenchWorld): readonly Read[] => [
  {
    name: 'fhir_summary, 1,000 facts',
    template: { signers: [], bearers: summaryBearers, method: 'GET', path: `/fhir/Patient/${summaryId}/$summary` },
  },
];

/**
 * Makes a record of 100,000 facts, and one with 10,000 documents that are in a carenet one by one; returns the reads of
 * both.
 */
const makeHugeRecord = async (call: Client, database: Database, owner: Signs): Promise<readonly Read[]> => {
  const recordId = await createRecord(call, OWNER, 'Huge', 'Record');
  const app = await authorizeApp(call, medications!, owner, { record_id: recordId });
  const carenetId = attribute(
    succeeded(await call(owner, 'GET', `/records/${recordId}/carenets/`)).text,
    'Carenet',
    'id',
  );
  const documentId = attribute(
    succeeded(await call(app, 'POST', `/records/${recordId}/documents/`, { body: smallDocument() })).text,
    'Document',
    'id',
  );
  await addToRecord(database, recordId, 1000, 100);
  await addMeasurements(database, recordId, documentId, 100_000);
  const placed = await createRecord(call, OWNER, 'Placed', 'One by one');
  const placedNet = attribute(
    succeeded(await call(owner, 'GET', `/records/${placed}/carenets/`)).text,
    'Carenet',
    'id',
  );
  await addToRecord(database, placed, 10_000, 1);
  await addPlacements(database, placedNet, placed, 10_000);
  const read = (name: string, path: string, signer = app): Read => ({
    name,
    template: { signers: [signer], method: 'GET', path },
  });
  return [
    read('100,000 facts in the record: first page of the report', `/records/${recordId}/reports/Procedure/?limit=100`),
    read('100,000 facts in the record: document list', `/records/${recordId}/documents/`),
    read(
      '100,000 facts in the record: monthly average',
      `/records/${recordId}/reports/Measurement/?date_group=datetime*month&aggregate_by=avg*value`,
    ),
    read('no placements: carenet documents', `/carenets/${carenetId}/documents/`, owner),
    read('10,000 placements: carenet documents', `/carenets/${placedNet}/documents/`, owner),
    read('10,000 placements: carenet report', `/carenets/${placedNet}/reports/Procedure/?limit=100`, owner),
  ];
};

const signInOwner = async (call: Client): Promise<Signs> => {
  const pairs = new URLSearchParams(
    succeeded(
      await call(ui, 'POST', '/oauth/internal/session_create', { form: { username: OWNER, password: PASSWORD } }),
    ).text,
  );
  return {
    consumer: ui!.consumer,
    token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
  };
};

/** How long `svc verify-audit` walks the log while the service runs. */
const verifyAudits = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const began = performance.now();
  const { code, stdout, stderr } = await svc(['verify-audit'], settings);
  return `verify-audit: ${((performance.now() - began) / 1000).toFixed(1)} s, ends with ${code}: ${stdout.trim()}${code === 0 ? '' : stderr.slice(-2000)}`;
};

const outputs: string[] = [];

eachLeg(options.database, async ({ name, url }) => {
  const settings = benchSettings(url);
  const service = await startBenchService(settings);
  const load = startChild<Load, Measured>('load-process');
  const database = await openDatabase(url, 2);
  const signer = await openAuditSigner(database, makeSealing([settings['SVC_SECRET_KEY']!]), systemClock);
  try {
    const call = httpClient(service.url);
    const world = await makeBenchWorld(call, url);
    const reads = readsOf(world);
    const summaries = summaryOf(world);
    const columns: Costs[] = [];
    let there = 0;
    for (const [index, size] of sizes.entries()) {
      say(`${name}: ${size} documents`);
      await addDocuments(database, there, size, index < 2 ? 1 : options.facts);
      await addAudits(
        database,
        signer,
        (options.audits * there) / sizes.at(-1)!,
        (options.audits * size) / sizes.at(-1)!,
      );
      there = size;
      await new Promise((resolve) => setTimeout(resolve, SETTLING_MILLISECONDS));
      columns.push(
        new Map([
          ...(await medians(load, service.url, reads, PACE)),
          ...(await medians(load, service.url, summaries, SUMMARY_PACE)),
        ]),
      );
    }
    const growth = (read: string): number => columns.at(-1)!.get(read)! / columns[0]!.get(read)!;
    outputs.push(
      table(
        [`${name}: p50 in ms at so many documents`, ...sizes.map((size) => size.toLocaleString('en-GB')), 'growth'],
        [...reads, ...summaries].map((read) => [
          read.name,
          ...columns.map((column) => shown(column.get(read.name)!, 2)),
          shown(growth(read.name), 2),
        ]),
      ),
    );
    say(`${name}: a huge record`);
    // While it loaded the rows, this process could not notice that the service had closed connections.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const huge = await makeHugeRecord(call, database, await signInOwner(call));
    const costs = await medians(load, service.url, huge, HUGE_PACE);
    outputs.push(
      table(
        [`${name}: beside these`, 'p50 ms'],
        huge.map((read) => [read.name, shown(costs.get(read.name)!, 2)]),
      ),
    );
    say(`${name}: the audit log, row by row`);
    outputs.push(await verifyAudits(settings));
  } finally {
    load.stop();
    await database.close();
    await service.stop();
  }
}).then(
  () => {
    process.stdout.write(`${outputs.join('\n\n')}\n`);
    process.exit(0);
  },
  (error: unknown) => {
    say(String((error as Error).stack ?? error));
    process.exit(1);
  },
);
