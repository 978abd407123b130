/**
 * one-line-at-every-door: what many sources say of one thing is one entry with one standing at every door: calls,
 * summary, CCR, overview and the clinic's view; where sources differ each door says so, and nothing is lost.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { startFhir, type FhirGround, type Read } from '../support/fhir';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Line = {
  readonly id: string;
  readonly standing: string;
  readonly conflict: boolean;
  readonly says: readonly Read[];
};

const field = ([name, value]: readonly [string, string]): string => `<Field name="${name}">${value}</Field>`;
const fact = (model: string, fields: Record<string, string>): string =>
  `<Model name="${model}">${Object.entries(fields).map(field).join('')}</Model>`;

const active = { status_identifier: 'active', status_title: 'active' };
const stopped = { status_identifier: 'stopped', status_title: 'stopped' };
const severity = (title: string, code: string) => ({ severity_title: title, severity_identifier: code });

/** What three sources say. */
const PAPERS: readonly (readonly string[])[] = [
  [
    fact('Medication', { drugName_title: 'Ramipril 5 mg', startDate: '2026-01-01', endDate: '2026-03-03', ...stopped }),
    fact('Medication', {
      drugName_title: 'Aspirin 100 mg',
      startDate: '2025-01-01',
      instructions: 'once a day',
      ...active,
    }),
    fact('Allergy', { allergen_title: 'Penicillin', ...severity('Severe', '24484000') }),
    fact('Problem', { name_title: 'Asthma', startDate: '2010-01-01' }),
    fact('Immunization', { product_name_title: 'Tetanus', date: '2024-05-04' }),
  ],
  [
    fact('Medication', { drugName_title: 'RAMIPRIL 5mg', startDate: '2026-03-20', ...active }),
    fact('Medication', {
      drugName_title: 'Aspirin 100mg',
      startDate: '2025-01-01',
      instructions: 'once a day',
      ...active,
    }),
    fact('Allergy', { allergen_title: 'penicillin', onset: '2020-01-01' }),
    fact('Problem', { name_title: 'asthma', startDate: '2010-01-01' }),
    fact('Immunization', { product_name_title: 'tetanus', date: '2024-05-04' }),
  ],
  [
    fact('AllergyExclusion', { name_title: 'No known allergies' }),
    fact('Medication', { drugName_title: 'Ramipril 10 mg', startDate: '2026-03-20', ...active }),
  ],
];

/** How each model is called at other doors. */
const NAMES = [
  { model: 'Medication', type: 'MedicationStatement', entry: 'Medication', count: 3 },
  { model: 'Allergy', type: 'AllergyIntolerance', entry: 'Alert', count: 1 },
  { model: 'Problem', type: 'Condition', entry: 'Problem', count: 1 },
  { model: 'Immunization', type: 'Immunization', entry: 'Immunization', count: 1 },
] as const;

for (const leg of databases) {
  describe(`one line at every door on ${leg.name}`, () => {
    let ground: FhirGround;

    const linesOf = async (model: string): Promise<readonly Line[]> => {
      const path = `/records/${ground.recordId}/lines/${model}/?response_format=application/json`;
      const { text } = succeeded(await ground.service.call(ground.alice, 'GET', path));
      return (JSON.parse(text) as { lines: readonly Line[] }).lines;
    };
    const summary = async (): Promise<readonly Read[]> =>
      ((await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'] as readonly Read[]).map(
        ({ resource }) => resource as Read,
      );
    const ccr = async (): Promise<string> =>
      succeeded(await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/reports/experimental/ccr`))
        .text;

    before(async () => {
      ground = await startFhir(leg);
      const base = ground.service.services.config.vocabBase;
      for (const paper of PAPERS) {
        await ground.put(`<Models xmlns="${base}/xml/documents#">${paper.join('')}</Models>`, 'application/xml');
      }
    });
    after(() => ground.service.stop());

    it('has one entry a line in the summary and the CCR', async () => {
      const [resources, text] = [await summary(), await ccr()];
      for (const { model, type, entry, count } of NAMES) {
        expect((await linesOf(model)).length, model).to.equal(count);
        expect(resources.filter(({ resourceType }) => resourceType === type).length, type).to.equal(count);
        const own = text.split(`<${entry}>`).length - 1;
        expect(own, entry).to.equal(model === 'Allergy' ? count + 1 : count);
      }
    });

    it('names every statement of a line in the summary, and every document in the CCR', async () => {
      const provenances = (await summary()).filter(({ resourceType }) => resourceType === 'Provenance');
      const named = provenances.map(({ entity }) =>
        (entity as readonly Read[]).map(({ what }) => (what.reference as string).split('/')[1]!).sort(),
      );
      const text = await ccr();
      const several = (await Promise.all(NAMES.map(({ model }) => linesOf(model))))
        .flat()
        .filter(({ says }) => says.length > 1);
      expect(several.length).to.equal(5);
      for (const { says } of several) {
        expect(named).to.include([says.map(({ id }) => id as string).sort()]);
        for (const { documentId } of says) {
          expect(text).to.contain(documentId as string);
        }
      }
      expect(provenances.length).to.equal(several.length);
    });

    it('says of a line in conflict that its standing is unknown, in the words of both', async () => {
      const [conflict] = (await linesOf('Medication')).filter(({ standing }) => standing === 'unclear');
      const found = (await summary()).filter(({ id }) => id === conflict!.id && id !== undefined);
      const said = found.find(({ resourceType }) => resourceType === 'MedicationStatement')!;
      expect(said['status']).to.equal('unknown');
      expect(said['note'].at(-1).text).to.contain(['stopped', 'active']);
      expect(await ccr()).to.match(/Sources differ\.[^<]*stopped[^<]*active|Sources differ\.[^<]*active[^<]*stopped/);
    });

    it('keeps an allergy that somebody denies, its worst severity, and how a medicine is taken', async () => {
      const resources = await summary();
      const [allergy, ...more] = resources.filter(({ resourceType }) => resourceType === 'AllergyIntolerance');
      expect(more).to.equal([]);
      const words = JSON.stringify(resources[0]!['section']);
      expect(JSON.stringify(allergy))
        .to.match(/severe/i)
        .and.to.contain('No known allergies');
      expect(words)
        .to.match(/severe/i)
        .and.to.contain(['No known allergies', 'once a day']);
    });
  });
}
