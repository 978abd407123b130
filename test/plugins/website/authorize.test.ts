/**
 * authorize: an app asks for access on the website: whole dances with signed calls, each kind of answer, and everything
 * that must be refused.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { sha256 } from '../../../core/base/ids';
import type { Answer, Credentials } from '../../support/client';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { connector, medications, startService, type TestService } from '../../support/server';
import { testManifests } from '../../support/test-manifests';
import { attribute, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';
import * as tokenStore from '../../../core/tokens/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const MEMBER = 'member@people.example';
const CALLBACK = 'https://medications.apps.svc.example/callback';
const HOSTILE_APP: Credentials = { consumer: { key: 'hostile@apps.example', secret: 'a secret of a hostile app' } };

type App = Exclude<Credentials, null>;

/** A second manifest folder, with an app whose texts are all hostile. */
const hostileFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
  const app = join(folder, 'user', 'hostile');
  mkdirSync(app, { recursive: true });
  writeFileSync(
    join(app, 'manifest.json'),
    JSON.stringify({
      id: HOSTILE_APP.consumer.key,
      name: '<script>alert(1)</script> & "Co" {name}',
      description: '</p><img src=x onerror=alert(2)>',
      author: '<b onmouseover=alert(3)>Nobody</b>',
      version: '1',
      mode: 'ui',
      index: 'https://hostile.example/start',
      oauth_callback_url: 'https://hostile.example/callback',
    }),
  );
  writeFileSync(join(app, 'credentials.json'), JSON.stringify({ consumer_secret: HOSTILE_APP.consumer.secret }));
  return folder;
};

