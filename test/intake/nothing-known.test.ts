/**
 * nothing known: what "no known ..." says, and what it does not say. A text that also names something that is there is
 * that thing in the sender's words; a text of which nobody knows anything is neither an allergy nor the lack of one.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry, oneSection, outcomes } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const ALLERGY = 'code="419199007" codeSystem="2.16.840.1.113883.6.96" displayName="Allergy"';
const NONE = 'code="716186003" codeSystem="2.16.840.1.113883.6.96" displayName="No known allergy"';

const substance = (name: string): string =>
  `<value xsi:type="CD" ${ALLERGY}/><participant typeCode="CSM"><participantRole><playingEntity>` +
  `<name>${name}</name></playingEntity></participantRole></participant>`;

const statement = (inside: string, attributes = ''): string =>
  entry(
    `<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ` +
      `classCode="OBS" moodCode="EVN" ${attributes}><templateId root="2.16.840.1.113883.10.20.22.4.7"/>` +
      `<code code="ASSERTION"/>${inside}</observation></entryRelationship></act>`,
  );

async function readClinical(...statements: readonly string[]): Promise<readonly string[]> {
  return outcomes(reader, clinicalDocument({ section: '48765-2', entries: statements.join('') }));
}

async function readFhir(...codes: readonly object[]): Promise<readonly string[]> {
  const entries = codes.map((code, index) => ({
    resource: { resourceType: 'AllergyIntolerance', id: `a${index}`, patient: { reference: 'Patient/p' }, code },
  }));
  return outcomes(reader, Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries })));
}

const EXCEPTIONS: readonly string[] = [
  'No known allergies, except sulfa',
  'NO KNOWN ALLERGIES EXCEPT FOR PENICILLIN',
  'NKDA other than codeine',
  'No allergies but bee stings',
  'No known drug allergies apart from ibuprofen',
  'No known allergies. Exception: latex',
  'NKDA; penicillin - hives',
  'NKA (allergic to shellfish)',
  'No known food allergies with the exception of peanuts',
  'Patient has no allergies aside from cats',
  'Keine Allergien bekannt außer Penicillin',
  'Keine bekannten Allergien, ausgenommen Nüsse',
  'Aucune allergie connue sauf pénicilline',
  'Sin alergias conocidas excepto sulfamidas',
  'Nessuna allergia nota tranne aspirina',
  'None known except latex',
  'Patient denies allergies except codeine',
];

const UNKNOWN: readonly string[] = [
  'Allergies have not been reviewed',
  'Allergies not on file',
  'Unable to obtain',
  'Unable to assess allergies due to patient condition',
  'Not reviewed',
  'Not assessed',
  'Allergies unknown',
  'Allergy status not known',
  'Unknown',
  'Allergien nicht erhoben',
  'Unbekannt',
  'N/A',
  'Deferred',
  '-',
  '?',
];

/** Names that name nothing: no allergen, medicine, problem, vaccine, procedure or device is called so. */
const NAMELESS: readonly string[] = [
  ...['No', 'No.', 'None', 'none.', '-none-', '(None)', '"None"', 'Nil', 'Negative', 'Nein', 'Keine', 'nichts', 'o.B.'],
  ...['None noted', 'None per patient', 'none at this time', 'None currently', 'denied', 'ninguna', 'Nada', 'Aucune'],
  ...[
    'Néant',
    'Nessuna',
    'Geen',
    'Nee',
    'Ingen',
    'Inga kända',
    'Brak',
    'Não',
    'Нет',
    'لا يوجد',
    'لا شيء',
    '無',
    '特になし',
  ],
];
const NOT_TOLD: readonly string[] = [
  ...['n/a', 'NA', 'N.A.', 'unknown', 'UNK', 'Unknown.', 'none documented', 'None listed', 'k.A.', 'k. A.'],
  ...['nicht zutreffend', 'desconoce', 'no aplica', 'NC', 'onbekend', 'okänt', 'غير معروف'],
  ...['nicht durchgeführt', 'sin datos', 'non fatto', 'non eseguito'],
  ...['non réalisé', 'non disponible', 'niet uitgevoerd', 'ej utfört', 'não informado', 'não realizado', 'غير متوفر'],
];

