/** vaccinations: what FHIR says beside a vaccine stays: reactions, notes, the number of the dose; no code is no code. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry, outcomes } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const patient = { reference: 'Patient/p' };
const bundle = (...resources: readonly object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [{ resourceType: 'Patient', id: 'p' }, ...resources].map((resource) => ({ resource })),
    }),
  );

async function vaccination(more: object, ...others: readonly object[]) {
  const vaccine = { resourceType: 'Immunization', status: 'completed', vaccineCode: { text: 'MMR' }, patient };
  const { facts } = await reader.read(bundle({ ...vaccine, occurrenceDateTime: '2021-03-01', ...more }, ...others));
  return facts.find(({ model }) => model === 'Immunization')!.values;
}

describe('a vaccination of FHIR', () => {
  it('keeps its reactions with their day, its notes and the number of the dose', async () => {
    const fever = {
      resourceType: 'Observation',
      id: 'o',
      status: 'final',
      subject: patient,
      code: { text: 'Temperature' },
      valueQuantity: { value: 39.5, unit: 'C' },
    };
    const reaction = [
      { date: '2021-03-02', detail: { reference: 'Observation/o' }, reported: true },
      { detail: { display: 'Swollen arm' } },
      { date: '2021-03-03' },
    ];
    const values = await vaccination({ reaction, note: [{ text: 'Left arm' }, { text: 'Next in May' }] }, fever);
    expect(values['reaction']).to.equal(
      'Temperature: 39.5 C, 2021-03-02 (reported by the person); Swollen arm; Reaction without words, 2021-03-03',
    );
    expect(values['notes']).to.equal('Left arm Next in May');
  });

  it('keeps which dose of which series it is', async () => {
    const one = { series: 'Childhood', doseNumberPositiveInt: 2, seriesDosesPositiveInt: 3 };
    const diseases = { targetDisease: [{ text: 'Measles' }, { text: 'Mumps' }] };
    const columns = ['dose_number', 'series_doses', 'series', 'target_disease'] as const;
    const of = async (...protocolApplied: readonly object[]) => {
      const values = await vaccination({ protocolApplied });
      return columns.map((column) => values[column]);
    };
    expect(await of({ ...one, ...diseases })).to.equal(['2', '3', 'Childhood', 'Measles; Mumps']);
    expect(await of(one, { doseNumberString: 'booster' })).to.equal(['2; booster', '3', 'Childhood', null]);
  });
});

describe('a vaccination that a remark says was refused', () => {
  const words = ['Refused by patient', 'Patient declined.', 'Not given', 'abgelehnt', 'Rechazada por el paciente'];
  const later = [
    'Refused at first, given later',
    'Declined in May; administered on 3 June.',
    'Refused by mother, father consented',
    'Abgelehnt, am 3.5. doch geimpft',
  ];
  const still = ['Refused, not given', 'Declined. VIS given.', 'Refused; no reason given', 'Abgelehnt, nicht gegeben'];
  const givenOf = (values: Readonly<Record<string, unknown>>): unknown => values['administration_status_identifier'];

  it('is what its status says where the remark also says that it was given', async () => {
    for (const text of later) {
      const values = await vaccination({ note: [{ text }] });
      expect([givenOf(values), values['notes']], text).to.equal(['doseGiven', text]);
      expect(givenOf(await vaccination({ note: [{ text }], status: 'not-done' }))).to.equal('notAdministered');
    }
  });

  it('was not given, whatever its status is, in FHIR', async () => {
    for (const text of [...words, ...still]) {
      const values = await vaccination({ note: [{ text }] });
      expect([givenOf(values), values['notes']], text).to.equal(['notAdministered', text]);
    }
    expect(givenOf(await vaccination({ note: [{ text: 'Given. Refused the second arm.' }] }))).to.equal('doseGiven');
  });

  it('was not given, whatever its status is, in C-CDA', async () => {
    for (const text of [...words, ...still, ...later, 'Given in the left arm']) {
      const statement =
        '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.52"/>' +
        `<id root="2.999.8"/><text>${text}</text><statusCode code="completed"/><effectiveTime value="20230105"/>` +
        '<consumable><manufacturedProduct><manufacturedMaterial><code code="140" codeSystem="2.16.840.1.113883.12.292" ' +
        'displayName="Influenza"/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>';
      const { facts } = await reader.read(clinicalDocument({ section: '11369-6', entries: entry(statement) }));
      expect(givenOf(facts[0]!.values), text).to.equal(
        text.startsWith('Given') || later.includes(text) ? 'doseGiven' : 'notAdministered',
      );
    }
  });
});

describe('a vaccination whose name says that the person had the disease', () => {
  it('was not given', async () => {
    for (const [text, given] of [
      ['Varicella - history of disease', 'notAdministered'],
      ['Varicella (had chickenpox 1985)', 'notAdministered'],
      ['MMR - immune by titer', 'notAdministered'],
      ['Masern (durchgemacht)', 'notAdministered'],
      ['Varicela, pasó la enfermedad', 'notAdministered'],
      ['Chickenpox vaccine', 'doseGiven'],
    ] as const) {
      const vaccine = { resourceType: 'Immunization', status: 'completed', patient, vaccineCode: { text } };
      const clinical = clinicalDocument({
        section: '11369-6',
        entries: entry(
          '<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="false"><statusCode code="completed"/>' +
            '<effectiveTime value="20200105"/><consumable><manufacturedProduct><manufacturedMaterial><code ' +
            `nullFlavor="OTH"><originalText>${text}</originalText></code></manufacturedMaterial></manufacturedProduct>` +
            '</consumable></substanceAdministration>',
        ),
      });
      for (const document of [bundle({ ...vaccine, occurrenceDateTime: '2020-01-05' }), clinical]) {
        const [fact] = (await reader.read(document)).facts;
        expect([text, fact!.values['administration_status_identifier']]).to.equal([text, given]);
      }
    }
  });
});

describe('a vaccination without a day that is said to be due', () => {
  const DUE = ['Due 2027', 'due in May', 'MMR: overdue since 2020', 'Fällig 2027', 'vence en mayo', 'مستحق 2027'];
  const GIVEN = [
    'Due to travel',
    'Next dose due 2027',
    'Was due in 2019, given in 2020',
    'Due in 2019, done then',
    'Lote A12, vence 05/2027',
    'Not due again',
  ];
  const givenOf = async (document: Buffer): Promise<readonly unknown[]> => {
    const { values } = (await reader.read(document)).facts.find(({ model }) => model === 'Immunization')!;
    return [values['administration_status_identifier'], String(values['notes'] ?? values['product_name_title'])];
  };
  const ofFhir = (more: object): Buffer =>
    bundle({ resourceType: 'Immunization', status: 'completed', patient, vaccineCode: { text: 'MMR' }, ...more });
  const ofClinic = (name: string, text: string, day = ''): Buffer =>
    clinicalDocument({
      section: '11369-6',
      entries: entry(
        '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.52"/>' +
          `<text>${text}</text><statusCode code="completed"/>${day}<consumable><manufacturedProduct>` +
          `<manufacturedMaterial><code nullFlavor="OTH"><originalText>${name}</originalText></code>` +
          '</manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>',
      ),
    });

  it('was not given, in its name, a remark or its text, and the words are shown', async () => {
    for (const [all, state] of [
      [DUE, 'notAdministered'],
      [GIVEN, 'doseGiven'],
    ] as const) {
      for (const words of all) {
        const div = `<div xmlns="http://www.w3.org/1999/xhtml"><p>MMR</p><p>${words}</p></div>`;
        for (const document of [
          ofFhir({ occurrenceString: 'unknown', note: [{ text: words }] }),
          ofFhir({ occurrenceString: 'unknown', text: { status: 'additional', div } }),
          ofFhir({ occurrenceString: 'unknown', vaccineCode: { text: `MMR, ${words}` } }),
          ofClinic('MMR', words),
          ofClinic(`MMR, ${words}`, ''),
        ]) {
          const [given, shown] = await givenOf(document);
          expect([words, given]).to.equal([words, state]);
          expect(state === 'doseGiven' || String(shown).includes(words), `${words}: ${String(shown)}`).to.be.true();
        }
      }
    }
  });

  it('was given where its day is said, for the next dose is due then', async () => {
    const note = [{ text: 'Due in May' }];
    expect((await givenOf(ofFhir({ occurrenceDateTime: '2021-03-01', note })))[0]).to.equal('doseGiven');
    const day = '<effectiveTime value="20210301"/>';
    expect((await givenOf(ofClinic('MMR', 'Due in May', day)))[0]).to.equal('doseGiven');
  });
});

describe('an allergen of which the code is unknown', () => {
  it('has no code, and its words in FHIR', async () => {
    const allergy = (code: object) => bundle({ resourceType: 'AllergyIntolerance', patient, code });
    const systems = [{ code: 'UNK' }, { code: 'OTH', system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor' }];
    for (const coding of systems) {
      const { facts } = await reader.read(allergy({ coding: [coding], text: 'Bee venom' }));
      expect(facts[0]!.values).to.include({ allergen_identifier: null, allergen_title: 'Bee venom' });
    }
    const coded = { code: '288328004', system: 'http://snomed.info/sct', display: 'Bee venom' };
    const { facts } = await reader.read(allergy({ coding: [{ code: 'UNK' }, coded] }));
    expect(facts[0]!.values).to.include({ allergen_identifier: '288328004' });
    expect(await outcomes(reader, allergy({ coding: [{ code: 'UNK' }] }))).to.equal(['1 Allergy no_code']);
    expect(await outcomes(reader, allergy({ coding: [{ code: 'UNK', display: 'Unknown' }] }))).to.equal([
      '1 Allergy no_information',
    ]);
  });

  it('has no code, and its words in C-CDA', async () => {
    const observation =
      '<observation classCode="OBS" moodCode="EVN"><participant typeCode="CSM"><participantRole><playingEntity><code ' +
      'code="UNK" codeSystem="2.16.840.1.113883.5.1008"><originalText>Bee venom</originalText></code></playingEntity>' +
      '</participantRole></participant></observation>';
    const { facts } = await reader.read(clinicalDocument({ section: '48765-2', entries: entry(observation) }));
    expect(facts[0]!.values).to.include({ allergen_identifier: null, allergen_title: 'Bee venom' });
  });
});
