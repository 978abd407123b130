/**
 * fhir of countries: what profiles of a country say beside a code is kept, and the ways in which its language says
 * "none" are no allergy. What is said of a visit is kept in words.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const subject = { reference: 'Patient/p' };

async function read(...resources: readonly object[]) {
  const whole = { resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) };
  const { facts, leftOut } = await reader.read(Buffer.from(JSON.stringify(whole)));
  return { facts: facts.map(({ model, values }) => ({ model, ...values })), leftOut };
}

const german = (certainty: string, more: object = {}): object => ({
  resourceType: 'Condition',
  subject,
  code: {
    coding: [
      {
        system: 'http://fhir.de/CodeSystem/bfarm/icd-10-gm',
        code: 'I21.9',
        display: 'Akuter Myokardinfarkt',
        extension: [
          {
            url: 'http://fhir.de/StructureDefinition/icd-10-gm-diagnosesicherheit',
            valueCoding: { code: certainty },
          },
          {
            url: 'http://fhir.de/StructureDefinition/seitenlokalisation',
            valueCoding: { code: 'L', display: 'links' },
          },
        ],
      },
    ],
  },
  ...more,
});

describe('FHIR of Germany', () => {
  it('says beside a diagnosis whether it is excluded, suspected or over, and its side', async () => {
    const { facts } = await read(german('A'), german('V'), german('Z'), german('G'));
    const said = facts.map((fact) => {
      const {
        verificationStatus_identifier: sure,
        clinicalStatus_title: state,
        notes,
      } = fact as Record<string, unknown>;
      return [sure, state, notes];
    });
    expect(said).to.equal([
      ['refuted', null, 'Excluded (A). Side: links.'],
      ['provisional', null, 'Suspected (V). Side: links.'],
      [null, 'Inactive', 'State after this (Z). Side: links.'],
      [null, null, 'Side: links.'],
    ]);
  });
});

describe('allergies in the words of other languages', () => {
  it('name none where the words say that there is none, or that nobody knows', async () => {
    const allergy = (text: string): object => ({
      resourceType: 'AllergyIntolerance',
      patient: subject,
      code: { text },
    });
    const none = ['Ninguna conocida', 'Nenhuma alergia conhecida', 'Niega alergias', 'Allergiestatus nicht erhoben'];
    const { facts } = await read(...none.map(allergy));
    expect(facts.filter(({ model }) => model === 'Allergy')).to.equal([]);
    const some = ['Ninguna excepto penicilina', 'Keine, aber Nüsse', 'Niega alergias salvo penicilina'];
    const named = await read(...some.map(allergy));
    expect(named.facts.map(({ model }) => model)).to.equal(['Allergy', 'Allergy', 'Allergy']);
  });
});

describe('a visit', () => {
  it('keeps its reasons, and what its source says of its kind', async () => {
    const { facts } = await read(
      {
        resourceType: 'Encounter',
        status: 'finished',
        class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
        type: [{ text: 'Telephone consult' }],
        serviceType: { text: 'Cardiology' },
        subject,
        reasonCode: [{ text: 'Chest pain' }],
        reasonReference: [{ reference: 'Condition/c' }, { display: 'Dizziness' }],
        hospitalization: { dischargeDisposition: { text: 'Home' } },
      },
      { resourceType: 'Condition', id: 'c', subject, code: { text: 'Angina' } },
    );
    expect(facts[0]).to.include({
      model: 'Encounter',
      encounterType_title: 'Ambulatory encounter',
      reason: 'Chest pain; Angina; Dizziness',
      notes: 'Type: Telephone consult. Service: Cardiology. Went to: Home.',
    });
  });
});
