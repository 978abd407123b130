/** questions: the page that asks whether two lines are one, and what becomes of the answers. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable, type SitePage } from '../../support/site';
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
      const list = readable(await made.owner.open(`${base()}list/Medication`));
      expect(list.match(/Ramipril/g)?.length).to.equal(1);
      expect(list.match(/Bisoprolol/g)?.length).to.equal(2);
    });
  });
}
