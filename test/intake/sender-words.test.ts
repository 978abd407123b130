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
  'Stopped taking medication',
  'No longer taking this',
  'Nimmt nicht mehr',
  'Ya no toma',
  'توقف عن تناول',
];
const TAKEN = [
  'Taking',
  'Not taking as prescribed',
  'Not taking with food',
  'Patient not taking: restarted on 3/5/2026',
  'Taking differently',
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
      }
    }
    const [fact] = (await reader.read(list(medicine(adherence('Not taking'))))).facts;
    expect(fact!.values['notes']).to.equal(
      'The sender’s entry has the status active. Medication compliance: Not taking.',
    );
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
