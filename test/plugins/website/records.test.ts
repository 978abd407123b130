/**
 * records page: what each record and circle contains and what waits there, shown to people who may know it, with a
 * fixed number of statements.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { admin, startService, type TestService } from '../../support/server';
import { readable, type Site } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, OWNER, STRANGER, type SiteRecord } from '../../support/site-record';
import { createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`the list of records on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let documents: string[];
    const text = async (site: Site): Promise<string> => readable(await site.get('/my/?all=1'));
    const put = async (method: string, path: string, form?: Readonly<Record<string, string>>) =>
      succeeded(await service.call(made.credentials, method, path, form ? { form } : {}));

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      made = await makeSiteRecord(service);
      documents = [];
      for (const title of ['One', 'Two', 'Three']) {
        documents.push(await made.store(factsDocument(service, factOf('Problem', { name_title: title }))));
      }
    });
    after(() => service.stop());

    it('tells the owner all, and a member of a circle nothing before something lies there', async () => {
      expect(await text(made.owner)).to.match(/[34] documents, the last one added on \d/);
      const hers = await text(made.member);
      expect(hers).to.contain('Family: nothing yet. You can read, not add.').and.to.not.contain('the last one added');
      expect(await text(made.stranger)).to.not.contain('Mira');
    });

    it('tells the age to those who see the whole record, and not to a member of a circle', async () => {
      expect(await text(made.owner)).to.match(/\d+ years/);
      expect(await text(made.member)).to.not.match(/\d+ years/);
      expect((await made.owner.get('/my/?all=1')).text).to.match(/<span class="av me-\w+" aria-hidden="true">/);
    });

    it('counts for a member what the circle contains, as its list of documents does', async () => {
      const [one, two] = documents as [string, string];
      await put('PUT', `/records/${made.recordId}/documents/${one}/carenets/${made.carenetId}`);
      expect(await text(made.member)).to.contain('Family: one document. You can read');
      await put('PUT', `/records/${made.recordId}/documents/${two}/carenets/${made.carenetId}`);
      expect(await text(made.member)).to.contain('Family: 2 documents. You can read');
      await put('PUT', `/records/${made.recordId}/documents/${two}/nevershare`);
      expect(await text(made.member)).to.contain('Family: one document. You can read');
    });

    it('names the kinds that a circle shares and holds, and counts what was put there', async () => {
      const type = `${service.services.config.vocabBase}/xml/documents#Models`;
      const { text: kept } = await put('GET', `/records/${made.recordId}/documents/${documents[0]!}/meta`);
      expect(kept).to.contain(type);
      await made.owner.open('/my/account');
      const crumb = made.owner.cookies.get('crumb') ?? '';
      const path = `/my/records/${made.recordId}/sharing`;
      await made.owner.post(path, [
        ['crumb', crumb],
        ['what', 'kinds'],
        ['share', `${made.carenetId} ${type}`],
      ]);
      const said = await text(made.member);
      expect(said).to.match(/Family: (?!one document|nothing)\D+\. You can read/);
    });

    it('tells since when a whole record is shared, and how much waits, by at most 20 statements', async () => {
      await put('POST', `/records/${made.recordId}/shares/`, { account_id: STRANGER });
      expect(await text(made.stranger)).to.match(/[34] documents.*You see everything.*Shared with you since \d/s);
      expect(await text(made.stranger)).to.not.contain('waits for you');
      const inbox = `/records/${made.recordId}/inbox/hello`;
      succeeded(await service.call(admin, 'POST', inbox, { form: { subject: 'Results', body: 'Here' } }));
      expect(await text(made.owner)).to.contain('One thing waits for you');
      expect(await text(made.stranger)).to.contain('One thing waits for you');
      expect(await text(made.member)).to.not.contain('waits for you');
      // A message about no record is shown only in the inbox.
      const letter = `/accounts/${encodeURIComponent(OWNER)}/inbox/`;
      succeeded(
        await service.call(admin, 'POST', letter, { form: { message_id: 'other', subject: 'News', body: 'x' } }),
      );
      expect(await text(made.owner)).to.contain('One thing waits for you');
      const overview = readable(await made.owner.get(`/my/records/${made.recordId}/`));
      expect(overview).to.contain('Results').and.to.not.contain('News');
      expect((await made.owner.get('/my/account')).text).to.match(/>2<span class="unseen"> unread messages/);
      const { asked } = await askedBy(() => made.stranger.get('/my/?all=1'));
      expect(asked.length).to.be.at.most(20);
    });

    it('names allergies to those who see the whole record, without those called wrong, and writes down who looked', async () => {
      const allergy = (title: string): string => factsDocument(service, factOf('Allergy', { allergen_title: title }));
      await made.store(allergy('Penicillin'));
      const [wrong] = [await made.store(allergy('Wrong peanut'))];
      expect(await text(made.owner)).to.contain('Allergies: Penicillin, Wrong peanut');
      const statement = await direct(service.services.database)('fact_allergy').where({ _document_id: wrong }).first();
      await made.store(
        factsDocument(
          service,
          `<Model name="OwnWord"><Field name="verdict">wrong</Field><Field name="date">2026-01-02</Field><Field name="about"><Models><Model name="OwnWordAbout"><Field name="model">Allergy</Field><Field name="statement">${String(statement['_statement'])}</Field><Field name="words">Wrong peanut</Field></Model></Models></Field></Model>`,
        ),
      );
      const said = await text(made.owner);
      expect(said).to.contain('Allergies: Penicillin').and.to.not.contain('Wrong peanut');
      expect(await text(made.member)).to.not.contain('Penicillin');

      const rows = async (): Promise<number> => {
        const found = direct(service.services.database)('audit').where({ principal_id: STRANGER });
        return (await found.where({ function_name: 'account_records', record_id: made.recordId })).length;
      };
      const before = await rows();
      expect(await text(made.stranger)).to.contain('Penicillin');
      expect(await rows()).to.equal(before + 1);
    });

    it('leads from every page of a record to the others, with ages, by a fixed number of statements', async () => {
      await createRecord(service.call, OWNER, 'Ida', 'Halvorsen');
      const page = await made.owner.get(`/my/records/${made.recordId}/timeline`);
      expect(page.text).to.contain(['Ida Halvorsen', ' years</small>']);
      expect(page.text.split('popover="auto"')[1]).to.contain('Ida Halvorsen').and.to.contain(' years</small>');
      const hers = await made.member.get(`/my/carenets/${made.carenetId}/timeline`);
      expect(hers.status).to.equal(200);
      expect(hers.text).to.not.contain('years</small>').and.to.not.contain('Ida');

      const few = (await askedBy(() => made.owner.get('/my/?all=1'))).asked.length;
      for (let count = 0; count < 30; count += 1) {
        await createRecord(service.call, OWNER, `Child ${count}`, 'Halvorsen');
      }
      const { asked, result } = await askedBy(() => made.owner.get('/my/?all=1'));
      expect([result.status, asked.length]).to.equal([200, few]);
      const other = await askedBy(() => made.owner.get(`/my/records/${made.recordId}/timeline`));
      expect(other.asked.length).to.be.at.most(20);
      expect(other.result.text.match(/<li><a href="[^"]*\/my\/records\/[\w-]+\/"/g)!.length).to.be.at.most(12);
    });
  });
}