for (const leg of databases) {
  describe(`an app asks at the website on ${leg.name}`, () => {
    let service: TestService;
    let folder: string;
    let recordId: string;
    let otherId: string;
    let carenetId: string;
    let olga: Site;

    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    type Begun = { readonly key: string; readonly secret: string; readonly path: string };
    const begin = async (
      app: Credentials,
      form: Readonly<Record<string, string>> = {},
      callback = `${CALLBACK}?state=1`,
    ): Promise<Begun> => {
      const pairs = new URLSearchParams(
        succeeded(
          await service.call(app, 'POST', '/oauth/request_token', { form, oauth: { oauth_callback: callback } }),
        ).text,
      );
      const key = pairs.get('oauth_token')!;
      return { key, secret: pairs.get('oauth_token_secret')!, path: `/my/authorize?oauth_token=${key}` };
    };
    const choicesOn = ({ text }: SitePage): readonly string[] =>
      [...text.matchAll(/<input type="radio"[^>]* value="([^"]+)"/g)].map((match) => match[1]!);
    const answer = (site: Site, page: SitePage, said: 'yes' | 'no', what = ''): Promise<SitePage> => {
      const form = formsOf(page).find(({ html }) => html.includes('name="answer"'))!;
      return site.post(form.action, { ...form.fields, what, answer: said });
    };
    const tokenRow = async (key: string): Promise<{ claimed_by: string | null; approved_by: string | null }> => {
      const row = await tokenStore.findRequestToken(service.services.database.reads, sha256(key), '2000');
      return { claimed_by: row?.claimedBy ?? null, approved_by: row?.approvedBy ?? null };
    };
    const exchange = (app: App, begun: Begun, verifier: string): Promise<Answer> =>
      service.call({ consumer: app.consumer, token: begun }, 'POST', '/oauth/access_token', {
        oauth: { oauth_verifier: verifier },
      });
    const leadsTo = (page: SitePage): URL => {
      expect(page.status, readable(page)).to.equal(200);
      const refresh = String(page.headers['refresh']);
      expect(refresh).to.startWith('0; url=');
      const url = refresh.slice('0; url='.length);
      expect(page.text).to.contain(`href="${url.replaceAll('&', '&amp;')}"`);
      return new URL(url);
    };
    const accessOf = async (app: App, begun: Begun, page: SitePage): Promise<App> => {
      const pairs = new URLSearchParams(
        succeeded(await exchange(app, begun, leadsTo(page).searchParams.get('oauth_verifier')!)).text,
      );
      return {
        consumer: app.consumer,
        token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
      };
    };

    before(async () => {
      folder = hostileFolder();
      service = await startService(leg, { SVC_MANIFESTS_DIR: `${testManifests}:${folder}` });
      await createAccount(service.call, OLGA, 'Olga Openshaw');
      await createAccount(service.call, PAUL, 'Paul');
      await createAccount(service.call, MEMBER, 'Member');
      recordId = await createRecord(service.call, OLGA, 'Olga', 'Openshaw');
      otherId = await createRecord(service.call, PAUL, 'Paul', 'Other');
      const hers = await signIn(service.call, OLGA);
      const { text } = succeeded(await service.call(hers, 'GET', `/records/${recordId}/carenets/`));
      carenetId = attribute(text, 'Carenet', 'id');
      succeeded(
        await service.call(hers, 'POST', `/carenets/${carenetId}/accounts/`, {
          form: { account_id: MEMBER, write: 'false' },
        }),
      );
      olga = await enter(OLGA);
    });
    after(async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
    });

    it('asks who is not signed in to sign in first, and comes back', async () => {
      const { path } = await begin(medications);
      const site = makeSite(service.running.server);
      const first = await site.get(path);
      expect([first.status, first.headers['location']]).to.equal([303, `/my/sign-in?next=${encodeURIComponent(path)}`]);
      const page = await site.submit(await site.open(path), { username: OLGA, password: PASSWORD });
      expect([page.status, page.path]).to.equal([200, path]);
      expect(readable(page)).to.contain(['Let Medications into your record?', 'medications.apps.svc.example']);
    });

    it('claims nothing by a look, and offers what the person may give, with its id', async () => {
      const begun = await begin(medications);
      const page = await olga.open(begun.path);
      expect(choicesOn(page)).to.contain([recordId, carenetId]);
      expect(choicesOn(page)).to.not.contain(otherId);
      expect(readable(page)).to.contain([
        'The one document that is there, and those that come later.',
        'Nothing yet. It can read what lies there',
      ]);
      expect(page.text).to.not.match(/<input type="radio"[^>]* checked/);
      expect(page.text)
        .to.match(/<button[^>]*>Yes[^<]*<\/button>/)
        .and.to.match(/<button[^>]*>No[^<]*<\/button>/);
      expect(await tokenRow(begun.key)).to.equal({ claimed_by: null, approved_by: null });
      const missing = await answer(olga, page, 'yes');
      expect([missing.status, readable(missing).includes('Choose the record')]).to.equal([400, true]);
      expect(await tokenRow(begun.key)).to.equal({ claimed_by: null, approved_by: null });
    });

    it('lets a user app into a record by a yes', async () => {
      const begun = await begin(medications, { svc_record_id: recordId });
      const page = await olga.open(begun.path);
      expect(choicesOn(page)).to.equal([recordId]);
      expect(page.text).to.match(/<input type="radio"[^>]* checked/);
      const done = await answer(olga, page, 'yes', recordId);
      const to = leadsTo(done);
      expect(to.href).to.startWith(`${CALLBACK}?state=1&oauth_token=${begun.key}&oauth_verifier=`);
      expect(await tokenRow(begun.key)).to.equal({ claimed_by: OLGA, approved_by: OLGA });
      const access = await accessOf(medications!, begun, done);
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(200);
      expect((await service.call(access, 'GET', `/records/${otherId}`)).status).to.equal(403);
      expect((await answer(olga, page, 'yes', recordId)).status).to.equal(404);
    });

    it('lets a user app into a carenet where it did not stand, and no further', async () => {
      const begun = await begin(HOSTILE_APP, {}, 'https://hostile.example/callback');
      const page = await olga.open(begun.path);
      const done = await answer(olga, page, 'yes', carenetId);
      const access = await accessOf(HOSTILE_APP!, begun, done);
      expect((await service.call(access, 'GET', `/carenets/${carenetId}/record`)).status).to.equal(200);
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(403);
      const rows = (await direct(service.services.database)('audit').where({
        function_name: 'request_token_approve_part',
      })) as Record<string, unknown>[];
      expect(rows[0]).to.include({
        principal_id: OLGA,
        record_id: recordId,
        app_id: HOSTILE_APP.consumer.key,
        url: '/my/authorize',
      });
    });

    it('lets a member of a carenet give what already stands there, and nothing else', async () => {
      const member = await enter(MEMBER);
      const stands = await begin(HOSTILE_APP, {}, 'https://hostile.example/callback');
      expect(choicesOn(await member.open(stands.path))).to.equal([carenetId]);
      const begun = await begin(medications);
      const page = await member.open(begun.path);
      expect(choicesOn(page)).to.equal([]);
      expect(readable(page)).to.contain('No record is yours to give.');
      for (const id of [carenetId, recordId]) {
        expect((await answer(member, page, 'yes', id)).status).to.equal(404);
      }
      expect(await tokenRow(begun.key)).to.equal({ claimed_by: null, approved_by: null });
    });

    it('lets a background app into whole records only, with its reason', async () => {
      const begun = await begin(connector, {}, 'https://connector.apps.svc.example/callback');
      const page = await olga.open(begun.path);
      expect(choicesOn(page)).to.contain(recordId);
      expect(choicesOn(page)).to.not.contain(carenetId);
      expect(readable(page)).to.contain(['New results arrive while nobody is signed in', 'at any time']);
      expect((await answer(olga, page, 'yes', carenetId)).status).to.equal(404);
      const access = await accessOf(connector!, begun, await answer(olga, page, 'yes', recordId));
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(200);
      const path = `/apps/${encodeURIComponent(connector!.consumer.key)}/records/${recordId}/access_token`;
      expect((await service.call(connector, 'POST', path)).status).to.equal(200);
    });

    it('takes a no back to the app, and the token is gone', async () => {
      const begun = await begin(medications, { svc_record_id: recordId });
      const page = await olga.open(begun.path);
      const to = leadsTo(await answer(olga, page, 'no'));
      expect(Object.fromEntries(to.searchParams)).to.equal({
        state: '1',
        oauth_token: begun.key,
        oauth_problem: 'permission_denied',
      });
      expect(to.href).to.startWith(CALLBACK);
      expect((await olga.get(begun.path)).status).to.equal(404);
      expect((await answer(olga, page, 'yes', recordId)).status).to.equal(404);
      expect((await exchange(medications!, begun, 'anything')).status).to.equal(403);
      // A second press gives the same page. A person to whom the page was not shown gets a 404.
      const again = await answer(olga, page, 'no');
      expect(leadsTo(again).href).to.equal(to.href);
      expect(readable(again)).to.contain('was not let in');
      const form = formsOf(page).find(({ html }) => html.includes('name="answer"'))!;
      const paul = await enter(PAUL);
      const own = formsOf(await paul.open('/my/account'))[0]!.fields;
      const sent = { ...form.fields, what: '', answer: 'no' };
      expect((await paul.post(form.action, { ...sent, crumb: own['crumb']! })).status).to.equal(404);
      const elsewhere = { ...sent, refused: 'https://elsewhere.example/' };
      expect((await olga.post(form.action, elsewhere)).status).to.equal(404);
    });

    it('shows the verifier as text to who carries it', async () => {
      const begun = await begin(medications, { svc_record_id: recordId }, 'oob');
      const done = await answer(olga, await olga.open(begun.path), 'yes', recordId);
      expect([done.status, done.headers['refresh']]).to.equal([200, undefined]);
      const verifier = /<p class="code"[^>]*><b>([^<]+)<\/b>/.exec(done.text)![1]!;
      expect((await exchange(medications!, begun, verifier)).status).to.equal(200);
    });

    it('does not give what is not theirs', async () => {
      const begun = await begin(medications, { svc_record_id: otherId });
      const page = await olga.open(begun.path);
      expect([page.status, choicesOn(page)]).to.equal([200, []]);
      expect(readable(page)).to.contain('not yours to give').and.to.not.contain('Paul');
      for (const id of [otherId, recordId]) {
        expect((await answer(olga, page, 'yes', id)).status).to.equal(404);
      }
      expect(await tokenRow(begun.key)).to.equal({ claimed_by: null, approved_by: null });
    });

    it('is not there for who did not claim it, whatever they answer', async () => {
      const begun = await begin(medications, { svc_record_id: recordId });
      const page = await olga.open(begun.path);
      const hers = await signIn(service.call, OLGA);
      succeeded(await service.call(hers, 'POST', `/oauth/internal/request_tokens/${begun.key}/claim`));
      const paul = await enter(PAUL);
      expect((await paul.get(begun.path)).status).to.equal(403);
      const crumb = paul.cookies.get('crumb')!;
      for (const said of ['yes', 'no']) {
        const forged = { oauth_token: begun.key, what: recordId, answer: said };
        expect((await paul.post('/my/authorize', { ...forged, crumb })).status).to.equal(403);
        expect((await olga.post('/my/authorize', forged)).status).to.equal(403);
      }
      expect(await tokenRow(begun.key)).to.equal({ claimed_by: OLGA, approved_by: null });
      expect((await answer(olga, page, 'yes', recordId)).status).to.equal(200);
    });

    it('is a page that is not there for a token that is not', async () => {
      for (const path of ['/my/authorize', '/my/authorize?oauth_token=none', '/my/authorize?oauth_token=']) {
        expect((await olga.get(path)).status, path).to.equal(404);
      }
    });

    it('shows what an app says of itself as text', async () => {
      const { path } = await begin(HOSTILE_APP, {}, 'https://hostile.example/callback');
      const page = await olga.open(path);
      expect(page.text).to.not.match(/<(?:script|img)|<b onmouseover/);
      expect(readable(page)).to.contain(['<script>alert(1)</script> & "Co" {name}', '<img src=x onerror=alert(2)>']);
    });
  });
}
