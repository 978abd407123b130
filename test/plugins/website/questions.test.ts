/** questions: the page that asks whether two lines are one, and what becomes of the answers. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable, type SitePage } from '../../support/site';
import { succeeded } from '../../support/world';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Form = ReturnType<typeof formsOf>[number];

for (const leg of databases) {
  describe(`questions on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;

    const base = (): string => `/my/records/${made.recordId}/`;
    const open = (): Promise<SitePage> => made.owner.open(`${base()}questions`);
    const medicine = (title: string): Promise<string> =>
      made.store(factsDocument(service, factOf('Medication', { drugName_title: title, startDate: '2026-01-01' })));
    const answers = (page: SitePage, button: string): readonly Form[] =>
      formsOf(page).filter(({ html }) => html.includes(`>${button}</button>`));
    const aboutIn = ({ html }: Form): readonly string[] =>
      [...html.matchAll(/name="about" value="([^"]*)"/g)].map(([, id]) => id!);
    const send = (form: Form, about = aboutIn(form)): Promise<SitePage> => {
      const others = Object.entries(form.fields).filter(([name]) => name !== 'about');
      return made.owner.post(`${base()}questions`, [...others, ...about.map((id) => ['about', id] as const)]);
    };
    const documentCount = async (): Promise<number> => {
      const { text } = await made.owner.open(`${base()}documents`);
      return [...text.matchAll(/data-kind="Document"/g)].length;
    };

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      for (const title of ['Ramipril 5 mg', 'Ramipril', 'Bisoprolol 5 mg', 'Bisoprolol', 'Aspirin 100 mg']) {
        await medicine(title);
      }
    });
    after(() => service.stop());

    it('are counted on the overview, which leads to them', async () => {
      const overview = await made.owner.open(base());
      expect(overview.text).to.contain(`href="${base()}questions"`);
      expect(readable(overview)).to.contain('2 questions');
      const page = await open();
      expect(readable(page))
        .to.contain(['Ramipril', 'Bisoprolol', 'Are these the same?'])
        .and.to.not.contain('Aspirin');
      expect([answers(page, 'Yes').length, answers(page, 'No').length]).to.equal([2, 2]);
      // A circle is asked nothing.
      const circle = await made.member.open(`/my/carenets/${made.carenetId}/`);
      expect(readable(circle)).to.not.match(/\bquestions?\b/);
      expect((await made.member.get(`/my/carenets/${made.carenetId}/questions`)).status).to.equal(404);
    });

    it('store nothing for what was not asked', async () => {
      const page = await open();
      const before = await documentCount();
      const [yes, other] = answers(page, 'Yes') as [Form, Form];
      for (const about of [[], [aboutIn(yes)[0]!], [aboutIn(yes)[0]!, aboutIn(other)[0]!], ['x', 'y']]) {
        expect((await send(yes, about)).status).to.equal(303);
      }
      expect(await documentCount()).to.equal(before);
    });

    it('make one line of two for yes, keep two for no, and are not asked again', async () => {
      const page = await open();
      const yes = answers(page, 'Yes').find(({ html }) => html.includes('Ramipril'))!;
      expect((await send(yes)).status).to.equal(303);
      expect((await send(yes)).status).to.equal(303);
      const left = await open();
      expect(readable(left)).to.not.contain('Ramipril');
      const [no, ...more] = answers(left, 'No') as [Form, ...Form[]];
      expect(more.length).to.equal(0);
      expect((await send(no)).status).to.equal(303);
      expect(readable(await open())).to.contain('There is nothing to answer.');
      expect((await made.owner.open(base())).text).to.not.contain(`href="${base()}questions"`);
      const list = (await made.owner.open(`${base()}list/Medication`)).text;
      const rows = [...list.matchAll(/data-kind="Medication"[^]*?<\/h3>/g)].map(([row]) => row);
      expect(rows.filter((row) => row.includes('Ramipril')).length).to.equal(1);
      expect(rows.filter((row) => row.includes('Bisoprolol')).length).to.equal(2);
    });

    it('ask which test a name without a code means, once for each name and source', async () => {
      const named = (title: string, value: string, date: string): string =>
        factOf('LabResult', {
          collected_at: `${date}T08:00:00Z`,
          test_name_title: title,
          quantitative_result_value_value: value,
          quantitative_result_value_unit: 'mg/dL',
        });
      for (const value of ['1.1', '1.2']) {
        await made.store(factsDocument(service, named('Kreatinin', value, `2025-0${value.at(-1)}-01`)));
      }
      await made.store(
        factsDocument(service, named('Serum cholesterol test X', '1', '2025-01-01'), named('LDL', '130', '2025-01-01')),
      );
      const tests = async (): Promise<string> => readable(await made.owner.open(`${base()}tests`));
      expect(await tests())
        .to.contain('Kreatinin')
        .and.not.contain('Creatinine (blood)');
      expect((await made.owner.get(`${base()}tests/creatinine`)).status).to.equal(404);
      expect(readable(await made.owner.open(base()))).to.contain('2 questions');
      const page = readable(await open());
      expect(page).to.contain('Is this Creatinine (blood)?').and.contain('Is this LDL');
      expect(page.match(/Kreatinin/g)!.length, 'once').to.equal(1);

      const [no] = answers(await open(), 'No').filter(({ html }) => html.includes('Kreatinin')) as [Form];
      expect((await send(no, ['00000000-0000-4000-8000-000000000000'])).status).to.equal(303);
      expect((await send({ ...no, fields: { ...no.fields, test: 'ferritin' } })).status).to.equal(303);
      expect(readable(await open()), 'nothing that was not asked').to.contain('Is this Creatinine (blood)?');
      expect((await send(no)).status).to.equal(303);
      const other = readable(await open());
      expect(other).to.contain('Is this Creatinine in urine?').and.not.contain('(blood)');
      const [never] = answers(await open(), 'No').filter(({ html }) => html.includes('Kreatinin')) as [Form];
      await send(never);
      expect(readable(await open())).to.not.contain('Kreatinin');
      expect(await tests()).to.contain('Kreatinin');
    });

    it('show under a test what the person says is one, also what comes later from there', async () => {
      const [yes] = answers(await open(), 'Yes') as [Form];
      await send(yes);
      expect(readable(await open())).to.contain('There is nothing to answer.');
      await made.store(
        factsDocument(
          service,
          factOf('LabResult', {
            collected_at: '2025-06-01T08:00:00Z',
            test_name_title: 'ldl',
            quantitative_result_value_value: '3.1',
            quantitative_result_value_unit: 'mmol/L',
          }),
        ),
      );
      const page = await made.owner.open(`${base()}tests/ldl`);
      expect(readable(page)).to.contain('130').and.contain('3.1').and.contain('2 results');
      expect(readable(await made.owner.open(`${base()}tests`))).to.contain('2 results');
      const lineOf = async (): Promise<string> => {
        const path = `/records/${made.recordId}/lines/LabResult/`;
        const { text } = succeeded(await service.call(made.credentials, 'GET', path));
        return text.split('<Line ').find((line) => line.includes('>130<'))!;
      };
      expect(await lineOf()).to.contain('sources="1"');
      await made.store(
        factsDocument(
          service,
          factOf('LabResult', {
            collected_at: '2025-01-01T08:00:00Z',
            test_name_title: 'Cholesterol in LDL',
            test_name_identifier: '13457-7',
            test_name_system: 'http://loinc.org',
            quantitative_result_value_value: '130',
            quantitative_result_value_unit: 'mg/dL',
          }),
        ),
      );
      expect(await lineOf(), 'one line with what has a code').to.contain('sources="2"');
      const before = (await made.owner.open(`${base()}data/LabResult`)).text;
      expect(before, 'nothing of the source changes').to.contain('LDL');
    });

    it('take a name that says its specimen and means one test as it is, and no unknown test', async () => {
      await made.store(
        factsDocument(
          service,
          factOf('LabResult', {
            collected_at: '2025-06-02T08:00:00Z',
            test_name_title: 'Serum  Creatinine',
            quantitative_result_value_value: '1.3',
            quantitative_result_value_unit: 'mg/dL',
          }),
        ),
      );
      expect(readable(await open())).to.contain('There is nothing to answer.');
      expect(readable(await made.owner.open(`${base()}tests/creatinine`))).to.contain('1.3');
      const word = (test: string): string =>
        `<OwnWord xmlns="${service.services.config.vocabBase}/xml/documents#"><verdict>is-test</verdict>` +
        `<date>2026-05-02</date><test>${test}</test><about model="LabResult" ` +
        'statement="00000000-0000-4000-8000-000000000000"/></OwnWord>';
      for (const [test, status] of [
        ['creatinine', 200],
        ['not:creatinine', 200],
        ['nonsense', 400],
        ['not:nonsense', 400],
        ['', 400],
      ] as const) {
        const answer = await service.call(made.credentials, 'POST', `/records/${made.recordId}/documents/`, {
          body: word(test),
        });
        expect([test, answer.status]).to.equal([test, status]);
      }
      // A circle that does not hold the person's word knows the name only.
      expect((await made.member.get(`/my/carenets/${made.carenetId}/tests/ldl`)).status).to.equal(404);
    });
  });
}
