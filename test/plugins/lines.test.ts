/** lines: what many documents say stands in one line, for those who may see it, as if nothing else existed. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parseXml, type Element } from 'libxmljs2';
import { newId } from '../../core/base/ids';
import * as sharingStore from '../../core/sharing/store';
import { addPerson, now, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startService, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';
import { fieldsXml } from '../support/fields';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';

type Fields = Readonly<Record<string, string>>;
const sdmx = (name: string, fields: Fields, more = ''): string =>
  `<Models xmlns="${NS}"><Model name="${name}">${fieldsXml(fields)}${more}</Model></Models>`;

const medicine = (title: string, more: Fields = {}): string => sdmx('Medication', { drugName_title: title, ...more });

const rootOf = (answer: Answer): Element => parseXml(succeeded(answer).text).root()!;
const find = (root: Element, path: string): readonly Element[] => root.find(path) as unknown as Element[];
const attributes = (root: Element, path: string, name: string): readonly string[] =>
  find(root, path).map((node) => node.attr(name)?.value() ?? '');

for (const leg of databases) {
  describe(`lines on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let carol: Signs;
    let recordId: string;
    let carenetId: string;
    const ids: string[] = [];

    const get = (caller: Signs, path: string): Promise<Answer> => service.call(caller, 'GET', path);
    const post = async (body: string): Promise<string> =>
      attribute(
        succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      );

    before(async () => {
      service = await startService(leg, {});
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Stranger');
      carol = await addPerson(service.services, 'carol@example.org', 'Carol Member');
      recordId = await createRecord(service.call, 'alice@example.org');
      const database = service.services.database;
      const [carenet] = await sharingStore.listCarenets(direct(database), recordId, { limit: 1, offset: 0 });
      carenetId = carenet!.id;
      await sharingStore.putMember(direct(database), carenetId, 'carol@example.org', false, now(service.services));
      const active = { status_identifier: 'active', status_title: 'active' };
      const stopped = { status_identifier: 'stopped', status_title: 'stopped' };
      for (const body of [
        medicine('Ramipril 5 mg', { startDate: '2026-01-01', ...active, instructions: 'at night' }),
        medicine('RAMIPRIL 5mg', { startDate: '2026-01-03', ...active, instructions: 'in the morning' }),
        medicine('Ramipril 10 mg', { startDate: '2026-01-03', ...active }),
        medicine('Aspirin 100 mg', { startDate: '2024-01-01', endDate: '2024-02-01', ...stopped }),
      ]) {
        ids.push(await post(body));
      }
      for (const id of [ids[1], ids[3]]) {
        succeeded(await service.call(alice, 'PUT', `/records/${recordId}/documents/${id}/carenets/${carenetId}`));
      }
    });
    after(() => service.stop());

    const lines = (query = ''): Promise<Answer> => get(alice, `/records/${recordId}/lines/Medication/${query}`);

    it('record_lines joins what is the same, in XML', async () => {
      const root = rootOf(await lines());
      expect([root.name(), root.attr('record_id')?.value(), root.attr('total_line_count')?.value()]).to.equal([
        'Lines',
        recordId,
        '3',
      ]);
      expect(attributes(root, 'Line', 'sources')).to.equal(['1', '1', '2']);
      expect(attributes(root, 'Line', 'standing')).to.equal(['over', 'open', 'open']);
      expect(attributes(root, 'Line', 'conflict')).to.equal(['false', 'false', 'true']);
      expect(attributes(root, 'Line[3]/Says', 'documentId')).to.equal([ids[1]!, ids[0]!]);
      expect(find(root, 'Line[3]/Says/Field[@name="instructions"]').map((node) => node.text())).to.equal([
        'in the morning',
        'at night',
      ]);
      expect(attributes(root, 'Line[3]/Differs', 'field')).to.equal(['instructions']);
      expect(attributes(root, 'Line[3]/Differs/Statement', 'id').length).to.equal(2);
      expect(attributes(root, 'Line[1]/Time', 'until')).to.equal(['2024-02-01']);
    });

    it('record_lines says the same in JSON', async () => {
      const { text } = succeeded(await lines('?response_format=application/json'));
      const found = JSON.parse(text) as {
        readonly total_line_count: number;
        readonly lines: readonly {
          readonly says: readonly { readonly fields: { readonly drugName_title: string } }[];
        }[];
      };
      expect(found.total_line_count).to.equal(3);
      expect(found.lines.map(({ says }) => says[0]!.fields.drugName_title)).to.equal([
        'Aspirin 100 mg',
        'Ramipril 10 mg',
        'RAMIPRIL 5mg',
      ]);
    });

    it('record_lines answers those of a standing, and pages', async () => {
      const counts = async (query: string): Promise<readonly [string, number]> => {
        const root = rootOf(await lines(query));
        return [root.attr('total_line_count')!.value(), find(root, 'Line').length];
      };
      expect(await counts('?standing=over')).to.equal(['1', 1]);
      expect(await counts('?standing=open')).to.equal(['2', 2]);
      expect(await counts('?standing=undone')).to.equal(['0', 0]);
      expect(await counts('?limit=1&offset=1')).to.equal(['3', 1]);
      // As in every list, a larger limit is lowered to SVC_MAX_LIMIT, and the answer says so.
      const most = await lines('?limit=1001');
      expect([most.status, most.headers['x-limit']]).to.equal([200, '1000']);
      for (const query of ['?standing=perhaps', '?response_format=text/plain', '?limit=-1', '?offset=x']) {
        expect((await lines(query)).status, query).to.equal(400);
      }
      expect((await get(alice, `/records/${recordId}/lines/Nothing/`)).status).to.equal(404);
      expect((await get(alice, `/records/${recordId}/lines/Demographics/`)).status).to.equal(404);
    });

    it('record_line answers a line, and leads from the id of each statement to it', async () => {
      const root = rootOf(await lines());
      const lineId = attributes(root, 'Line[3]', 'id')[0]!;
      const one = rootOf(await get(alice, `/records/${recordId}/lines/Medication/${lineId}`));
      expect([one.name(), find(one, 'Says').length]).to.equal(['Line', 2]);
      const others = attributes(root, 'Line[3]/Says', 'id').filter((id) => id !== lineId);
      const led = await get(alice, `/records/${recordId}/lines/Medication/${others[0]}`);
      expect(led.status).to.equal(303);
      expect(String(led.headers['location'])).to.endWith(`/records/${recordId}/lines/Medication/${lineId}`);
      expect((await get(alice, `/records/${recordId}/lines/Medication/${newId()}`)).status).to.equal(404);
      expect((await get(alice, `/records/${recordId}/lines/Problem/${lineId}`)).status).to.equal(404);
    });

    it('carenet_lines are made of what the carenet holds, as if nothing else existed', async () => {
      const root = rootOf(await get(carol, `/carenets/${carenetId}/lines/Medication/`));
      expect(attributes(root, 'Line', 'sources')).to.equal(['1', '1']);
      expect(attributes(root, 'Line', 'conflict')).to.equal(['false', 'false']);
      const lineId = attributes(root, 'Line[2]', 'id')[0]!;
      expect(rootOf(await get(carol, `/carenets/${carenetId}/lines/Medication/${lineId}`)).name()).to.equal('Line');
      const hidden = attributes(rootOf(await lines()), 'Line[3]/Says', 'id').filter((id) => id !== lineId);
      expect((await get(carol, `/carenets/${carenetId}/lines/Medication/${hidden[0]}`)).status).to.equal(404);
    });

    it('are refused to those who may not see the record or the carenet', async () => {
      for (const [caller, path] of [
        [bob, `/records/${recordId}/lines/Medication/`],
        [carol, `/records/${recordId}/lines/Medication/`],
        [bob, `/carenets/${carenetId}/lines/Medication/`],
        [carol, `/records/${recordId}/lines/Medication/${newId()}`],
        [bob, `/carenets/${newId()}/lines/Medication/`],
      ] as const) {
        expect((await get(caller, path)).status, path).to.equal(403);
      }
    });

    describe('words of the person', () => {
      const word = (verdict: string, about: readonly string[], model = 'Medication', more = ''): string =>
        `<OwnWord xmlns="${NS}"><verdict>${verdict}</verdict><date>2026-05-02</date>${more}` +
        `${about.map((id) => `<about model="${model}" statement="${id}">x</about>`).join('')}</OwnWord>`;
      const store = (body: string): Promise<Answer> =>
        service.call(alice, 'POST', `/records/${recordId}/documents/`, { body });
      const standingOf = async (number: number): Promise<string> =>
        attributes(rootOf(await lines()), `Line[${number}]`, 'standing')[0]!;

      it('end a medicine, count where their document is visible only, and end with it', async () => {
        const [statement = ''] = attributes(rootOf(await lines()), 'Line[2]/Says', 'id');
        const id = attribute(succeeded(await store(word('stopped', [statement]))).text, 'Document', 'id');
        expect(await standingOf(2)).to.equal('over');
        const [said] = find(rootOf(await lines()), 'Line[2]/OwnWord');
        expect([said!.attr('verdict')?.value(), said!.attr('documentId')?.value()]).to.equal(['stopped', id]);
        const shown = rootOf(await get(carol, `/carenets/${carenetId}/lines/Medication/`));
        expect([attributes(shown, 'Line[2]', 'standing'), find(shown, 'Line/OwnWord').length]).to.equal([['open'], 0]);
        succeeded(
          await service.call(alice, 'POST', `/records/${recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'x' },
          }),
        );
        expect(await standingOf(2)).to.equal('open');
      });

      it('take what is wrong out of the Continuity of Care Record, and leave it in reports', async () => {
        const [statement = ''] = attributes(rootOf(await lines()), 'Line[1]/Says', 'id');
        const ccr = async (): Promise<number> =>
          (await get(alice, `/records/${recordId}/reports/experimental/ccr`)).text.split('<Medication>').length;
        const report = async (): Promise<string> =>
          (await get(alice, `/records/${recordId}/reports/Medication/?response_format=application/json`)).text;
        const before = [await ccr(), await report()] as const;
        const id = attribute(succeeded(await store(word('wrong', [statement]))).text, 'Document', 'id');
        expect(await ccr()).to.equal(before[0] - 1);
        expect(await report()).to.equal(before[1]);
        succeeded(
          await service.call(alice, 'POST', `/records/${recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'x' },
          }),
        );
        expect(await ccr()).to.equal(before[0]);
      });

      it('are refused when they cannot mean anything, and count for nothing about what is not there', async () => {
        const [one, other] = [newId(), newId()];
        for (const body of [
          word('perhaps', [one]),
          word('same', [one]),
          word('different', [one, one]),
          word('stopped', [one], 'Problem'),
          word('taking', [one], 'Allergy'),
          word('wrong', []),
          word('is-test', [one], 'LabResult'),
          word('wrong', [one], 'LabResult', '<test>glucose</test>'),
          sdmx('OwnWord', { verdict: 'same', date: '2026-05-02' }),
        ]) {
          expect((await store(body)).status, body).to.equal(400);
        }
        const before = (await lines()).text;
        succeeded(await store(word('same', [one, other])));
        expect((await lines()).text).to.equal(before);
      });

      it('are in no carenet by their type', async () => {
        const type = `${NS}OwnWord`;
        const path = `/records/${recordId}/autoshare/carenets/${carenetId}/bytype/set`;
        expect((await service.call(alice, 'POST', path, { form: { type } })).status).to.equal(400);
      });
    });

    it('leave out void documents', async () => {
      succeeded(
        await service.call(alice, 'POST', `/records/${recordId}/documents/${ids[2]}/set-status`, {
          form: { status: 'void', reason: 'wrong' },
        }),
      );
      expect(
        rootOf(await lines())
          .attr('total_line_count')
          ?.value(),
      ).to.equal('2');
    });
  });
}
