/**
 * repetitive-documents: documents in which thousands of parts have the same id or the same fate. The bundled
 * stylesheets read each in a fraction of the time limit. A stylesheet whose work grows with the square of that number
 * needs several times the limit.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import type { ReadDocument } from '../../core/pipeline/steps';
import { readModels } from '../../core/server/migrate-all';
import { ALONE } from '../support/quick';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const entry = (resource: string): string => `<entry><resource>${resource}</resource></entry>`;
const bundle = (...parts: readonly (readonly [count: number, resource: string])[]): string =>
  `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/>${parts
    .map(([count, resource]) => entry(resource).repeat(count))
    .join('')}</Bundle>`;

const subject = '<subject><reference value="Patient/a"/></subject>';
const problem =
  '<Condition><id value="a"/><code><coding><system value="http://snomed.info/sct"/><code ' +
  `value="1"/></coding></code>${subject}<onsetDateTime value="2020"/></Condition>`;
const request =
  '<MedicationRequest><id value="a"/><status value="active"/><intent value="order"/><medicationCodeableConcept><coding>' +
  '<system value="http://www.nlm.nih.gov/research/umls/rxnorm"/><code value="1"/></coding></medicationCodeableConcept>' +
  `${subject}<authoredOn value="2020-01-01"/></MedicationRequest>`;
const dispense =
  '<MedicationDispense><status value="completed"/><medicationCodeableConcept><coding><code value="1"/></coding></medicationCodeableConcept>' +
  '<authorizingPrescription><reference value="MedicationRequest/a"/></authorizingPrescription>' +
  '<daysSupply><value value="1"/><unit value="d"/></daysSupply><whenHandedOver value="2020-01-02"/></MedicationDispense>';

const loinc = (code: string): string => `<coding><system value="http://loinc.org"/><code value="${code}"/></coding>`;
const component = (code: string): string =>
  `<component><code>${loinc(code)}</code><valueQuantity><value value="120"/><unit value="mm[Hg]"/></valueQuantity></component>`;
const observation = (kind: string, parts: string, notes = ''): string =>
  `<Observation><id value="a"/><status value="final"/><category>${`<coding><code value="${kind}"/></coding>`}</category><code>${loinc('85354-9')}</code>` +
  `${subject}<effectiveDateTime value="2020-01-01T00:00:00Z"/>${notes}${parts}</Observation>`;
const allergy = (reactions: string, notes = ''): string =>
  '<AllergyIntolerance><id value="a"/><code><text value="cats"/></code><patient><reference ' +
  `value="Patient/a"/></patient>${notes}${reactions}</AllergyIntolerance>`;
const manifestation = '<manifestation><text value="x"/></manifestation>';
const longNote = `<note><text value="${'word '.repeat(60_000)}"/></note>`;
const numbered = (count: number, part: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => part(number)).join('');

// The limit holds on a machine that does nothing else (npm run tool bench-hostile).
const config = loadConfig(ALONE ? {} : { SVC_TRANSFORM_SECONDS: '120' });

/** The sample, with `parts` in place of the entries of its first section. */
const summary = (parts: string): string =>
  readFileSync(inProject('pipeline-config', 'ccda', 'sample-clinic-summary.xml'), 'utf8').replace(
    /<entry[ >][\s\S]*?<\/entry>/,
    () => parts,
  );

const counts = ({ facts, leftOut }: ReadDocument): object => ({
  facts: facts.length,
  leftOut: Object.fromEntries(leftOut.map(({ model, reason, count }) => [`${model} ${reason}`, count])),
});

