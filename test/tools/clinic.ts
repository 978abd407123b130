/**
 * clinic: `npm run tool clinic`: plays a person at a reception desk and the software of the clinic, over a record of many
 * facts: from the overview to a fetched Bundle, from the press to the code, and how long a fetch with its PDF takes.
 * With `--library FOLDER` the library `kill-the-clipboard` (npm) reads the link, too: `npm install --prefix FOLDER
 * kill-the-clipboard`. It is no dependency, because it brings 22 others along.
 */
import { createRequire } from 'node:module';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { shown, table } from '../bench/table';
import { faultsIn } from '../support/clinic';
import { sqliteFile } from '../support/databases';
import type { Read } from '../support/fhir';
import { aboveZero, program } from '../support/program';
import { readByProfile } from '../support/profile-reader';
import { startService, type TestService } from '../support/server';
import { formsOf, type SitePage } from '../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../support/site-record';

type Options = { readonly facts: number; readonly rounds: number; readonly library?: string };

const options = program('tool clinic', 'Plays a person at a reception desk, and the software of the clinic.')
  .option('--facts <number>', 'facts in the record', aboveZero, 1000)
  .option('--rounds <number>', 'how often', aboveZero, 100)
  .option('--library <folder>', 'where kill-the-clipboard is installed')
  .parse()
  .opts<Options>();

const DAY = 86_400_000;
const IN_DOCUMENT = 250;

/** Facts of the last year, all of which a clinic is shown: mostly results, as in records of hospitals. */
function recentFact(number: number): string {
  const date = new Date(Date.now() - (1 + (number % 350)) * DAY).toISOString();
  switch (number % 10) {
    case 0:
      return factOf('Problem', { name_title: `Problem ${number}`, startDate: date });
    case 1:
      return factOf('Medication', { drugName_title: `Medicine ${number}`, startDate: date });
    case 2:
      return factOf('Allergy', { allergen_title: `Allergen ${number}` });
    case 3:
      return factOf('VitalSigns', { date, weight_value: String(60 + (number % 30)), weight_unit: 'kg' });
    default:
      return factOf('LabResult', {
        test_name_title: `Test ${number % 60}`,
        collected_at: date,
        quantitative_result_value_value: String(4 + (number % 9)),
        quantitative_result_value_unit: 'mmol/L',
      });
  }
}

async function fill(service: TestService, made: SiteRecord): Promise<void> {
  for (let first = 0; first < options.facts; first += IN_DOCUMENT) {
    const length = Math.min(IN_DOCUMENT, options.facts - first);
    await made.store(factsDocument(service, ...Array.from({ length }, (_, index) => recentFact(first + index))));
  }
}

/** Presses "Show the code" on the page as it is preset. @returns the page with the code */
async function press({ owner }: SiteRecord, page: SitePage): Promise<SitePage> {
  const form = formsOf(page).find(({ fields }) => fields['what'] === 'show')!;
  const kinds = [...form.html.matchAll(/name="kind" value="(\w+)" checked/g)].map(([, kind]) => kind!);
  const { kind: _kind, tells: _tells, ...fields } = form.fields;
  const sent = [...Object.entries(fields), ...kinds.map((kind) => ['kind', kind] as const)];
  const pressed = await owner.post(page.path, sent);
  const code = await owner.open(String(pressed.headers['location']));
  if (!code.text.includes('<svg class="qr wide"')) {
    throw new Error(`no code: ${code.status}`);
  }
  return code;
}

type Timed = { readonly press: number; readonly fetch: number; readonly whole: number };
type Round = {
  readonly times: Timed;
  /** The page with it. */ readonly code: SitePage;
  readonly link: string;
  readonly bundle: Read;
};

/** One person at the desk: overview, press, press, and the clinic fetches. */
async function goOnce(made: SiteRecord): Promise<Round> {
  const base = `/my/records/${made.recordId}`;
  const began = performance.now();
  await made.owner.open(`${base}/`);
  const page = await made.owner.open(`${base}/clinic`);
  const pressed = performance.now();
  const code = await press(made, page);
  const seen = performance.now();
  const link = /href="([^"]*\/l#shlink:\/[\w-]+)"/.exec(code.text)![1]!;
  const { bundle } = await readByProfile(link, Date.now());
  const ended = performance.now();
  return { times: { press: seen - pressed, fetch: ended - seen, whole: ended - began }, code, link, bundle };
}

type Library = {
  readonly SHLViewer: new (wish: { shlinkURI: string }) => {
    readonly resolveSHL: (wish: { recipient: string }) => Promise<{ readonly fhirResources: readonly Read[] }>;
  };
};

/** What the library reads of a link, as it is. */
async function readByLibrary(folder: string, link: string): Promise<Read> {
  const { SHLViewer } = createRequire(join(resolve(folder), 'x.js'))('kill-the-clipboard') as Library;
  const shlinkURI = link.slice(link.indexOf('shlink:/'));
  const { fhirResources } = await new SHLViewer({ shlinkURI }).resolveSHL({ recipient: 'kill-the-clipboard' });
  return fhirResources[0]!;
}

function rowOf(name: string, values: readonly number[]): readonly string[] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string => shown(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return [name, at(0.5), at(0.99), shown(sorted.at(-1)!)];
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function goRounds(made: SiteRecord): Promise<Round> {
  const all: Timed[] = [];
  let last = await goOnce(made);
  for (let round = 0; round < options.rounds; round += 1) {
    // Twenty are open at most.
    await made.owner.submit(last.code, {}, 'value="end"');
    last = await goOnce(made);
    all.push(last.times);
  }
  const rows = [
    rowOf(
      'from the press to the code',
      all.map((one) => one.press),
    ),
    rowOf(
      'a fetch with its PDF',
      all.map((one) => one.fetch),
    ),
    rowOf(
      'from the overview to the Bundle',
      all.map((one) => one.whole),
    ),
  ];
  const load = loadavg()[0]!.toFixed(1);
  say(`${options.facts} facts, ${last.bundle['entry'].length} entries, ${options.rounds} rounds, load ${load}`);
  say(table(['', 'p50 ms', 'p99 ms', 'most ms'], rows));
  return last;
}

async function main(): Promise<void> {
  const service = await startService(sqliteFile, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
  try {
    const made = await makeSiteRecord(service);
    await fill(service, made);
    const { link, bundle } = await goRounds(made);
    say(`Faults in the Bundle: ${faultsIn(bundle).join(', ') || 'none'}.`);
    if (options.library !== undefined) {
      const read = await readByLibrary(options.library, link);
      const [ours, theirs] = [bundle['entry'].length as number, read['entry'].length as number];
      say(`kill-the-clipboard reads a ${String(read['resourceType'])} of ${theirs} entries (here: ${ours}).`);
    }
  } finally {
    await service.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
