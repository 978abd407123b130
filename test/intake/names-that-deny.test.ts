/**
 * names-that-deny: senders write into a name or a remark what its status does not say, so that the entry is not what it
 * looks like: a medicine to be avoided, a vaccine that was only offered, an act that is planned, an illness that is over.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { oneSection, outcomes } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const subject = { reference: 'Patient/p' };
const json = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));
const original = (text: string): string => `<code nullFlavor="OTH"><originalText>${text}</originalText></code>`;
const given = (section: string, text: string, inside: string): Buffer =>
  oneSection(
    section,
    `<substanceAdministration classCode="SBADM" moodCode="EVN">${inside}<consumable><manufacturedProduct>` +
      `<manufacturedMaterial>${original(text)}</manufacturedMaterial></manufacturedProduct></consumable>` +
      '</substanceAdministration>',
  );

function medicines(text: string, remark?: string): readonly Buffer[] {
  const dosage = remark === undefined ? {} : { dosage: [{ text: remark }] };
  const fhir = { resourceType: 'MedicationStatement', status: 'active', subject, medicationCodeableConcept: { text } };
  const said = remark === undefined ? '' : `<text>${remark}</text>`;
  return [json({ ...fhir, ...dosage }), given('10160-0', text, `${said}<statusCode code="active"/>`)];
}

function vaccines(text: string): readonly Buffer[] {
  const fhir = { resourceType: 'Immunization', status: 'completed', patient: subject, vaccineCode: { text } };
  return [
    json({ ...fhir, occurrenceDateTime: '2020-01-05' }),
    given('11369-6', text, '<statusCode code="completed"/><effectiveTime value="20200105"/>'),
  ];
}

function acts(text: string): readonly Buffer[] {
  return [
    json({ resourceType: 'Procedure', status: 'completed', subject, code: { text } }),
    oneSection(
      '47519-4',
      `<procedure classCode="PROC" moodCode="EVN">${original(text)}<statusCode code="completed"/></procedure>`,
    ),
  ];
}

function problems(text: string): readonly Buffer[] {
  return [
    json({
      resourceType: 'Condition',
      subject,
      code: { text },
      clinicalStatus: { coding: [{ code: 'active' }] },
    }),
    oneSection(
      '11450-4',
      '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
        'classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code code="ASSERTION"/>' +
        `<value xsi:type="CD" nullFlavor="OTH"><originalText>${text}</originalText></value></observation>` +
        '</entryRelationship></act>',
    ),
  ];
}

async function expectField(documents: readonly Buffer[], name: string, field: string, value: string): Promise<void> {
  for (const document of documents) {
    const [fact] = (await reader.read(document)).facts;
    expect([name, fact?.values[field]]).to.equal([name, value]);
  }
}

describe('a medicine', () => {
  it('is not taken where its name says that it is to be avoided, was refused, or is over', async () => {
    for (const name of [
      'Avoid NSAIDs',
      'NSAIDs (contraindicated)',
      'Allergic to aspirin',
      'Failed metformin',
      'Lisinopril – taken off 3/2023',
      'Prednisone (completed course)',
      'Amoxicillin finished',
      'Zoloft - patient declined',
      'Xarelto (denied by insurance)',
      'Old Rx: codeine',
      'Evitar AINEs',
      'Aspirin (kontraindiziert)',
      'Aspirin allergy',
      'Insulin - pt refuses',
    ]) {
      await expectField(medicines(name), name, 'status_title', 'Stopped');
    }
  });

  it('is not taken where a remark says so with all of its words', async () => {
    for (const [remark, status] of [
      ['Do not take', 'Stopped'],
      ['AVOID', 'Stopped'],
      ['Do not use', 'Stopped'],
      ['Avoid alcohol', 'Active'],
      ['Course completed.', 'Stopped'],
      ['Patient declined', 'Stopped'],
      ['Therapie beendet', 'Stopped'],
      ['If pregnant, do not take', 'Active'],
      ['Do not take with alcohol', 'Active'],
      ['Offered higher dose, patient declined', 'Active'],
      ['Take until finished', 'Active'],
    ] as const) {
      await expectField(medicines('Lisinopril', remark), remark, 'status_title', status);
    }
  });
});

/** A medicine that is active, with the remark as a note, as a comment, and as what the patient is told. */
function remarked(remark: string): readonly Buffer[] {
  const drug = { subject, status: 'active', medicationCodeableConcept: { text: 'Metoprolol' } };
  const comment =
    '<entryRelationship typeCode="SUBJ"><act classCode="ACT" moodCode="EVN"><templateId ' +
    'root="2.16.840.1.113883.10.20.22.4.64"/><code code="48767-8" codeSystem="2.16.840.1.113883.6.1"/>' +
    `<text>${remark}</text></act></entryRelationship>`;
  return [
    json({ resourceType: 'MedicationStatement', ...drug, note: [{ text: remark }] }),
    json({
      resourceType: 'MedicationRequest',
      intent: 'order',
      ...drug,
      dosageInstruction: [{ patientInstruction: remark }],
    }),
    given('10160-0', 'Metoprolol', '<statusCode code="active"/>')
      .toString()
      .replace('</consumable>', `</consumable>${comment}`),
  ].map((document) => Buffer.from(document));
}