describe('a document of thousands of equal parts', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openReader(config, readModels(config));
  });
  after(() => reader.close());

  const rows: readonly (readonly [title: string, document: string, found: object])[] = [
    [
      'a patient of one id, and problems of that patient',
      bundle([6000, '<Patient><id value="a"/></Patient>'], [5000, problem]),
      { facts: 1, leftOut: { 'Problem repeated': 4999 } },
    ],
    [
      'resources that have no model',
      bundle([20_000, '<Basic/>']),
      { facts: 0, leftOut: { 'Basic not_supported': 20_000 } },
    ],
    [
      'prescriptions of one id, and their dispenses',
      bundle([800, request], [800, dispense]),
      { facts: 1, leftOut: { 'Medication repeated': 799 } },
    ],
    [
      'an observation of vital signs with components',
      bundle([1, observation('vital-signs', component('8480-6').repeat(3000))]),
      { facts: 1, leftOut: { 'VitalSigns repeated': 2999 } },
    ],
    [
      'an observation of results with components',
      bundle([1, observation('laboratory', component('2093-3').repeat(3000))]),
      { facts: 1, leftOut: { 'LabResult repeated': 2999 } },
    ],
    [
      'an allergy with reactions',
      bundle([1, allergy(`<reaction>${manifestation}</reaction>`.repeat(10_000))]),
      { facts: 1, leftOut: { 'Allergy repeated': 9999 } },
    ],
    [
      'a reaction with manifestations',
      bundle([1, allergy(`<reaction>${manifestation.repeat(14_000)}</reaction>`)]),
      { facts: 1, leftOut: { 'Allergy repeated': 13_999 } },
    ],
    [
      'manifestations that name none',
      bundle([
        1,
        allergy(`<reaction>${'<manifestation><text value="None"/></manifestation>'.repeat(14_000)}</reaction>`),
      ]),
      { facts: 1, leftOut: {} },
    ],
    [
      'a concept of many codings',
      bundle([1, problem.replace('</code>', `${numbered(10_000, (number) => loinc(`x${number}`))}</code>`)]),
      { facts: 1, leftOut: {} },
    ],
  ];
  for (const [title, document, found] of rows) {
    it(`is read in time: ${title}`, async () => {
      expect(counts(await reader.read(Buffer.from(document)))).to.equal(found);
    });
  }

  const long = (facts: ReadDocument['facts']): number =>
    facts.filter((fact) => JSON.stringify(fact).length > 10_000).length;

  it('has a long note with its first result alone, as with its first reaction', async () => {
    const results = observation(
      'laboratory',
      numbered(1400, (number) => component(`x${number}`)),
      longNote,
    );
    const reactions = numbered(
      1400,
      (number) => `<reaction><manifestation><text value="sign ${number}"/></manifestation></reaction>`,
    );
    for (const resource of [results, allergy(reactions, longNote)]) {
      const { facts } = await reader.read(Buffer.from(bundle([1, resource])));
      expect([facts.length, long(facts)]).to.equal([1400, 1]);
    }
  });

  it('has a long note with each of a few results', async () => {
    const few = observation(
      'laboratory',
      component('a') + component('b'),
      longNote.replace(/(word ){60000}/, 'word '.repeat(4000)),
    );
    const { facts } = await reader.read(Buffer.from(bundle([1, few])));
    expect([facts.length, long(facts)]).to.equal([2, 2]);
  });

  it('has a long narrative with the first of those who point at it', async () => {
    const template = (number: string): string => `<templateId root="2.16.840.1.113883.10.20.22.4.${number}"/>`;
    const result = (number: number): string =>
      `<component><observation classCode="OBS" moodCode="EVN">${template('2')}<code code="x${number}" codeSystem="2.16.840.1.113883.6.1"/>` +
      '<value xsi:type="ED"><reference value="#long"/></value></observation></component>';
    const organizer =
      `<entry><organizer classCode="BATTERY" moodCode="EVN">${template('1')}<statusCode ` +
      `code="completed"/>${numbered(1400, result)}</organizer></entry>`;
    const document = summary(organizer).replace(
      '<text>',
      () => `<text><paragraph ID="long">${'word '.repeat(60_000)}</paragraph>`,
    );
    const { facts } = await reader.read(Buffer.from(document));
    expect(facts.length).to.be.above(1400);
    expect(long(facts)).to.equal(1);
  });

  it('is read in time: translations of one code', async () => {
    const coded = numbered(10_000, (number) => `<translation code="x${number}" codeSystem="2.16.840.1.113883.6.96"/>`);
    const concern =
      '<entry><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code nullFlavor="UNK"/>' +
      `<value xsi:type="CD" nullFlavor="UNK">${coded}</value></observation></entry>`;
    expect((await reader.read(Buffer.from(summary(concern)))).facts.map(({ model }) => model)).to.include('Problem');
  });

  it('is read in time: entries of a summary that say nothing', async () => {
    const nothing =
      '<entry nullFlavor="NI"><observation classCode="OBS" moodCode="EVN"><code nullFlavor="NI"/></observation></entry>';
    const { leftOut } = await reader.read(Buffer.from(summary(nothing.repeat(20_000))));
    expect(Math.max(...leftOut.map(({ count }) => count))).to.be.at.least(20_000);
  });
});
