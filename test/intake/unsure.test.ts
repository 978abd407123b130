/**
 * unsure: problems and allergies whose words say that they are not certain are not shown as if they were: "R/O
 * pneumonia", "Suspected ...", "? MS".
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Condition = { readonly text: string; readonly verification?: string; readonly display?: string };

const SNOMED = '2.16.840.1.113883.6.96';
const HL7 = 'http://terminology.hl7.org/CodeSystem';

function problemOfFhir({ text, verification, display }: Condition): Buffer {
  const coding = display === undefined ? {} : { coding: [{ system: 'http://snomed.info/sct', code: '1', display }] };
  const status = verification === undefined ? {} : { verificationStatus: { coding: [{ code: verification }] } };
  const resource = { resourceType: 'Condition', subject: { reference: 'Patient/p' }, code: { text, ...coding } };
  return Buffer.from(JSON.stringify({ ...resource, ...status }));
}

function problemOfClinic(value: string, beside = ''): Buffer {
  return clinicalDocument({
    entries: entry(
      '<act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation ' +
        'classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code code="ASSERTION"/>' +
        `${value}${beside}</observation></entryRelationship></act>`,
    ),
  });
}

const inWords = (text: string): string =>
  `<value xsi:type="CD" nullFlavor="OTH"><originalText>${text}</originalText></value>`;

const context = (code: string, name: string): string =>
  '<entryRelationship typeCode="REFR"><observation classCode="OBS" moodCode="EVN"><code code="408729009" ' +
  `codeSystem="${SNOMED}"/><value xsi:type="CD" code="${code}" codeSystem="${SNOMED}" displayName="${name}"/>` +
  '</observation></entryRelationship>';

const UNCONFIRMED = [
  'R/O pneumonia',
  'r/o: PE',
  'Rule out sepsis',
  'Rule-out appendicitis',
  'Suspected MI',
  'possible DVT',
  'Probable lupus',
  '? MS',
  '?MS',
  'Lyme disease?',
  'Query coeliac disease',
  'Pneumonia (suspected)',
  'Pneumonia, r/o',
  'Pneumonia - possible',
  'PE not ruled out',
  'PE unlikely',
  'Low suspicion for PE',
  'Ausschluss einer Lungenembolie',
  'LE z.A.',
  'V.a. Pneumonie',
  'V. a. Appendizitis',
  'Verdacht auf Borreliose',
  'Appendizitis (V.a.)',
  'Zum Ausschluss einer Thrombose',
  'Sospecha de dengue',
  '¿Esclerosis múltiple?',
  'اشتباه التهاب رئوي',
  '高血圧症の疑い',
];
const DIFFERENTIAL = ['DD: Gicht', 'DD Asthma', 'DDx migraine', 'Differential diagnosis: PE', 'Asthma vs. COPD'];
const DENIED = [
  'PE ruled out',
  'Malignancy excluded',
  'Chest pain: denies',
  'No suspicion of abuse',
  'Kein V.a. Pneumonie',
];
/** Names that say "once", and not that it still is so. */
const BYGONE = [
  'H/o asthma',
  'S/P appendectomy',
  's/p CABG 2012',
  'hx of MI',
  'Hx: seizures',
  'PMH: stroke',
  'History of breast cancer',
  'Personal history of DVT',
  'Asthma (h/o)',
  'Z.n. Herzinfarkt',
  'Zustand nach Apoplex',
  'St.p. Appendektomie',
  'Asthma in der Vorgeschichte',
  'Antecedente de infarto',
  'AP: asma',
  'Antécédent d’infarctus',
  'سوابق ربو',
];
const NOT_BYGONE = ['Status asthmaticus', 'Chest pain, h/o MI', 'Old MI', 'Hxx', 'Zn deficiency', 'Status epilepticus'];
const CERTAIN = [
  'Chest pain, MI ruled out',
  'Hypertension, secondary cause excluded',
  'Query fever',
  'Pneumonia, likely bacterial',
  'Sepsis due to suspected UTI',
  'DD (developmental delay)',
  'Graft versus host disease',
  'Diabetes mellitus type 2',
  'Asthma, hypertension?',
  'Q fever',
  'VA 20/40 right eye',
  'Possible',
];