describe('a medicine whose words do not fit to its status', () => {
  it('has a status that nobody knows, and all of its words', async () => {
    for (const name of [
      'Considering Prozac',
      'Start Eliquis tomorrow',
      'Will start Humira after surgery',
      'Digoxin?',
    ]) {
      await expectField(medicines(name), name, 'status_title', 'Unknown');
      await expectField(medicines(name), name, 'drugName_title', name);
      await expectField(medicines(name), name, 'notes', 'The sender’s entry has the status active.');
    }
    await expectField(medicines('Plan B One-Step'), 'Plan B', 'status_title', 'Active');
    await expectField(medicines('Start taking metformin'), 'Start taking', 'status_title', 'Active');
  });

  it('is on hold, stopped or not clear by what is remarked, wherever that stands', async () => {
    for (const [remark, status] of [
      ['On hold until surgery', 'On hold'],
      ['HOLD', 'On hold'],
      ['Take 1 daily. On hold until seen', 'On hold'],
      ['en pause jusqu’au 5 mars', 'On hold'],
      ['In pausa', 'On hold'],
      ['Sospeso fino al 5 marzo', 'On hold'],
      ['Tijdelijk gestopt', 'On hold'],
      ['On pause', 'On hold'],
      ['Suspendu', 'On hold'],
      ['Ne pas suspendre', 'Active'],
      ['stopped by patient', 'Stopped'],
      ['Will start after surgery', 'Unknown'],
      ['Patient ran out 2 months ago', 'Unknown'],
      ['Not tolerated', 'Unknown'],
      ['Completed 10 day course', 'Unknown'],
      ['Last dose 3/2020', 'Unknown'],
      ['Given in ED', 'Unknown'],
      ['Last dose at 6 pm', 'Active'],
      ['Switched to bisoprolol', 'Unknown'],
      ['Wird ersetzt durch Bisoprolol', 'Unknown'],
      ['Hold if SBP below 100', 'Active'],
      ['Stop if rash appears', 'Active'],
      ['Was on hold, resumed 3/5', 'Active'],
      ['Stop after 7 days', 'Active'],
      ['No longer than 10 days', 'Active'],
      ['Consider a higher dose', 'Active'],
      ['Stopped smoking in 2019', 'Active'],
      ['Stopped aspirin', 'Active'],
    ] as const) {
      await expectField(remarked(remark), remark, 'status_title', status);
    }
  });
});

describe('a medicine whose status is only a text', () => {
  it('is stopped where the text says that it is not taken', async () => {
    const status = (words: string): Buffer =>
      Buffer.from(
        given('10160-0', 'Metoprolol', '<statusCode code="active"/>')
          .toString()
          .replace(
            '</consumable>',
            '$&<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="33999-4" ' +
              'codeSystem="2.16.840.1.113883.6.1"/><value xsi:type="CD" nullFlavor="OTH"><originalText>' +
              `${words}</originalText></value></observation></entryRelationship>`,
          ),
      );
    await expectField([status('Not-Taking/PRN')], 'Not-Taking/PRN', 'status_title', 'Stopped');
    const notes = 'The sender’s entry has the status active. In the words of the source: Not-Taking/PRN.';
    await expectField([status('Not-Taking/PRN')], 'Not-Taking/PRN', 'notes', notes);
    await expectField([status('No longer taking')], 'No longer taking', 'status_title', 'Stopped');
    await expectField([status('Taking')], 'Taking', 'status_title', 'Taking');
  });
});

