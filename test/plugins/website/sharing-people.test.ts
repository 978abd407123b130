/**
 * sharing-people: sharing begins with a person. What one person sees is ticked, ends with its last day at every door, and
 * can be looked at by the owner; nobody else gets there.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sweepMemberships } from '../../../core/records/own-circle';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { waitForMail } from '../../support/mails';
import { readable, type Site, type SitePage } from '../../support/site';
import {
  enterSite,
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  STRANGER,
  type SiteRecord,
} from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { signIn, succeeded } from '../../support/world';
import type { Credentials } from '../../support/client';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const DAY = 86_400_000;
const dayAfter = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const OVER = '2020-01-01T00:00:00.000000Z';

for (const leg of databases) {
  describe(`sharing with a person on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let sharing: string;
    let person: string;
    let strangers: Exclude<Credentials, null>;

    const post = async (site: Site, path: string, fields: readonly (readonly [string, string])[]): Promise<SitePage> =>
      site.post(path, [['crumb', site.cookies.get('crumb')!], ...fields] as [string, string][]);
    const share = (kinds: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<SitePage> =>
      post(record.owner, sharing, [
        ['what', 'person'],
        ['who', STRANGER],
        ['sure', STRANGER],
        ...kinds.map((kind) => ['kind', kind] as const),
        ...Object.entries(more),
      ]);
    const change = (
      kinds: readonly string[],
      more: Readonly<Record<string, string>> = {},
      site: Site = record.owner,
    ): Promise<SitePage> =>
      post(site, person, [['what', 'save'], ...kinds.map((kind) => ['kind', kind] as const), ...Object.entries(more)]);
    const circleOf = async (): Promise<string> => {
      const row = (await direct(service.services.database)('carenet')
        .where({ record_id: record.recordId, person_id: STRANGER })
        .first('id')) as { id: string } | undefined;
      return row?.id ?? '';
    };
    const report = async (model: string): Promise<{ readonly status: number; readonly text: string }> =>
      service.call(strangers, 'GET', `/carenets/${await circleOf()}/reports/${model}/`);
    const card = async (): Promise<string> => {
      const { text } = await record.owner.open(sharing);
      const found = [...text.matchAll(/<section class="card person" data-person="([^"]*)">[^]*?<\/section>/g)];
      return found.find(([, id]) => id === STRANGER)?.[0] ?? '';
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      record = await makeSiteRecord(service);
      sharing = `/my/records/${record.recordId}/sharing`;
      person = `${sharing}/${STRANGER}`;
      strangers = await signIn(service.call, STRANGER);
      await record.store(
        factsDocument(
          service,
          factOf('LabResult', {
            test_name_title: 'Cholesterol',
            test_name_identifier: '2093-3',
            test_name_system: 'http://loinc.org',
            quantitative_result_value_value: '231',
            quantitative_result_value_unit: 'mg/dL',
            notes: 'Said at the desk',
          }),
          factOf('Problem', { name_title: 'Secret asthma' }),
          factOf('Medication', { drugName_title: 'Secret pills' }),
        ),
      );
      await record.owner.open(sharing);
    });
    after(() => service.stop());

    it('is not there for a person who does not see the record', async () => {
      expect((await record.owner.open(person)).status).to.equal(404);
      expect((await change(['labs'])).status).to.equal(404);
      expect((await record.owner.open(`${sharing}/nobody%40people.example`)).status).to.equal(404);
      expect(await circleOf()).to.equal('');
    });

    it('asks whose account it is, and for a kind, before anything is shared', async () => {
      const nothing = await share([]);
      expect([nothing.status, readable(nothing).includes('Tick at least one kind')]).to.equal([400, true]);
      const asked = await share(['labs'], { sure: '' });
      expect(readable(asked)).to.contain('leads to the account of Paul Other');
      expect(asked.text).to.contain('name="kind" value="labs"');
      expect((await share(['labs'], { who: OWNER, sure: OWNER })).status).to.equal(400);
      expect(await circleOf()).to.equal('');
    });

    it('shows only the kinds that were ticked, and says so in words', async () => {
      expect((await share(['labs'])).headers['location']).to.contain('note=person');
      const mail = await waitForMail(service.mailDir, STRANGER, 'A health record was shared with you');
      expect(mail.text).to.not.match(/Cholesterol|asthma|lab/i);
      expect((await report('LabResult')).text)
        .to.contain('Cholesterol')
        .and.to.not.contain('at the desk');
      expect((await report('Problem')).text).to.not.contain('asthma');
      expect(await card()).to.contain('<bdi>Paul Other</bdi></b> sees lab results.');
      // The person's own circle stands among no others.
      const page = readable(await record.owner.open(sharing));
      expect(page).to.not.contain('In Paul Other');
      expect(page).to.contain(['Circles', 'In Family']);
    });

    it('changes what is seen, with documents, on the page behind "Change"', async () => {
      expect(await card()).to.contain(`href="${sharing}/${encodeURIComponent(STRANGER)}"`);
      const shown = await record.owner.open(person);
      expect(shown.text).to.match(/name="kind" value="labs" checked/);
      expect(readable(shown)).to.contain(['What Paul Other may see', 'Lab results: infections', 'Last day', '1 entry']);
      const saved = await change(['medicines', 'measurements', 'nothing-real'], { documents: 'none' });
      expect(saved.headers['location']).to.equal(`${person}?note=saved`);
      expect((await report('LabResult')).text).to.not.contain('Cholesterol');
      expect((await report('Medication')).text).to.contain('Secret pills');
      const kinds = succeeded(
        await service.call(record.credentials, 'GET', `/carenets/${await circleOf()}/kinds/`),
      ).text;
      expect(kinds).to.contain('"measurements"').and.to.contain('"vital-signs"').and.to.not.contain('labs');
      const held = async (): Promise<string> =>
        succeeded(await service.call(strangers, 'GET', `/carenets/${await circleOf()}/documents/`)).text;
      const none = await held();
      await change(['medicines'], { documents: 'all' });
      expect(await held())
        .to.not.equal(none)
        .and.to.contain('<Document ');
      expect((await report('Problem')).text).to.contain('asthma');
      await change(['labs'], { documents: 'none' });
      expect(await held()).to.equal(none);
      expect((await report('Problem')).text).to.not.contain('asthma');
    });

    it('can be looked at by the owner as the person sees it, as a look of their own', async () => {
      const own = `/my/carenets/${await circleOf()}/`;
      expect(await card()).to.match(new RegExp(`href="${own}"[^>]*>See it as Paul Other`));
      for (const path of ['', 'tests', 'list/Problem', 'timeline', 'documents/']) {
        const page = await record.owner.open(`${own}${path}`);
        expect(page.status, path).to.equal(200);
        expect(readable(page), path).to.contain('You see it as Paul Other sees it.').and.to.not.contain('asthma');
      }
      expect(readable(await record.owner.open(`${own}tests`))).to.contain('Cholesterol');
      expect(readable(await record.stranger.open(own))).to.not.contain('You see it as');
      const rows = (await direct(service.services.database)('audit')
        .where({ carenet_id: await circleOf(), function_name: 'carenet_overview' })
        .pluck('principal_id')) as string[];
      expect(rows).to.include([OWNER, STRANGER]);
      expect((await record.member.open(own)).status).to.equal(404);
    });

    it('refuses a last day that is over at its field, and stores nothing', async () => {
      for (const day of [dayAfter(-2), '2026-02-31', 'soon']) {
        const answer = await change(['problems'], { last_day: day });
        expect(answer.status, day).to.equal(400);
        expect(answer.text, day).to.match(/<p class="why" id="field-last_day-why">/);
        expect(answer.text, day).to.match(/value="problems" checked/);
      }
      expect((await report('Problem')).text).to.not.contain('asthma');
    });

    it('ends with its last day at every door, before anything is swept', async () => {
      const day = dayAfter(3);
      expect((await change(['labs'], { last_day: day })).status).to.equal(303);
      expect(await card()).to.match(/, until \d+ \w+ \d{4}\./);
      expect((await record.owner.open(person)).text).to.contain(`value="${day}"`);
      const circle = await circleOf();
      const rows = () => direct(service.services.database)('carenet_account').where({ carenet_id: circle });
      const { ends_at: ends } = (await rows().first('ends_at')) as { ends_at: string };
      // The owner has chosen no time zone.
      expect(ends.slice(0, 19)).to.equal(`${dayAfter(4)}T00:00:00`);
      expect((await report('LabResult')).status).to.equal(200);
      await rows().update({ ends_at: OVER });
      expect((await report('LabResult')).status).to.equal(403);
      expect((await record.stranger.open(`/my/carenets/${circle}/`)).status).to.equal(404);
      expect(readable(await record.stranger.open('/my/?all=1'))).to.not.contain('Halvorsen');
      const mine = async (path: string): Promise<string> =>
        succeeded(await service.call(strangers, 'GET', `/accounts/${STRANGER}/${path}/`)).text;
      expect(await mine('records')).to.not.contain('Halvorsen');
      expect(await mine('permissions')).to.not.contain(circle);
      expect(await card()).to.equal('');
      await sweepMemberships(service.services);
      expect(await circleOf()).to.equal('');
      expect(await rows()).to.equal([]);
    });

    it('leaves a membership that goes on, and a circle that others are in, where something is swept', async () => {
      await share(['labs']);
      const circle = await circleOf();
      const add = { form: { account_id: MEMBER, write: 'false' } };
      succeeded(await service.call(record.credentials, 'POST', `/carenets/${circle}/accounts/`, add));
      await direct(service.services.database)('carenet_account')
        .where({ carenet_id: circle, account_id: STRANGER })
        .update({ ends_at: OVER });
      await sweepMemberships(service.services);
      const members = succeeded(await service.call(record.credentials, 'GET', `/carenets/${circle}/accounts/`)).text;
      expect(members).to.contain(MEMBER).and.to.not.contain(STRANGER);
      // A circle of others stands among the circles, whoever it was made for.
      expect(readable(await record.owner.open(sharing))).to.contain('In Paul Other');
      succeeded(await service.call(record.credentials, 'DELETE', `/carenets/${circle}`));
    });

    it('gives somebody who was taken out, and is let in again, nothing of before', async () => {
      await share(['labs', 'problems'], { documents: 'all' });
      const own = await circleOf();
      expect((await report('Problem')).text).to.contain('asthma');
      succeeded(await service.call(record.credentials, 'DELETE', `/carenets/${own}/accounts/${STRANGER}`));
      await share(['labs'], { documents: 'kept' });
      expect(await circleOf()).to.not.equal(own);
      expect((await report('LabResult')).text).to.contain('Cholesterol');
      expect((await report('Problem')).text).to.not.contain('asthma');
      const list = await service.call(strangers, 'GET', `/carenets/${await circleOf()}/documents/`);
      expect(succeeded(list).text).to.not.contain('<Document ');
      succeeded(await service.call(record.credentials, 'DELETE', `/carenets/${await circleOf()}`));
    });

    it('stops every way by which the person sees the record', async () => {
      await share(['labs']);
      const own = await circleOf();
      const add = { form: { account_id: STRANGER, write: 'false' } };
      succeeded(await service.call(record.credentials, 'POST', `/carenets/${record.carenetId}/accounts/`, add));
      expect(await card()).to.contain('Paul Other</bdi> is in');
      expect(readable(await record.owner.open(person))).to.contain(['See it as Paul Other: Family']);
      succeeded(
        await service.call(record.credentials, 'POST', `/records/${record.recordId}/shares/`, {
          form: { account_id: STRANGER },
        }),
      );
      expect(await card()).to.contain('sees everything');
      const stopped = await post(record.owner, sharing, [
        ['what', 'stop'],
        ['account', STRANGER],
      ]);
      expect(stopped.headers['location']).to.equal(`${sharing}?note=stopped`);
      for (const path of [`carenets/${own}/`, `carenets/${record.carenetId}/`, `records/${record.recordId}/`]) {
        expect((await record.stranger.open(`/my/${path}`)).status, path).to.equal(404);
      }
      expect(await card()).to.equal('');
      expect((await record.owner.open(person)).status).to.equal(404);
      // Others stay.
      expect((await record.member.open(`/my/carenets/${record.carenetId}/`)).status).to.equal(200);
    });

    it('is closed to members, strangers and nobody, and says who tried', async () => {
      await share(['labs']);
      const other = `${sharing}/${MEMBER}`;
      for (const site of [record.stranger, record.member]) {
        for (const path of [sharing, person, other, `${sharing}/circles/${record.carenetId}`]) {
          expect((await site.open(path)).status, path).to.equal(404);
        }
        expect((await change(['problems'], {}, site)).status).to.equal(404);
        const stop = [
          ['what', 'stop'],
          ['account', STRANGER],
        ] as const;
        expect((await post(site, sharing, stop)).status).to.equal(404);
      }
      expect((await report('LabResult')).status).to.equal(200);
      expect((await report('Problem')).text).to.not.contain('asthma');
      const refused = (await direct(service.services.database)('audit')
        .where({ record_id: record.recordId, function_name: 'record_person_end' })
        .whereNot({ successful: 1 })
        .pluck('principal_id')) as string[];
      expect(refused).to.include([STRANGER, MEMBER]);
      const forged = await record.owner.post(person, { what: 'save', kind: 'problems', crumb: 'x'.repeat(43) });
      expect(forged.status).to.equal(403);
    });

    it('has a page for each circle, and none for what is no circle of the record', async () => {
      const page = `${sharing}/circles/${record.carenetId}`;
      const shown = await record.owner.open(page);
      expect(readable(shown)).to.contain(['Family', 'Anna Berg sees', 'By kind', 'Single facts', 'In Family']);
      expect(shown.text).to.not.contain('Physicians');
      const box = `${record.carenetId} allergies`;
      const saved = await post(record.owner, page, [
        ['what', 'facts'],
        ['fact', box],
      ]);
      expect(saved.headers['location']).to.equal(`${page}?note=saved`);
      const kinds = await service.call(record.credentials, 'GET', `/carenets/${record.carenetId}/kinds/`);
      expect(kinds.text).to.contain('"allergies"');
      expect((await record.owner.open(`${sharing}/circles/nothing`)).status).to.equal(404);
    });

    it('begins for somebody who was invited with the kinds that were ticked', async () => {
      const invite = `${sharing}/invite`;
      await post(record.owner, sharing, [
        ['what', 'stop'],
        ['account', STRANGER],
      ]);
      const sent = await post(record.owner, invite, [
        ['what', 'invite'],
        ['name', 'Paul'],
        ['email', STRANGER],
        ['kind', 'labs'],
      ]);
      expect(sent.status).to.equal(303);
      expect(readable(await record.owner.open(invite))).to.contain('Begins with lab results');
      const mail = await waitForMail(service.mailDir, STRANGER, 'An invitation to a health record');
      const link = new URL(mail.links.find((one) => one.includes('/invitations/'))!).pathname;
      await record.stranger.submit(await record.stranger.open(link), {}, 'Yes, it is me');
      expect(await circleOf()).to.equal('');
      const id = /name="id" value="([\w-]+)"/.exec((await record.owner.open(invite)).text)![1]!;
      const yes = await post(record.owner, invite, [
        ['what', 'yes'],
        ['id', id],
      ]);
      expect(yes.headers['location']).to.contain('note=in');
      expect((await report('LabResult')).text).to.contain('Cholesterol');
      expect((await report('Problem')).text).to.not.contain('asthma');
      expect(await card()).to.contain('sees lab results.');
    });

    it('shows circles that nobody renamed under names in the language of the person', async () => {
      const german = await enterSite(service, OWNER, 'de');
      expect(readable(await german.open(sharing))).to.contain(['Familie', 'Ärztinnen und Ärzte']);
      const family = `${sharing}/circles/${record.carenetId}`;
      const page = await german.open(family);
      await post(german, family, [
        ['what', 'rename'],
        ['carenet', record.carenetId],
        ['name', 'Sippe'],
      ]);
      expect(page.text).to.contain('Familie');
      expect(readable(await german.open(sharing)))
        .to.contain('Sippe')
        .and.to.not.contain('Familie');
    });
  });
}
