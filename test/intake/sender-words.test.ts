/** sender words: what senders say beside a medicine, a problem or a table counts, and is said once. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

const templates = '2.16.840.1.113883.10.20.22.4';

const medicine = (beside: string, text = ''): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="${templates}.16"/>${text}<statusCode ` +
  'code="active"/><consumable><manufacturedProduct><manufacturedMaterial><code nullFlavor="OTH"><originalText>' +
  `Metformin</originalText></code></manufacturedMaterial></manufacturedProduct></consumable>${beside}` +
  '</substanceAdministration>';
const adherence = (words: string): string =>
  '<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="418633004" ' +
  'codeSystem="2.16.840.1.113883.6.96" displayName="Medication compliance"/><value xsi:type="CD" code="1" ' +
  `codeSystem="2.999.1" displayName="${words}"/></observation></entryRelationship>`;
const needed = (words: string): string =>
  `<precondition typeCode="PRCN"><criterion><text>${words}</text></criterion></precondition>`;

const list = (...entries: readonly string[]): Buffer =>
  clinicalDocument({ section: '10160-0', entries: entries.map(entry).join('') });

const ofFhir = (more: object): Buffer =>
  Buffer.from(
    JSON.stringify({
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'order',
      subject: { reference: 'Patient/p' },
      medicationCodeableConcept: { text: 'Metformin' },
      ...more,
    }),
  );

const NOT_TAKEN = [
  'Patient not taking: Reported on 3/1/2026',
  'Not taking',
  '(Not-Taking/PRN)',
  '(not taking: caused nausea)',
  'Not currently taking',
  'Not taking metformin since March',
  'Pt. reports not taking this medication',
  'Take 1 tablet by mouth daily. (Not Taking)',
  '500 mg PO BID - Not Taking as of 3/1/2026',
  'Taking? No',
  'Stopped taking medication',
  'No longer taking this',
  'Self-discontinued',
  'Never started',
  'Nimmt nicht mehr',
  'Wird zurzeit nicht eingenommen',
  'Ya no toma',
  'El paciente no lo toma',
  'توقف عن تناول',
  'Stopped 3/2024 by cardiology',
  'd/c 2/1/24',
  "D/C'd 2 weeks ago",
  'DISCONTINUED. Was 40 mg daily',
  'Stopped due to cough',
  'Not started yet',
  'Therapie beendet am 01.02.2024',
  'Abgesetzt wegen Husten',
  'Suspendido el 1/2/2024',
  'Arrêté le 1/2/2024',
];
const TAKEN = [
  'Taking',
  'Not taking as prescribed',
  'Not taking with food',
  'Patient is not taking it with food',
  'Not taking any other medication',
  'Not taking aspirin',
  'Take 1 tablet daily (if not taking aspirin)',
  'Not taking every day',
  'Not taking it at bedtime',
  'Do not stop taking',
  'Nimmt nicht mehr als eine',
  'No toma con comida',
  'Patient not taking: restarted on 3/5/2026',
  'Taking differently',
  'Stopped smoking in 2019',
  'Stopped aspirin',
  'Stopped for surgery',
  'Discontinued by the manufacturer',
  'Stopped 3/2024, restarted 5/2024',
  'd/c home on this',
  'Not to be stopped',
  'Stop if rash',
];

describe('a medicine', () => {
  const stateOf = async (document: Buffer): Promise<unknown> =>
    (await reader.read(document)).facts[0]!.values['status_title'];

  it('is not active where its sender says that it is not taken, in both formats', async () => {
    for (const [all, state] of [
      [NOT_TAKEN, 'Stopped'],
      [TAKEN, 'Active'],
    ] as const) {
      for (const words of all) {
        expect([words, await stateOf(list(medicine(adherence(words))))]).to.equal([words, state]);
        expect([words, await stateOf(list(medicine('', `<text>${words}</text>`)))]).to.equal([words, state]);
        expect([words, await stateOf(ofFhir({ note: [{ text: words }] }))]).to.equal([words, state]);
        for (const dosage of [{ text: words }, { text: '1 daily', patientInstruction: words }]) {
          expect([words, await stateOf(ofFhir({ dosageInstruction: [dosage] }))]).to.equal([words, state]);
        }
      }
    }
    const [fact] = (await reader.read(list(medicine(adherence('Not taking'))))).facts;
    expect(fact!.values['notes']).to.equal(
      'The sender’s entry has the status active. Medication compliance: Not taking.',
    );
  });

  it('is on hold where it is not taken until then, and stopped where that is for good', async () => {
    for (const [words, state] of [
      ['Not taking, but will resume Monday', 'On hold'],
      ['Not taking but will resume Monday', 'On hold'],
      ['Not taking; restart after surgery', 'On hold'],
      ['Not taking until Monday', 'On hold'],
      ['Nimmt nicht, wird wieder angesetzt', 'On hold'],
      ['No toma, reanudará el lunes', 'On hold'],
      ['Not taking, will not resume', 'Stopped'],
      ['Not taking, but resumed on Monday', 'Active'],
    ] as const) {
      const div = `<div xmlns="http://www.w3.org/1999/xhtml"><p>Metformin</p><p>${words}</p></div>`;
      for (const document of [
        list(medicine('', `<text>${words}</text>`)),
        ofFhir({ note: [{ text: words }] }),
        ofFhir({ text: { status: 'additional', div } }),
      ]) {
        expect([words, await stateOf(document)]).to.equal([words, state]);
      }
    }
    const both = list(medicine(adherence('Not taking'), '<text>Not taking until Monday</text>'));
    expect(await stateOf(both)).to.equal('On hold');
    const { values } = (await reader.read(ofFhir({ note: [{ text: 'Not taking, but will resume Monday' }] })))
      .facts[0]!;
    expect(values['notes']).to.equal('Not taking, but will resume Monday The sender’s entry has the status active.');
  });

  const named = (name: string): readonly Buffer[] => [
    Buffer.from(list(medicine('')).toString().replace('>Metformin<', `>${name}<`)),
    ofFhir({ medicationCodeableConcept: { text: name } }),
  ];

  it('is on hold where its instructions begin so, and not where they say when to hold it', async () => {
    for (const [words, state] of [
      ['HOLD until seen by cardiology', 'On hold'],
      ['** On hold **', 'On hold'],
      ['Pausieren bis zur Kontrolle', 'On hold'],
      ['Hold if pulse below 50', 'Active'],
      ['Hold tablet in the mouth', 'Active'],
      ['Take 1 daily, hold for diarrhea', 'Active'],
    ] as const) {
      for (const document of [
        list(medicine('', `<text>${words}</text>`)),
        ofFhir({ dosageInstruction: [{ text: words }] }),
      ]) {
        expect([words, await stateOf(document)]).to.equal([words, state]);
      }
    }
  });

  it('is what its name says: on hold, stopped, or none', async () => {
    for (const [state, names] of [
      ['On hold', ['Metformin (HOLD)', 'On hold: metformin', 'Metformin [on hold]', 'Pausiert: Metformin']],
      [
        'Stopped',
        [
          'Historical: warfarin',
          'warfarin (past)',
          'metformin [DISCONTINUED]',
          '** DO NOT GIVE ** heparin',
          'D/C ramipril',
        ],
      ],
      ['Active', ['Aspirin (OTC)', 'Holdex', 'Unknown blood thinner']],
    ] as const) {
      for (const document of names.flatMap(named)) {
        expect([document.toString().slice(-200), await stateOf(document)][1]).to.equal(state);
      }
    }
    for (const document of ['No meds', 'Denies taking any', 'Metformin? No'].flatMap(named)) {
      expect((await reader.read(document)).facts.map(({ model }) => model)).to.not.include('Medication');
    }
  });

  it('is not active where its name, or the text beside its name, says that it is not taken', async () => {
    for (const [words, state] of [
      ['(Not-Taking/PRN)', 'Stopped'],
      ['(not taking: caused nausea)', 'Stopped'],
      ['no longer taking', 'Stopped'],
      ['not taking with food', 'Active'],
      ['if not taking aspirin', 'Active'],
    ] as const) {
      for (const document of named(`Metformin 500 mg ${words}`)) {
        expect([words, await stateOf(document)]).to.equal([words, state]);
      }
      const div = `<div xmlns="http://www.w3.org/1999/xhtml"><p>Metformin</p><p>${words}</p></div>`;
      expect([words, await stateOf(ofFhir({ text: { status: 'additional', div } }))]).to.equal([words, state]);
    }
  });

  it('is not active where another cell of its row of the text says so, which is told', async () => {
    const ofRow = (text: string): Buffer => {
      const own = '<code nullFlavor="OTH"><originalText><reference value="#m1"/></originalText></code>';
      const document = list(medicine('').replace(/<code .*<\/code>/, own)).toString();
      return Buffer.from(document.replace('<text>T</text>', `<text>${text}</text>`));
    };
    const table = (head: string, cell: string): string =>
      `<table><thead><tr><th>Medicine</th><th>${head}</th></tr></thead><tbody><tr><td ID="m1">Metformin</td>` +
      `<td>${cell}</td></tr><tr><td>Ramipril</td><td>Not Taking</td></tr></tbody></table>`;
    for (const [text, told] of [
      [table('Taking?', 'No'), 'Taking?: No.'],
      [table('Status', 'Not Taking'), 'Status: Not Taking.'],
      [
        '<list><item><content ID="m1">Metformin</content> daily <content>Not taking</content></item></list>',
        'Not taking.',
      ],
    ] as const) {
      const { values } = (await reader.read(ofRow(text))).facts[0]!;
      expect(values).to.include({ drugName_title: 'Metformin', status_title: 'Stopped' });
      expect(values['notes']).to.equal(`The sender’s entry has the status active. In the words of the source: ${told}`);
    }
    for (const text of [table('Taking?', 'Yes'), table('Status', 'Taking')]) {
      expect((await reader.read(ofRow(text))).facts[0]!.values).to.include({ status_title: 'Active', notes: null });
    }
  });

  it('has a status that is only said in words, and is told where there is none of it', async () => {
    const status =
      '<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="33999-4" ' +
      'codeSystem="2.16.840.1.113883.6.1"/><value xsi:type="CE" nullFlavor="OTH"><originalText>Discontinued' +
      '</originalText></value></observation></entryRelationship>';
    expect(await stateOf(list(medicine(status)))).to.equal('Discontinued');
    const none =
      '<substanceAdministration classCode="SBADM" moodCode="INT"><code code="182849000" ' +
      'codeSystem="2.16.840.1.113883.6.96" displayName="No drug therapy prescribed"/><consumable><manufacturedProduct>' +
      '<manufacturedMaterial nullFlavor="NA"/></manufacturedProduct></consumable></substanceAdministration>';
    const { leftOut } = await reader.read(list(none));
    expect(leftOut.map(({ reason }) => reason)).to.equal(['negated']);
  });

  it('says once that it is taken as needed', async () => {
    for (const [words, said] of [
      ['as needed for nausea', 'as needed for nausea'],
      ['PRN pain', 'as needed for pain'],
      ['bei Bedarf', 'as needed'],
      ['for pain', 'as needed for pain'],
      ['prnk', 'as needed for prnk'],
    ] as const) {
      const { facts } = await reader.read(list(medicine(needed(words))));
      expect(facts[0]!.values['instructions']).to.equal(said);
      const dosageInstruction = [{ asNeededCodeableConcept: { text: words.replace(/^for /, '') } }];
      expect((await reader.read(ofFhir({ dosageInstruction }))).facts[0]!.values['instructions']).to.equal(said);
    }
  });
});

describe('a row of the text of a section', () => {
  const table = (...rows: readonly string[]): string =>
    `<text><table><tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody></table></text>`;
  const told = async (rows: readonly string[], ...entries: readonly string[]): Promise<readonly string[]> => {
    const document = list(...entries)
      .toString()
      .replace('<text>T</text>', table(...rows));
    const { leftOut } = await reader.read(Buffer.from(document));
    return leftOut.map(({ count, model, reason }) => `${count} ${model} ${reason}`);
  };
  const own = medicine('', '<text><reference value="#m1"/></text>');
  const mine = '<td ID="m1">Metformin</td>';
  const other = '<td>Insulin glargine</td>';

  it('is told where no entry leads to it, but to others', async () => {
    expect(await told([mine, other], own)).to.equal(['1 Medication narrative_only']);
    expect(await told([other, mine, other], own)).to.equal(['2 Medication narrative_only']);
  });

  it('is not told where every row has an entry, no entry leads to any, or it goes on', async () => {
    expect(await told([mine, other], own, medicine(''))).to.be.empty();
    expect(await told([other, other], medicine(''))).to.be.empty();
    expect(await told([mine, '<td/><td>after meals</td>'], own)).to.be.empty();
  });
});

describe('the title of a list', () => {
  const titled = (title: string, document: Buffer): Buffer =>
    Buffer.from(document.toString().replace('<title>S</title>', `<title>${title}</title>`));
  const problem = (name: string): string =>
    '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
    `classCode="OBS" moodCode="EVN"><templateId root="${templates}.4"/><code code="ASSERTION"/><value xsi:type="CD" ` +
    `nullFlavor="OTH"><originalText>${name}</originalText></value></observation></entryRelationship></act>`;
  const allergy =
    `<observation classCode="OBS" moodCode="EVN"><templateId root="${templates}.7"/><code code="ASSERTION"/><value ` +
    'xsi:type="CD" code="419199007" codeSystem="2.16.840.1.113883.6.96"/><participant typeCode="CSM"><participantRole>' +
    '<playingEntity><name>Egg</name></playingEntity></participantRole></participant></observation>';
  const valuesOf = async (title: string, code: string, statement: string) => {
    const document = clinicalDocument({ section: code, entries: entry(statement) });
    const [fact] = (await reader.read(titled(title, document))).facts;
    return { model: fact!.model, ...fact!.values } as Readonly<Record<string, unknown>>;
  };

  it('says that its medicines, problems and allergies are over, whatever the status of an entry is', async () => {
    for (const title of ['Discontinued Medications', 'STOP taking these medications', 'Abgesetzte Medikamente']) {
      const { status_title: status, notes } = await valuesOf(title, '10160-0', medicine(''));
      expect([status, notes]).to.equal([
        'Stopped',
        `The sender’s entry has the status active. In the words of the source: ${title}.`,
      ]);
    }
    for (const title of ['Medications', 'Medications prior to admission', 'Medication history']) {
      expect((await valuesOf(title, '10160-0', medicine('')))['status_title']).to.equal('Active');
    }
    for (const [title, state] of [
      ['Resolved Problems', 'Inactive'],
      ['Problems - Resolved', 'Inactive'],
      ['Past Medical History', null],
    ] as const) {
      const gout = await valuesOf(title, '11450-4', problem('Gout'));
      expect([gout['clinicalStatus_title'] ?? null, gout['notes']]).to.equal([
        state,
        `The sender’s entry has the status active. In the words of the source: ${title}.`,
      ]);
    }
    expect((await valuesOf('Problems', '11450-4', problem('Gout')))['clinicalStatus_title']).to.equal('Active');
    expect((await valuesOf('Inactive Allergies', '48765-2', allergy))['clinicalStatus_title']).to.equal('Inactive');
    expect((await valuesOf('Allergies', '48765-2', allergy))['clinicalStatus_title'] ?? null).to.be.null();
  });

  it('says that its medicines were given then, and are over, unless their own status says more', async () => {
    const notes = (title: string) => `The sender’s entry has the status active. In the words of the source: ${title}.`;
    for (const title of [
      'Medications Administered',
      'Discharged medications given in the hospital',
      'Verabreichte Medikamente',
      'Medicamentos administrados',
    ]) {
      const values = await valuesOf(title, '10160-0', medicine(''));
      expect([values['status_title'], values['provenance_identifier'], values['notes']]).to.equal([
        'Completed',
        'administration',
        notes(title),
      ]);
      const aborted = medicine('').replace('code="active"', 'code="aborted"');
      expect((await valuesOf(title, '10160-0', aborted))['status_title']).to.equal('Stopped');
    }
    expect((await valuesOf('Medications to be given', '10160-0', medicine('')))['status_title']).to.equal('Active');
  });

  /** The fact of a FHIR resource that sections with these titles name. */
  const inSections = async (model: string, resource: object, sections: readonly object[]) => {
    const { resourceType } = resource as { readonly resourceType: string };
    const composition = {
      resourceType: 'Composition',
      status: 'final',
      type: { text: 'Summary' },
      date: '2024-01-01',
      author: [{ display: 'A' }],
      title: 'Summary',
      subject: { reference: 'Patient/p' },
      section: sections.map((one) => ({ ...one, entry: [{ reference: `${resourceType}/m` }] })),
    };
    const entry = [{ resource: composition }, { resource: { ...resource, id: 'm' } }];
    const bundle = { resourceType: 'Bundle', type: 'document', timestamp: '2024-01-01T10:00:00Z', entry };
    const { facts } = await reader.read(Buffer.from(JSON.stringify(bundle)));
    return facts.find((fact) => fact.model === model)?.values ?? {};
  };
  const of = (title: string) => `The sender’s entry has the status active. In the words of the source: ${title}.`;

  it('says so of FHIR, too, where only one list names the medicine', async () => {
    for (const [titles, state, notes] of [
      [['Discontinued Medications'], 'Stopped', of('Discontinued Medications')],
      [['Medications Administered'], 'Completed', of('Medications Administered')],
      [['Medications'], 'Active', null],
      [['Medications', 'Discontinued Medications'], 'Active', null],
    ] as const) {
      const sections = titles.map((title) => ({ title }));
      const values = await inSections('Medication', JSON.parse(ofFhir({}).toString()) as object, sections);
      expect([values['status_title'], values['notes'] ?? null]).to.equal([state, notes]);
    }
  });

  const subject = { reference: 'Patient/p' };
  const clinicalStatus = { coding: [{ code: 'active' }] };
  const gout = { resourceType: 'Condition', subject, code: { text: 'Gout' } };
  const egg = { resourceType: 'AllergyIntolerance', patient: subject, code: { text: 'Egg' } };

  it('says so of problems and allergies in FHIR, and whether they are those of the family', async () => {
    const active = { ...gout, clinicalStatus };
    for (const [section, resource, state, notes] of [
      [{ title: 'Resolved Problems' }, active, 'Inactive', of('Resolved Problems')],
      [{ title: 'Resolved' }, active, 'Inactive', of('Resolved')],
      [{ title: 'Resolved Problems' }, gout, 'Inactive', 'In the words of the source: Resolved Problems.'],
      [{ title: 'Past Medical History' }, active, null, of('Past Medical History')],
      [
        { title: 'P', code: { coding: [{ code: '11348-0' }] } },
        active,
        null,
        'The sender’s entry has the status active.',
      ],
      [{ title: 'Problem List' }, active, 'Active', null],
      [{ code: { text: 'Inactive Problems' } }, active, 'Inactive', of('Inactive Problems')],
    ] as const) {
      const values = await inSections('Problem', resource, [section]);
      expect([section, values['clinicalStatus_title'] ?? null, values['notes'] ?? null]).to.equal([
        section,
        state,
        notes,
      ]);
    }
    const allergy = { ...egg, clinicalStatus };
    for (const [title, state, notes] of [
      ['Inactive Allergies', 'Inactive', of('Inactive Allergies')],
      ['Past Medical History', 'Active', null],
    ] as const) {
      const values = await inSections('Allergy', allergy, [{ title }]);
      expect([title, values['clinicalStatus_title'], values['notes'] ?? null]).to.equal([title, state, notes]);
    }
    for (const section of [{ title: 'Family History' }, { title: 'F', code: { coding: [{ code: '10157-6' }] } }]) {
      expect((await inSections('FamilyHistory', active, [section]))['condition_title']).to.equal('Gout');
      expect(await inSections('Problem', active, [section])).to.equal({});
    }
    expect(await inSections('Allergy', allergy, [{ title: 'Family History' }])).to.equal({});
  });

  it('or its code says that its problems are those of the family', async () => {
    for (const [title, code] of [
      ['S', '10157-6'],
      ['Family History', '11450-4'],
      ['Familienanamnese', '11450-4'],
    ] as const) {
      const { model, condition_title: condition } = await valuesOf(title, code, problem('Breast cancer'));
      expect([model, condition]).to.equal(['FamilyHistory', 'Breast cancer']);
    }
    expect((await valuesOf('Family physician', '11450-4', problem('Gout')))['model']).to.equal('Problem');
  });
});

