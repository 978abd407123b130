/**
 * fhir: `npm run tool bench-fhir`: for how long the heavy calls of the FHIR door keep the event loop busy, over a record of
 * many readings. The longest turn of the event loop is what everybody else would have waited on an idle machine. It is
 * measured in processor time of the main thread, on which other programs have little influence.
 */
import { openSync, readSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { operations } from '../../plugins/website/http/operations';
import { sqliteFile } from '../support/databases';
import { startFhir, type FhirGround } from '../support/fhir';
import { askingAs, locationsIn, openLink, payloadOf } from '../support/links';
import { aboveZero, program } from '../support/program';
import { shown, table } from './table';
import { fieldsXml } from '../support/fields';

const NAMESPACE = 'https://svc.example/vocab/xml/documents#';
const IN_DOCUMENT = 5000;

const options = program('bench:fhir', 'Measures for how long calls of the FHIR door keep the event loop busy.')
  .option('--readings <number>', 'readings in the record', aboveZero, 60_000)
  .option('--problems <number>', 'problems in the record, all of which a summary names', aboveZero, 3000)
  .option('--only <text>', 'only calls with this in their name')
  .parse()
  .opts<{ readonly readings: number; readonly problems: number; readonly only?: string }>();

const HOURS = 3_600_000;
const dateOf = (number: number): string => new Date(Date.UTC(2012, 0, 1) + number * 2 * HOURS).toISOString();

const LOINC = 'http://purl.bioontology.org/ontology/LNC/';

/** Every second reading is a vital sign with the visit at which it was taken, and the others are lab results. */
const readingOf = (number: number): string => {
  const date = dateOf(number);
  if (number % 2 === 1) {
    return `<Model name="LabResult">${fieldsXml({
      test_name_title: `Test ${number % 60}`,
      test_name_identifier: `${1000 + (number % 60)}-1`,
      test_name_system: LOINC,
      collected_at: date,
      quantitative_result_value_value: 4 + (number % 9),
      quantitative_result_value_unit: 'mmol/L',
    })}</Model>`;
  }
  const visit = fieldsXml({ startDate: date, encounterType_title: 'Ambulatory encounter' });
  const pulse = fieldsXml({ heart_rate_value: 60 + (number % 40), heart_rate_unit: '{beats}/min' });
  const met = `<Field name="encounter"><Model name="Encounter">${visit}</Model></Field>`;
  return `<Model name="VitalSigns">${fieldsXml({ date })}${met}${pulse}</Model>`;
};

const problemOf = (number: number): string =>
  `<Model name="Problem">${fieldsXml({ name_title: `Problem ${number}`, startDate: dateOf(number) })}</Model>`;

const fill = async (ground: FhirGround, count: number, factOf: (number: number) => string): Promise<void> => {
  for (let first = 0; first < count; first += IN_DOCUMENT) {
    const length = Math.min(IN_DOCUMENT, count - first);
    const facts = Array.from({ length }, (_, index) => factOf(first + index));
    await ground.put(`<Models xmlns="${NAMESPACE}">${facts.join('')}</Models>`);
  }
};

type Fetched = { readonly status: number; readonly bytes: number };

/** Reads an answer over HTTP, and keeps nothing of it, since this process is also the one that is measured. */
const fetched = (url: string, token: string, accept: string): Promise<Fetched> =>
  new Promise((resolve, reject) => {
    const headers = { accept, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
    httpGet(url, { headers, agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
      response.on('error', reject);
    }).on('error', reject);
  });

type Watched = { readonly longest: number; readonly over: number };

/** In milliseconds; no call keeps the event loop busy for longer. */
const LIMIT = 50;

const usage = openSync('/proc/self/schedstat', 'r');
const read = Buffer.alloc(64);

/** The processor time that the main thread has used, in milliseconds. */
const processorTime = (): number => {
  const length = readSync(usage, read, 0, read.length, 0);
  return Number(read.toString('latin1', 0, length).split(' ')[0]) / 1e6;
};

/** Turns the event loop all the time, and notes how long each turn took. */
const watched = async (work: () => Promise<unknown>): Promise<Watched> => {
  let [longest, over, done] = [0, 0, false];
  let last = processorTime();
  const turn = (): void => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    over += now - last > LIMIT ? 1 : 0;
    last = now;
    if (!done) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  await work();
  done = true;
  return { longest, over };
};

const JSON_TYPE = 'application/fhir+json';
const XML_TYPE = 'application/fhir+xml';

type Heavy = {
  readonly name: string;
  readonly path: (summary: string) => string;
  readonly accept?: string;
  readonly at?: 'once';
};

const patient = (ground: FhirGround): string => `/fhir/Patient/${ground.recordId}`;

const callsOf = (ground: FhirGround): readonly Heavy[] => [
  { name: '$summary', path: () => `${patient(ground)}/$summary` },
  { name: '$summary as XML', path: () => `${patient(ground)}/$summary`, accept: XML_TYPE },
  { name: 'the summary of a health link', path: (summary) => summary },
  { name: '$everything', path: () => `${patient(ground)}/$everything` },
  { name: '$everything as XML', path: () => `${patient(ground)}/$everything`, accept: XML_TYPE },
  { name: '$everything, a page of 1000', path: () => `${patient(ground)}/$everything?_count=1000` },
  { name: 'Observation?date=ne', path: () => '/fhir/Observation?date=ne1999-01-01&_total=accurate' },
  { name: 'Observation?code:not', path: () => '/fhir/Observation?code:not=1-8&_sort=-date' },
  { name: 'Observation, a page of 1000', path: () => '/fhir/Observation?_count=1000' },
  { name: 'Observation as XML, a page of 1000', path: () => '/fhir/Observation?_count=1000', accept: XML_TYPE },
  {
    name: 'Observation with _include and _revinclude, a page of 1000',
    path: () => '/fhir/Observation?_count=1000&_include=*&_revinclude=*',
  },
  { name: 'Encounter?_revinclude, a page of 1000', path: () => '/fhir/Encounter?_count=1000&_revinclude=*' },
  { name: 'Condition?code:contains', path: () => '/fhir/Condition?_count=1000&_sort=-onset-date' },
];

const makeLink = async (ground: FhirGround): Promise<string> => {
  const ask = askingAs(ground.service, 'alice@example.org', ground.alice);
  const params = { RECORD_ID: ground.recordId };
  const id = await ask(operations.links.recordLinkCreate, { params, body: { label: 'To be measured' } });
  const link = (await ask(operations.links.recordLinks, { params })).find((one) => one.id === id)!;
  return new URL(locationsIn(await openLink(ground.service, payloadOf(link.text)))[0]!).pathname;
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const measure = async (): Promise<void> => {
  const ground = await startFhir(sqliteFile, { SVC_RATE_ACCOUNT_PER_MINUTE: '0', SVC_RATE_CONSUMER_PER_MINUTE: '0' });
  try {
    say(`storing ${options.readings} readings and ${options.problems} problems`);
    await fill(ground, options.readings, readingOf);
    await fill(ground, options.problems, problemOf);
    const summary = await makeLink(ground);
    const { server } = ground.service.running;
    const rows: string[][] = [];
    for (const { name, path, accept = JSON_TYPE } of callsOf(ground)) {
      if (!name.includes(options.only ?? '')) {
        continue;
      }
      say(name);
      const call = (): Promise<Fetched> => fetched(`${server.info.uri}${path(summary)}`, ground.token, accept);
      const before = process.cpuUsage();
      const { status, bytes } = await call();
      const { user, system } = process.cpuUsage(before);
      const { longest, over } = await watched(call);
      rows.push([
        name,
        String(status),
        shown(bytes / 1e6, 1),
        shown((user + system) / 1000, 0),
        shown(longest, 0),
        String(over),
      ]);
    }
    const head = ['call', 'status', 'MB', 'processor ms', 'longest turn, ms', `turns over ${LIMIT} ms`];
    process.stdout.write(`${table(head, rows)}\n`);
  } finally {
    await ground.service.stop();
  }
};

measure().then(
  () => process.exit(0),
  (error: unknown) => {
    say(String((error as Error).stack ?? error));
    process.exit(1);
  },
);
