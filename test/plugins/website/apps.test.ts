/**
 * apps: the page of a record's apps: what it shows, removing, letting in and opening an app; by the owner, and refused
 * to all others.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startExampleApp, type ExampleApp } from '../../support/example-app';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { connector, startService, type TestService } from '../../support/server';
import { attribute, authorizeApp, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';
import { verifiesAs } from '../../support/verify-header';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const MEMBER = 'member@people.example';
const PLAIN = 'plain@apps.example';
const FRAMED = 'framed@apps.example';
const HOSTILE = 'hostile@apps.example';
const HOSTILE_NAME = '<img src=x onerror=alert(1)> "&\' {name}';

for (const leg of databases) {
  describe(`the apps of a record at the website on ${leg.name}`, () => {
    let service: TestService;
    let example: ExampleApp;
    let recordId: string;
    let carenetId: string;
    let olga: Site;
    let others: readonly Site[];
    let path: string;

    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    const at = (appId: string): string => `${path}/${encodeURIComponent(appId)}`;
    const letIn = async (appId: string): Promise<SitePage> => {
      const page = await olga.open(at(appId));
      const form = formsOf(page).find(({ html }) => html.includes('name="answer"'))!;
      return olga.post(form.action, { ...form.fields, answer: 'yes' });
    };
    const isIn = async (appId: string): Promise<boolean> => service.services.lookups.enabled(appId, recordId);
    const open = async (appId: string): Promise<SitePage> => {
      const form = formsOf(await olga.open(path)).find(({ action }) => action === `${at(appId)}/open`)!;
      return olga.post(form.action, form.fields);
    };

    before(async () => {
      example = await startExampleApp([
        { id: PLAIN, name: 'Plain Diary', mode: 'ui' },
        { id: FRAMED, name: 'Framed Diary', mode: 'ui', frameable: true },
        { id: HOSTILE, name: HOSTILE_NAME, mode: 'ui', frameable: true },
      ]);
      service = await startService(leg, { SVC_MANIFESTS_DIR: example.manifests, SVC_CONNECT_TOKEN_SECONDS: '2700' });
      for (const [id, name] of [
        [OLGA, 'Olga Openshaw'],
        [PAUL, 'Paul'],
        [MEMBER, 'Member'],
      ] as const) {
        await createAccount(service.call, id, name);
      }
      recordId = await createRecord(service.call, OLGA, 'Olga', 'Openshaw');
      path = `/my/records/${recordId}/apps`;
      const hers = await signIn(service.call, OLGA);
      const { text } = succeeded(await service.call(hers, 'GET', `/records/${recordId}/carenets/`));
      carenetId = attribute(text, 'Carenet', 'id');
      succeeded(
        await service.call(hers, 'POST', `/carenets/${carenetId}/accounts/`, {
          form: { account_id: MEMBER, write: 'false' },
        }),
      );
      olga = await enter(OLGA);
      others = [await enter(PAUL), await enter(MEMBER)];
    });
    after(async () => {
      await service.stop();
      example.stop();
    });

    it('says that no app is in, and which could be, as text', async () => {
      const page = await olga.open(path);
      expect(readable(page)).to.contain(['No app is in this record.', 'Plain Diary', HOSTILE_NAME]);
      expect(page.text).to.not.contain('<img');
      expect(page.text).to.contain('<span class="unseen">, Plain Diary</span>');
      // Every page of a record is printed with the name of the person.
      for (const part of ['apps', 'sharing', 'history', 'export', 'add', 'documents/', 'timeline', 'data/Problem']) {
        const { text } = await olga.open(`/my/records/${recordId}/${part}`);
        expect(text, part).to.match(/<title>[^<]+ · Olga Openshaw · /);
        expect(text.match(/<p class="print-only">Olga Openshaw[^.<]*\. Printed on \d/g), part).to.have.length(1);
      }
    });

    it('lets an app in by a yes, not by a look or a no', async () => {
      const page = await olga.open(at(PLAIN));
      expect(readable(page)).to.contain('Let Plain Diary into the record of Olga Openshaw?');
      const form = formsOf(page).find(({ html }) => html.includes('name="answer"'))!;
      await olga.post(form.action, { ...form.fields, answer: 'no' });
      expect(await isIn(PLAIN)).to.be.false();
      expect((await letIn(PLAIN)).status).to.equal(303);
      expect(await isIn(PLAIN)).to.be.true();
      expect(readable(await olga.open(`${path}?note=in`))).to.contain([
        'The app is in',
        'One app is in this record.',
        'It sees nothing now. Once you open it, it sees everything for 45 minutes.',
        'by Olga Openshaw',
      ]);
      expect((await olga.get(at(PLAIN))).headers['location']).to.equal(path);
    });

    it('leads to an app with its placeholders filled in and a header that is good', async () => {
      const page = await open(PLAIN);
      expect([page.status, page.text.includes('<iframe')]).to.equal([200, false]);
      const url = new URL(String(page.headers['refresh']).replace('0; url=', ''));
      expect(url.href).to.startWith(`${example.origin}/start?record_id=${recordId}&carenet_id=&oauth_header=OAuth`);
      const given = verifiesAs(url, example.signer(PLAIN));
      expect(given).to.include({ smart_user_id: OLGA, smart_record_id: recordId, smart_app_id: PLAIN });
      const access = {
        ...example.signer(PLAIN),
        token: { key: given['smart_oauth_token']!, secret: given['smart_oauth_token_secret']! },
      };
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(200);
      expect(readable(await olga.open(path))).to.contain('It sees everything, until');
    });

    it('shows an app that allows it in a frame of its own origin, and of no other', async () => {
      await letIn(FRAMED);
      const page = await open(FRAMED);
      expect(page.headers['refresh']).to.be.undefined();
      expect(String(page.headers['content-security-policy'])).to.endWith(`; frame-src ${example.origin}`);
      expect(String(page.headers['content-security-policy'])).to.startWith("default-src 'none'");
      const frame = /<iframe[^>]*>/.exec(page.text)![0];
      expect(frame).to.contain([`src="${example.origin}/start?record_id=${recordId}`, 'referrerpolicy="no-referrer"']);
      expect(/sandbox="([^"]*)"/.exec(frame)![1]!.split(' ')).to.not.contain('allow-top-navigation');
      const elsewhere = await olga.open(path);
      expect(String(elsewhere.headers['content-security-policy'])).to.not.contain('frame-src');
      expect((await olga.get(`${at(FRAMED)}/open`)).status).to.equal(303);
    });

    it('says what each app can see: parts, everything, alone with its reason and when it came', async () => {
      const hers = await signIn(service.call, OLGA);
      await letIn(connector!.consumer.key);
      const key = connector!.consumer.key;
      const token = new URLSearchParams(
        succeeded(
          await service.call(connector, 'POST', `/apps/${encodeURIComponent(key)}/records/${recordId}/access_token`),
        ).text,
      );
      const alone = {
        ...connector!,
        token: { key: token.get('oauth_token')!, secret: token.get('oauth_token_secret')! },
      };
      succeeded(await service.call(alone, 'GET', `/records/${recordId}`));
      await letIn(HOSTILE);
      succeeded(await service.call(hers, 'PUT', `/carenets/${carenetId}/apps/${encodeURIComponent(HOSTILE)}`));
      await authorizeApp(service.call, example.signer(HOSTILE), hers, { carenet_id: carenetId });
      const page = await olga.open(path);
      expect(readable(page)).to.contain([
        'It sees everything, at any time, also while you are not signed in.',
        'New results arrive while nobody is signed in',
        'It last came by itself on',
        'It sees what lies in Family, until',
        HOSTILE_NAME,
      ]);
      expect(page.text).to.not.contain('<img');
      const framed = await open(HOSTILE);
      expect(framed.text).to.not.contain('<img');
    });

    it('takes an app out, and its token opens nothing any more', async () => {
      const hers = await signIn(service.call, OLGA);
      const access = await authorizeApp(service.call, example.signer(PLAIN), hers, { record_id: recordId });
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(200);
      const page = await olga.submit(await olga.open(path), { app: PLAIN }, `value="${PLAIN}"`);
      expect(readable(page)).to.contain('The app is out.');
      expect(await isIn(PLAIN)).to.be.false();
      expect((await service.call(access, 'GET', `/records/${recordId}`)).status).to.equal(403);
      expect((await olga.post(`${at(PLAIN)}/open`, { crumb: olga.cookies.get('crumb')! })).status).to.equal(404);
      const [row] = (await direct(service.services.database)('audit').where({
        function_name: 'pha_record_delete',
      })) as Record<string, unknown>[];
      expect(row).to.include({ principal_id: OLGA, app_id: PLAIN, record_id: recordId, url: path });
    });

    it('is not there for a stranger and for a member of a carenet, whatever they send', async () => {
      const missing = readable(await others[0]!.get('/my/records/none/apps')).replace(/\d\d:\d\d, reference \w+/, '');
      for (const site of others) {
        for (const address of [path, at(PLAIN), at(FRAMED)]) {
          const page = await site.get(address);
          expect([page.status, readable(page).replace(/\d\d:\d\d, reference \w+/, '')]).to.equal([404, missing]);
        }
        const crumb = site.cookies.get('crumb')!;
        for (const [address, fields] of [
          [path, { app: FRAMED }],
          [at(PLAIN), { answer: 'yes' }],
          [`${at(FRAMED)}/open`, {}],
        ] as const) {
          expect((await site.post(address, { ...fields, crumb })).status, address).to.equal(404);
        }
      }
      expect([await isIn(FRAMED), await isIn(PLAIN)]).to.equal([true, false]);
    });

    it('does nothing by a forged form', async () => {
      for (const [address, fields] of [
        [path, { app: FRAMED }],
        [at(PLAIN), { answer: 'yes' }],
        [`${at(FRAMED)}/open`, {}],
      ] as const) {
        expect((await olga.post(address, fields)).status, address).to.equal(403);
      }
      expect(
        (await olga.post(path, { app: 'nobody@apps.example', crumb: olga.cookies.get('crumb')! })).status,
      ).to.equal(404);
      expect([await isIn(FRAMED), await isIn(PLAIN)]).to.equal([true, false]);
    });
  });
}