describe('a vaccination and an act', () => {
  it('may have been given or not where its name asks', async () => {
    for (const name of ['Tdap?', '? MMR', 'MMR (unsure)']) {
      for (const document of vaccines(name)) {
        const [fact] = (await reader.read(document)).facts;
        const said = ['product_name_title', 'administration_status_title', 'status_title', 'notes'].map(
          (field) => fact?.values[field] ?? null,
        );
        expect(said).to.equal([name, null, 'Unknown', 'The sender’s entry has the status completed.']);
      }
    }
  });

  it('was not given where its name says that it was only offered, ordered or waived', async () => {
    for (const name of [
      'Flu vaccine - out of stock',
      'Flu shot offered',
      'Influenza vaccine ordered',
      'MMR waiver',
      'Religious exemption',
      'Pneumovax - not eligible',
      'Flu deferred',
      'Grippe verschoben',
      'Never had MMR',
      'Immune to varicella',
      'Had measles',
      'Hepatitis B titer',
    ]) {
      await expectField(vaccines(name), name, 'administration_status_identifier', 'notAdministered');
    }
    await expectField(vaccines('Flu shot'), 'Flu shot', 'administration_status_identifier', 'doseGiven');
  });

  it('was not given where C-CDA names the reason of a refusal, whatever its negation says', async () => {
    const reason =
      '<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN"><templateId ' +
      'root="2.16.840.1.113883.10.20.22.4.53"/><code code="PATOBJ" codeSystem="2.16.840.1.113883.5.8"/><statusCode ' +
      'code="completed"/></observation></entryRelationship>';
    const document = oneSection(
      '11369-6',
      '<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="false"><statusCode code="completed"/>' +
        `<effectiveTime value="20230101"/><consumable><manufacturedProduct><manufacturedMaterial>${original('Influenza')}` +
        `</manufacturedMaterial></manufacturedProduct></consumable>${reason}</substanceAdministration>`,
    );
    await expectField([document], 'Influenza', 'administration_status_identifier', 'notAdministered');
  });

  it('was not done where its name says that it is planned, considered or cancelled', async () => {
    for (const name of [
      'Colonoscopy scheduled for 5/2027',
      'Considering bariatric surgery',
      'Cancelled: MRI',
      'Not done: mammogram',
      'Hip replacement planned',
      'Tubal ligation (requested)',
      'Appendectomy (aborted)',
    ]) {
      for (const document of acts(name)) {
        expect([name, ...(await outcomes(reader, document))]).to.equal([name, '1 Procedure negated']);
      }
    }
    await expectField(acts('Planned cesarean'), 'Planned cesarean', 'name', 'Planned cesarean');
  });
});

