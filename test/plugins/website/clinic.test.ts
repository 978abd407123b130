/**
 * clinic: a person shows a code at a clinic: from the overview it is two presses; the clinic's software fetches; the
 * person sees who it was, and ends it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { newToken } from '../../../core/base/ids';
import { decrypted, faultsIn, fetchAs, resourcesOf, scanned } from '../../support/clinic';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, makeSite, readable, type SitePage } from '../../support/site';
import { enterSite, factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`the code for a clinic on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let base: string;
    let circle: string;
    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      made = await makeSiteRecord(service);
      base = `/my/records/${made.recordId}`;
      circle = `/my/carenets/${made.carenetId}`;
      await made.store(factsDocument(service, factOf('Problem', { name_title: 'Asthma' })));
    });
    after(() => service.stop());

    const textIn = ({ text }: SitePage): string => /href="([^"]*\/l#shlink:\/[\w-]+)"/.exec(text)![1]!;
    /** Fills in the form as it stands, with every kind ticked. */
    const press = async (page: SitePage, more: Readonly<Record<string, string>> = {}): Promise<SitePage> => {
      const form = formsOf(page).find(({ fields }) => fields['what'] === 'show')!;
      const kinds = [...form.html.matchAll(/name="kind" value="(\w+)" checked/g)].map(([, kind]) => kind!);
      const { kind: _kind, tells: _tells, ...fields } = { ...form.fields, ...more };
      const sent = [...Object.entries(fields), ...kinds.map((kind) => ['kind', kind] as const)];
      return made.owner.post(page.path.split('?')[0]!, sent);
    };
    const follow = async ({ headers }: SitePage): Promise<SitePage> => made.owner.open(String(headers['location']));

    it('leads the owner there from a circle, and nobody else', async () => {
      const own = await made.owner.open(`${circle}/`);
      expect(own.text).to.contain(`href="${circle}/clinic"`).and.to.contain('Show it at a clinic');
      expect((await made.member.open(`${circle}/`)).text).to.not.contain('/clinic"');
    });

    it('leads from the overview to a fetched Bundle by two presses', async () => {
      const overview = await made.owner.open(`${base}/`);
      expect(overview.text).to.contain(`href="${base}/clinic"`).and.contain('Show it at a clinic');
      const page = await made.owner.open(`${base}/clinic`);
      expect(readable(page))
        .to.contain('Show the code')
        .and.contain('Test results of a year')
        .and.contain('60 minutes');
      const pressed = await press(page);
      expect(pressed.status).to.equal(303);
      const code = await follow(pressed);
      expect([code.status, code.text.includes('<svg class="qr wide"')]).to.equal([200, true]);
      expect(readable(code)).to.contain('End it now').and.contain('0 of 5');
      expect(code.text).to.not.contain('<script');
      const payload = scanned(textIn(code));
      const { bundle } = await decrypted(await fetchAs(service, payload, 'Verona <b>Health</b>'), payload);
      expect(faultsIn(bundle)).to.equal([]);
      expect(resourcesOf(bundle, 'Condition').length).to.equal(1);
      const links = await made.owner.open(`${base}/links`);
      expect(readable(links)).to.match(/Verona <b>Health<\/b> fetched it at \d\d?:\d\d/);
      expect(links.text).to.contain('<bdi>Verona &lt;b');
      expect(readable(await made.owner.open(`${base}/history`))).to.match(
        /Verona <b>Health<\/b> fetched it at \d\d?:\d\d/,
      );
    });

    it('ends when the person says so, and cannot be looked at any more', async () => {
      const code = await follow(await press(await made.owner.open(`${base}/clinic`)));
      const payload = scanned(textIn(code));
      const path = code.path;
      const ended = await made.owner.submit(code, {}, 'value="end"');
      expect(readable(ended)).to.contain('The code is ended');
      expect((await made.owner.get(path)).status).to.equal(404);
      expect((await fetchAs(service, payload, 'Verona')).status).to.equal(404);
      const twice = await made.owner.submit(code, {}, 'value="end"');
      expect([twice.status, readable(twice).includes('not open any more')]).to.equal([404, true]);
    });

    it('shows a circle to its owner alone', async () => {
      const page = await made.owner.open(`${circle}/clinic`);
      expect(page.status).to.equal(200);
      const code = await follow(await press(page));
      expect(code.path).to.startWith(`${circle}/clinic/`);
      const payload = scanned(textIn(code));
      const { bundle } = await decrypted(await fetchAs(service, payload, 'Verona'), payload);
      expect(resourcesOf(bundle, 'Condition').length).to.equal(0);
      for (const path of [`${circle}/clinic`, code.path]) {
        expect((await made.member.get(path)).status, path).to.equal(404);
        expect((await made.stranger.get(path)).status, path).to.equal(404);
      }
      for (const path of [`${base}/clinic`, `${base}/clinic/x`]) {
        expect((await made.member.get(path)).status, path).to.equal(404);
      }
      expect((await makeSite(service.running.server).get(`${base}/clinic`)).status).to.equal(303);
    });

    it('says at the field what is wrong, and keeps the rest', async () => {
      const page = await made.owner.open(`${base}/clinic`);
      const wrong = await press(page, { openings: '101', minutes: '15' });
      expect(wrong.status).to.equal(400);
      expect(readable(wrong)).to.contain('A whole number from 1 to 100');
      expect(wrong.text).to.contain('value="101"').and.contain('<option value="15" selected');
      const none = await made.owner.post(`${base}/clinic`, { ...formsOf(page).at(-1)!.fields, what: 'show', kind: '' });
      expect([none.status, readable(none).includes('Choose at least one kind')]).to.equal([400, true]);
    });

    it('makes one link of a form that is sent twice', async () => {
      const page = await made.owner.open(`${base}/clinic`);
      const [first, second] = [await press(page), await press(page)];
      expect(first.headers['location']).to.equal(second.headers['location']);
    });

    it('says of twenty that there are no more, and how to end one', async () => {
      let last = await press(await made.owner.open(`${base}/clinic`));
      for (let made20 = 0; made20 < 20 && last.status === 303; made20 += 1) {
        last = await press(await made.owner.open(`${base}/clinic`));
      }
      expect(last.status).to.equal(409);
      expect(readable(last)).to.contain('Twenty codes are open');
      expect(last.text.match(/End it now/g)!.length).to.equal(20);
    });

    it('is a page of words for whoever opens the link in a browser', async () => {
      const page = await makeSite(service.running.server).get('/l');
      expect([page.status, page.headers['x-robots-tag']]).to.equal([200, 'noindex']);
      expect(page.text).to.not.contain('<script');
      expect(readable(page)).to.contain('SMART Health Link');
      expect((await makeSite(service.running.server, 'ar').get('/l')).text).to.contain('dir="rtl"');
    });

    it('keeps what the person writes in their own words as one note, which is corrected', async () => {
      const path = `${base}/words`;
      const fieldsOf = (one: SitePage) => formsOf(one).find(({ fields }) => 'words' in fields)!.fields;
      expect(readable(await made.owner.open(`${base}/clinic`))).to.contain('In your own words');
      const empty = await made.owner.open(path);
      const saved = await made.owner.submit(empty, { words: 'I worry about <my> heart.\nAnd more.' });
      expect(readable(saved)).to.contain('Your words are kept').and.contain('I worry about <my> heart.');
      const again = await made.owner.submit(await made.owner.open(path), { words: 'I worry less.' });
      expect(readable(again)).to.contain('I worry less.');
      // The same form is sent twice, as by a button that is pressed twice.
      const page = await made.owner.open(path);
      const [first, second] = [
        await made.owner.post(path, { ...fieldsOf(page), words: 'Once' }),
        await made.owner.post(path, { ...fieldsOf(page), words: 'Once' }),
      ];
      expect([first.status, second.status]).to.equal([303, 303]);
      const list = readable(await made.owner.open(`${base}/data/SimpleClinicalNote`));
      expect(list).to.contain('Once').and.not.contain('I worry');
      expect(readable(await made.owner.open(path))).to.contain('Once');
      // A page that was shown before the note changed does not overwrite it unasked.
      const late = await made.owner.post(path, {
        ...fieldsOf(page),
        form: newToken(),
        words: 'Late',
      });
      expect([late.status, readable(late).includes('changed elsewhere')]).to.equal([409, true]);
      expect(readable(await made.owner.submit(late, { words: 'Late' }))).to.contain('Your words are kept');
      expect((await made.owner.post(path, { ...fieldsOf(page), words: ' ' })).status).to.equal(400);
      expect((await made.member.get(path)).status).to.equal(404);
    });

    it('speaks the four languages', async () => {
      for (const [language, title] of [
        ['de', 'In der Praxis zeigen'],
        ['es', 'Mostrarlo en una consulta'],
        ['ar', 'أظهره في العيادة'],
      ] as const) {
        const site = await enterSite(service, OWNER, language);
        expect(readable(await site.open(`${base}/clinic`)), language).to.contain(title);
      }
    });
  });
}
