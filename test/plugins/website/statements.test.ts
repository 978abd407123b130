/**
 * statements: every page of the website, viewed and sent, with the number of statements that it needs: at most 20,
 * whatever the record contains.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { pages } from '../../../plugins/website/pages';
import { pngOf } from '../../support/pictures';
import { wrapFile } from '../../../core/files/envelope';
import { askedBy } from '../../support/asked';
import { askedIn, makeAuthenticator, type Authenticator } from '../../support/authenticator';
import type { Credentials } from '../../support/client';
import { databases } from '../../support/databases';
import { startExampleApp, type ExampleApp } from '../../support/example-app';
import { waitForMail } from '../../support/mails';
import { admin, startService, type TestService } from '../../support/server';
import { formsOf, makeSite, readable, type Site, type SitePage, type TestFile } from '../../support/site';
import {
  enterSite,
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  type SiteRecord,
} from '../../support/site-record';
import { authorizeApp, createAccount, createRecord, PASSWORD, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The limit of the website's design, without the statements of the audit log. */
const MOST = 20;
const PLAIN = 'plain@apps.example';
const OTHER = 'other@apps.example';
const IN_RECORD = '/records/{RECORD_ID}';
const IN_CARENET = '/carenets/{CARENET_ID}';
/** An archive reads the whole record in parts while it is sent, so it is not counted here. */
const OF_THEIR_OWN = [`POST ${IN_RECORD}/export/archive.tar.gz`, `POST ${IN_RECORD}/export/files.zip`];
const FACTOR = '/my/account/second-factor';
const A_CODE = { what: 'show', kind: 'problems', minutes: '5', openings: '1' };
const PERSON = { given: 'Nora', family: 'New', born: '1980-02-03', sex: 'female' };

/**
 * Each further file of a form is an operation of its own. It needs at most this many more statements to be previewed,
 * and this many to be added.
 */
const MORE_LOOKS = 6;
const MORE_ADDED = 16;
const FILES = 5;

/** A row of the table: how a page is requested, and what it answers. */
type Row = {
  readonly page: string;
  readonly what?: string;
  readonly status?: number;
  readonly most?: number;
  /** Runs before, and is not counted. */ readonly first?: () => Promise<unknown>;
  readonly ask: (first: never) => Promise<SitePage>;
};

const SIX_HOURS = 6 * 60 * 60 * 1000;

/** More readings of one measure than a chart draws, in both models and in three units. */
const manyWeights = (): readonly string[] =>
  Array.from({ length: 600 }, (_, turn) => {
    const date = new Date(Date.now() - turn * SIX_HOURS).toISOString();
    const unit = ['kg', '[lb_av]', 'g'][turn % 3]!;
    const value = { kg: '70', '[lb_av]': '154.3', g: '70000' }[unit]!;
    return [
      factOf('VitalSigns', { date, weight_value: '70', weight_unit: 'kg' }),
      factOf('Measurement', { type: 'Body weight', datetime: date, value, unit }),
    ];
  }).flat();

const glucose = (value: string, status: string): string =>
  factOf('LabResult', {
    test_name_title: 'Glucose',
    test_name_identifier: '2345-7',
    test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: 'mg/dL',
    collected_at: '2024-05-03T07:00:00Z',
    status_title: status,
  });
const corrected = [glucose('90', 'final'), glucose('95', 'corrected')];

/** A health link: its id, and the page that opens for anybody who has it. */
type ALink = { readonly id: string; readonly path: string };
type Holder = { readonly id: string; readonly site: Site; readonly key: Authenticator; readonly page: SitePage };
type Mailed = { readonly path: string; readonly code: string };

