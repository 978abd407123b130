/**
 * flood: `npm run tool bench-flood`: one principal sends bundles of 791 kB, 24 at a time, while another stores small
 * documents. The small ones should take less than two seconds at p99 (the load generators share the machine).
 */
import { loadavg } from 'node:os';
import { httpClient } from '../support/client';
import { medications } from '../support/server';
import { aboveZero, program } from '../support/program';
import { authorizeApp, createAccount, createRecord, signIn } from '../support/world';
import type { Signs } from './bench-world';
import { startChild } from './child';
import { smallDocument } from './documents';
import { databaseOption, eachLeg, type DatabaseName, type Leg } from './legs';
import type { Load, Measured } from './load';
import { benchSettings, startBenchService } from './service';
import { shown, table } from './table';

const options = program(
  'bench:flood',
  'Measures how long small documents of one principal take while another floods the readers with bundles of 791 kB.',
)
  .addOption(databaseOption)
  .option('--seconds <number>', 'length of each measurement', aboveZero, 40)
  .option('--pace <number>', 'small documents a second', aboveZero, 5)
  .parse()
  .opts<{ readonly database?: DatabaseName; readonly seconds: number; readonly pace: number }>();

const AT_ONCE = 24;
const BYTES = 791_000;

const subject = '<subject><reference value="Patient/a"/></subject>';
const problem = (number: number): string =>
  `<entry><resource><Condition><id value="c${number}"/><code><coding><system ` +
  `value="http://snomed.info/sct"/><code value="${number}"/></coding></code>${subject}<onsetDateTime ` +
  'value="2020"/></Condition></resource></entry>';
const allergy =
  '<entry><resource><AllergyIntolerance><id value="a"/><code><text value="cats"/></code><patient><reference value="Patient/a"/></patient>' +
  `${'<reaction><manifestation><text value="x"/></manifestation></reaction>'.repeat(1000)}</AllergyIntolerance></resource></entry>`;

/** A bundle of that size: `first`, then as many parts as fit. */
const bundle = (first: string, part: (number: number) => string): Buffer => {
  let text = `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/>${first}`;
  for (let number = 0; text.length + 500 < BYTES; number += 1) {
    text += part(number);
  }
  return Buffer.from(`${text}</Bundle>`);
};

const floods: readonly (readonly [name: string, body: Buffer])[] = [
  [
    'patients of one id, and problems of that patient',
    bundle('<entry><resource><Patient><id value="a"/></Patient></resource></entry>'.repeat(6000), () => problem(1)),
  ],
  ['allergies of one id, and their reactions', bundle('', () => allergy)],
  ['thousands of problems, all of which are kept', bundle('', problem)],
];

const post = (signers: readonly Signs[], recordId: string, body: Buffer): Load['templates'] => [
  { signers, method: 'POST', path: `/records/${recordId}/documents/`, body },
];

type World = { readonly url: string; readonly flooding: Load['templates'][]; readonly small: Load['templates'] };

const makeWorld = async (url: string): Promise<World> => {
  const call = httpClient(url);
  const writer = async (account: string): Promise<readonly [Signs, string]> => {
    await createAccount(call, account);
    const recordId = await createRecord(call, account);
    return [await authorizeApp(call, medications!, await signIn(call, account), { record_id: recordId }), recordId];
  };
  const [flooder, floodedId] = await writer('flooder@bench.example');
  const [other, otherId] = await writer('other@bench.example');
  return {
    url,
    flooding: floods.map(([, body]) => post([flooder], floodedId, body)),
    small: post([other], otherId, smallDocument()),
  };
};

const measure = async ({ name, url: databaseUrl }: Leg): Promise<void> => {
  const service = await startBenchService(benchSettings(databaseUrl));
  const [flooder, other] = [
    startChild<Load, Measured>('load-process'),
    startChild<Load, Measured>('load-process'),
  ] as const;
  const { url, flooding, small } = await makeWorld(service.url);
  const { seconds, pace } = options;
  const paced = (): Promise<Measured> => other.ask({ url, templates: small, connections: 16, seconds, pace });
  await other.ask({ url, templates: small, connections: 4, seconds, part: 'warm-up' });
  const row = (what: string, { p50, p99, refused }: Measured, beside?: Measured): readonly string[] => [
    what,
    shown(p50),
    shown(p99),
    String(refused),
    beside ? shown(beside.rate) : '-',
    beside ? String(beside.refused) : '-',
    shown(loadavg()[0]!),
  ];
  const rows = [row('alone', await paced())];
  process.stderr.write(`${name}: ${rows[0]!.join(' ')}\n`);
  for (const [index, templates] of flooding.entries()) {
    const flood = flooder.ask({
      url,
      templates,
      connections: AT_ONCE,
      seconds: seconds + 5,
      part: 'rate',
      expected: 40,
    });
    // The readers are busy before the first small document comes.
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const measured = await paced();
    rows.push(row(`beside ${floods[index]![0]}`, measured, await flood));
    process.stderr.write(`${name}: ${rows.at(-1)!.join(' ')}\n`);
  }
  const head = ['Small documents', 'p50 ms', 'p99 ms', 'refused', 'floods/s', 'refused', 'load'];
  process.stdout.write(`\n${name}\n\n${table(head, rows)}\n`);
  [flooder, other].forEach((child) => child.stop());
  await service.stop();
};

eachLeg(options.database, measure).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String((error as Error).stack ?? error)}\n`);
    process.exit(1);
  },
);
