/** lines: the pages of one list out of many sources, and what a person says there. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { startService, type TestService } from '../../support/server';
import { formsOf, readable, type Site, type SitePage } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const status = (text: string) => ({ status_identifier: text, status_title: text });

for (const leg of databases) {
  describe(`pages of lines on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let shared: string;

    const medicine = (title: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
      made.store(factsDocument(service, factOf('Medication', { drugName_title: title, ...more })));
    const listOf = (site: Site): Promise<SitePage> =>
      site.open(
        `/my/${site === made.member ? `carenets/${made.carenetId}` : `records/${made.recordId}`}/list/Medication`,
      );
    const lineNamed = async (name: string, site = made.owner): Promise<SitePage> => {
      const { text } = await listOf(site);
      const [, href] = new RegExp(`href="([^"]*/list/Medication/[^"]*)"[^>]*><bdi>${name}<`).exec(text) ?? [];
      return site.open(href!);
    };
    /** Presses the button with this text, the first of them. */
    const press = async (page: SitePage, button: string): Promise<SitePage> => {
      const form = formsOf(page).find(({ html }) => html.includes(`>${button}</button>`))!;
      const about = [...form.html.matchAll(/name="about" value="([^"]*)"/g)].map(([, id]) => ['about', id!] as const);
      const others = Object.entries(form.fields).filter(([name]) => name !== 'about');
      return made.owner.post(page.path, [...others, ...about]);
    };

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      await medicine('Ramipril 5 mg', { startDate: '2026-01-01', ...status('active'), instructions: 'at night' });
      shared = await medicine('RAMIPRIL 5mg', {
        startDate: '2026-01-03',
        ...status('active'),
        instructions: 'at noon',
      });
      await medicine('Ramipril', { startDate: '2026-01-02', ...status('active') });
      await medicine('Delix 10 mg', { startDate: '2026-01-02', ...status('active') });
      succeeded(
        await service.call(
          made.credentials,
          'PUT',
          `/records/${made.recordId}/documents/${shared}/carenets/${made.carenetId}`,
        ),
      );
    });
    after(() => service.stop());

    it('show what many say once, where they differ, and what is perhaps the same', async () => {
      const page = await listOf(made.owner);
      expect(readable(page)).to.contain(['2 sources', 'Sources differ', 'Perhaps the same', 'Delix 10 mg']);
      expect(page.text.match(/<h3><a[^>]*><bdi>Ramipril 5 ?mg/gi)).to.have.length(1);
      const line = readable(await lineNamed('RAMIPRIL 5mg'));
      expect(line).to.contain(['Sources differ', 'at night', 'at noon', 'These are the same']);
    });

    it('let the person say that a medicine is not taken any more, and take that back', async () => {
      const before = await lineNamed('Delix 10 mg');
      const stopped = await press(before, 'I no longer take this');
      expect(stopped.status).to.equal(303);
      const page = await lineNamed('Delix 10 mg');
      expect(readable(page)).to.contain(['What you said', 'you no longer take this', 'I take this', 'Take back']);
      const overview = async (): Promise<string> => {
        const { text } = await made.owner.open(`/my/records/${made.recordId}/`);
        return /<section[^>]*data-kind="Medication"[^]*?<\/section>/.exec(text)![0];
      };
      expect(await overview()).to.not.contain('Delix 10 mg');
      await press(page, 'Take back');
      expect(readable(await lineNamed('Delix 10 mg'))).to.contain('I no longer take this');
      expect(await overview()).to.contain('Delix 10 mg');
    });

    it('join and part what the person says, and mark what is wrong', async () => {
      await press(await lineNamed('RAMIPRIL 5mg'), 'These are the same');
      expect(readable(await listOf(made.owner))).to.contain('3 sources');
      await press(await lineNamed('RAMIPRIL 5mg'), 'This is wrong');
      expect(readable(await lineNamed('Ramipril'))).to.contain('You said that this is wrong');
    });

    it('refuse what is not asked there, and store nothing', async () => {
      const page = await lineNamed('Delix 10 mg');
      const form = formsOf(page).find(({ fields }) => fields['verdict'] === 'wrong')!;
      const [own] = [...form.html.matchAll(/name="about" value="([^"]*)"/g)].map(([, id]) => id!);
      const other = /data-id="([^"]*)"/.exec((await lineNamed('Ramipril 5 mg')).text)![1]!;
      for (const [verdict, about] of [
        ['same', [own!, other]],
        ['wrong', [other]],
        ['perhaps', [own!]],
      ] as const) {
        const sent = await made.owner.post(page.path, [
          ...Object.entries({ ...form.fields, verdict }).filter(([name]) => name !== 'about'),
          ...about.map((id) => ['about', id] as const),
        ]);
        expect(sent.status, verdict).to.equal(400);
      }
      expect(readable(await lineNamed('Delix 10 mg'))).to.not.contain('What you said');
    });

    it('show a circle its own lines, without buttons, and nobody else any', async () => {
      const list = readable(await listOf(made.member));
      expect(list).to.contain(['1 source', 'may not be all']);
      expect(list).to.not.contain(['Delix', 'Sources differ']);
      const line = await lineNamed('RAMIPRIL 5mg', made.member);
      expect(line.status).to.equal(200);
      expect(line.text).to.not.contain('name="verdict"');
      expect((await made.stranger.get(`/my/records/${made.recordId}/list/Medication`)).status).to.equal(404);
      expect((await made.owner.get(`/my/records/${made.recordId}/list/Nothing`)).status).to.equal(404);
    });

    it('offer what was said to circles that see all that it is about, by a document or by a kind', async () => {
      const at = (carenet: string): string => `/carenets/${carenet}/lines/Medication/`;
      const list = succeeded(await service.call(made.credentials, 'GET', `/records/${made.recordId}/carenets/`)).text;
      const [, physicians] = /id="([^"]*)" name="Physicians"/.exec(list)!;
      succeeded(await service.call(made.credentials, 'PUT', `/carenets/${physicians}/kinds/medicines`));
      const heardIn = async (carenet: string): Promise<number> =>
        succeeded(await service.call(made.credentials, 'GET', at(carenet))).text.split('verdict="stopped"').length - 1;
      const say = async (name: string): Promise<SitePage> => {
        const page = await lineNamed(name);
        const sent = await press(page, 'I no longer take this');
        const { pathname, search } = new URL(String(sent.headers['location']), 'http://site');
        return made.owner.open(`${pathname}${search}`);
      };
      // Family has the document of one medicine only; Physicians sees all medicines by their kind.
      const aspirin = await medicine('Aspirin 100 mg', status('active'));
      const path = `/records/${made.recordId}/documents/${aspirin}/carenets/${made.carenetId}`;
      succeeded(await service.call(made.credentials, 'PUT', path));
      const both = await say('Aspirin 100 mg');
      const names = (page: SitePage): readonly string[] =>
        [...page.text.matchAll(/name="circle"[^>]*><span><bdi>([^<]*)</g)].map(([, name]) => name!);
      expect(names(both)).to.equal(['Family', 'Physicians']);
      const other = await say('Delix 10 mg');
      expect(names(other)).to.equal(['Physicians']);
      const form = formsOf(other).find(({ fields }) => fields['what'] === 'hear')!;
      expect(await heardIn(physicians!)).to.equal(0);
      // A circle that was not offered hears nothing.
      const send = (circle: string): Promise<SitePage> => made.owner.post(other.path, { ...form.fields, circle });
      expect((await send(made.carenetId)).status).to.equal(303);
      expect(await heardIn(made.carenetId)).to.equal(0);
      const sent = await send(physicians!);
      expect(String(sent.headers['location'])).to.contain('note=heard');
      expect(await heardIn(physicians!)).to.equal(1);
      const again = `${other.path}?word=${form.fields['word']}`;
      expect(names(await made.owner.open(again)), 'heard already').to.equal([]);
      expect((await made.owner.get(`${other.path}?word=nothing`)).status).to.equal(404);
      expect((await made.stranger.get(again)).status).to.equal(404);
    });

    it('say each name of one code that has nothing in common with the one that is shown', async () => {
      const code = { drugName_identifier: '8745', drugName_system: 'http://www.nlm.nih.gov/research/umls/rxnorm' };
      await medicine('Promethazin', { ...code, startDate: '2026-02-02', ...status('active') });
      await medicine('Lamotrigin', { ...code, startDate: '2026-02-01', ...status('active') });
      const overview = await made.owner.open(`/my/records/${made.recordId}/`);
      for (const page of [await listOf(made.owner), overview]) {
        expect(readable(page)).to.match(/Promethazin also: Lamotrigin|Lamotrigin also: Promethazin/);
      }
    });

    it('lead from the id of a statement to its line', async () => {
      const { text, path } = await lineNamed('Ramipril');
      const ids = [...text.matchAll(/data-kind="Medication" data-id="([^"]*)"/g)].map(([, id]) => id!);
      const other = ids.find((id) => !path.endsWith(id))!;
      expect((await made.owner.get(`/my/records/${made.recordId}/list/Medication/${other}`)).status).to.equal(303);
    });
  });
}