describe('nothing known', () => {
  it('takes no name for something that only says "no", "none" or "unknown", in any list', async () => {
    for (const [names, reason] of [
      [NAMELESS, 'negated'],
      [NOT_TOLD, 'no_information'],
    ] as const) {
      for (const name of names) {
        expect(await readClinical(statement(substance(name.replaceAll('"', '&quot;')))), name).to.equal([
          `1 Allergy ${reason}`,
        ]);
      }
      expect(await readFhir(...names.map((text) => ({ text })))).to.equal([`${names.length} Allergy ${reason}`]);
      const others = names.flatMap((text) => [
        { resourceType: 'Condition', subject: { reference: 'Patient/p' }, code: { text } },
        {
          resourceType: 'MedicationStatement',
          status: 'active',
          subject: { reference: 'Patient/p' },
          medicationCodeableConcept: { text },
        },
      ]);
      const entries = others.map((resource) => ({ resource }));
      const bundle = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries }));
      expect(await outcomes(reader, bundle)).to.equal([
        `${names.length} Problem ${reason}`,
        `${names.length} Medication ${reason}`,
      ]);
    }
  });

  it('is said in languages without spaces, too', async () => {
    for (const text of ['アレルギーなし', '无已知过敏', '알레르기 없음']) {
      expect(await readFhir({ text })).to.equal(['AllergyExclusion: No known allergies']);
      expect(await readClinical(statement(substance(text)))).to.equal(['AllergyExclusion: No known allergies']);
    }
    expect(await readFhir({ text: '卵アレルギー' })).to.equal(['Allergy: 卵アレルギー']);
  });

  it('keeps what such words stand beside', async () => {
    const names = ['Unknown drug', 'Nitrates', 'None but penicillin', 'Nonoxynol-9', 'Negram'];
    expect(await readFhir(...names.map((text) => ({ text })))).to.equal(names.map((name) => `Allergy: ${name}`));
  });

  it('reads short forms of "no known allergies" of each kind', async () => {
    const expected = [
      'AllergyExclusion: No known history of drug allergy',
      'AllergyExclusion: No known history of drug allergy',
      'AllergyExclusion: No known food allergy',
      'AllergyExclusion: No known allergies',
    ];
    const names = ['N.K.D.A.', 'NKMA', 'NKFA', 'N.K.A.'];
    expect(await readClinical(...names.map((name) => statement(substance(name))))).to.equal(expected);
    expect(await readFhir(...names.map((text) => ({ text })))).to.equal(expected);
  });

  it('keeps an exception to "no known allergies" as an allergy in its words, in both formats', async () => {
    const expected = EXCEPTIONS.map((words) => `Allergy: ${words}`);
    expect(await readClinical(...EXCEPTIONS.map((words) => statement(substance(words))))).to.equal(expected);
    expect(await readFhir(...EXCEPTIONS.map((text) => ({ text })))).to.equal(expected);
  });

  it('believes the words of an exception more than the code beside them', async () => {
    const words = 'No known allergies except sulfa';
    const coded = `<value xsi:type="CD" ${NONE}><originalText>${words}</originalText></value>`;
    const negated = `<text>${words}</text><value xsi:type="CD" ${ALLERGY}/>`;
    expect(await readClinical(statement(coded), statement(negated, 'negationInd="true"'))).to.equal([
      `Allergy: ${words}`,
      `Allergy: ${words}`,
    ]);
    const coding = [{ system: 'http://snomed.info/sct', code: '716186003', display: 'No known allergy' }];
    expect(await readFhir({ coding, text: words })).to.equal([`Allergy: ${words}`]);
  });

  it('takes no text for an allergy that says that nobody knows', async () => {
    const expected = [`${UNKNOWN.length} Allergy no_information`];
    expect(await readClinical(...UNKNOWN.map((words) => statement(substance(words))))).to.equal(expected);
    expect(await readFhir(...UNKNOWN.map((text) => ({ text })))).to.equal(expected);
  });

  it('says no more than was said: a plain text gets its code, a narrower one keeps its words', async () => {
    const texts = [
      'No Known Allergies',
      'No known allergy (situation)',
      'NKDA',
      'No known drug or food allergies',
      'No known allergies to latex',
    ];
    const expected = [
      'AllergyExclusion: No known allergies',
      'AllergyExclusion: No known allergies',
      'AllergyExclusion: No known history of drug allergy',
      'AllergyExclusion: No known drug or food allergies',
      'AllergyExclusion: No known allergies to latex',
    ];
    expect(await readClinical(...texts.map((words) => statement(substance(words))))).to.equal(expected);
    expect(await readFhir(...texts.map((text) => ({ text })))).to.equal(expected);
  });

  it('does not believe a code for "none" beside an allergen, a reaction or an exception in a remark', async () => {
    const coding = [{ system: 'http://snomed.info/sct', code: '716186003', display: 'No known allergy' }];
    const one = (more: object) => ({
      resourceType: 'AllergyIntolerance',
      patient: { reference: 'Patient/p' },
      ...more,
    });
    const told = [
      one({ code: { coding, text: 'Penicillin' } }),
      one({ code: { coding }, reaction: [{ substance: { text: 'Amoxicillin' }, manifestation: [{ text: 'Hives' }] }] }),
      one({ code: { coding }, note: [{ text: 'except codeine' }] }),
      one({ code: { coding, text: 'No documented allergies' }, note: [{ text: 'asked twice' }] }),
    ];
    const entries = told.map((resource) => ({ resource }));
    const bundle = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries }));
    expect(await outcomes(reader, bundle)).to.equal([
      'Allergy: Penicillin',
      'Allergy: Amoxicillin',
      'Allergy: No known allergy: except codeine',
      'AllergyExclusion: No known allergies',
    ]);
    const named =
      `<value xsi:type="CD" ${NONE}/><participant typeCode="CSM"><participantRole><playingEntity><code code="7980" ` +
      'codeSystem="2.16.840.1.113883.6.88" displayName="Penicillin"/></playingEntity></participantRole></participant>';
    const remarked =
      `<value xsi:type="CD" ${NONE}/><entryRelationship typeCode="SUBJ"><act classCode="ACT" moodCode="EVN"><code ` +
      'code="48767-8"/><text>but reacted to codeine</text></act></entryRelationship>';
    expect(await readClinical(statement(named), statement(remarked))).to.equal([
      'Allergy: Penicillin',
      'Allergy: No known allergy: but reacted to codeine',
    ]);
  });

  it('takes nothing for an allergy or a problem that is said to be tolerated or not there', async () => {
    const allergies = ['Tolerates cephalosporins', 'Negative penicillin skin test', 'Penicillin: no', 'Latex - denied'];
    expect(await readClinical(...allergies.map((words) => statement(substance(words))))).to.equal([
      '4 Allergy negated',
    ]);
    expect(await readFhir(...allergies.map((text) => ({ text })))).to.equal(['4 Allergy negated']);
    const problems = ['Diabetes: no', 'Diabetes - denied', 'HIV: negative', 'Hypertonie verneint', 'Rh negative'];
    const entry = problems.map((text) => ({
      resource: { resourceType: 'Condition', subject: { reference: 'Patient/p' }, code: { text } },
    }));
    const bundle = Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
    expect(await outcomes(reader, bundle)).to.equal(['Problem: Rh negative', '4 Problem negated']);
  });

  it('takes nothing for a problem that is named with "no" or as a negative test, and keeps what begins alike', async () => {
    const denied = [
      'No diabetes',
      'No heart disease, hypertension or stroke',
      'Kein Diabetes',
      'Sin diabetes',
      'Pregnancy test negative',
      'Negative HIV test',
    ];
    const kept = [
      'No-show',
      'Nonunion',
      'No. 2 nail dystrophy',
      'No light perception',
      'No social support',
      'No pain relief',
      'Kein Antrieb',
      'Triple negative breast cancer',
    ];
    for (const [names, expected] of [
      [denied, () => '1 Problem negated'],
      [kept, (name: string) => `Problem: ${name}`],
    ] as const) {
      for (const text of names) {
        const fhir = { resourceType: 'Condition', subject: { reference: 'Patient/p' }, code: { text } };
        const statement =
          '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code ' +
          `code="ASSERTION"/><value xsi:type="CD" nullFlavor="OTH"><originalText>${text}</originalText></value></observation>`;
        for (const document of [Buffer.from(JSON.stringify(fhir)), oneSection('11450-4', statement)]) {
          expect(await outcomes(reader, document)).to.equal([expected(text)]);
        }
      }
    }
    const coding = [{ system: 'http://snomed.info/sct', code: '73211009', display: 'Diabetes' }];
    const coded = {
      resourceType: 'Condition',
      subject: { reference: 'Patient/p' },
      code: { text: 'No diabetes', coding },
    };
    expect(await outcomes(reader, Buffer.from(JSON.stringify(coded)))).to.equal(['1 Problem negated']);
    const procedure = { resourceType: 'Procedure', status: 'completed', subject: { reference: 'Patient/p' } };
    const done = Buffer.from(JSON.stringify({ ...procedure, code: { text: 'Pregnancy test negative' } }));
    expect(await outcomes(reader, done)).to.equal(['Procedure: ']);
  });

  it('still reads allergens whose names begin alike', async () => {
    const names = ['Unknown antibiotic', 'Nonoxynol', 'Noni juice', 'Nickel'];
    const expected = names.map((name) => `Allergy: ${name}`);
    expect(await readClinical(...names.map((name) => statement(substance(name))))).to.equal(expected);
    expect(await readFhir(...names.map((text) => ({ text })))).to.equal(expected);
  });
});

