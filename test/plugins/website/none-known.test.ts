/** none known: the button by which a person says it, where pages show who says so and when, and how it is taken back. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const MODELS = {
  Allergy: 'No known allergies',
  Medication: 'No known medications',
  Problem: 'No known problems',
} as const;

for (const leg of databases) {
  describe(`none known on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let base: string;

    const press = async (page: SitePage, model: string): Promise<SitePage> => {
      const { action, fields } = formsOf(page).find(({ html }) => html.includes(`value="${model}"`))!;
      return record.owner.post(action, { ...fields, of: model });
    };

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      base = `/my/records/${record.recordId}`;
    });
    after(() => service.stop());

    it('is said by one press on the overview or an empty list, once, with its date, and can be taken back', async () => {
      for (const [model, title] of Object.entries(MODELS)) {
        const list = await record.owner.open(`${base}/list/${model}`);
        expect(readable(list), model).to.contain('None known').and.to.contain('Nothing is here yet');
        const overview = await record.owner.open(`${base}/`);
        const stored = await press(overview, model);
        expect(stored.status).to.equal(303);
        const path = String(stored.headers['location']);
        expect((await press(overview, model)).headers['location'], 'the same form again').to.equal(path);
        const saved = await record.owner.open(path);
        expect(readable(saved)).to.contain(['Saved', title]);
        for (const shown of ['/', `/list/${model}`]) {
          const text = readable(await record.owner.open(`${base}${shown}`));
          expect(text, `${model} ${shown}`).to.contain([title, 'Said on']);
        }
        const others = Object.values(MODELS).filter((one) => one !== title);
        expect(others.some((one) => readable(saved).includes(one))).to.be.false();
        const undone = await record.owner.post(saved.path, { crumb: record.owner.cookies.get('crumb')! });
        expect(undone.status).to.equal(303);
        expect(readable(await record.owner.open(String(undone.headers['location'])))).to.contain('Taken back');
        expect(readable(await record.owner.open(`${base}/`))).to.not.contain(title);
      }
    });

    it('answers the first questions of a doctor', async () => {
      const overview = await record.owner.open(`${base}/`);
      expect(readable(overview)).to.contain('0 of 3');
      await press(overview, 'Problem');
      expect(readable(await record.owner.open(`${base}/`))).to.contain('1 of 3');
    });

    it('never stands beside what is there without a word', async () => {
      await record.store(
        factsDocument(
          service,
          factOf('AllergyExclusion', { name_title: 'No known medications', name_identifier: '787481004' }),
          factOf('Medication', { drugName_title: 'Warfarin' }),
          factOf('Problem', { name_title: 'Asthma' }),
        ),
      );
      const overview = readable(await record.owner.open(`${base}/`));
      expect(overview).to.match(/Warfarin.*Somewhere else it says: No known medications/s);
      expect(overview).to.match(/Asthma.*Somewhere else it says: No known problems/s);
      const list = readable(await record.owner.open(`${base}/list/Medication`));
      expect(list)
        .to.contain(['What somebody says is not there', 'No known medications', 'Warfarin'])
        .and.to.not.contain('No known problems');
    });

    it('refuses what nobody can deny, and a form without its token', async () => {
      await record.owner.open(`${base}/quick/none-known`);
      const crumb = record.owner.cookies.get('crumb')!;
      const send = (fields: Readonly<Record<string, string>>) =>
        record.owner.post(`${base}/quick/none-known`, { crumb, ...fields });
      expect((await send({ form: 'a form', of: 'LabResult' })).status).to.equal(404);
      expect((await send({ of: 'Allergy' })).status).to.equal(404);
      expect((await record.owner.post(`${base}/quick/none-known`, { form: 'a form', of: 'Allergy' })).status).to.equal(
        403,
      );
      expect((await record.member.get(`${base}/quick/none-known`)).status).to.equal(404);
    });
  });
}