describe('a problem that its words call a former one', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const ofFhir = (text: string, state: string, display?: string): Buffer => {
    const coding = display === undefined ? {} : { coding: [{ system: 'http://snomed.info/sct', code: '1', display }] };
    const clinicalStatus = { coding: [{ code: state }] };
    const resource = { resourceType: 'Condition', subject: { reference: 'Patient/p' }, code: { text, ...coding } };
    return Buffer.from(JSON.stringify({ ...resource, clinicalStatus }));
  };
  const said = async (document: Buffer): Promise<readonly unknown[]> => {
    const [fact] = (await reader.read(document)).facts;
    return ['name_title', 'clinicalStatus_title', 'notes'].map((name) => fact?.values[name] ?? null);
  };
  const ACTIVE = 'The sender’s entry has the status active.';

  it('is not called active for a status that every entry has, which is told', async () => {
    for (const text of BYGONE) {
      for (const document of [ofFhir(text, 'active'), problemOfClinic(inWords(text))]) {
        expect(await said(document)).to.equal([text, null, ACTIVE]);
      }
    }
    for (const text of NOT_BYGONE) {
      expect(await said(ofFhir(text, 'active'))).to.equal([text, 'Active', null]);
    }
  });

  it('keeps a status that says more', async () => {
    for (const [state, title] of [
      ['resolved', 'Resolved'],
      ['recurrence', 'Recurrence'],
      ['inactive', 'Inactive'],
    ] as const) {
      expect(await said(ofFhir('History of breast cancer', state))).to.equal(['History of breast cancer', title, null]);
    }
  });

  it('is named so where only the words beside its code say it', async () => {
    const notes = `${ACTIVE} In the words of the source: H/o asthma.`;
    expect(await said(ofFhir('H/o asthma', 'active', 'Asthma'))).to.equal(['History of: Asthma', null, notes]);
  });

  it('is one of a list of past illness, where only its concern is active', async () => {
    const entries = problemOfClinic(inWords('Asthma')).toString().replace('11450-4', '11348-0');
    expect(await said(Buffer.from(entries))).to.equal(['Asthma', null, ACTIVE]);
  });
});

describe('a problem that is not certain', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader();
  });
  after(() => reader.close());

  const certaintyOf = async (document: Buffer): Promise<unknown> => {
    const [fact] = (await reader.read(document)).facts;
    return fact?.values['verificationStatus_identifier'] ?? null;
  };

  it('is read as not confirmed where its words say so, in both formats', async () => {
    for (const [names, certainty] of [
      [UNCONFIRMED, 'unconfirmed'],
      [DIFFERENTIAL, 'differential'],
      [CERTAIN, null],
    ] as const) {
      for (const text of names) {
        expect([text, await certaintyOf(problemOfFhir({ text }))]).to.equal([text, certainty]);
        expect([text, await certaintyOf(problemOfClinic(inWords(text)))]).to.equal([text, certainty]);
      }
    }
  });

  it('is left out and told where its words deny it, but not for what stands beside', async () => {
    for (const text of DENIED) {
      for (const document of [problemOfFhir({ text }), problemOfClinic(inWords(text))]) {
        const { facts, leftOut } = await reader.read(document);
        expect([text, facts.length, leftOut.map(({ reason }) => reason)]).to.equal([text, 0, ['negated']]);
      }
    }
  });

  it('counts the words beside a code', async () => {
    const coded = { text: 'R/O pneumonia', display: 'Pneumonia' };
    expect(await certaintyOf(problemOfFhir(coded))).to.equal('unconfirmed');
    const value =
      `<value xsi:type="CD" code="233604007" codeSystem="${SNOMED}" displayName="Pneumonia">` +
      '<originalText>? pneumonia</originalText></value>';
    expect(await certaintyOf(problemOfClinic(value))).to.equal('unconfirmed');
  });

  it('keeps a status that says as much, and tells of one that says more', async () => {
    for (const verification of ['provisional', 'differential', 'unconfirmed', 'refuted']) {
      const document = problemOfFhir({ text: 'Suspected MI', verification });
      expect(await certaintyOf(document)).to.equal(verification);
    }
    const [fact] = (await reader.read(problemOfFhir({ text: 'Suspected MI', verification: 'confirmed' }))).facts;
    expect(fact!.values['verificationStatus_identifier']).to.equal('unconfirmed');
    expect(fact!.values['notes']).to.equal('The sender’s status says: Confirmed.');
  });

  it('has the certainty that C-CDA says of the context of a finding', async () => {
    const possible = problemOfClinic(inWords('Pneumonia'), context('410590009', 'Known possible'));
    expect((await reader.read(possible)).facts[0]!.values['verificationStatus_title']).to.equal('Known possible');
    const present = problemOfClinic(inWords('R/O pneumonia'), context('410515003', 'Known present'));
    const [fact] = (await reader.read(present)).facts;
    expect(fact!.values['verificationStatus_identifier']).to.equal('unconfirmed');
    expect(fact!.values['notes']).to.equal('The sender’s status says: Confirmed.');
  });

  it('is an allergy just as well', async () => {
    const resource = { resourceType: 'AllergyIntolerance', patient: { reference: 'Patient/p' } };
    const document = Buffer.from(JSON.stringify({ ...resource, code: { text: 'Penicillin (suspected)' } }));
    const [fact] = (await reader.read(document)).facts;
    expect(fact!.values['verificationStatus_identifier']).to.equal('unconfirmed');
    expect(fact!.values['verificationStatus_system']).to.equal(`${HL7}/allergyintolerance-verification`);
    const clinical = clinicalDocument({
      section: '48765-2',
      entries: entry(
        '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.7"/><code ' +
          `code="ASSERTION"/><value xsi:type="CD" code="419199007" codeSystem="${SNOMED}"/><participant typeCode="CSM">` +
          '<participantRole><playingEntity><name>Possible penicillin</name></playingEntity></participantRole>' +
          '</participant></observation>',
      ),
    });
    expect(await certaintyOf(clinical)).to.equal('unconfirmed');
  });
});
