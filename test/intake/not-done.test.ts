/** not-done: acts whose own words say that they were not done, and problems whose names say that they are over. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry, outcomes } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const subject = { reference: 'Patient/p' };
const json = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));
const template = (number: number): string => `<templateId root="2.16.840.1.113883.10.20.22.4.${number}"/>`;
const inWords = (text: string): string => `nullFlavor="OTH"><originalText>${text}</originalText>`;

const procedures = (text: string, note = ''): readonly Buffer[] => [
  json({
    resourceType: 'Procedure',
    status: 'completed',
    subject,
    code: { text },
    ...(note === '' ? {} : { note: [{ text: note }] }),
  }),
  clinicalDocument({
    section: '47519-4',
    entries: entry(
      `<procedure classCode="PROC" moodCode="EVN">${template(14)}<id root="2.999.6"/><code ${inWords(text)}</code>` +
        `<text>${note}</text><statusCode code="completed"/><effectiveTime value="20230105"/></procedure>`,
    ),
  }),
];

describe('what was not done', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  it('is no procedure where its name or a remark says so', async () => {
    for (const [name, note] of [
      ['Mammogram declined', ''],
      ['Colonoscopy (not done)', ''],
      ['Koloskopie nicht durchgeführt', ''],
      ['Colonoscopia - non eseguita', ''],
      ['Colonoscopie, non réalisée', ''],
      ['Coloscopie niet uitgevoerd', ''],
      ['Colonoscopia (não realizada)', ''],
      ['Koloskopie abgelehnt', ''],
      ['Colonoscopy - cancelled', ''],
      ['Colonoscopy (scheduled)', ''],
      ['Planned: hip replacement', ''],
      ['Refused mammogram', ''],
      ['Recommend colonoscopy', ''],
      ['Koloskopie fällig', ''],
      ['Colonoscopy due 2027', ''],
      ['Colonoscopy (scheduled 3/2027)', ''],
      ['Colonoscopy recommended', ''],
      ['Colonoscopy', 'Patient refused, not done'],
      ['Colonoscopy', 'Not done.'],
      ['Colonoscopy', 'Declined by patient'],
    ] as const) {
      for (const document of procedures(name, note)) {
        expect([name, note, await outcomes(reader, document)]).to.equal([name, note, ['1 Procedure negated']]);
      }
    }
    for (const name of [
      'Planned cesarean section',
      'Needs assessment',
      'Scheduled feeding',
      'Colonoscopy, next due 2033',
    ]) {
      for (const document of procedures(name, '')) {
        expect(await outcomes(reader, document)).to.equal(['Procedure: ']);
      }
    }
    for (const note of ['Patient declined sedation', 'Refused at first, given later', 'No complication']) {
      for (const document of procedures('Colonoscopy', note)) {
        expect(await outcomes(reader, document)).to.equal(['Procedure: ']);
      }
    }
  });

  const administrationsOf = async (text: string): Promise<readonly unknown[]> => {
    const vaccine = { resourceType: 'Immunization', status: 'completed', patient: subject, vaccineCode: { text } };
    const statement =
      `<substanceAdministration classCode="SBADM" moodCode="EVN">${template(52)}<id root="2.999.9"/><statusCode ` +
      'code="completed"/><effectiveTime value="20230105"/><consumable><manufacturedProduct><manufacturedMaterial>' +
      `<code ${inWords(text)}</code></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`;
    const clinical = clinicalDocument({ section: '11369-6', entries: entry(statement) });
    const all: unknown[] = [];
    for (const document of [json({ ...vaccine, occurrenceDateTime: '2023-01-05' }), clinical]) {
      const [fact] = (await reader.read(document)).facts;
      all.push(fact!.values['administration_status_identifier']);
    }
    return all;
  };

  it('is a vaccine that was not given where its name says so', async () => {
    for (const text of [
      'Influenza vaccine - declined',
      'Tdap: contraindicated',
      'Flu shot not indicated',
      'History of varicella disease',
      'MMR titer immune',
    ]) {
      expect([text, await administrationsOf(text)]).to.equal([text, ['notAdministered', 'notAdministered']]);
    }
    for (const text of ['Hepatitis B #2', 'History of influenza vaccination', 'Tdap, next due 2033']) {
      expect([text, await administrationsOf(text)]).to.equal([text, ['doseGiven', 'doseGiven']]);
    }
  });

  it('is a vaccine that was not given where words in the place of its day say so', async () => {
    const vaccine = {
      resourceType: 'Immunization',
      status: 'completed',
      patient: subject,
      vaccineCode: { text: 'MMR' },
    };
    for (const [words, given] of [
      ['never', 'notAdministered'],
      ['refused', 'notAdministered'],
      ['due 2027', 'notAdministered'],
      ['as a child', 'doseGiven'],
    ] as const) {
      const [fact] = (await reader.read(json({ ...vaccine, occurrenceString: words }))).facts;
      expect([words, fact!.values['administration_status_identifier']]).to.equal([words, given]);
    }
  });

  it('is an allergy that is over where its name says so', async () => {
    for (const [text, state] of [
      ['Egg (outgrown)', 'Resolved'],
      ['Penicillin (delabeled)', 'Resolved'],
      ['Egg (raw)', null],
    ] as const) {
      const allergy = { resourceType: 'AllergyIntolerance', patient: subject, code: { text } };
      const clinical = clinicalDocument({
        section: '48765-2',
        entries: entry(
          `<observation classCode="OBS" moodCode="EVN">${template(7)}<code code="ASSERTION"/><value xsi:type="CD" ` +
            'code="419199007" codeSystem="2.16.840.1.113883.6.96"/><participant typeCode="CSM"><participantRole>' +
            `<playingEntity><name>${text}</name></playingEntity></participantRole></participant></observation>`,
        ),
      });
      for (const document of [json(allergy), clinical]) {
        expect((await reader.read(document)).facts[0]!.values['clinicalStatus_title'] ?? null).to.equal(state);
      }
      const active = { ...allergy, clinicalStatus: { coding: [{ code: 'active' }] } };
      expect((await reader.read(json(active))).facts[0]!.values['clinicalStatus_title']).to.equal(state ?? 'Active');
    }
  });

  const standingOf = async (document: Buffer): Promise<readonly unknown[]> => {
    const { values } = (await reader.read(document)).facts.find(({ model }) => model === 'Allergy')!;
    return [values['clinicalStatus_title'] ?? null, values['verificationStatus_identifier'] ?? null, values['notes']];
  };
  const allergies = (text: string, note: string): readonly Buffer[] => [
    json({
      resourceType: 'AllergyIntolerance',
      patient: subject,
      clinicalStatus: { coding: [{ code: 'active' }] },
      code: { text },
      note: [{ text: note }],
    }),
    clinicalDocument({
      section: '48765-2',
      entries: entry(
        '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
          `classCode="OBS" moodCode="EVN">${template(7)}<code code="ASSERTION"/><text>${note}</text><value ` +
          'xsi:type="CD" code="419199007" codeSystem="2.16.840.1.113883.6.96"/><participant typeCode="CSM">' +
          `<participantRole><playingEntity><name>${text}</name></playingEntity></participantRole></participant>` +
          '</observation></entryRelationship></act>',
      ),
    }),
  ];

  it('is an allergy that is refuted or over where its words say so, whatever its status is, with these words', async () => {
    for (const [text, note, state, certainty] of [
      ['Penicillin', 'Entered in error', null, 'refuted'],
      ['Penicillin', 'Rash. Entered by mistake on 3/1/2024', null, 'refuted'],
      ['Penicillin', 'Allergie ausgeschlossen', null, 'refuted'],
      ['Penicillin', 'Alergia a penicillin descartada', null, 'refuted'],
      ['Penicillin - entered in error', 'x', null, 'refuted'],
      ['Penicillin', 'Allergy to penicillin removed', 'Resolved', null],
      ['Penicillin', 'Delabeled after oral challenge', 'Resolved', null],
      ['Allergy to penicillin removed', 'x', 'Resolved', null],
      ['Penicillin', 'Severity entered in error', 'Active', null],
      ['Penicillin', 'Allergy not ruled out', 'Active', null],
      ['Bee sting', 'Stinger removed', 'Active', null],
      ['Tape', 'Rash where the tape was removed', 'Active', null],
    ] as const) {
      for (const document of allergies(text, note)) {
        const [clinical, verification, notes] = await standingOf(document);
        expect([text, note, clinical, verification]).to.equal([text, note, state, certainty]);
        if (state !== 'Active') {
          expect(notes).to.contain('The sender’s entry has the status active.').and.to.contain(note);
        }
      }
    }
  });

  const problemsCalled = (text: string): readonly Buffer[] => {
    const condition = { resourceType: 'Condition', subject, code: { text } };
    const inClinical = (state: string): Buffer =>
      clinicalDocument({
        entries: entry(
          '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
            `classCode="OBS" moodCode="EVN">${template(4)}<code code="ASSERTION"/><value xsi:type="CD" ${inWords(text)}` +
            `</value>${state}</observation></entryRelationship></act>`,
        ),
      });
    return [
      json(condition),
      inClinical(''),
      json({ ...condition, clinicalStatus: { coding: [{ code: 'active' }] } }),
      inClinical(
        '<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="33999-4"/><value ' +
          'xsi:type="CD" code="55561003" codeSystem="2.16.840.1.113883.6.96" displayName="Active"/></observation>' +
          '</entryRelationship>',
      ),
    ];
  };
  const statesOf = async (text: string): Promise<readonly unknown[]> => {
    const read = await Promise.all(problemsCalled(text).map((document) => reader.read(document)));
    return read.map(({ facts }) => facts[0]!.values['clinicalStatus_title'] ?? null);
  };

  it('is a problem that is over where its name says so, whatever its status says, and tells both', async () => {
    for (const text of [
      'Pneumonia (resolved)',
      'Pneumonia - resolved',
      'Pneumonie, abgeheilt',
      'Asthma - resolved 2019',
      'DVT (2015, resolved)',
      'Fracture, healed',
      'Anaemia - resolved after delivery',
      'Pneumonia resolved 3/2019',
      'Resolved: Pneumonia',
      'Neumonía, resuelta',
    ]) {
      expect([text, ...(await statesOf(text))]).to.equal([text, ...Array<string>(4).fill('Resolved')]);
      for (const document of problemsCalled(text).slice(2)) {
        const [fact] = (await reader.read(document)).facts;
        expect(fact!.values).to.include({ name_title: text, notes: 'The sender’s entry has the status active.' });
      }
    }
    for (const text of [
      'Wound, not healed',
      'Wound - healed badly',
      'Unresolved grief',
      'Pneumonia, resolved 2019, recurred 2020',
      'Resolving pneumonia',
      'Fracture, partially healed',
    ]) {
      expect([text, ...(await statesOf(text))]).to.equal([text, null, 'Active', 'Active', 'Active']);
    }
  });

  it('is a problem that is over where its only remark says so and nothing else', async () => {
    const active = { coding: [{ code: 'active' }] };
    for (const [text, state] of [
      ['resolved', 'Resolved'],
      ['Problem resolved 2019', 'Resolved'],
      ['Not resolved', 'Active'],
      ['Cough resolved', 'Active'],
      ['Seen in March; resolved', 'Active'],
    ] as const) {
      const condition = { resourceType: 'Condition', subject, code: { text: 'Gout' }, clinicalStatus: active };
      const [fact] = (await reader.read(json({ ...condition, note: [{ text }] }))).facts;
      expect([text, fact!.values['clinicalStatus_title']]).to.equal([text, state]);
      expect(fact!.values['notes']).to.contain(text);
    }
  });

  it('is a problem that nobody calls active where it was taken out since', async () => {
    for (const text of ['Gallstones s/p removal', 'Appendicitis status post appendectomy', 'Previous stroke']) {
      expect([text, ...(await statesOf(text))]).to.equal([text, null, null, null, null]);
    }
    for (const text of ['Knee pain s/p fall', 'CAD s/p stent']) {
      expect([text, ...(await statesOf(text))]).to.equal([text, null, 'Active', 'Active', 'Active']);
    }
  });

  it('keeps the unit of a range of which only the upper bound has one', async () => {
    const code = { text: 'WBC' };
    const valueRange = { low: { value: 5 }, high: { value: 10, unit: '/HPF' } };
    const observation = { resourceType: 'Observation', status: 'final', subject, code, valueRange };
    const category = [{ coding: [{ code: 'laboratory' }] }];
    const [fact] = (await reader.read(json({ ...observation, category }))).facts;
    expect(fact!.values['narrative_result']).to.equal('5 - 10 /HPF');
  });
});