describe('an age beside a problem', () => {
  it('is said in words', async () => {
    const age =
      '<entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><code code="445518008" ' +
      'codeSystem="2.16.840.1.113883.6.96"/><value xsi:type="PQ" value="57" unit="a"/></observation></entryRelationship>';
    const entries = entry(
      `<observation classCode="OBS" moodCode="EVN"><templateId root="${templates}.4"/><code code="ASSERTION"/><value ` +
        `xsi:type="CD" nullFlavor="OTH"><originalText>Gout</originalText></value>${age}</observation>`,
    );
    const [fact] = (await reader.read(clinicalDocument({ entries }))).facts;
    expect(fact!.values['notes']).to.equal('Age at onset: 57 years.');
  });
});

describe('what other senders say', () => {
  const snomed = 'codeSystem="2.16.840.1.113883.6.96"';
  const allergyTo = (...names: readonly string[]): string =>
    `<observation classCode="OBS" moodCode="EVN"><templateId root="${templates}.7"/><code code="ASSERTION"/><value ` +
    `xsi:type="CD" code="419199007" ${snomed}/>${names
      .map(
        (name, at) =>
          `<participant typeCode="CSM"><participantRole><playingEntity><code code="${2670 + at}" ` +
          `codeSystem="2.16.840.1.113883.6.88" displayName="${name}"/></playingEntity></participantRole></participant>`,
      )
      .join('')}</observation>`;
  const allergies = async (...names: readonly string[]) =>
    (await reader.read(clinicalDocument({ section: '48765-2', entries: entry(allergyTo(...names)) }))).facts;

  it('is an allergy to all that it names, without the code of one of them', async () => {
    const [both] = await allergies('Codeine', 'Morphine');
    expect(both!.values).to.include({ allergen_title: 'Codeine, Morphine', allergen_identifier: null });
    expect(both!.values['drug_allergen_identifier'] ?? null).to.be.null();
    const [one] = await allergies('Codeine', 'Codeine');
    expect(one!.values).to.include({ allergen_title: 'Codeine', drug_allergen_identifier: '2670' });
  });

  it('is no allergy where stars stand around that there is none', async () => {
    expect((await allergies('*No Known Allergies*')).map(({ model }) => model)).to.equal(['AllergyExclusion']);
  });

  it('is how sure a German diagnosis is', async () => {
    const diagnosis = (sure: string): Buffer =>
      clinicalDocument({
        section: '29548-5',
        entries: entry(
          '<act classCode="ACT" moodCode="EVN"><code code="CONC"/><statusCode code="active"/><entryRelationship ' +
            'typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><code code="29308-4"/><value xsi:type="CD" ' +
            'code="I21.9" codeSystem="1.2.276.0.76.5.342" displayName="Myokardinfarkt"><qualifier><name code="8" ' +
            `codeSystem="2.16.840.1.113883.3.7.1"/><value code="${sure}" codeSystem="2.16.840.1.113883.3.7.1.8"/>` +
            '</qualifier></value></observation></entryRelationship></act>',
        ),
      });
    const said = async (sure: string): Promise<readonly unknown[]> => {
      const { facts, leftOut } = await reader.read(diagnosis(sure));
      const [fact] = facts;
      return fact
        ? ['clinicalStatus_title', 'verificationStatus_title', 'notes'].map((name) => fact.values[name] ?? null)
        : leftOut.map(({ reason }) => reason);
    };
    expect(await said('V')).to.equal(['Active', 'Provisional', 'Suspected (V).']);
    expect(await said('Z')).to.equal(['Inactive', null, 'State after this (Z).']);
    expect(await said('A')).to.equal(['negated']);
    expect(await said('G')).to.equal(['Active', null, null]);
  });

  it('is a day on which a child is expected, in a section of its own', async () => {
    const expected =
      '<observation classCode="OBS" moodCode="EVN"><code code="11778-8" codeSystem="2.16.840.1.113883.6.1" ' +
      'displayName="Delivery date estimated"/><statusCode code="completed"/><value xsi:type="TS" value="20260710"/></observation>';
    const [fact] = (await reader.read(clinicalDocument({ section: '10162-6', entries: entry(expected) }))).facts;
    expect(fact!.values['value_title']).to.equal('2026-07-10');
  });

  it('is the interpretation that says something, beside a mark', async () => {
    const result =
      `<observation classCode="OBS" moodCode="EVN"><templateId root="${templates}.2"/><code code="2823-3" ` +
      'codeSystem="2.16.840.1.113883.6.1" displayName="Potassium"/><statusCode code="completed"/><value xsi:type="PQ" ' +
      'value="6.9" unit="mmol/L"/><interpretationCode code="*"/><interpretationCode code="H" ' +
      'codeSystem="2.16.840.1.113883.5.83"/></observation>';
    const [fact] = (await reader.read(clinicalDocument({ section: '30954-2', entries: entry(result) }))).facts;
    expect(fact!.values['abnormal_interpretation_title']).to.equal('High');
    const observation = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'Potassium' },
      subject: { reference: 'Patient/p' },
      valueQuantity: { value: 6.9 },
      interpretation: [{ coding: [{ code: '*' }] }, { coding: [{ code: 'H' }] }],
    };
    const [same] = (await reader.read(Buffer.from(JSON.stringify(observation)))).facts;
    expect(same!.values['abnormal_interpretation_title']).to.equal('High');
  });
});

