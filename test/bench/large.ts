/**
 * large: `npm run tool bench-large -- [FOLDER]`: the processor time that storing a C-CDA of 3 MB with 4,000 results and a
 * FHIR bundle of 4 MB with 6,000 needs, and the memory above that at rest, of the server and its reader, three times
 * each. FOLDER has another state of the service.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../../core/base/paths';
import { httpClient } from '../support/client';
import { readersOf } from '../support/readers';
import { medications } from '../support/server';
import { serve } from '../support/svc';
import { unhurried } from '../support/unhurried';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { eachLeg } from './legs';
import { benchSettings, highestMemoryOf, memoryOf } from './service';

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

type Spent = { readonly seconds: number; readonly resident: number; readonly megabytes: number };

/** What a process has used so far: processor time, its memory now, and the most memory. */
const spentBy = (pid: number): Spent => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, most = '0'] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  const [, now = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  const seconds = ((Number(fields[11]) + Number(fields[12])) * TICK) / 1000;
  return { seconds, resident: Number(now) / 1024, megabytes: Number(most) / 1024 };
};

/** What the busiest reader uses from now on. A reader ends after a large document, so that they are watched while they work. */
const watchReaders = (server: number): (() => Pick<Spent, 'seconds' | 'megabytes'>) => {
  const seen = new Map<number, { readonly first: Spent; last: Spent }>();
  const look = (): void => {
    for (const pid of readersOf(server)) {
      try {
        const now = spentBy(pid);
        seen.set(pid, { first: seen.get(pid)?.first ?? now, last: now });
      } catch {
        // It has ended.
      }
    }
  };
  look();
  const timer = setInterval(look, LOOK_MILLISECONDS);
  return () => {
    clearInterval(timer);
    const all = [...seen.values()];
    return {
      // A second one only starts, to stand in for the busy one.
      seconds: Math.max(...all.map(({ first, last }) => last.seconds - first.seconds)),
      megabytes: Math.max(...all.map(({ first, last }) => last.megabytes - first.resident)),
    };
  };
};

const documents = [
  ['C-CDA, 4,000 results', 'application/xml', largeClinicalDocument(4000)],
  ['FHIR bundle, 6,000 results', 'application/fhir+json', largeBundle(6000)],
] as const;

const measure = async (url: string, program: string): Promise<void> => {
  const served = await serve({ ...benchSettings(url), ...unhurried }, [], program);
  const pid = served.process.pid!;
  const call = httpClient(served.url);
  await createAccount(call, 'owner@bench.example');
  const owner = await signIn(call, 'owner@bench.example');
  for (const [name, type, body] of documents) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const recordId = await createRecord(call, 'owner@bench.example');
      const app = await authorizeApp(call, medications!, owner, { record_id: recordId });
      const [rest, before] = [memoryOf(pid), spentBy(pid)];
      highestMemoryOf(pid);
      const stop = watchReaders(pid);
      succeeded(await call(app, 'POST', `/records/${recordId}/documents/`, { body, type }));
      const [reader, after] = [stop(), spentBy(pid)];
      const [server, memory] = [after.seconds - before.seconds, highestMemoryOf(pid) - rest];
      process.stdout.write(
        `${name}, ${(body.length / 1e6).toFixed(1)} MB: server ${server.toFixed(1)} s and ${memory.toFixed(0)} MB, ` +
          `reader ${reader.seconds.toFixed(1)} s and ${reader.megabytes.toFixed(0)} MB\n`,
      );
    }
  }
  await served.stop();
};

const [folder = inProject()] = process.argv.slice(2);

void eachLeg('sqlite', ({ url }) => measure(url, join(folder, 'bin', 'svc')));
