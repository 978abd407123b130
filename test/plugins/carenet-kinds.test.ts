/** carenet-kinds: facts that a carenet sees by their kind, while their documents stay closed. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { addPerson, addSession, type Signs } from '../support/cast';
import type { Answer } from '../support/client';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { readable } from '../support/site';
import { enterSite } from '../support/site-record';
import { admin, startService, type TestService } from '../support/server';
import { attribute, createRecord, PASSWORD, succeeded } from '../support/world';
import { fieldsXml } from '../support/fields';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';

type Fields = Readonly<Record<string, string>>;
const models = (...all: readonly (readonly [name: string, fields: Fields])[]): string =>
  `<Models xmlns="${NS}">${all.map(([name, fields]) => `<Model name="${name}">${fieldsXml(fields)}</Model>`).join('')}</Models>`;

const result = (title: string, code: string, value: string, more: Fields = {}): readonly [string, Fields] => [
  'LabResult',
  {
    test_name_title: title,
    test_name_identifier: code,
    test_name_system: 'http://loinc.org',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: 'mg/dL',
    ...more,
  },
];

type Row = Readonly<Record<string, unknown>>;

for (const leg of databases) {
  describe(`kinds of facts on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;
    let carol: Signs;
    let recordId: string;
    let carenetId: string;
    let otherCarenetId: string;
    let paper: string;
    let hidden: string;

    const get = (caller: Signs, path: string): Promise<Answer> => service.call(caller, 'GET', path);
    const post = async (body: string): Promise<string> =>
      attribute(
        succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      );
    const give = (kind: string, into = carenetId, method: 'PUT' | 'DELETE' = 'PUT'): Promise<Answer> =>
      service.call(alice, method, `/carenets/${into}/kinds/${kind}`);
    const rows = async (query = '', model = 'LabResult', into = carenetId): Promise<readonly Row[]> =>
      JSON.parse(
        succeeded(await get(carol, `/carenets/${into}/reports/${model}/?response_format=application%2Fjson${query}`))
          .text,
      ) as Row[];
    const titles = async (query = ''): Promise<readonly unknown[]> =>
      (await rows(query)).map((row) => row['test_name_title']);

    const fresh = async (): Promise<void> => {
      recordId = await createRecord(service.call, 'alice@example.org');
      const list = succeeded(await get(alice, `/records/${recordId}/carenets/`)).text;
      [carenetId = '', otherCarenetId = ''] = [...list.matchAll(/<Carenet id="([^"]*)"/g)].map((match) => match[1]!);
      for (const id of [carenetId, otherCarenetId]) {
        succeeded(
          await service.call(alice, 'POST', `/carenets/${id}/accounts/`, {
            form: { account_id: 'carol@example.org', write: 'false' },
          }),
        );
      }
      paper = await post(
        models(
          result('Creatinine', '2160-0', '1.1', {
            collected_at: '2026-03-03T10:00:00Z',
            notes: 'secret remark',
            narrative_result: 'secret story',
            collected_by_org_name: 'Secret Clinic',
            accession_number: 'A1',
          }),
          result('Cholesterol', '2093-3', '231', { collected_at: '2025-11-03T10:00:00Z', notes: 'another secret' }),
          ['Problem', { name_title: 'Secret problem' }],
        ),
      );
      hidden = await post(models(result('Cholesterol', '2093-3', '199', { collected_at: '2024-11-03T10:00:00Z' })));
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Stranger');
      carol = await addPerson(service.services, 'carol@example.org', 'Carol Member');
      await fresh();
    });
    after(() => service.stop());

    it('lists, gives and ends kinds for who controls the record, and for nobody else', async () => {
      const path = `/carenets/${carenetId}/kinds/`;
      expect(succeeded(await get(alice, path)).text).to.contain('<Kinds/>');
      expect(succeeded(await give('labs')).text).to.contain('<ok/>');
      expect(succeeded(await give('labs')).text).to.contain('<ok/>');
      succeeded(await give('labs-infection'));
      expect(succeeded(await get(alice, path)).text).to.contain(
        '<Kinds><Kind name="labs" ask="false"/><Kind name="labs-infection" ask="true"/></Kinds>',
      );
      for (const caller of [bob, carol]) {
        expect((await get(caller, path)).status).to.equal(403);
        expect((await service.call(caller, 'PUT', `${path}labs`)).status).to.equal(403);
        expect((await service.call(caller, 'DELETE', `${path}labs`)).status).to.equal(403);
      }
      expect((await give('LABS')).status).to.equal(404);
      expect((await give('nonsense')).status).to.equal(404);
      expect((await give('nonsense', carenetId, 'DELETE')).status).to.equal(404);
      for (const kind of ['labs', 'labs', 'labs-infection']) {
        succeeded(await give(kind, carenetId, 'DELETE'));
      }
      expect(succeeded(await get(alice, path)).text).to.contain('<Kinds/>');
      const audits = succeeded(await get(alice, `/records/${recordId}/audits/query/?limit=100`)).text;
      for (const name of ['carenet_kinds', 'carenet_kind_set', 'carenet_kind_unset']) {
        expect(audits, name).to.contain(name);
      }
    });

    it('shows results without what does not go along, and opens no document', async () => {
      expect(await rows()).to.equal([]);
      succeeded(await give('labs'));
      const found = await rows();
      expect(found.map((row) => [row['test_name_title'], row['quantitative_result_value_value']])).to.equal([
        ['Creatinine', '1.1'],
        ['Cholesterol', '231'],
        ['Cholesterol', '199'],
      ]);
      const [first] = found as [Row];
      expect([first['notes'], first['narrative_result'], first['collected_by_org_name']]).to.equal([null, null, null]);
      expect(first['accession_number']).to.equal('A1');
      const names = found.map((row) => String(row['__documentid__']));
      expect(names[0]).to.equal(names[1]!);
      expect(new Set(names).size).to.equal(2);
      const all = [...names, paper, hidden];
      for (const id of all) {
        for (const part of ['', '/meta']) {
          expect((await get(carol, `/carenets/${carenetId}/documents/${id}${part}`)).status).to.equal(404);
        }
      }
      expect(names.some((id) => id === paper || id === hidden)).to.be.false();
      expect(succeeded(await get(carol, `/carenets/${carenetId}/documents/`)).text).to.contain(
        'total_document_count="0"',
      );
      expect(await rows('', 'Problem')).to.equal([]);
      // Another circle has other names.
      succeeded(await give('labs', otherCarenetId));
      const other = (await rows('', 'LabResult', otherCarenetId)).map((row) => String(row['__documentid__']));
      expect(other.some((id) => names.includes(id))).to.be.false();
      succeeded(await give('labs', otherCarenetId, 'DELETE'));
      const xml = succeeded(
        await get(carol, `/carenets/${carenetId}/reports/LabResult/?response_format=application%2Fxml`),
      );
      const minimal = succeeded(await get(carol, `/carenets/${carenetId}/reports/minimal/labs/`));
      for (const { text } of [xml, minimal]) {
        expect(text).to.not.match(/secret/i);
        expect(text).to.not.contain('kind:');
        expect(text).to.not.contain(paper);
      }
      expect(minimal.text).to.contain('total_document_count="3"');
      expect(minimal.text).to.contain(
        `<Document id="${names[0]}" type="" digest="" size="" record_id="${recordId}"><status>active</status>`,
      );
    });

    it('gives of a visit its day, type, place and doctor, and no remarks of anything', async () => {
      const id = await post(
        models(
          [
            'Encounter',
            {
              startDate: '2026-02-02T10:00:00Z',
              encounterType_title: 'Check-up',
              reason: 'secret reason',
              notes: 'secret remark',
              facility_name: 'Clinic of the town',
              facility_adr_city: 'Secretville',
              provider_name_family: 'Weber',
              provider_name_given: 'Eva',
              provider_email: 'secret@example.org',
            },
          ],
          [
            'Measurement',
            { type: 'glucose', value: '5', unit: 'mmol/L', datetime: '2026-02-02T10:00:00Z', notes: 'secret meal' },
          ],
        ),
      );
      for (const kind of ['visits', 'measurements']) {
        succeeded(await give(kind));
      }
      const visits = await rows('', 'Encounter');
      expect(visits.length).to.equal(1);
      expect(visits[0]).to.include({ facility_name: 'Clinic of the town', provider_name_family: 'Weber' });
      const measured = await rows('', 'Measurement');
      expect(measured.map(({ value }) => Number(value))).to.equal([5]);
      expect(JSON.stringify([visits, measured])).to.not.match(/secret/i);
      expect(await rows('&reason=secret%20reason', 'Encounter')).to.equal([]);
      expect(await rows('&notes=secret%20meal', 'Measurement')).to.equal([]);
      // Whatever fields a model gets: what was remarked, told or signed goes along with no kind.
      const { kinds, find } = service.services.models();
      const goAlong = kinds.all.flatMap(({ hidden }) =>
        [...hidden].flatMap(([model, columns]) =>
          find(model)!
            .columns.map(({ name }) => name)
            .filter((name) => !columns.has(name))
            .map((name) => `${model}.${name}`),
        ),
      );
      const people = /^Encounter\.(provider_name|facility_name)/;
      const never =
        /notes|comments|narrative|reason$|reasonStopped|provenance|intent|panel|encounter$|collected_by|provider|facility|location/;
      expect(goAlong.filter((name) => never.test(name) && !people.test(name))).to.equal([]);
      for (const kind of ['visits', 'measurements']) {
        succeeded(await give(kind, carenetId, 'DELETE'));
      }
      succeeded(
        await service.call(alice, 'POST', `/records/${recordId}/documents/${id}/set-status`, {
          form: { reason: 'test', status: 'void' },
        }),
      );
    });

    it('hears the person where the word itself is in the circle, and names a closed paper by its date', async () => {
      succeeded(await give('medicines'));
      const pills = await post(models(['Medication', { drugName_title: 'Ramipril 5 mg' }]));
      const line = async (): Promise<{ id: string; text: string; standing: string }> => {
        const { text } = succeeded(await get(carol, `/carenets/${carenetId}/lines/Medication/`));
        const [, id = ''] = /<Line id="([^"]*)"/.exec(text) ?? [];
        return { id, text, standing: /standing="(\w+)"/.exec(text)![1]! };
      };
      const own = succeeded(await get(alice, `/records/${recordId}/lines/Medication/`)).text;
      const statement = /<Says id="([^"]*)"/.exec(own)![1]!;
      const before = await line();
      const word = await post(
        `<OwnWord xmlns="${NS}"><verdict>stopped</verdict><date>2026-05-02</date>` +
          `<about model="Medication" statement="${statement}">x</about></OwnWord>`,
      );
      expect((await line()).text).to.equal(before.text);
      succeeded(await service.call(alice, 'PUT', `/records/${recordId}/documents/${word}/carenets/${carenetId}`));
      const after = await line();
      expect([after.id, after.standing]).to.equal([before.id, 'over']);
      expect(after.text).to.contain('verdict="stopped"');
      expect(after.text).to.not.contain(statement);
      const trx = direct(service.services.database);
      const lineage = { record_id: recordId, document_id: pills, lineage_id: pills };
      await trx('sent_document').insert({ ...lineage, said: '2026-03-03', source: '{}' });
      const form = { system: 'password', username: 'carol@example.org', password: PASSWORD };
      succeeded(await service.call(admin, 'POST', '/accounts/carol@example.org/authsystems/', { form }));
      // A new password has ended the session.
      carol = await addSession(service.services, 'carol@example.org');
      const site = await enterSite(service, 'carol@example.org');
      const page = readable(await site.open(`/my/carenets/${carenetId}/list/Medication/${after.id}`));
      expect(page).to.contain('From a document of 3 March 2026');
      expect(page).to.not.contain(pills);
      for (const path of ['data/Medication', 'timeline']) {
        const listed = readable(await site.open(`/my/carenets/${carenetId}/${path}`));
        expect(listed, path).to.contain('From a document of 3 March 2026');
        expect(listed, path).to.not.contain(pills);
      }
      const csv = (await site.get(`/my/carenets/${carenetId}/data/Medication.csv`)).text.split('\r\n');
      expect([csv[0]!.split(',').at(-1), csv[1]!.split(',').at(-1)]).to.equal(['from_document_of', '2026-03-03']);
      expect(csv.join()).to.not.contain(pills);
      succeeded(await give('medicines', carenetId, 'DELETE'));
    });

    it('keeps names under a correction of what is not seen', async () => {
      const body = (notes: string, ...more: readonly (readonly [string, Fields])[]): string =>
        models(
          result('Urea', '3094-0', '30', { notes }),
          result('Urea', '3094-0', '30', { notes: 'the same' }),
          ['Problem', { name_title: notes }],
          ...more,
        );
      const id = await post(body('before'));
      const seen = async (): Promise<string> => {
        const path = `/carenets/${carenetId}`;
        const reports = ['application%2Fjson', 'application%2Frdf%2Bxml'].map(
          (format) => `${path}/reports/LabResult/?response_format=${format}`,
        );
        const answers = [...reports, `${path}/lines/LabResult/`, `${path}/reports/minimal/labs/`].map((one) =>
          get(carol, one),
        );
        return (await Promise.all(answers)).map((answer) => succeeded(answer).text).join('\n');
      };
      const before = await seen();
      expect(before).to.contain('Urea');
      const replaced = await service.call(alice, 'POST', `/records/${recordId}/documents/${id}/replace`, {
        body: body('after', result('HIV test', '56888-1', '1')),
      });
      expect(await seen()).to.equal(before);
      const next = attribute(succeeded(replaced).text, 'Document', 'id');
      succeeded(
        await service.call(alice, 'POST', `/records/${recordId}/documents/${next}/set-status`, {
          form: { reason: 'test', status: 'void' },
        }),
      );
      expect(await seen()).to.not.contain('Urea');
    });

    it('finds hidden columns empty: filters, orders, groups, sums and ranges', async () => {
      expect(await titles('&notes=secret%20remark')).to.equal([]);
      expect(await titles('&collected_by_org_name=Secret%20Clinic')).to.equal([]);
      const plain = await titles();
      for (const order of ['notes', '-notes', 'created_at', '-created_at', '-narrative_result']) {
        expect(await titles(`&order_by=${order}`), order).to.equal(plain);
      }
      expect(await titles('&date_range=created_at*2000-01-01T00:00:00Z*2100-01-01T00:00:00Z')).to.equal([]);
      expect(await rows('&group_by=notes&aggregate_by=count*')).to.equal([
        { __modelname__: 'AggregateReport', group: null, value: 3 },
      ]);
      expect(await rows('&aggregate_by=count*notes')).to.equal([{ __modelname__: 'AggregateReport', value: 0 }]);
      expect(await rows('&aggregate_by=count*test_name_title')).to.equal([
        { __modelname__: 'AggregateReport', value: 3 },
      ]);
      const find = succeeded(await get(carol, `/carenets/${carenetId}/lines/LabResult/`)).text;
      expect(find).to.not.match(/secret/i);
      expect(find).to.contain('Cholesterol');
      expect(await titles('&status=archived')).to.equal([]);
    });

    it('keeps out what was taken out, never shared, archived or void, and opens all of what is put in', async () => {
      const at = `/records/${recordId}/documents/${paper}`;
      succeeded(await service.call(alice, 'DELETE', `${at}/carenets/${carenetId}`));
      expect(await titles()).to.equal(['Cholesterol']);
      succeeded(await service.call(alice, 'PUT', `${at}/carenets/${carenetId}`));
      const [opened, , other] = (await rows()) as [Row, Row, Row];
      expect([opened['notes'], opened['__documentid__'], other['notes']]).to.equal(['secret remark', paper, null]);
      expect((await get(carol, `/carenets/${carenetId}/documents/${paper}`)).status).to.equal(200);
      succeeded(await service.call(alice, 'PUT', `${at}/nevershare`));
      expect(await titles()).to.equal(['Cholesterol']);
      succeeded(await service.call(alice, 'DELETE', `${at}/nevershare`));
      succeeded(await service.call(alice, 'POST', `${at}/carenets/${carenetId}/autoshare-revert`));
      expect((await rows()).length).to.equal(3);
      for (const [status, count] of [
        ['archived', 1],
        ['active', 3],
        ['void', 1],
        ['active', 3],
      ] as const) {
        succeeded(await service.call(alice, 'POST', `${at}/set-status`, { form: { reason: 'test', status } }));
        expect((await rows()).length, status).to.equal(count);
        expect((await rows(`&status=${status}`)).length).to.equal(status === 'active' ? 3 : 0);
      }
    });

    it('a group of tests shows its tests only, and sensitive ones are asked for by their name', async () => {
      await post(
        models(
          result('HIV 1+2 Ab', '75622-1', '1', { collected_at: '2026-01-01T00:00:00Z' }),
          // Tests of no table: taken for one of infections by a code, or by a word of the name.
          result('Load', '20447-9', '40', { collected_at: '2026-01-01T00:00:00Z' }),
          result('SÍFILIS, anticuerpos', 'local-7', '1', { collected_at: '2026-01-01T00:00:00Z' }),
          ['LabResult', { test_name_title: 'Chlamydia trachomatis', collected_at: '2026-01-02T00:00:00Z' }],
          ['LabResult', { test_name_title: 'HIV test', collected_at: '2026-01-02T00:00:00Z' }],
          ['LabResult', { test_name_title: 'Creatinine', test_name_identifier: '2160-0', test_name_system: 'local' }],
        ),
      );
      const all = await titles();
      expect(all).to.contain('Creatinine');
      const asked = ['HIV test', 'HIV 1+2 Ab', 'Load', 'SÍFILIS, anticuerpos', 'Chlamydia trachomatis'];
      expect(all.filter((title) => asked.includes(String(title)))).to.equal([]);
      succeeded(await give('labs-kidney'));
      succeeded(await give('labs', carenetId, 'DELETE'));
      expect(await titles()).to.equal(['Creatinine']);
      // As if the kind had been given before its group had this test: the owner is asked, and decides by a box.
      await direct(service.services.database)('carenet_kind')
        .where({ carenet_id: carenetId, kind: 'labs-kidney' })
        .update({ tests: '["urea"]' });
      expect(await titles()).to.equal([]);
      const form = { system: 'password', username: 'alice@example.org', password: PASSWORD };
      succeeded(await service.call(admin, 'POST', '/accounts/alice@example.org/authsystems/', { form }));
      alice = await addSession(service.services, 'alice@example.org');
      const owner = await enterSite(service, 'alice@example.org');
      const page = await owner.open(`/my/records/${recordId}/sharing/circles/${carenetId}`);
      const [, names = ''] = /Also ([^<]*): added to this kind/.exec(page.text)!;
      expect(names).to.contain('Creatinine').and.to.not.contain('Urea (blood)');
      expect(page.text).to.match(new RegExp(`value="${carenetId} labs-kidney"[^>]*checked[^]*?nothing today`));
      const sent = { crumb: owner.cookies.get('crumb')!, what: 'facts', fact: `${carenetId} labs-kidney again` };
      expect((await owner.post(`/my/records/${recordId}/sharing/circles/${carenetId}`, sent)).status).to.equal(303);
      expect(await titles()).to.equal(['Creatinine']);
      expect((await owner.open(`/my/records/${recordId}/sharing/circles/${carenetId}`)).text).to.not.contain(
        'added to this kind',
      );
      succeeded(await give('labs-infection'));
      succeeded(await give('labs'));
      const seenNow = await titles();
      expect(asked.filter((title) => !seenNow.includes(title))).to.equal([]);
      for (const kind of ['labs-kidney', 'labs-infection', 'labs']) {
        succeeded(await give(kind, carenetId, 'DELETE'));
      }
      expect(await titles()).to.equal([]);
    });
  });
}