describe('a problem', () => {
  it('is not active where its name is that of an event with its year, or says that the person died', async () => {
    for (const [name, status] of [
      ['MI 2012', null],
      ['Stroke, 3/2015', null],
      ['s/p appendectomy 2009', null],
      ['Hip fracture (2018)', null],
      ['Expired', null],
      ['Verstorben', null],
      ['No longer has asthma', null],
      ['Asthma as a child', null],
      ['Ex-smoker', null],
      ['Tobacco use - quit 2010', null],
      ['Alcohol abuse, sober since 2015', null],
      ['Tobacco use, ready to quit', 'Active'],
      ['Smoker: unable to quit', 'Active'],
      ['Well child visit', null],
      ['Routine general medical examination', null],
      ['Encounter for immunization', null],
      ['Screening for colon cancer', null],
      ['Kontrolluntersuchung', null],
      ['Revisión anual', null],
      ['Well differentiated carcinoma', 'Active'],
      ['Seizures since 2012', 'Active'],
      ['Pneumonia 2019, recurred 2020', 'Active'],
      ['Cellulitis', 'Active'],
      ['Rh negative', 'Active'],
    ] as const) {
      for (const document of problems(name)) {
        const [fact] = (await reader.read(document)).facts;
        const said = [fact?.values['name_title'], fact?.values['clinicalStatus_title'] ?? null, fact?.values['notes']];
        const note = status === null ? 'The sender’s entry has the status active.' : null;
        expect(said).to.equal([name, status, note]);
      }
    }
  });

  it('is not active where a code of ICD-10 says that it is the reason of a visit', async () => {
    const condition = (code: string): Buffer =>
      json({
        resourceType: 'Condition',
        subject,
        clinicalStatus: { coding: [{ code: 'active' }] },
        code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code, display: 'Words' }] },
      });
    const observation = (code: string): Buffer =>
      Buffer.from(
        problems('Words')[1]!
          .toString()
          .replace(
            'nullFlavor="OTH"',
            `code="${code}" displayName="Words" codeSystem="2.16.840.1.113883.6.90" nullFlavor="OTH"`,
          )
          .replace(' nullFlavor="OTH"', ''),
      );
    for (const [code, status] of [
      ['Z00.00', null],
      ['Z12.31', null],
      ['Z23', null],
      ['Z21', 'Active'],
      ['Z95.0', 'Active'],
    ] as const) {
      for (const document of [condition(code), observation(code)]) {
        const [fact] = (await reader.read(document)).facts;
        expect([code, fact?.values['name_title'], fact?.values['clinicalStatus_title'] ?? null]).to.equal([
          code,
          'Words',
          status,
        ]);
      }
    }
  });

  it('with a year in its name is active only where its own status says so', async () => {
    const [fhir, concern] = problems('Breast cancer 2010');
    const titles = [fhir!, concern!].map(async (document) => {
      const [fact] = (await reader.read(document)).facts;
      return fact?.values['clinicalStatus_title'] ?? null;
    });
    expect(await Promise.all(titles)).to.equal(['Active', null]);
  });

  it('is none where the name only denies it', async () => {
    for (const name of [
      'Not diabetic',
      'Non-diabetic',
      'Patient is not hypertensive',
      'Denies chest pain',
      'Hep C neg',
      'Cancer-free',
      'Patient does not have diabetes',
      'Unremarkable',
      'Healthy',
    ]) {
      for (const document of problems(name)) {
        expect([name, ...(await outcomes(reader, document))]).to.equal([name, '1 Problem negated']);
      }
    }
    const own = 'Non-diabetic hypoglycemia';
    await expectField(problems(own), own, 'name_title', own);
  });

  it('is in remission or over where its name says so', async () => {
    for (const [name, status] of [
      ['Alcohol dependence, in remission', 'Remission'],
      ['Major depressive disorder, single episode, in full remission', 'Remission'],
      ['Major depressive disorder, in partial remission', 'Active'],
      ['Multiple myeloma not having achieved remission', 'Active'],
      ['COVID-19 (recovered)', 'Resolved'],
      ['Recovered memory', 'Active'],
    ] as const) {
      await expectField(problems(name), name, 'clinicalStatus_title', status);
    }
  });

  it('is one of the family where its name begins so, or names a relative in brackets', async () => {
    for (const name of ['Family: diabetes', 'Diabetes (husband)', 'Hypertonie (Mutter)', 'Diabetes (of father)']) {
      await expectField(problems(name), name, 'condition_title', name);
    }
    const own = 'Anaemia (mother of twins)';
    await expectField(problems(own), own, 'name_title', own);
  });
});

function allergies(text: string): readonly Buffer[] {
  const statement =
    '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.7"/><code ' +
    'code="ASSERTION"/><value xsi:type="CD" code="419199007" codeSystem="2.16.840.1.113883.6.96"/><participant ' +
    `typeCode="CSM"><participantRole><playingEntity><name>${text}</name></playingEntity></participantRole>` +
    '</participant></observation>';
  const allergy = { resourceType: 'AllergyIntolerance', patient: subject, code: { text } };
  return [json(allergy), oneSection('48765-2', statement)];
}

/** Allergies whose status is active, with a remark if there is one. */
function activeAllergies(text: string, remark: string): readonly Buffer[] {
  const [fhir, clinical] = allergies(text);
  const clinicalStatus = { coding: [{ code: 'active' }] };
  const note = remark === '' ? {} : { note: [{ text: remark }] };
  const status =
    '</participant><entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="33999-4" ' +
    'codeSystem="2.16.840.1.113883.6.1"/><value xsi:type="CD" code="55561003" codeSystem="2.16.840.1.113883.6.96"/>' +
    '</observation></entryRelationship>';
  const said = remark === '' ? '' : `<text>${remark}</text>`;
  const observation = clinical!
    .toString()
    .replace('</participant>', status)
    .replace('<code code="ASSERTION"/>', `$&${said}`);
  return [json({ ...JSON.parse(fhir!.toString()), clinicalStatus, ...note }), Buffer.from(observation)];
}