describe('a prescription that another one of the Bundle replaces', () => {
  const older = { ...(JSON.parse(ofFhir({}).toString()) as object), id: 'old' };
  const newer = {
    ...older,
    id: 'new',
    medicationCodeableConcept: { text: 'Metformin 1000' },
    priorPrescription: { reference: 'MedicationRequest/old' },
  };
  const statesOf = async (...resources: readonly object[]): Promise<readonly unknown[]> => {
    const entry = resources.map((resource) => ({ resource }));
    const bundle = { resourceType: 'Bundle', type: 'collection', entry };
    const { facts } = await reader.read(Buffer.from(JSON.stringify(bundle)));
    return facts.map(({ values }) => [values['drugName_title'], values['status_title'], values['notes'] ?? null]);
  };

  it('is stopped, and each of the two names the other', async () => {
    const told = 'The sender’s entry has the status active. Replaced by: Metformin 1000.';
    expect(await statesOf(older, newer)).to.equal([
      ['Metformin', 'Stopped', told],
      ['Metformin 1000', 'Active', 'Replaces: Metformin.'],
    ]);
  });

  it('stays active where the other is no order, was never valid, or is replaced by it', async () => {
    for (const more of [
      { status: 'draft' },
      { status: 'entered-in-error' },
      { status: 'cancelled' },
      { intent: 'plan' },
    ]) {
      expect((await statesOf(older, { ...newer, ...more }))[0]).to.equal(['Metformin', 'Active', null]);
    }
    const round = { ...older, priorPrescription: { reference: 'MedicationRequest/new' } };
    for (const [, state] of (await statesOf(round, newer)) as readonly (readonly unknown[])[]) {
      expect(state).to.equal('Active');
    }
  });

  it('keeps a status that says that it is over', async () => {
    expect((await statesOf({ ...older, status: 'completed' }, newer))[0]).to.equal(['Metformin', 'Completed', null]);
  });
});
