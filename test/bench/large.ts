/**
 * large: `npm run tool bench-large`: the processor time and the highest memory that a reader needs for a C-CDA of 3 MB
 * with 4,000 results and a FHIR bundle of 4 MB with 6,000, three times each.
 */
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import { openBundledReader } from '../support/bundled-reader';
import { readersOf } from '../support/readers';

const DEFAULT_VOCAB = 'https://svc.example/vocab';
const ROUNDS = 3;
const TICK = 10;
const LOOK_MILLISECONDS = 20;
/** The section of results in the sample. */
const RESULTS = '2.16.840.1.113883.10.20.22.2.3.1';
const IN_A_PANEL = 20;

type Test = { readonly code: string; readonly name: string; readonly unit: string };
const TESTS: readonly Test[] = [
  { code: '4548-4', name: 'Hemoglobin A1c/Hemoglobin.total in Blood', unit: '%' },
  { code: '2345-7', name: 'Glucose [Mass/volume] in Serum or Plasma', unit: 'mg/dL' },
  { code: '2160-0', name: 'Creatinine [Mass/volume] in Serum or Plasma', unit: 'mg/dL' },
  { code: '2823-3', name: 'Potassium [Moles/volume] in Serum or Plasma', unit: 'mmol/L' },
];

const testOf = (number: number): Test => TESTS[number % TESTS.length]!;
const valueOf = (number: number): string => ((number % 90) / 10 + 1).toFixed(1);
const dayOf = (number: number): string =>
  new Date(Date.UTC(2010, 0, 1) + Math.floor(number / IN_A_PANEL) * 604_800_000).toISOString().slice(0, 10);

const observationOf = (number: number): string => {
  const { code, name, unit } = testOf(number);
  return (
    '<component><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.2" ' +
    `extension="2015-08-01"/><id root="2.999.40.10" extension="result-${number}"/><code code="${code}" ` +
    `codeSystem="2.16.840.1.113883.6.1" displayName="${name}"/><statusCode code="completed"/><effectiveTime ` +
    `value="${dayOf(number).replaceAll('-', '')}080000+0000"/><value xsi:type="PQ" value="${valueOf(number)}" ` +
    `unit="${unit}"/><interpretationCode code="N" codeSystem="2.16.840.1.113883.5.83"/><referenceRange>` +
    `<observationRange><value xsi:type="IVL_PQ"><low value="1" unit="${unit}"/><high value="9" unit="${unit}"/></value>` +
    '</observationRange></referenceRange></observation></component>'
  );
};

const panelOf = (first: number): string =>
  '<entry typeCode="DRIV"><organizer classCode="BATTERY" moodCode="EVN"><templateId ' +
  `root="2.16.840.1.113883.10.20.22.4.1" extension="2015-08-01"/><id root="2.999.40.11" extension="panel-${first}"/>` +
  '<code code="24323-8" codeSystem="2.16.840.1.113883.6.1" displayName="Comprehensive metabolic panel"/><statusCode ' +
  `code="completed"/>${Array.from({ length: IN_A_PANEL }, (_, number) => observationOf(first + number)).join('')}` +
  '</organizer></entry>';

const largeClinicalDocument = (results: number): Buffer => {
  const sample = readFileSync(inProject('pipeline-config', 'ccda', 'sample-clinic-summary.xml'), 'utf8').replaceAll(
    '{vocab_base}',
    DEFAULT_VOCAB,
  );
  const at = sample.indexOf('<entry', sample.indexOf(RESULTS));
  const panels = Array.from({ length: results / IN_A_PANEL }, (_, number) => panelOf(number * IN_A_PANEL)).join('');
  return Buffer.from(sample.slice(0, at) + panels + sample.slice(at));
};

const coding = (system: string, code: string, display: string) => ({ coding: [{ system, code, display }] });

const largeBundle = (results: number): Buffer => {
  const subject = { reference: 'Patient/p' };
  const laboratory = coding('http://terminology.hl7.org/CodeSystem/observation-category', 'laboratory', 'Laboratory');
  const observations = Array.from({ length: results }, (_, number) => {
    const { code, name, unit } = testOf(number);
    return {
      resourceType: 'Observation',
      id: `o${number}`,
      status: 'final',
      category: [laboratory],
      code: { ...coding('http://loinc.org', code, name), text: name },
      subject,
      effectiveDateTime: `${dayOf(number)}T08:00:00+00:00`,
      issued: `${dayOf(number)}T12:00:00.000Z`,
      valueQuantity: { value: Number(valueOf(number)), unit, system: 'http://unitsofmeasure.org', code: unit },
    };
  });
  const patient = { resourceType: 'Patient', id: 'p', name: [{ family: 'Benali', given: ['Amina'] }] };
  const entry = [patient, ...observations].map((resource, number) => ({
    fullUrl: `https://sender.example/fhir/${resource.resourceType}/${number === 0 ? 'p' : `o${number - 1}`}`,
    resource,
  }));
  return Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
};

type Spent = { readonly seconds: number; readonly megabytes: number };

/** What a process has used so far: processor time, and the most memory. */
const spentBy = (pid: number): Spent => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { seconds: ((Number(fields[11]) + Number(fields[12])) * TICK) / 1000, megabytes: Number(kilobytes) / 1024 };
};

/** What the busiest reader uses from now on. A reader ends after a large document, so that they are watched while they work. */
const watchReaders = () => {
  const seen = new Map<number, { readonly first: Spent; last: Spent }>();
  const look = (): void => {
    for (const pid of readersOf(process.pid)) {
      try {
        const now = spentBy(pid);
        const known = seen.get(pid) ?? { first: now, last: now };
        known.last = { seconds: now.seconds, megabytes: Math.max(known.last.megabytes, now.megabytes) };
        seen.set(pid, known);
      } catch {
        // It has ended.
      }
    }
  };
  look();
  const timer = setInterval(look, LOOK_MILLISECONDS);
  return (): Spent => {
    clearInterval(timer);
    const all = [...seen.values()];
    return {
      // A second one only starts, to stand in for the busy one.
      seconds: Math.max(...all.map(({ first, last }) => last.seconds - first.seconds)),
      megabytes: Math.max(...all.map(({ last }) => last.megabytes)),
    };
  };
};

const main = async (): Promise<void> => {
  const reader = await openBundledReader({ SVC_XML_WORKERS: '1' });
  for (const [name, bytes] of [
    ['C-CDA, 4,000 results', largeClinicalDocument(4000)],
    ['FHIR bundle, 6,000 results', largeBundle(6000)],
  ] as const) {
    for (let round = 0; round < ROUNDS; round += 1) {
      await reader.read(Buffer.from('<Warm xmlns="urn:bench"/>'));
      const stop = watchReaders();
      const { facts } = await reader.read(bytes);
      const { seconds, megabytes } = stop();
      process.stdout.write(
        `${name}, ${(bytes.length / 1e6).toFixed(1)} MB: ${facts.length} facts, ${seconds.toFixed(1)} s of processor ` +
          `time, ${megabytes.toFixed(0)} MB\n`,
      );
    }
  }
  await reader.close();
};

void main();
