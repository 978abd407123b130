/**
 * Documents in which thousands of parts have one id or one fate: the bundled stylesheets read each in a fraction of the time limit.
 * A stylesheet whose work grows with the square of that number needs several times the limit.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import { loadConfig } from '../../core/config/load';
import { openReader, type DocumentReader } from '../../core/pipeline/reader-pool';
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
const problem = `<Condition><id value="a"/><code><coding><system value="http://snomed.info/sct"/><code value="1"/></coding></code>${subject}<onsetDateTime value="2020"/></Condition>`;
const request =
  '<MedicationRequest><id value="a"/><status value="active"/><intent value="order"/><medicationCodeableConcept><coding>' +
  '<system value="http://www.nlm.nih.gov/research/umls/rxnorm"/><code value="1"/></coding></medicationCodeableConcept>' +
  `${subject}<authoredOn value="2020-01-01"/></MedicationRequest>`;
const dispense =
  '<MedicationDispense><status value="completed"/><medicationCodeableConcept><coding><code value="1"/></coding></medicationCodeableConcept>' +
  '<authorizingPrescription><reference value="MedicationRequest/a"/></authorizingPrescription>' +
  '<daysSupply><value value="1"/><unit value="d"/></daysSupply><whenHandedOver value="2020-01-02"/></MedicationDispense>';

// The limit holds on a machine that does nothing else (npm run bench:hostile).
const config = loadConfig(ALONE ? {} : { SVC_TRANSFORM_SECONDS: '120' });

/** The sample with `parts` in place of its first section's entries. */
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
  ];
  for (const [title, document, found] of rows) {
    it(`is read in time: ${title}`, async () => {
      expect(counts(await reader.read(Buffer.from(document)))).to.equal(found);
    });
  }

  it('is read in time: entries of a summary that say nothing', async () => {
    const nothing =
      '<entry nullFlavor="NI"><observation classCode="OBS" moodCode="EVN"><code nullFlavor="NI"/></observation></entry>';
    const { leftOut } = await reader.read(Buffer.from(summary(nothing.repeat(20_000))));
    expect(Math.max(...leftOut.map(({ count }) => count))).to.be.at.least(20_000);
  });
});