for (const leg of databases) {
  describe(`statements of the website on ${leg.name}`, () => {
    let service: TestService;
    let example: ExampleApp;
    let made: SiteRecord;
    let olga: Site;
    let [record, carenet, child]: string[] = [];
    let measured: { readonly record: string; readonly carenet: string };
    let [typed, typedTwice, holding, photo, seen, doctor]: string[] = [];

    const post = async (site: Site, path: string, fields: Readonly<Record<string, string>>): Promise<SitePage> =>
      site.post(path, { crumb: site.cookies.get('crumb')!, ...fields });
    /** The path of the first line of a list. */
    const lineOn = async (base: string | undefined): Promise<string> =>
      /href="([^"]*\/list\/VitalSigns\/[^"]*)"/.exec((await olga.get(`${base}/list/VitalSigns`)).text)![1]!;
    /** Shares every kind of facts with every circle of a record. */
    const shareKinds = async (base: string): Promise<void> => {
      const kinds = [...(await olga.get(`${base}/sharing`)).text.matchAll(/name="share" value="([^"]*)"/g)].map(
        (match) => ['share', match[1]!] as const,
      );
      await olga.post(`${base}/sharing`, [['crumb', olga.cookies.get('crumb')!], ['what', 'kinds'], ...kinds]);
    };
    /** A record of many readings, of which a laboratory corrected one, with a circle that sees them. */
    const makeMeasured = async (): Promise<void> => {
      const id = await createRecord(service.call, OWNER, 'Mona', 'Many');
      const facts = factsDocument(service, ...manyWeights(), ...corrected);
      succeeded(await service.call(made.credentials, 'POST', `/records/${id}/documents/`, { body: facts }));
      const circles = await call(made.credentials, 'GET', `/records/${id}/carenets/`);
      measured = {
        record: `/my/records/${id}`,
        carenet: `/my/carenets/${/<Carenet[^>]* id="([^"]*)"/.exec(circles)![1]}`,
      };
      await shareKinds(measured.record);
    };
    /** Makes a code for a clinic, and answers the path of its page. */
    const aCode = async (base: string | undefined): Promise<string> =>
      String((await post(olga, `${base}/clinic`, A_CODE)).headers['location']);
    const counted = async (row: Row): Promise<readonly string[]> => {
      const first = await row.first?.();
      // Mails are written when they are sent, which is not part of the page.
      const { outbox, texts } = service.services;
      await Promise.all([outbox.stop(), texts.stop()]);
      const { asked, result } = await askedBy(() => row.ask(first as never)).finally(() => {
        outbox.start();
        texts.start();
      });
      expect(result.status, `${row.page} ${row.what ?? ''}: ${readable(result).slice(0, 300)}`).to.equal(
        row.status ?? (row.page.startsWith('GET') ? 200 : 303),
      );
      return asked.map(({ sql }) => sql);
    };
    const call = async (who: Credentials, method: string, path: string, form?: Readonly<Record<string, string>>) =>
      succeeded(await service.call(who, method, path, form ? { form } : {})).text;
    const weigh = (form = `weight ${Math.random()}`): Promise<SitePage> =>
      post(olga, `${record}/quick/weight`, { form, weight_value: '81', date: '2026-01-02', 'date:time': '07:30' });
    const files = (count: number): readonly TestFile[] =>
      Array.from({ length: count }, (_, index) => ({
        field: 'file',
        name: `file-${index}.xml`,
        bytes: factsDocument(
          service,
          factOf('Problem', { name_title: `Number ${index} of ${count} ${Math.random()}` }),
        ),
        type: 'application/xml',
      }));
    const look = (count: number): Promise<SitePage> =>
      olga.upload(`${record}/add`, { crumb: olga.cookies.get('crumb')! }, files(count));
    const lookAtTexts = (): Promise<SitePage> =>
      olga.upload(
        `${record}/add`,
        { crumb: olga.cookies.get('crumb')! },
        Array.from({ length: FILES }, (_, index) => ({
          field: 'file',
          name: `text-${index}.txt`,
          bytes: `${'One of several. '.repeat(20)}${index}`,
        })),
      );
    const table = (): Promise<SitePage> =>
      olga.upload(`${record}/add`, { crumb: olga.cookies.get('crumb')! }, [
        {
          field: 'file',
          name: 'week.csv',
          bytes: 'Date,Time,Systolic,Diastolic,Pulse,Note\n03/02/2025,07:15,128,82,64,\n',
        },
      ]);
    const unknownTable = (): Promise<SitePage> =>
      olga.upload(`${record}/add`, { crumb: olga.cookies.get('crumb')! }, [
        { field: 'file', name: 'mine.csv', bytes: 'Date,Body weight (kg)\n2025-03-02,71.4\n' },
      ]);
    /** Sends the fields of several forms on one page, as a browser does. */
    const addAll = (page: SitePage): Promise<SitePage> => {
      const tokens = [...page.text.matchAll(/name="form" value="([^"]*)"/g)].map((match) => match[1]!);
      return olga.post(`${record}/add`, [
        ['crumb', olga.cookies.get('crumb')!],
        ...tokens.map((token) => ['form', token] as const),
        ['label', 'One'],
        ['nevershare', tokens[0]!],
      ]);
    };
    const idIn = (page: SitePage): string => String(page.headers['location']).split('/').at(-1)!;
    const written = async (name: string): Promise<string> =>
      idIn(await post(olga, `${record}/add/Problem`, { form: `${name} ${Math.random()}`, name_title: name }));

    before(async () => {
      example = await startExampleApp([
        { id: PLAIN, name: 'Plain Diary', mode: 'ui' },
        { id: OTHER, name: 'Other Diary', mode: 'ui' },
      ]);
      service = await startService(leg, {
        SVC_MANIFESTS_DIR: example.manifests,
        // Browsers make passkeys for host names only, not for addresses.
        SVC_HOST: 'localhost',
        SVC_SIGN_UP: '1',
        SVC_RATE_ACCOUNT_PER_MINUTE: '0',
      });
      made = await makeSiteRecord(service);
      ({ owner: olga } = made);
      record = `/my/records/${made.recordId}`;
      carenet = `/my/carenets/${made.carenetId}`;
      await olga.open('/my/account');
      await made.member.open('/my/account');
      child = await createRecord(service.call, OWNER, 'Tor', 'Halvorsen');
      for (let index = 0; index < 12; index += 1) {
        await made.store(
          factsDocument(
            service,
            factOf('VitalSigns', {
              date: `2024-0${(index % 9) + 1}-03T10:00:00Z`,
              weight_value: `${70 + index}`,
              weight_unit: 'kg',
            }),
            factOf('Medication', { drugName_title: `Medicine ${index}` }),
            factOf('Allergy', { allergen_title: `Pollen ${index}` }),
            factOf('LabResult', {
              test_name_title: 'Glucose',
              test_name_identifier: '2345-7',
              test_name_system: 'http://purl.bioontology.org/ontology/LNC/',
            }),
          ),
        );
      }
      for (const name of ['Friends', 'Doctors of the hospital', 'School', 'Work']) {
        await post(olga, `${record}/sharing`, { what: 'create', name });
      }
      for (let index = 0; index < 5; index += 1) {
        const id = `member-${index}@people.example`;
        await createAccount(service.call, id, `Member ${index}`);
        await call(made.credentials, 'POST', `/carenets/${made.carenetId}/accounts/`, {
          account_id: id,
          write: 'false',
        });
      }
      await shareKinds(record);
      await makeMeasured();
      await call(made.credentials, 'POST', `/records/${made.recordId}/shares/`, { account_id: MEMBER });
      await call(made.credentials, 'DELETE', `/records/${made.recordId}/shares/${MEMBER}`);
      await authorizeApp(service.call, example.signer(PLAIN), made.credentials, { record_id: made.recordId });
      [typed, typedTwice] = [await written('Typed'), await written('Typed twice')];
      const note = factsDocument(service, factOf('Problem', { name_title: 'Noted' }));
      holding = await made.store(
        wrapFile(
          { bytes: Buffer.from(note), title: 'Note', anyKind: true },
          service.services.config.vocabBase,
        ).toString(),
      );
      photo = await made.store(
        wrapFile({ bytes: pngOf(30, 20), title: 'Photo' }, service.services.config.vocabBase).toString(),
      );
      for (const shown of [holding, photo]) {
        await call(made.credentials, 'PUT', `/records/${made.recordId}/documents/${shown}/carenets/${made.carenetId}`);
      }
      const met = await made.store(
        factsDocument(
          service,
          factOf('Encounter', { encounterType_title: 'Check-up', startDate: '2024-03-03', facility_name: 'Harbour' }),
        ),
      );
      await call(made.credentials, 'PUT', `/records/${made.recordId}/documents/${met}/carenets/${made.carenetId}`);
      seen = /data-kind="Visit" data-id="([^"]*)"/.exec((await olga.get(`${record}/visits/`)).text)![1]!;
      doctor = /data-kind="Person" data-id="([^"]*)"/.exec((await olga.get(`${record}/people`)).text)![1]!;
      for (let index = 0; index < 3; index += 1) {
        await call(admin, 'POST', `/records/${made.recordId}/inbox/results-${index}`, {
          subject: 'Results',
          body: 'Here',
          num_attachments: '1',
        });
        succeeded(
          await service.call(admin, 'POST', `/records/${made.recordId}/inbox/results-${index}/attachments/1`, {
            body: factsDocument(service, factOf('Problem', { name_title: 'Attached' })),
          }),
        );
      }
    });
    after(async () => {
      await service.stop();
      example.stop();
    });

    const message = async (): Promise<string> =>
      [...(await olga.get('/my/inbox/')).text.matchAll(/href="(\/my\/inbox\/[^"?]+)"/g)][0]![1]!;
    const correct = async (id: string) => {
      const page = await olga.get(`${record}/add/Problem?correct=${id}`);
      return formsOf(page).find(({ fields }) => 'correct' in fields)!.fields;
    };
    const aLink = async (): Promise<ALink> => {
      const path = String(
        (await post(olga, `${record}/links`, { what: 'create', document: typedTwice! })).headers['location'],
      ).split('?')[0]!;
      const address = /href="([^"#]*)#shlink:/.exec((await olga.get(path)).text)![1]!;
      return { id: path.split('/').at(-1)!, path: new URL(address).pathname };
    };
    const openedLink = async (): Promise<string> => {
      const { path } = await aLink();
      return String((await post(olga, path, { recipient: 'Dr. Weber' })).headers['location']);
    };
    const asksIn = async (): Promise<string> => {
      const { address } = await example.ask(service.services.baseUrl(), OTHER);
      return new URL(address).search;
    };
    let serial = 0;
    /** Signs a new person up; resolves to the path in the mail and the code on the page. */
    const mailed = async (): Promise<Mailed> => {
      const email = `new-${(serial += 1)}@people.example`;
      const site = makeSite(service.running.server);
      const page = await site.submit(await site.open('/my/sign-up'), { given: 'New', family: 'Person', email });
      const mail = await waitForMail(service.mailDir, email, 'Activate your account');
      const link = mail.links.find((one) => one.includes('/init/'))!;
      return { path: new URL(link).pathname, code: /\b\d{6}\b/.exec(readable(page))?.[0] ?? '' };
    };

    const inBoth = (path: string, ask: (base: string) => Promise<SitePage>, what?: string): readonly Row[] => {
      const named = what ? { what } : {};
      return [
        { page: `GET ${IN_RECORD}${path}`, ask: () => ask(record!), ...named },
        { page: `GET ${IN_CARENET}${path}`, ask: () => ask(carenet!), ...named },
      ];
    };
    /** A page of the record of many readings. */
    const ofMany = (path: string, asked: string): readonly Row[] => [
      {
        page: `GET ${IN_RECORD}${path}`,
        what: 'with many readings',
        ask: () => olga.get(`${measured.record}${asked}`),
      },
      {
        page: `GET ${IN_CARENET}${path}`,
        what: 'with many readings',
        ask: () => olga.get(`${measured.carenet}${asked}`),
      },
    ];
    const withAttachment = async (): Promise<string> => {
      const paths = [...(await olga.get('/my/inbox/')).text.matchAll(/href="(\/my\/inbox\/[^"?]+)"/g)];
      for (const [, path] of paths) {
        if ((await olga.get(path!)).text.includes('name="num"')) {
          return path!;
        }
      }
      throw new Error('no message has an attachment');
    };
    const newSite = async (): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.open('/my/sign-in');
      return site;
    };

    /** A new person whose second step is a passkey, signed in, with the page that manages it. */
    const holder = async (): Promise<Holder> => {
      const id = `holder-${(serial += 1)}@people.example`;
      await createAccount(service.call, id, 'Holder');
      const [site, key] = [await enterSite(service, id), makeAuthenticator(new URL(service.services.baseUrl()).origin)];
      const page = await site.get(FACTOR);
      await site.submit(page, { name: 'Key', passkey: key.make(askedIn(page, 'make')) }, 'data-passkey="make"');
      return { id, site, key, page: await site.get(FACTOR) };
    };
    /** The fields of the form with a passkey button, with the answer of the key. */
    const answered = (page: SitePage, key: Authenticator, kind: 'make' | 'show') => ({
      ...formsOf(page).find(({ html }) => html.includes(`data-passkey="${kind}"`))!.fields,
      passkey: key[kind](askedIn(page, kind)),
    });
    const secondStep = async (): Promise<Holder> => {
      const { id, key } = await holder();
      const site = await newSite();
      return { id, key, site, page: await post(site, '/my/sign-in', { username: id, password: PASSWORD }) };
    };
    const removal = ({ text }: SitePage): string => /href="([^"]*\/passkeys\/[^"]+)"/.exec(text)![1]!;

    const rows = (): readonly Row[] => [
      { page: 'GET /', ask: () => olga.get('/my/?all=1') },
      { page: 'GET /', what: 'nobody', status: 303, ask: () => makeSite(service.running.server).get('/my/') },
      { page: 'GET /start', ask: () => olga.get('/my/start') },
      { page: 'POST /start', ask: () => post(olga, '/my/start', PERSON) },
      { page: 'GET /bring-in', ask: () => olga.get('/my/bring-in') },
      { page: 'POST /bring-in', status: 400, ask: () => post(olga, '/my/bring-in', {}) },
      {
        page: `POST ${IN_RECORD}/`,
        ask: () => post(olga, `${record}/`, { until: '2026-01-01T00:00:00.000000Z' }),
      },
      { page: `GET ${IN_RECORD}/details`, ask: () => olga.get(`/my/records/${child}/details`) },
      {
        page: `POST ${IN_RECORD}/details`,
        first: async () => {
          const page = await olga.get(`/my/records/${child}/details`);
          return formsOf(page).find(({ html }) => html.includes('name="version"'))!.fields;
        },
        ask: (fields: never) => post(olga, `/my/records/${child}/details`, { ...(fields as object), city: 'Bergen' }),
      },
      { page: `GET ${IN_RECORD}/quick/none-known`, ask: () => olga.get(`${record}/quick/none-known`) },
      {
        page: `POST ${IN_RECORD}/quick/none-known`,
        ask: () =>
          post(olga, `/my/records/${child}/quick/none-known`, { form: `none ${Math.random()}`, of: 'Problem' }),
      },
      { page: 'GET /sign-in', ask: () => makeSite(service.running.server).get('/my/sign-in') },
      {
        page: 'POST /sign-in',
        first: newSite,
        ask: (site: Site) => post(site, '/my/sign-in', { username: MEMBER, password: PASSWORD }),
      },
      {
        page: 'POST /sign-in',
        what: 'wrong',
        status: 403,
        first: newSite,
        ask: (site: Site) => post(site, '/my/sign-in', { username: MEMBER, password: 'wrong password' }),
      },
      {
        page: 'POST /sign-out',
        first: () => enterSite(service, MEMBER),
        ask: async (site: Site) => {
          await site.get('/my/style.css');
          return post(site, '/my/sign-out', {});
        },
      },
      { page: 'GET /sign-up', ask: () => makeSite(service.running.server).get('/my/sign-up') },
      {
        page: 'POST /sign-up',
        status: 200,
        first: newSite,
        ask: (site: Site) => post(site, '/my/sign-up', { given: 'Sam', family: 'Salt', email: 'sam@people.example' }),
      },
      { page: 'GET /welcome', status: 404, ask: () => makeSite(service.running.server).get('/my/welcome') },
      { page: 'POST /welcome', status: 404, first: newSite, ask: (site: Site) => post(site, '/my/welcome', {}) },
      { page: 'GET /forgot-password', ask: () => makeSite(service.running.server).get('/my/forgot-password') },
      {
        page: 'POST /forgot-password',
        status: 200,
        first: newSite,
        ask: (site: Site) => post(site, '/my/forgot-password', { name: 'member-1@people.example' }),
      },
      ...(['init', 'send_secret', 'reset_password'] as const).map((purpose): Row => ({
        page: `GET /accounts/{ACCOUNT_EMAIL}/${purpose}/{PRIMARY_SECRET}`,
        first: () => mailed(),
        ask: ({ path }: Mailed) => makeSite(service.running.server).get(path.replace('/init/', `/${purpose}/`)),
      })),
      ...(['init', 'reset_password'] as const).map((purpose): Row => ({
        page: `POST /accounts/{ACCOUNT_EMAIL}/${purpose}/{PRIMARY_SECRET}`,
        first: async () => ({ ...(await mailed()), site: await newSite() }),
        ask: ({ path, code, site }: Mailed & { readonly site: Site }) =>
          post(site, path.replace('/init/', `/${purpose}/`), {
            code,
            username: `new-${serial}`,
            password: PASSWORD,
          }),
      })),
      { page: 'GET /sign-in/code', status: 303, ask: () => makeSite(service.running.server).get('/my/sign-in/code') },
      {
        page: 'POST /sign-in/code',
        first: newSite,
        ask: (site: Site) => post(site, '/my/sign-in/code', { waiting: 'unknown', code: '000000' }),
      },
      { page: 'GET /account/second-factor', ask: () => olga.get('/my/account/second-factor') },
      {
        page: 'POST /account/second-factor',
        status: 403,
        first: async () => formsOf(await olga.get('/my/account/second-factor')).at(-1)!.fields,
        ask: (fields: Record<string, string>) => olga.post('/my/account/second-factor', { ...fields, code: '000000' }),
      },
      {
        page: 'POST /sign-in',
        what: 'asks for a passkey',
        status: 200,
        first: holder,
        ask: async ({ id }: Holder) => post(await newSite(), '/my/sign-in', { username: id, password: PASSWORD }),
      },
      {
        page: 'POST /sign-in/code',
        what: 'a passkey',
        first: secondStep,
        ask: ({ site, page, key }: Holder) => post(site, '/my/sign-in/code', answered(page, key, 'show')),
      },
      {
        page: 'POST /sign-in/code',
        what: 'a wrong passkey',
        status: 403,
        first: secondStep,
        ask: ({ site, page }: Holder) =>
          post(site, '/my/sign-in/code', answered(page, makeAuthenticator(service.services.baseUrl()), 'show')),
      },
      {
        page: 'GET /account/second-factor',
        what: 'with a passkey',
        first: holder,
        ask: ({ site }: Holder) => site.get(FACTOR),
      },
      {
        page: 'POST /account/second-factor',
        what: 'another passkey',
        first: holder,
        ask: ({ site, page }: Holder) =>
          post(site, FACTOR, {
            ...answered(page, makeAuthenticator(service.services.baseUrl()), 'make'),
            name: 'Another',
          }),
      },
      {
        page: 'POST /account/second-factor',
        what: 'new recovery codes',
        status: 200,
        first: holder,
        ask: ({ site, page, key }: Holder) => post(site, FACTOR, answered(page, key, 'show')),
      },
      {
        page: 'GET /account/second-factor/passkeys/{PASSKEY_ID}',
        first: holder,
        ask: ({ site, page }: Holder) => site.get(removal(page)),
      },
      {
        page: 'POST /account/second-factor/passkeys/{PASSKEY_ID}',
        first: holder,
        ask: ({ site, page }: Holder) => post(site, removal(page), { password: PASSWORD }),
      },
      { page: 'GET /smart/{SMART_REQUEST}', status: 404, ask: () => olga.get('/my/smart/unknown') },
      {
        page: 'POST /smart/{SMART_REQUEST}',
        status: 404,
        ask: () => post(olga, '/my/smart/unknown', { answer: 'yes' }),
      },
      { page: 'GET /account', ask: () => olga.get('/my/account') },
      {
        page: 'POST /account',
        what: 'person',
        ask: () => post(olga, '/my/account', { what: 'person', name: 'Olga O', email: 'o@people.example' }),
      },
      {
        page: 'POST /account',
        what: 'manner',
        ask: () => post(olga, '/my/account', { what: 'manner', language: 'en', zone: 'Europe/Oslo' }),
      },
      {
        page: 'POST /account',
        what: 'password',
        first: () =>
          enterSite(service, 'member-2@people.example').then((site) => site.get('/my/account').then(() => site)),
        ask: (site: Site) =>
          post(site, '/my/account', { what: 'password', old: PASSWORD, new: 'another fine password' }),
      },
      {
        page: 'POST /account',
        what: 'session',
        status: 404,
        ask: () => post(olga, '/my/account', { what: 'session', session: 'x' }),
      },
      { page: 'GET /account/email/{EMAIL_SECRET}', ask: () => olga.get('/my/account/email/unknown') },
      {
        page: 'POST /account/email/{EMAIL_SECRET}',
        status: 403,
        ask: () => post(olga, '/my/account/email/unknown', {}),
      },
      ...inBoth('/', (base) => olga.get(`${base}/`)),
      {
        page: `GET ${IN_RECORD}/add/{PREVIEW}/pages/{PAGE}.png`,
        status: 404,
        ask: () => olga.get(`${record}/add/unknown/pages/1.png`),
      },
      ...inBoth('/documents/', (base) => olga.get(`${base}/documents/?view=grid`), 'as first pages'),
      ...inBoth('/timeline', (base) => olga.get(`${base}/timeline`)),
      { page: `GET ${IN_RECORD}/sharing/invite`, ask: () => olga.get(`${record}/sharing/invite`) },
      {
        page: `POST ${IN_RECORD}/sharing/invite`,
        ask: () =>
          post(olga, `${record}/sharing/invite`, {
            what: 'invite',
            name: 'Lena',
            email: `lena-${(serial += 1)}@people.example`,
            gives: made.carenetId,
          }),
      },
      { page: 'GET /invitations/{INVITATION_SECRET}', status: 404, ask: () => olga.get('/my/invitations/unknown') },
      {
        page: 'POST /invitations/{INVITATION_SECRET}',
        status: 404,
        ask: () => post(olga, '/my/invitations/unknown', {}),
      },
      ...inBoth('/people', (base) => olga.get(`${base}/people`)),
      ...inBoth('/people/{KEY}', (base) => olga.get(`${base}/people/${doctor}`)),
      ...inBoth('/visits/', (base) => olga.get(`${base}/visits/`)),
      ...inBoth('/visits/{VISIT_ID}', (base) => olga.get(`${base}/visits/${seen}`)),
      ...inBoth('/search', (base) => olga.get(`${base}/search?q=a+2026`)),
      ...inBoth('/documents/', (base) => olga.get(`${base}/documents/`)),
      ...inBoth('/documents/', (base) => olga.get(`${base}/documents/?sort=title&kind=visit`), 'in another order'),
      ...inBoth(
        '/documents/',
        (base) => olga.get(`${base}/documents/?sort=care&from_whom=${doctor!}&q=a`),
        'of one sender',
      ),
      {
        page: `POST ${IN_RECORD}/documents/`,
        ask: () => post(olga, `${record}/documents/`, { do: 'tag', tag: 'knee', doc: typed! }),
      },
      {
        page: `POST ${IN_RECORD}/documents/`,
        what: 'download',
        status: 200,
        ask: () => post(olga, `${record}/documents/`, { do: 'download', doc: typed! }),
      },
      ...inBoth('/documents/', (base) => olga.get(`${base}/documents/?q=medicine+pollen+2024`), 'search'),
      ...inBoth('/documents/{DOCUMENT_ID}', (base) => olga.get(`${base}/documents/${typed}`)),
      ...inBoth('/documents/{DOCUMENT_ID}/text', (base) => olga.get(`${base}/documents/${typed}/text`)),
      ...inBoth('/documents/{DOCUMENT_ID}', (base) => olga.get(`${base}/documents/${photo}`), 'with a picture'),
      ...inBoth('/documents/{DOCUMENT_ID}/thumb.png', (base) => olga.get(`${base}/documents/${photo}/thumb.png`)),
      ...inBoth('/documents/{DOCUMENT_ID}/pages/{PAGE}.png', (base) =>
        olga.get(`${base}/documents/${photo}/pages/1.png`),
      ),
      ...inBoth('/documents/{DOCUMENT_ID}/files/{FILE}', (base) => olga.get(`${base}/documents/${holding}/files/1`)),
      ...inBoth('/documents/{DOCUMENT_ID}/files/{FILE}/download', (base) =>
        olga.get(`${base}/documents/${holding}/files/1/download`),
      ),
      {
        page: `POST ${IN_RECORD}/documents/{DOCUMENT_ID}/files/{FILE}`,
        status: 200,
        ask: () => post(olga, `${record}/documents/${holding}/files/1`, {}),
      },
      ...inBoth('/documents/{DOCUMENT_ID}/download', (base) => olga.get(`${base}/documents/${typed}/download`)),
      { page: `GET ${IN_RECORD}/questions`, ask: () => olga.get(`${record}/questions`) },
      {
        page: `POST ${IN_RECORD}/questions`,
        ask: () => post(olga, `${record}/questions`, { verdict: 'same', model: 'Problem', about: 'none' }),
      },
      ...inBoth('/list/{Model}', (base) => olga.get(`${base}/list/VitalSigns`)),
      ...inBoth('/list/{Model}', (base) => olga.get(`${base}/list/Medication`), 'medicines with their sources'),
      ...inBoth(
        '/list/{Model}',
        (base) => olga.get(`${base}/list/Allergy`),
        'allergies and who says that there are none',
      ),
      ...[IN_RECORD, IN_CARENET].map((begin) => ({
        page: `GET ${begin}/list/{Model}/{LINE_ID}`,
        first: () => lineOn(begin === IN_RECORD ? record : carenet),
        ask: (line: string) => olga.get(line),
      })),
      {
        page: `POST ${IN_RECORD}/list/{Model}/{LINE_ID}`,
        first: () => lineOn(record),
        ask: (line: string) =>
          post(olga, line, { verdict: 'wrong', about: line.split('/').at(-1)!, form: 'wrong-once', words: 'x' }),
      },
      ...inBoth('/data/{Model}', (base) => olga.get(`${base}/data/VitalSigns`)),
      ...inBoth('/data/{Model}', (base) => olga.get(`${base}/data/LabResult`), 'by name'),
      ...inBoth('/tests', (base) => olga.get(`${base}/tests`)),
      ...inBoth('/tests', (base) => olga.get(`${base}/tests?group=diabetes`), 'of a group'),
      ...inBoth('/tests', (base) => olga.get(`${base}/tests?by=date`), 'by date'),
      ...inBoth('/tests/{TEST}', (base) => olga.get(`${base}/tests/glucose`)),
      ...inBoth(
        '/tests/{TEST}',
        (base) => olga.get(`${base}/tests/weight`),
        'a measure of the body, with the age of the person',
      ),
      ...ofMany('/tests/{TEST}', '/tests/weight?period=all'),
      ...ofMany('/', '/'),
      ...ofMany('/tests', '/tests'),
      ...ofMany('/timeline', '/timeline'),
      ...ofMany('/data/{Model}', '/data/VitalSigns'),
      {
        page: `POST ${IN_RECORD}/tests/{TEST}`,
        ask: () => post(olga, `${record}/tests/weight`, { low: '60', high: '80' }),
      },
      ...inBoth('/tests/{TEST}.csv', (base) => olga.get(`${base}/tests/glucose.csv`)),
      ...inBoth('/tests/{TEST}.csv', (base) => olga.get(`${base}/tests/weight.csv`), 'of a measure'),
      ...inBoth('/data/{Model}.csv', (base) => olga.get(`${base}/data/VitalSigns.csv`)),
      ...(
        [
          [{ what: 'label', label: 'A name' }],
          [{ what: 'details', label: 'Another', own_date: '2020-02-03', own_kind: 'Letter', tags: 'knee, clinic' }],
          [{ what: 'note', note: 'A note' }],
          [{ what: 'note', note: '' }, 400],
          [{ what: 'never' }],
          [{ what: 'again' }],
          [{ what: 'place', carenet: 'CARENET' }],
          [{ what: 'take', carenet: 'CARENET' }],
          [{ what: 'status', status: 'archived', reason: 'because' }],
          [{ what: 'status', status: 'active', reason: 'because' }],
          [{ what: 'status', status: 'active', reason: '' }, 400],
        ] as const
      ).map(([fields, status = 303]): Row => ({
        page: `POST ${IN_RECORD}/documents/{DOCUMENT_ID}`,
        what: JSON.stringify(fields),
        status,
        ask: () =>
          post(olga, `${record}/documents/${typed}`, {
            ...fields,
            ...('carenet' in fields ? { carenet: made.carenetId } : {}),
          }),
      })),
      { page: `GET ${IN_RECORD}/add`, ask: () => olga.get(`${record}/add`) },
      { page: `POST ${IN_RECORD}/add`, what: 'look at one', status: 200, ask: () => look(1) },
      {
        page: `POST ${IN_RECORD}/add`,
        what: 'look at five',
        status: 200,
        most: MOST + (FILES - 1) * MORE_LOOKS,
        ask: () => look(FILES),
      },
      {
        page: `POST ${IN_RECORD}/add`,
        what: 'look at five that are there',
        status: 200,
        most: MOST + (FILES - 1) * MORE_LOOKS,
        first: async () => addAll(await lookAtTexts()),
        ask: lookAtTexts,
      },
      { page: `POST ${IN_RECORD}/add`, what: 'add one', first: () => look(1), ask: addAll },
      {
        page: `POST ${IN_RECORD}/add`,
        what: 'add five',
        most: MOST + (FILES - 1) * MORE_ADDED,
        first: () => look(FILES),
        ask: addAll,
      },
      {
        page: `GET ${IN_RECORD}/add-file`,
        first: () => table(),
        ask: (sent: SitePage) => olga.get(String(sent.headers['location'])),
      },
      {
        page: `POST ${IN_RECORD}/add-file`,
        what: 'add its one document',
        first: () => table(),
        ask: (sent: SitePage) => {
          const to = String(sent.headers['location']);
          return post(olga, to, { form: /form=([\w-]+)/.exec(to)![1]! });
        },
      },
      {
        page: `GET ${IN_RECORD}/add-table`,
        first: () => unknownTable(),
        ask: (sent: SitePage) => olga.get(String(sent.headers['location'])),
      },
      {
        page: `POST ${IN_RECORD}/add-table`,
        what: 'describe a table',
        first: () => unknownTable(),
        ask: (sent: SitePage) => {
          const form = /form=([\w-]+)/.exec(String(sent.headers['location']))![1]!;
          return post(olga, `${record}/add-table`, { form, 'role-0': 'date', 'role-1': 'weight' });
        },
      },
      { page: `GET ${IN_RECORD}/quick/`, ask: () => olga.get(`${record}/quick/`) },
      { page: `GET ${IN_RECORD}/quick/{What}`, ask: () => olga.get(`${record}/quick/blood-pressure`) },
      { page: `POST ${IN_RECORD}/quick/{What}`, ask: () => weigh() },
      {
        page: `POST ${IN_RECORD}/quick/{What}`,
        what: 'twice',
        first: () => weigh('twice'),
        ask: () => weigh('twice'),
      },
      {
        page: `GET ${IN_RECORD}/quick/{What}/saved/{DOCUMENT_ID}`,
        first: () => weigh(),
        ask: (saved: SitePage) => olga.get(String(saved.headers['location'])),
      },
      {
        page: `POST ${IN_RECORD}/quick/{What}/saved/{DOCUMENT_ID}`,
        first: () => weigh(),
        ask: (saved: SitePage) => post(olga, String(saved.headers['location']), {}),
      },
      { page: `GET ${IN_RECORD}/add/{Model}`, ask: () => olga.get(`${record}/add/VitalSigns`) },
      {
        page: `GET ${IN_RECORD}/add/{Model}`,
        what: 'correct',
        ask: () => olga.get(`${record}/add/Problem?correct=${typed}`),
      },
      {
        page: `POST ${IN_RECORD}/add/{Model}`,
        what: 'save',
        ask: () => post(olga, `${record}/add/Problem`, { form: 'a form of its own', name_title: 'Saved' }),
      },
      {
        page: `POST ${IN_RECORD}/add/{Model}`,
        what: 'save again',
        ask: () => post(olga, `${record}/add/Problem`, { form: 'a form of its own', name_title: 'Saved' }),
      },
      {
        page: `POST ${IN_RECORD}/add/{Model}`,
        what: 'wrong',
        status: 400,
        ask: () => post(olga, `${record}/add/Problem`, { form: 'x' }),
      },
      {
        page: `POST ${IN_RECORD}/add/{Model}`,
        what: 'look up',
        status: 200,
        ask: () =>
          post(olga, `${record}/add/Problem`, { form: 'x', name_title: 'hyper disorder of a', look: 'name_title' }),
      },
      {
        page: `POST ${IN_RECORD}/add/{Model}`,
        what: 'save a correction',
        // It has a note, which the answer counts.
        most: MOST + 1,
        first: () => correct(typed!),
        ask: (fields: Record<string, string>) =>
          post(olga, `${record}/add/Problem`, { ...fields, name_title: 'Corrected' }),
      },
      {
        page: `POST ${IN_RECORD}/add/{Model}`,
        what: 'a correction that came too late',
        status: 409,
        first: async () => {
          const fields = await correct(typedTwice!);
          await post(olga, `${record}/add/Problem`, { ...fields, name_title: 'First' });
          return { ...fields, form: 'another form' };
        },
        ask: (fields: Record<string, string>) =>
          post(olga, `${record}/add/Problem`, { ...fields, name_title: 'Second' }),
      },
      { page: `GET ${IN_RECORD}/sharing`, ask: () => olga.get(`${record}/sharing`) },
      {
        page: `GET ${IN_RECORD}/sharing/{ACCOUNT_ID}`,
        ask: () => olga.get(`${record}/sharing/member-0@people.example`),
      },
      ...(
        [
          [{ what: 'save', kind: 'labs', documents: 'all', last_day: '' }],
          [{ what: 'save', kind: 'labs', documents: 'none', last_day: '2001-01-01' }, 400],
        ] as const
      ).map(([fields, status = 303]): Row => ({
        page: `POST ${IN_RECORD}/sharing/{ACCOUNT_ID}`,
        status,
        ask: () => post(olga, `${record}/sharing/member-0@people.example`, fields),
      })),
      {
        page: `GET ${IN_RECORD}/sharing/circles/{CARENET_ID}`,
        ask: () => olga.get(`${record}/sharing/circles/${made.carenetId}`),
      },
      {
        page: `POST ${IN_RECORD}/sharing/circles/{CARENET_ID}`,
        ask: () =>
          post(olga, `${record}/sharing/circles/${made.carenetId}`, {
            what: 'facts',
            fact: `${made.carenetId} allergies`,
          }),
      },
      ...(
        [
          [{ what: 'whole', who: MEMBER }, 200],
          [{ what: 'whole', who: MEMBER, sure: MEMBER }],
          [{ what: 'whole', who: 'nobody at all' }, 400],
          [{ what: 'stop', account: MEMBER }],
          [{ what: 'create', name: 'Neighbours' }],
          [{ what: 'create', name: 'Neighbours' }, 400],
          [{ what: 'rename', name: 'Family of mine', carenet: 'CARENET' }],
          [{ what: 'add', who: 'member-4@people.example', carenet: 'CARENET' }, 200],
          [{ what: 'add', who: 'member-4@people.example', sure: 'member-4@people.example', carenet: 'CARENET' }],
          [{ what: 'take-out', account: 'member-4@people.example', carenet: 'CARENET' }],
          [{ what: 'delete', carenet: 'unknown' }, 404],
        ] as const
      ).map(([fields, status = 303]): Row => ({
        page: `POST ${IN_RECORD}/sharing`,
        what: JSON.stringify(fields),
        status,
        ask: () =>
          post(olga, `${record}/sharing`, {
            ...fields,
            ...('carenet' in fields && fields.carenet === 'CARENET' ? { carenet: made.carenetId } : {}),
          }),
      })),
      {
        page: `POST ${IN_RECORD}/sharing`,
        what: 'every kind out of every carenet, and in again',
        first: async () =>
          [...(await olga.get(`${record}/sharing`)).text.matchAll(/name="was" value="([^"]*)"/g)].map(
            (match) => ['was', match[1]!] as const,
          ),
        ask: (was: readonly (readonly [string, string])[]) =>
          olga.post(`${record}/sharing`, [['crumb', olga.cookies.get('crumb')!], ['what', 'kinds'], ...was]),
      },
      { page: `GET ${IN_RECORD}/history`, ask: () => olga.get(`${record}/history`) },
      { page: `GET ${IN_RECORD}/history.csv`, ask: () => olga.get(`${record}/history.csv`) },
      { page: `GET ${IN_RECORD}/apps`, ask: () => olga.get(`${record}/apps`) },
      { page: `GET ${IN_RECORD}/apps/{PHA_EMAIL}`, ask: () => olga.get(`${record}/apps/${OTHER}`) },
      {
        page: `POST ${IN_RECORD}/apps/{PHA_EMAIL}`,
        ask: () => post(olga, `${record}/apps/${OTHER}`, { answer: 'yes' }),
      },
      {
        page: `GET ${IN_RECORD}/apps/{PHA_EMAIL}/open`,
        status: 303,
        ask: () => olga.get(`${record}/apps/${PLAIN}/open`),
      },
      {
        page: `POST ${IN_RECORD}/apps/{PHA_EMAIL}/open`,
        status: 200,
        ask: () => post(olga, `${record}/apps/${PLAIN}/open`, {}),
      },
      { page: `POST ${IN_RECORD}/apps`, ask: () => post(olga, `${record}/apps`, { app: OTHER }) },
      { page: 'GET /authorize', first: asksIn, ask: (query: string) => olga.get(`/my/authorize${query}`) },
      ...(['yes', 'no'] as const).map((answer): Row => ({
        page: 'POST /authorize',
        what: answer,
        status: 200,
        first: asksIn,
        ask: async (query: string) => {
          const oauth_token = new URLSearchParams(query).get('oauth_token')!;
          return post(olga, '/my/authorize', { oauth_token, answer, what: answer === 'yes' ? made.recordId : '' });
        },
      })),
      {
        page: 'POST /authorize',
        what: 'for a carenet',
        status: 200,
        first: asksIn,
        ask: async (query: string) => {
          const oauth_token = new URLSearchParams(query).get('oauth_token')!;
          return post(olga, '/my/authorize', { oauth_token, answer: 'yes', what: made.carenetId });
        },
      },
      { page: `GET ${IN_RECORD}/links`, ask: () => olga.get(`${record}/links`) },
      { page: `POST ${IN_RECORD}/links`, ask: () => post(olga, `${record}/links`, { what: 'create', label: 'One' }) },
      {
        page: `POST ${IN_RECORD}/links`,
        what: 'look for documents',
        status: 200,
        ask: () => post(olga, `${record}/links`, { what: 'find', q: 'pollen', document: typed! }),
      },
      {
        page: `GET ${IN_RECORD}/links/{LINK_ID}`,
        first: aLink,
        ask: ({ id }: ALink) => olga.get(`${record}/links/${id}`),
      },
      { page: 'GET /link/{HEALTH_LINK}', first: aLink, ask: ({ path }: ALink) => olga.get(path) },
      {
        page: 'POST /link/{HEALTH_LINK}',
        first: aLink,
        ask: ({ path }: ALink) => post(olga, path, { recipient: 'Dr. Weber' }),
      },
      {
        page: 'GET /link/{HEALTH_LINK}/{LINK_TICKET}',
        first: openedLink,
        ask: (path: string) => olga.get(path),
      },
      {
        page: 'GET /link/{HEALTH_LINK}/{LINK_TICKET}/documents/{DOCUMENT_ID}',
        first: async () =>
          /href="([^"]*\/documents\/[^"]*)" download/.exec((await olga.get(await openedLink())).text)![1]!,
        ask: (path: string) => olga.get(path),
      },
      ...['/paper', '/print', '/paper.pdf'].flatMap((path) => ofMany(path, path)),
      ...[
        { of: IN_RECORD, base: () => record },
        { of: IN_CARENET, base: () => carenet },
      ].flatMap(({ of, base }): readonly Row[] => [
        { page: `GET ${of}/paper`, ask: () => olga.get(`${base()}/paper`) },
        { page: `GET ${of}/print`, ask: () => olga.get(`${base()}/print`) },
        { page: `GET ${of}/paper.pdf`, ask: () => olga.get(`${base()}/paper.pdf`) },
        { page: `GET ${of}/clinic`, ask: () => olga.get(`${base()}/clinic`) },
        { page: `POST ${of}/clinic`, ask: () => post(olga, `${base()}/clinic`, A_CODE) },
        { page: `GET ${of}/clinic/{LINK_ID}`, first: () => aCode(base()), ask: (path: string) => olga.get(path) },
        {
          page: `POST ${of}/clinic/{LINK_ID}`,
          first: () => aCode(base()),
          ask: (path: string) => post(olga, path, {}),
        },
      ]),
      { page: `GET ${IN_RECORD}/card`, ask: () => olga.get(`${record}/card`) },
      { page: `GET ${IN_RECORD}/card.pdf`, ask: () => olga.get(`${record}/card.pdf`) },
      {
        page: `POST ${IN_RECORD}/card`,
        ask: () => post(olga, `${record}/card`, { kind: 'allergies' }),
      },
      { page: `GET ${IN_RECORD}/words`, ask: () => olga.get(`${record}/words`) },
      { page: `POST ${IN_RECORD}/words`, ask: () => post(olga, `${record}/words`, { words: 'I worry' }) },
      { page: 'GET /kept', ask: () => olga.get('/my/kept') },
      { page: 'GET /l', ask: () => olga.get('/l') },
      { page: `GET ${IN_RECORD}/export`, ask: () => olga.get(`${record}/export`) },
      { page: `GET ${IN_RECORD}/hand-over`, ask: () => olga.get(`/my/records/${child}/hand-over`) },
      {
        page: `POST ${IN_RECORD}/hand-over`,
        what: 'offer',
        ask: () => post(olga, `/my/records/${child}/hand-over`, { what: 'offer', name: MEMBER, sure: MEMBER }),
      },
      { page: 'GET /handovers/{RECORD_ID}', ask: () => made.member.get(`/my/handovers/${child}`) },
      {
        page: 'POST /handovers/{RECORD_ID}',
        ask: () => post(made.member, `/my/handovers/${child}`, { answer: 'yes' }),
      },
      { page: 'GET /inbox/', ask: () => olga.get('/my/inbox/') },
      {
        page: 'POST /inbox/',
        ask: () => post(olga, '/my/inbox/', { record: made.recordId, subject: 'Hello', text: 'there' }),
      },
      { page: 'GET /inbox/{MESSAGE_ID}', first: message, ask: (path: string) => olga.get(path) },
      {
        page: 'POST /inbox/{MESSAGE_ID}',
        what: 'add',
        first: withAttachment,
        ask: (path: string) => post(olga, path, { what: 'add', num: '1' }),
      },
      {
        page: 'POST /inbox/{MESSAGE_ID}',
        what: 'archive',
        first: message,
        ask: (path: string) => post(olga, path, { what: 'archive' }),
      },
      { page: 'GET /{path*}', status: 404, ask: () => olga.get('/my/nothing/here') },
      { page: 'POST /{path*}', status: 404, ask: () => post(olga, '/my/nothing/here', {}) },
    ];

    it('stand in the table for every page that is shown and every form that is sent', () => {
      const asked = new Set(rows().map(({ page }) => page));
      const served = pages.flatMap(({ path, show, submit }) => [
        ...(show ? [`GET ${path}`] : []),
        ...(submit ? [`POST ${path}`] : []),
      ]);
      expect(served.filter((page) => !asked.has(page))).to.equal([...OF_THEIR_OWN]);
      expect([...asked].filter((page) => !served.includes(page))).to.equal([]);
    });

    for (const row of rows()) {
      it(`${row.page} ${row.what ?? ''}`, async () => {
        const asked = await counted(row);
        expect(
          asked.length,
          asked.map((sql) => sql.trim().replace(/\s+/g, ' ').slice(0, 160)).join('\n'),
        ).to.be.at.most(row.most ?? MOST);
      });
    }
  });
}
