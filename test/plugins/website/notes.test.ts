/**
 * notes: a note about a document, typed on its page: shown on both pages to people who may see both documents, and
 * added by people who may add documents.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const HOSTILE = `Sleeps <b>better</b> & "eats"\nsince Monday`;

for (const leg of databases) {
  describe(`notes about documents on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let [problem, noted]: string[] = [];

    const path = (id: string): string => `/my/records/${made.recordId}/documents/${id}`;
    const inCircle = (id: string): string => `/my/carenets/${made.carenetId}/documents/${id}`;
    const fieldsOf = (page: SitePage): Record<string, string> =>
      formsOf(page).find(({ fields }) => fields['what'] === 'note')!.fields;
    const write = async (note: string, id = problem!, site: Site = made.owner): Promise<SitePage> =>
      site.post(path(id), {
        ...fieldsOf(await made.owner.open(path(id))),
        crumb: site.cookies.get('crumb') ?? '',
        note,
      });
    const place = (id: string) =>
      service.call(made.credentials, 'PUT', `/records/${made.recordId}/documents/${id}/carenets/${made.carenetId}`);
    const noteOn = async (id: string): Promise<string> =>
      /id="notes"[^]*?documents\/([^"]+)"/.exec((await made.owner.open(path(id))).text)![1]!;

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      problem = await made.store(factsDocument(service, factOf('Problem', { name_title: 'Asthma' })));
      await made.member.open('/my/account');
    });
    after(() => service.stop());

    it('says that there is none, and stores one as a document of its own, once for each form', async () => {
      expect(readable(await made.owner.open(path(problem!)))).to.contain('Nobody has written a note about it.');
      const fields = fieldsOf(await made.owner.open(path(problem!)));
      for (let time = 0; time < 2; time += 1) {
        expect((await made.owner.post(path(problem!), { ...fields, note: HOSTILE })).status).to.equal(303);
      }
      const page = await made.owner.open(`${path(problem!)}?note=noted`);
      expect(readable(page)).to.contain(['The note was saved', 'Note: Sleeps <b>better</b> & "eats" since Monday']);
      expect(page.text).to.not.contain('<b>better');
      expect(page.text.match(/Note: Sleeps/g)).to.have.length(1);
      noted = await noteOn(problem!);
    });

    it('shows on the page of the note what it is about, and lets it be corrected', async () => {
      const page = await made.owner.open(path(noted!));
      expect(readable(page)).to.contain(['What this is about', 'Asthma', 'since Monday', 'Correct']);
      const related = succeeded(
        await service.call(made.credentials, 'GET', `/records/${made.recordId}/documents/${problem!}/rels/annotation/`),
      ).text;
      expect(related).to.contain(noted!);
    });

    it('shows a correction in its place, and no note that was declared void', async () => {
      const wrong = await (async () => {
        succeeded(
          await service.call(
            made.credentials,
            'POST',
            `/records/${made.recordId}/documents/${problem!}/rels/followup/`,
            {
              body: factsDocument(service, factOf('Problem', { name_title: 'Cough' })),
            },
          ),
        );
        return noteOn(problem!);
      })();
      expect(readable(await made.owner.open(path(problem!)))).to.contain(['Cough', 'Follow-up']);
      succeeded(
        await service.call(made.credentials, 'POST', `/records/${made.recordId}/documents/${wrong}/set-status`, {
          form: { status: 'void', reason: 'wrong person' },
        }),
      );
      expect(readable(await made.owner.open(path(problem!)))).to.not.contain('Cough');
    });

    for (const [name, text] of [
      ['nothing', ' \n '],
      ['too much', 'x'.repeat(5001)],
      ['a sign that no document holds', 'a\u0000b'],
    ] as const) {
      it(`refuses ${name} at its field, and keeps what was typed`, async () => {
        const page = await write(text);
        expect([page.status, readable(page).includes('at most 5,000 characters')]).to.equal([400, true]);
        expect(page.text).to.match(/<textarea[^>]*name="note"[^>]*aria-invalid="true"/);
      });
    }

    it('tells a circle of a note only when it holds both, and lets nobody write there', async () => {
      succeeded(await place(problem!));
      const without = await made.member.get(inCircle(problem!));
      expect([without.status, readable(without).includes('Asthma')]).to.equal([200, true]);
      expect(without.text).to.not.contain('Note:').and.to.not.contain('name="note"');
      expect((await made.member.get(inCircle(noted!))).status).to.equal(404);
      succeeded(await place(noted!));
      expect(readable(await made.member.get(inCircle(problem!)))).to.contain('Note: Sleeps');
      expect(readable(await made.member.get(inCircle(noted!)))).to.contain(['What this is about', 'Asthma']);
      succeeded(
        await service.call(made.credentials, 'PUT', `/records/${made.recordId}/documents/${problem!}/nevershare`),
      );
      const alone = readable(await made.member.get(inCircle(noted!)));
      expect(alone).to.contain('since Monday').and.to.not.contain('Asthma');
      const sent = await made.member.post(inCircle(noted!), { crumb: made.member.cookies.get('crumb')!, what: 'note' });
      expect(sent.status).to.equal(404);
    });

    it('takes no note from a stranger, from somebody of a circle, or without the crumb', async () => {
      const before = (await made.owner.open(path(problem!))).text.match(/Note: /g)!.length;
      await made.stranger.open('/my/account');
      for (const site of [made.member, made.stranger]) {
        expect((await write('Mine', problem!, site)).status).to.equal(404);
      }
      const fields = fieldsOf(await made.owner.open(path(problem!)));
      expect((await made.owner.post(path(problem!), { ...fields, crumb: 'x', note: 'Mine' })).status).to.equal(403);
      expect((await made.owner.open(path(problem!))).text.match(/Note: /g)).to.have.length(before);
    });

    it('leads on to the next notes', async () => {
      for (let index = 0; index < 21; index += 1) {
        await write(`Number ${index}.`);
      }
      const first = await made.owner.open(path(problem!));
      expect(readable(first)).to.contain(['Number 20.', 'Number 1.', '1 to 20']).and.to.not.contain('Note: Number 0.');
      const next = /<a href="([^"]*)#notes" rel="next"/.exec(first.text)![1]!.replaceAll('&amp;', '&');
      expect(readable(await made.owner.open(next))).to.contain(['Number 0.', '21 to 22']);
    });
  });
}
