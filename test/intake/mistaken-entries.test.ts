/**
 * mistaken-entries: what its own words call a mistake, a duplicate, a test or somebody else's is no problem and no
 * medicine of the person, in either format, and is told.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { oneSection, outcomes } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const fhirJson = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));
const subject = { reference: 'Patient/p' };
const original = (text: string): string => `<code nullFlavor="OTH"><originalText>${text}</originalText></code>`;

/** A problem with this name, in both formats, and with a remark beside it. */
function problems(text: string, remark?: string): readonly Buffer[] {
  const note = remark === undefined ? {} : { note: [{ text: remark }] };
  const beside =
    remark === undefined
      ? ''
      : '<entryRelationship typeCode="SUBJ"><act classCode="ACT" moodCode="EVN"><code code="48767-8"/>' +
        `<text>${remark}</text></act></entryRelationship>`;
  return [
    fhirJson({ resourceType: 'Condition', subject, code: { text }, ...note }),
    oneSection(
      '11450-4',
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code ' +
        `code="ASSERTION"/><value xsi:type="CD" nullFlavor="OTH"><originalText>${text}</originalText></value>` +
        `${beside}</observation>`,
    ),
  ];
}

/** A medicine with this name, in both formats, with an instruction. */
function medicines(text: string, instruction?: string): readonly Buffer[] {
  const dosage = instruction === undefined ? {} : { dosage: [{ text: instruction }] };
  return [
    fhirJson({
      resourceType: 'MedicationStatement',
      status: 'active',
      subject,
      medicationCodeableConcept: { text },
      ...dosage,
    }),
    oneSection(
      '10160-0',
      '<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.16"/>' +
        `${instruction === undefined ? '' : `<text>${instruction}</text>`}<statusCode code="active"/><consumable>` +
        `<manufacturedProduct><manufacturedMaterial>${original(text)}</manufacturedMaterial></manufacturedProduct>` +
        '</consumable></substanceAdministration>',
    ),
  ];
}

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

async function expectEach(documents: readonly Buffer[], expected: string, name: string): Promise<void> {
  for (const document of documents) {
    expect([name, ...(await outcomes(reader, document))]).to.equal([name, expected]);
  }
}

/** What the fact of a document says, by field. */
async function valuesOf(document: Buffer): Promise<Readonly<Record<string, unknown>>> {
  const { facts } = await reader.read(document);
  return facts[0]!.values;
}

describe('an entry that its own words take back', () => {
  it('is no problem', async () => {
    for (const name of [
      'Duplicate - asthma',
      'Duplicate entry of diabetes',
      'Asthma (duplicate)',
      'Asthma, duplicate entry',
      'Gout - entered in error',
      'Gout (entered in error)',
      'Entered in error: gout',
      'Wrong patient',
      'Diabetes (wrong patient)',
      'Test entry',
      'test',
      'Gicht (irrtümlich erfasst)',
      'Asthma - Duplikat',
      'Asma (duplicado)',
      'Asma - paciente equivocado',
      'الربو (مكرر)',
    ]) {
      await expectEach(problems(name), '1 Problem entered_in_error', name);
    }
    await expectEach(problems('Asthma', 'Duplicate entry'), '1 Problem entered_in_error', 'a remark');
  });

  it('is no medicine', async () => {
    for (const name of [
      'Warfarin 5 mg - entered in error',
      'Marcumar (irrtümlich erfasst)',
      'Duplicate: aspirin',
      'DUPLICATE ENTRY aspirin',
      'Deleted - metformin',
    ]) {
      await expectEach(medicines(name), '1 Medication entered_in_error', name);
    }
    await expectEach(medicines('Metformin', 'Wrong patient.'), '1 Medication entered_in_error', 'an instruction');
  });

  it('points to another place, and says nothing itself', async () => {
    for (const name of ['See above', 'see problem list', 'Same as above', 'siehe oben', 'Ver arriba']) {
      await expectEach(problems(name), '1 Problem no_information', name);
      await expectEach(medicines(name), '1 Medication no_information', name);
    }
  });

  it('is a problem where the words are about the body or about something that happened', async () => {
    for (const name of [
      'Duplicate kidney',
      'Duplicated ureter',
      'Medication error',
      'Refractive error',
      'Test anxiety',
      'See-saw nystagmus',
      '22q11, deleted',
    ]) {
      await expectEach(problems(name), `Problem: ${name}`, name);
    }
    await expectEach(problems('Asthma', 'Duplicate tests of 2019 agree'), 'Problem: Asthma', 'a remark');
  });

  it('is an allergy all the same where it names one, because this may stand nowhere else', async () => {
    const patient = { reference: 'Patient/p' };
    for (const [text, expected] of [
      ['Penicillin (duplicate)', 'Allergy: Penicillin (duplicate)'],
      ['Wrong patient', '1 Allergy entered_in_error'],
    ] as const) {
      const document = fhirJson({ resourceType: 'AllergyIntolerance', patient, code: { text } });
      expect(await outcomes(reader, document)).to.equal([expected]);
    }
  });
});

