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
      const words = readable(await listOf(made.owner));
      expect(words).to.contain(['2 sources', 'Sources differ', 'Perhaps the same', 'Delix 10 mg']);
      expect(words.match(/Ramipril 5 ?mg/gi)).to.have.length(1);
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

    it('lead from the id of a statement to its line', async () => {
      const { text, path } = await lineNamed('Ramipril');
      const ids = [...text.matchAll(/data-kind="Medication" data-id="([^"]*)"/g)].map(([, id]) => id!);
      const other = ids.find((id) => !path.endsWith(id))!;
      expect((await made.owner.get(`/my/records/${made.recordId}/list/Medication/${other}`)).status).to.equal(303);
    });
  });
}