describe('an allergy', () => {
  it('is refuted where its name says that a test was negative', async () => {
    for (const name of ['Penicillin - tested negative', 'Amoxicillin, passed oral challenge', 'Latex (Test negativ)']) {
      await expectField(allergies(name), name, 'verificationStatus_identifier', 'refuted');
    }
  });

  it('is not called active where words beside it say that it is none, or that it is tolerated', async () => {
    for (const [name, remark, status] of [
      ['Penicillin - not a true allergy', '', null],
      ['Codeine (side effect only)', '', null],
      ['Codeine (intolerance, not allergy)', '', null],
      ['Aspirin, tolerates', '', null],
      ['Penicillin', 'Not a true allergy', null],
      ['Amoxicillin', 'Tolerated since 2019', null],
      ['Amoxicillin', 'Tolerates amoxicillin', null],
      ['Amoxicillin', 'Gut vertragen', null],
      ['Amoxicillin', 'Tolerates cephalexin', 'Active'],
      ['Penicillin', 'Not tolerated', 'Active'],
      ['Latex', 'Side effect: hives', 'Active'],
    ] as const) {
      for (const document of activeAllergies(name, remark)) {
        const [fact] = (await reader.read(document)).facts;
        const said = [fact?.values['allergen_title'], fact?.values['clinicalStatus_title'] ?? null];
        expect([remark, ...said]).to.equal([remark, name, status]);
        const notes = String(fact?.values['notes'] ?? '');
        expect(notes, name).to.contain(remark);
        expect(notes.includes('The sender’s entry has the status active.'), name).to.equal(status === null);
      }
    }
  });

  it('is none where a text only says who said that there is none', async () => {
    for (const [text, expected] of [
      ['pt states none', '1 Allergy negated'],
      ['patient denies', '1 Allergy negated'],
      ['none reported', '1 Allergy negated'],
      ['Patient reports no known drug allergies', 'AllergyExclusion: No known history of drug allergy'],
      ['Pt reports hives to sulfa', 'Allergy: Pt reports hives to sulfa'],
    ] as const) {
      for (const document of allergies(text)) {
        expect([text, ...(await outcomes(reader, document))]).to.equal([text, expected]);
      }
    }
  });

  it('is one to food only where its kind says so, because a UNII names any substance', async () => {
    const coding = [{ system: 'http://fdasis.nlm.nih.gov', code: 'R03A2S3Z0Q', display: 'Smallpox vaccine' }];
    const allergy = { resourceType: 'AllergyIntolerance', patient: subject, code: { coding } };
    for (const [category, food] of [
      [[], null],
      [['biologic'], null],
      [['food'], 'Smallpox vaccine'],
    ] as const) {
      const [fact] = (await reader.read(json({ ...allergy, category }))).facts;
      const said = [fact?.values['allergen_title'], fact?.values['food_allergen_title'] ?? null];
      expect(said).to.equal(['Smallpox vaccine', food]);
    }
  });
});

describe('an allergy behind "no allergies"', () => {
  it('is kept with its words, and what only says who said it is none', async () => {
    for (const [text, expected] of [
      ['No drug allergies; peanuts', 'Allergy: No drug allergies; peanuts'],
      ['No food allergies, penicillin causes hives', 'Allergy: No food allergies, penicillin causes hives'],
      ['NKA, penicillin', 'Allergy: NKA, penicillin'],
      ['No drug allergies (per patient)', '1 Allergy negated'],
      ['No known allergies, reviewed 3/2024', 'AllergyExclusion: No known allergies, reviewed 3/2024'],
      ['Not allergic to penicillin, tolerates amoxicillin', '1 Allergy negated'],
    ] as const) {
      for (const document of allergies(text)) {
        expect([text, ...(await outcomes(reader, document))]).to.equal([text, expected]);
      }
    }
  });
});