describe('no known medicines or problems', () => {
  const ips = (code: string) => ({
    coding: [{ system: 'http://hl7.org/fhir/uv/ips/CodeSystem/absent-unknown-uv-ips', code }],
  });
  const snomed = (code: string, display: string) => ({ coding: [{ system: 'http://snomed.info/sct', code, display }] });
  const taking = (medicationCodeableConcept: object, more: object = {}) => ({
    resource: {
      resourceType: 'MedicationStatement',
      status: 'active',
      medicationCodeableConcept,
      subject: { reference: 'Patient/p' },
      ...more,
    },
  });
  const having = (code: object, more: object = {}) => ({
    resource: { resourceType: 'Condition', code, subject: { reference: 'Patient/p' }, ...more },
  });
  const read = (entry: readonly object[]) =>
    outcomes(reader, Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })));

  it('is kept as said, by code and by plain words, from FHIR', async () => {
    expect(
      await read([
        taking(ips('no-known-medications')),
        taking(snomed('787481004', 'No known medications (situation)')),
        taking({ text: 'No known medications' }),
        having(ips('no-known-problems')),
        having(snomed('160245001', 'No current problems or disability')),
        having({ text: 'No known problems' }),
      ]),
    ).to.equal([
      'AllergyExclusion: No known medications',
      'AllergyExclusion: No known medications',
      'AllergyExclusion: No known medications',
      'AllergyExclusion: No known problems',
      'AllergyExclusion: No known problems',
      'AllergyExclusion: No known problems',
    ]);
  });

  it('says nothing where it is over, refuted, narrower or has a remark', async () => {
    const state = (code: string) => ({ coding: [{ code }] });
    expect(
      await read([
        taking(ips('no-known-medications'), { status: 'completed' }),
        taking({ text: 'No known medications for pain' }),
        taking(ips('no-known-medications'), { note: [{ text: 'except codeine' }] }),
        having(ips('no-known-problems'), { clinicalStatus: state('resolved') }),
        having(ips('no-known-problems'), { verificationStatus: state('refuted') }),
        having({ text: 'No known heart problems' }),
      ]),
    ).to.equal(['3 Medication negated', '3 Problem negated']);
  });

  it('is kept as said from a clinical document, also where it is the negation of "a medicine" or "a problem"', async () => {
    const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
    const problem = (value: string, attributes = '', more = '') =>
      entry(
        '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
          `classCode="OBS" moodCode="EVN" ${attributes}><templateId root="2.16.840.1.113883.10.20.22.4.4"/>` +
          `<code code="55607006" ${SNOMED}/><statusCode code="completed"/>${more}<value xsi:type="CD" ${value}/>` +
          '</observation></entryRelationship></act>',
      );
    const medicine = (code: string, attributes = '') =>
      entry(
        `<substanceAdministration classCode="SBADM" moodCode="EVN" ${attributes}><statusCode code="active"/>` +
          '<effectiveTime xsi:type="IVL_TS" nullFlavor="NA"/><consumable><manufacturedProduct><manufacturedMaterial>' +
          `${code}</manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`,
      );
    const negated = 'negationInd="true"';
    const problems = [
      problem(`code="160245001" ${SNOMED} displayName="No current problems or disability"`),
      problem(`code="55607006" ${SNOMED} displayName="Problem"`, negated),
      problem(`code="195967001" ${SNOMED} displayName="Asthma"`, negated),
      problem(`code="55607006" ${SNOMED} displayName="Heart problem"`, negated),
      problem(
        `code="55607006" ${SNOMED} displayName="Problem"`,
        negated,
        '<effectiveTime><high value="2020"/></effectiveTime>',
      ),
    ].join('');
    expect(await outcomes(reader, clinicalDocument({ section: '11450-4', entries: problems }))).to.equal([
      'AllergyExclusion: No known problems',
      'AllergyExclusion: No known problems',
      '3 Problem negated',
    ]);
    const medicines = [
      medicine(`<code code="787481004" ${SNOMED} displayName="No known medications"/>`),
      medicine(`<code code="410942007" ${SNOMED} displayName="Drug or medication"/>`, negated),
      medicine(
        `<code nullFlavor="OTH"><translation code="410942007" ${SNOMED} displayName="drug or medication"/></code>`,
        negated,
      ),
      medicine('<code code="7980" codeSystem="2.16.840.1.113883.6.88" displayName="Penicillin"/>', negated),
    ].join('');
    expect(await outcomes(reader, clinicalDocument({ section: '10160-0', entries: medicines }))).to.equal([
      'AllergyExclusion: No known medications',
      'AllergyExclusion: No known medications',
      'AllergyExclusion: No known medications',
      '1 Medication negated',
    ]);
  });

  it('reads an overdose as the problem that it is', async () => {
    expect(await read([having(snomed('1149222004', 'Overdose'))])).to.equal(['Problem: Overdose']);
  });
});

