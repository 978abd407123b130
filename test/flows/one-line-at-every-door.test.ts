/**
 * one-line-at-every-door: what many sources say of one thing is one entry with one standing at every door: calls,
 * summary, CCR, overview and the clinic's view; where sources differ each door says so, and nothing is lost.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { operations } from '../../plugins/website/http/operations';
import { databases } from '../support/databases';
import { startFhir, type FhirGround, type Read } from '../support/fhir';
import { askingAs } from '../support/links';
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

/** What no circle is shown that is given kinds of facts. */
const SECRET = { reasonStopped_title: 'secret reason', notes: 'secret note' };

/** What three sources say. */
const PAPERS: readonly (readonly string[])[] = [
  [
    fact('Medication', {
      drugName_title: 'Ramipril 5 mg',
      startDate: '2026-01-01',
      endDate: '2026-03-03',
      ...SECRET,
      ...stopped,
    }),
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
    fact('Allergy', { allergen_title: 'penicillin', onset: '2020-01-01', notes: 'secret allergy' }),
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
        (entity as readonly Read[])
          .map(({ what }) => String(what.reference ?? what.identifier.value.replace('urn:uuid:', '/')).split('/')[1]!)
          .sort(),
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

    type Shown = Read & { readonly __line__: Read };
    const LISTS = NAMES.map(({ model }) => model).join('|');
    const overview = async (scope: Readonly<Record<string, string>>): Promise<Read> => {
      const ask = askingAs(ground.service, 'alice@example.org', ground.alice);
      const { carenetOverview, recordOverview } = operations.reports;
      return (await ask('CARENET_ID' in scope ? carenetOverview : recordOverview, {
        params: scope,
        query: { lists: LISTS },
      })) as unknown as Read;
    };
    const listed = (answer: Read, model: string): readonly Shown[] => answer['lists'][model] as readonly Shown[];

    it('has one entry a line on the overview, with the standing and the sources of the line', async () => {
      const answer = await overview({ RECORD_ID: ground.recordId });
      for (const { model } of NAMES) {
        const lines = (await linesOf(model)).map(({ id, standing, conflict }) => [id, standing, conflict]);
        const shown = listed(answer, model).map(({ __line__: { id, standing, conflict } }) => [id, standing, conflict]);
        expect(shown.sort(), model).to.equal(lines.sort());
      }
    });

    it('shows a circle its lines of given kinds at each door, and nothing that is hidden', async () => {
      const { carenetId, recordId, service, alice } = ground;
      const all = (await Promise.all(NAMES.map(({ model }) => linesOf(model)))).flat();
      const hidden = [
        ...new Set(all.flatMap(({ id, says }) => [id, ...says.flatMap((one) => [one['id'], one['documentId']])])),
      ];
      const before = await overview({ CARENET_ID: carenetId });
      expect(NAMES.flatMap(({ model }) => listed(before, model))).to.equal([]);
      for (const kind of ['medicines', 'allergies']) {
        succeeded(await service.call(alice, 'PUT', `/carenets/${carenetId}/kinds/${kind}`));
      }
      const answers = async (): Promise<readonly string[]> => {
        const token = { token: ground.carenetToken };
        const lines = ['Medication', 'Allergy', 'AllergyExclusion', 'Problem'].map((model) =>
          service.call(alice, 'GET', `/carenets/${carenetId}/lines/${model}/?response_format=application/json`),
        );
        return [
          JSON.stringify(await overview({ CARENET_ID: carenetId })),
          ...(await Promise.all(lines)).map((one) => succeeded(one).text),
          JSON.stringify(await ground.get(`/Patient/${recordId}/$summary`, token)),
        ];
      };
      const seen = await overview({ CARENET_ID: carenetId });
      expect(
        listed(seen, 'Medication')
          .map(({ __line__: line }) => line['standing'])
          .sort(),
      ).to.equal((await linesOf('Medication')).map(({ standing }) => standing).sort());
      expect(listed(seen, 'Problem')).to.equal([]);
      for (const text of await answers()) {
        expect(text)
          .to.not.match(/secret/i)
          .and.to.not.contain('kind:');
        expect(hidden.filter((id) => text.includes(id as string))).to.equal([]);
      }
      // One paper is opened: its facts have their own names and columns, the others still have not.
      const [opened] = all.flatMap(({ says }) => says.filter((one) => JSON.stringify(one).includes('secret reason')));
      const paper = (opened as Read)['documentId'] as string;
      succeeded(await service.call(alice, 'PUT', `/records/${recordId}/documents/${paper}/carenets/${carenetId}`));
      const own = all.flatMap(({ says }) => says.filter((one) => one['documentId'] === paper).map((one) => one['id']));
      const kept = hidden.filter((id) => id !== paper && !own.includes(id));
      for (const text of await answers()) {
        expect(text).to.not.contain('secret allergy').and.to.not.contain('kind:');
        expect(kept.filter((id) => text.includes(id as string))).to.equal([]);
      }
      expect((await answers()).join()).to.contain('secret reason');
      succeeded(await service.call(alice, 'DELETE', `/records/${recordId}/documents/${paper}/carenets/${carenetId}`));
      expect((await answers()).join())
        .to.not.contain('secret reason')
        .and.to.not.contain(paper);
      for (const kind of ['medicines', 'allergies']) {
        succeeded(await service.call(alice, 'DELETE', `/carenets/${carenetId}/kinds/${kind}`));
      }
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
