/** documents: the documents that the benchmark posts: a small form, a list of facts, a clinical document. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';

const DEFAULT_VOCAB = 'https://svc.example/vocab';
const NAMESPACE = `${DEFAULT_VOCAB}/xml/documents#`;
const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';

const filler = (bytes: number): string =>
  'An uneventful course with a quick recovery. '.repeat(Math.ceil(bytes / 44)).slice(0, Math.max(0, bytes));

/** A document of exactly this size. `make` wraps a text, whose length is chosen to fit. */
const ofSize = (bytes: number, make: (text: string) => string): Buffer =>
  Buffer.from(make(filler(bytes - make('').length)));

/** A document with one fact, of 2 kB unless stated otherwise. */
export const smallDocument = (bytes = 2000, name = 'Appendectomy', day = '2024-03-05'): Buffer =>
  ofSize(
    bytes,
    (text) =>
      `<Procedure xmlns="${NAMESPACE}"><datePerformed>${day}T13:00:00Z</datePerformed><name type="${SNOMED}" value="80146002" abbrev="Appy">${name}</name>` +
      '<provider><name>Dr Ingrid Solheim</name><institution>Harbour View ' +
      `Hospital</institution></provider><location>Theatre 2</location><comments>${text}</comments></Procedure>`,
  );

const field = (name: string, value: string | number): string => `<Field name="${name}">${value}</Field>`;

const models = (facts: readonly string[]): Buffer =>
  Buffer.from(`<Models xmlns="${NAMESPACE}">${facts.join('')}</Models>`);

/** A document of `facts` facts with 400 bytes each. */
export const factList = (facts: number): Buffer => {
  const fact = (text: string): string =>
    `<Model name="Procedure">${field('date_performed', '2024-03-05T13:00:00Z')}${field('name', 'Appendectomy')}${field('name_type', SNOMED)}` +
    `${field('name_value', '80146002')}${field('comments', text)}</Model>`;
  return models(Array.from({ length: facts }, () => fact(filler(400 - fact('').length))));
};

const timestamp = (number: number): string =>
  new Date(Date.UTC(2020, 0, 1) + number * 4 * 3_600_000).toISOString().replace('.000Z', 'Z');

/** A document of measurements four hours apart; `first` is the number of the earliest. */
export const measurements = (first: number, count: number): Buffer =>
  models(
    Array.from(
      { length: count },
      (_, index) =>
        `<Model name="Measurement">${field('type', 'HBA1C')}${field('value', 4 + ((first + index) % 40) / 10)}` +
        `${field('unit', '%')}${field('datetime', timestamp(first + index))}</Model>`,
    ),
  );

/** A document of readings of one kind, each with the encounter in which it was taken. */
export const vitals = (count: number): Buffer =>
  models(
    Array.from(
      { length: count },
      (_, index) =>
        `<Model name="VitalSigns">${field('date', timestamp(index))}` +
        `<Field name="encounter"><Model name="Encounter">${field('startDate', timestamp(index))}${field('encounterType_identifier', 'ambulatory')}` +
        `${field('encounterType_title', 'Ambulatory encounter')}${field('encounterType_system', 'http://smartplatforms.org/terms/codes/EncounterType#')}</Model></Field>` +
        `${field('heart_rate_value', 60 + (index % 40))}${field('heart_rate_unit', '{beats}/min')}${field('heart_rate_name_identifier', '8867-4')}` +
        `${field('heart_rate_name_title', 'Heart rate')}${field('heart_rate_name_system', 'http://purl.bioontology.org/ontology/LNC/')}</Model>`,
    ),
  );

/** A document of problems, one a day. */
export const problems = (count: number): Buffer =>
  models(
    Array.from(
      { length: count },
      (_, index) =>
        `<Model name="Problem">${field('name_title', `Problem ${index}`)}${field('name_identifier', '38341003')}` +
        `${field('name_system', SNOMED)}${field('startDate', timestamp(6 * index))}</Model>`,
    ),
  );

/** The entry as another statement: every id in it says its number. */
const restated = (entry: string, number: number): string =>
  entry.replace(/(<id\b[^>]*\bextension="[^"]*)"/g, `$1-${number}"`);

/** A C-CDA document of about 200 kB: the sample with its entries repeated, each time as statements of their own. */
export const clinicalDocument = (): Buffer => {
  const sample = readFileSync(inProject('pipeline-config', 'ccda', 'sample-clinic-summary.xml'), 'utf8').replaceAll(
    '{vocab_base}',
    DEFAULT_VOCAB,
  );
  const entries = /<entry[\s>][\s\S]*?<\/entry>/g;
  const inEntries = (sample.match(entries) ?? []).join('').length;
  const times = Math.max(1, Math.round((200_000 - sample.length) / inEntries) + 1);
  return Buffer.from(
    sample.replace(entries, (entry) => Array.from({ length: times }, (_, number) => restated(entry, number)).join('')),
  );
};