describe('a reaction', () => {
  const templates = '2.16.840.1.113883.10.20.22.4';
  const clinical = (allergen: string, ...reactions: readonly string[]): Buffer => {
    const parts = reactions.map(
      (words) =>
        '<entryRelationship typeCode="MFST" inversionInd="true"><observation classCode="OBS" moodCode="EVN"><templateId ' +
        `root="${templates}.9"/><code code="ASSERTION"/><value xsi:type="CD" nullFlavor="OTH"><originalText>${words}` +
        '</originalText></value></observation></entryRelationship>',
    );
    const inside = `${substance(allergen)}${parts.join('')}`;
    return clinicalDocument({ section: '48765-2', entries: statement(inside) });
  };
  const ofFhir = (text: string, ...reactions: readonly string[]): Buffer =>
    Buffer.from(
      JSON.stringify({
        resourceType: 'AllergyIntolerance',
        patient: { reference: 'Patient/p' },
        code: { text },
        reaction: [{ manifestation: reactions.map((words) => ({ text: words })) }],
      }),
    );
  const both = (allergen: string, ...reactions: readonly string[]) => [
    clinical(allergen, ...reactions),
    ofFhir(allergen, ...reactions),
  ];

  it('that names none is told in the notes, and is no reaction', async () => {
    for (const words of ['None', 'No reaction', 'N/A', 'unknown', 'Reaction unknown', 'Keine Reaktion', 'Ninguna']) {
      for (const document of both('Penicillin', words)) {
        const { facts } = await reader.read(document);
        expect(facts.map(({ values }) => [values['allergic_reaction_title'], values['notes']])).to.equal([
          [null, `Reaction: ${words}.`],
        ]);
      }
    }
  });

  it('that names something is one, also beside another word for none', async () => {
    for (const words of ['Hives', 'No rash, but swelling', 'Nonproductive cough', 'Other']) {
      for (const document of [...both('Penicillin', words), ...both('Penicillin', 'None', words)]) {
        const { facts } = await reader.read(document);
        expect(facts.map(({ values }) => values['allergic_reaction_title'])).to.equal([words]);
      }
    }
  });

  it('is no allergy where it names none beside "no known allergies"', async () => {
    for (const document of both('No known allergies', 'None')) {
      expect((await reader.read(document)).facts.map(({ model }) => model)).to.equal(['AllergyExclusion']);
    }
    for (const document of both('No known allergies', 'Hives')) {
      expect((await reader.read(document)).facts.map(({ model }) => model)).to.equal(['Allergy']);
    }
  });
});
