/**
 * of-family: the name of an allergy or a problem may say that a relative has it. Then it is not the person's: an allergy
 * is left out and told, a problem is history of the family. Who only reports it does not have it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry, outcomes } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const SNOMED = '2.16.840.1.113883.6.96';

function clinicalOf(section: string, names: readonly string[], template: string, name: (text: string) => string) {
  const entries = names.map((text) =>
    entry(
      '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
        `classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.${template}"/><code code="ASSERTION"/>` +
        `${name(text)}</observation></entryRelationship></act>`,
    ),
  );
  return clinicalDocument({ section, entries: entries.join('') });
}

function fhirOf(resourceType: string, whose: string, names: readonly string[]): Buffer {
  const entry = names.map((text) => ({
    resource: { resourceType, [whose]: { reference: 'Patient/p' }, code: { text } },
  }));
  return Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
}

const allergies = (names: readonly string[]): readonly Buffer[] => [
  clinicalOf(
    '48765-2',
    names,
    '7',
    (name) =>
      `<value xsi:type="CD" code="419199007" codeSystem="${SNOMED}"/><participant typeCode="CSM"><participantRole>` +
      `<playingEntity><name>${name}</name></playingEntity></participantRole></participant>`,
  ),
  fhirOf('AllergyIntolerance', 'patient', names),
];
const problems = (names: readonly string[]): readonly Buffer[] => [
  clinicalOf(
    '11450-4',
    names,
    '4',
    (name) => `<value xsi:type="CD" nullFlavor="OTH"><originalText>${name}</originalText></value>`,
  ),
  fhirOf('Condition', 'subject', names),
];

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

describe('what relatives have', () => {
  it('is no allergy of the person, and told', async () => {
    const names = [
      'Penicillin (mother)',
      'Penicillin - mother',
      'allergy of father',
      'Penicillin allergy in mother',
      'Mother allergic to penicillin',
      'Patient’s mother is allergic to latex',
      'Maternal allergy to sulfa',
      'Father: nuts',
      'Sister has peanut allergy',
      'FH: penicillin allergy',
      'Family history of latex allergy',
      'Penicillin (Mutter)',
      'Penicillinallergie der Mutter',
      'Alergia a la penicilina (madre)',
    ];
    for (const document of allergies(names)) {
      expect(await outcomes(reader, document)).to.equal([`${names.length} Allergy other_person`]);
    }
  });

  it('is not what a relative only reports, or what only sounds like one', async () => {
    const names = [
      'Penicillin (per mother)',
      'Penicillin, reported by mother',
      'Penicillin (mother reports hives)',
      'mother states amoxicillin rash',
      'Mother’s milk',
      'Mother of pearl',
      'Motherwort',
    ];
    const expected = names.map((name) => `Allergy: ${name}`);
    for (const document of allergies(names)) {
      expect(await outcomes(reader, document)).to.equal(expected);
    }
  });

  it('does not take an allergy from the person because a longer text also speaks of a relative', async () => {
    const text = 'Rash and swelling as a child after the first dose. Mother is allergic, too; sister has hay fever.';
    const statement =
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.7"/><code code="ASSERTION"/>' +
      `<text>${text}</text><value xsi:type="CD" code="419199007" codeSystem="${SNOMED}"/><participant typeCode="CSM">` +
      '<participantRole><playingEntity><name>Penicillin</name></playingEntity></participantRole></participant></observation>';
    const document = clinicalDocument({ section: '48765-2', entries: entry(statement) });
    expect(await outcomes(reader, document)).to.equal(['Allergy: Penicillin']);
  });

  it('is history of the family where it stands among the problems', async () => {
    const names = ['Family history of breast cancer', 'FH: diabetes', 'Mother had stroke', 'Father - MI at 50'];
    for (const document of problems(names)) {
      const { facts, leftOut } = await reader.read(document);
      expect(facts.map(({ model, values }) => [model, values['condition_title']])).to.equal(
        names.map((name) => ['FamilyHistory', name]),
      );
      expect(leftOut).to.equal([]);
    }
  });

  it('keeps its times, its site and its stage', async () => {
    const resource = {
      resourceType: 'Condition',
      subject: { reference: 'Patient/p' },
      code: { text: 'Mother had breast cancer' },
      clinicalStatus: { coding: [{ code: 'resolved' }] },
      onsetDateTime: '1998-04',
      abatementDateTime: '2001',
      bodySite: [{ text: 'Left breast' }],
      stage: [{ summary: { text: 'Stage II' } }],
      note: [{ text: 'Told by the daughter' }],
    };
    const [fact] = (await reader.read(Buffer.from(JSON.stringify(resource)))).facts;
    expect(fact!.values).to.include({
      onset: '1998-04',
      notes: 'Told by the daughter Ended: 2001. Status: resolved. Site: Left breast. Stage: Stage II.',
    });
    const statement =
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code ' +
      'code="ASSERTION"/><effectiveTime><low value="19980401"/><high value="20010305"/></effectiveTime><value ' +
      'xsi:type="CD" nullFlavor="OTH"><originalText>Mother had breast cancer</originalText></value><targetSiteCode ' +
      `code="80248007" codeSystem="${SNOMED}" displayName="Left breast"/></observation>`;
    const [clinical] = (await reader.read(clinicalDocument({ entries: entry(statement) }))).facts;
    expect(clinical!.values).to.include({
      onset: '1998-04-01',
      notes: 'Ended: 2001-03-05. Status: Inactive. Site: Left breast.',
    });
  });

  const NO_ILLNESS: readonly string[] = [
    ...['Adopted - unknown', 'Unknown family history', 'Non-contributory', 'Noncontributory', 'Negative', 'None'],
    ...['Adopted', 'Unremarkable', 'No known problems', 'No family history of diabetes', 'Family history unknown'],
    ...['not on file', 'denies', 'Family history negative for breast cancer', 'unauffällig', 'leer', 'Healthy', 'NC'],
    ...[
      'alive and well',
      'Diabetes: no',
      'Unable to obtain due to adoption',
      'sin antecedentes',
      'Reviewed and negative',
    ],
    ...['Sin antecedentes familiares de interés', 'Deceased', 'غير معروف'],
  ];

  it('is no illness where it is said that there is none, or that nobody knows, and keeps its words', async () => {
    const relatives = (names: readonly string[]): readonly Buffer[] => [
      clinicalDocument({
        section: '10157-6',
        entries: names
          .map((name) =>
            entry(
              '<organizer classCode="CLUSTER" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.45"/><statusCode ' +
                'code="completed"/><subject><relatedSubject classCode="PRS"><code code="FTH" displayName="Father"/>' +
                '</relatedSubject></subject><component><observation classCode="OBS" moodCode="EVN"><templateId ' +
                `root="2.16.840.1.113883.10.20.22.4.46"/><code code="64572001" codeSystem="${SNOMED}"/><statusCode ` +
                `code="completed"/><value xsi:type="CD" nullFlavor="OTH"><originalText>${name}</originalText></value>` +
                '</observation></component></organizer>',
            ),
          )
          .join(''),
      }),
      Buffer.from(
        JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: names.map((text) => ({
            resource: {
              resourceType: 'FamilyMemberHistory',
              status: 'completed',
              patient: { reference: 'Patient/p' },
              relationship: { text: 'Father' },
              condition: [{ code: { text } }],
            },
          })),
        }),
      ),
    ];
    const said = async (document: Buffer) =>
      (await reader.read(document)).facts.map(({ values }) => [
        values['condition_title'] ?? null,
        values['notes'] ?? null,
      ]);
    for (const document of relatives(NO_ILLNESS)) {
      expect(await said(document)).to.equal(NO_ILLNESS.map((name) => [null, `In the words of the source: ${name}.`]));
    }
    const illnesses = ['Old age', 'Negative symptoms', 'Unknown cancer', 'Adopted; birth mother had breast cancer'];
    for (const document of relatives(illnesses)) {
      expect(await said(document)).to.equal(illnesses.map((name) => [name, null]));
    }
    for (const document of problems(['Family history unknown'])) {
      const { facts } = await reader.read(document);
      expect(facts[0]!.values).to.include({ relation_title: 'Family member', condition_title: null });
      expect(facts[0]!.values['notes']).to.match(/^In the words of the source: Family history unknown\./);
    }
  });

  it('is a problem of the person where it is about being a mother, or inherited', async () => {
    const names = [
      'Anaemia in mother complicating pregnancy',
      'Maternal care for breech',
      'Infant of diabetic mother',
      'Death of mother',
      'FH (familial hypercholesterolaemia)',
      'Familiäre Hypercholesterinämie',
    ];
    const expected = names.map((name) => `Problem: ${name}`);
    for (const document of problems(names)) {
      expect(await outcomes(reader, document)).to.equal(expected);
    }
  });
});

describe('a medicine or an act', () => {
  const subject = { reference: 'Patient/p' };
  const both = (text: string): readonly object[] => [
    {
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'order',
      subject,
      medicationCodeableConcept: { text },
    },
    { resourceType: 'Procedure', status: 'completed', subject, code: { text } },
  ];
  const clinical = (text: string): readonly Buffer[] => {
    const code = `<code nullFlavor="OTH"><originalText>${text}</originalText></code>`;
    return [
      clinicalDocument({
        section: '10160-0',
        entries: entry(
          '<substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="active"/><consumable>' +
            `<manufacturedProduct><manufacturedMaterial>${code}</manufacturedMaterial></manufacturedProduct></consumable>` +
            '</substanceAdministration>',
        ),
      }),
      clinicalDocument({
        section: '47519-4',
        entries: entry(`<procedure classCode="PROC" moodCode="EVN">${code}<statusCode code="completed"/></procedure>`),
      }),
    ];
  };

  it('is left out where its name says that it is that of a relative, and by itself only', async () => {
    for (const [text, left] of [
      ['Albuterol (son)', true],
      ['Hysterectomy (mother)', true],
      ['Hysterektomie - Mutter', true],
      ['Amniocentesis of mother', false],
      ['Cesarean section, maternal request', false],
      ["Mother's milk tea", false],
    ] as const) {
      const documents = [...both(text).map((one) => Buffer.from(JSON.stringify(one))), ...clinical(text)];
      for (const document of documents) {
        const { facts, leftOut } = await reader.read(document);
        expect([text, leftOut.map(({ reason }) => reason)]).to.equal([text, left ? ['other_person'] : []]);
        expect(facts).to.have.length(left ? 0 : 1);
      }
    }
  });
});