describe('a medicine of somebody else', () => {
  it('is not the person’s, by its name', async () => {
    for (const name of [
      'Metformin for wife',
      'Metformin for her husband',
      'husband’s medication: lisinopril',
      "Wife's prescription metformin",
      "Albuterol (son's)",
      'Prednisone - for dog',
      'Metformin für Ehefrau',
      'Medikament der Ehefrau: Metformin',
      'Metformina para su esposa',
      'ميتفورمين (لزوجته)',
    ]) {
      await expectEach(medicines(name), '1 Medication other_person', name);
    }
  });

  it('is not the person’s, by an instruction that says nothing else', async () => {
    for (const instruction of ['For wife', 'This is for my daughter.', "Husband's medication", 'Für den Sohn']) {
      await expectEach(medicines('Lisinopril', instruction), '1 Medication other_person', instruction);
    }
  });

  it('is the person’s where somebody else is only spoken of', async () => {
    for (const name of ["Mother's milk tea", 'Folic acid for mother and child', "Takes husband's lorazepam"]) {
      for (const document of medicines(name)) {
        expect(await valuesOf(document)).to.include({ drugName_title: name, status_identifier: 'active' });
      }
    }
    for (const instruction of ['For dog allergy', 'Given by wife', 'For pain. Wife helps']) {
      for (const document of medicines('Lisinopril', instruction)) {
        expect(await valuesOf(document)).to.include({ drugName_title: 'Lisinopril', status_identifier: 'active' });
      }
    }
    const donation = { resourceType: 'Procedure', status: 'completed', subject };
    const kidney = fhirJson({ ...donation, code: { text: 'Kidney donation for sister' } });
    expect(await valuesOf(kidney)).to.include({ name: 'Kidney donation for sister' });
  });
});

describe('a vaccination', () => {
  it('is none of the person where its name says that a relative got it', async () => {
    const vaccine = { resourceType: 'Immunization', status: 'completed', patient: { reference: 'Patient/p' } };
    const given = { ...vaccine, occurrenceDateTime: '2020-01-05' };
    for (const name of ['Influenza (son)', 'Hepatitis B - daughter']) {
      const clinical = oneSection(
        '11369-6',
        '<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="false"><statusCode code="completed"/>' +
          '<effectiveTime value="20200105"/><consumable><manufacturedProduct><manufacturedMaterial>' +
          `${original(name)}</manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`,
      );
      const fhir = fhirJson({ ...given, vaccineCode: { text: name } });
      await expectEach([fhir, clinical], '1 Immunization other_person', name);
    }
  });
});

describe('a pregnancy', () => {
  const active = (text: string): readonly Buffer[] => [
    fhirJson({
      resourceType: 'Condition',
      subject,
      code: { text },
      clinicalStatus: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
      },
    }),
    oneSection(
      '11450-4',
      '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
        'classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code code="ASSERTION"/>' +
        `<value xsi:type="CD" nullFlavor="OTH"><originalText>${text}</originalText></value></observation>` +
        '</entryRelationship></act>',
    ),
  ];

  async function expectStatus(name: string, status: string): Promise<void> {
    for (const document of active(name)) {
      expect(await valuesOf(document)).to.include({ name_title: name, clinicalStatus_title: status });
    }
  }

  it('is over where its name says so, and so is a birth or a miscarriage of a year', async () => {
    for (const name of [
      'Pregnancy, delivered 2020',
      'Pregnant, gave birth 3/2021',
      'Miscarriage 2018',
      'Spontaneous abortion at 9 weeks (2018)',
      'Ectopic pregnancy 2015',
      'Normal vaginal delivery 03/2019',
      'Schwangerschaft, entbunden 2020',
      'Fehlgeburt 2018',
      'Embarazo, dio a luz 2019',
    ]) {
      await expectStatus(name, 'Resolved');
    }
  });

  it('goes on where nothing else is said', async () => {
    for (const name of [
      'Pregnancy, not delivered',
      'Pregnancy, to be delivered by section 2026',
      'Recurrent miscarriages',
      'Birth trauma',
      'Pregnancy',
    ]) {
      await expectStatus(name, 'Active');
    }
  });
});
