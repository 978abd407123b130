/**
 * sharing-sentences: the four sentences of docs/sharing.md, each at every door. What a person may see is seen there; of
 * everything else there is no word, no id and no number. The papers are of several formats, because resources that came
 * as they are say more than facts do.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { lookAtExports } from '../../property/circle-doors';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { FHIR_APP, type Read } from '../../support/fhir';
import { waitForMail } from '../../support/mails';
import { enterSite, factOf, factsDocument, makeSiteRecord, OWNER, sample, STRANGER } from '../../support/site-record';
import type { SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';
import { mintSmartToken } from '../../support/smart';
import { signIn, succeeded } from '../../support/world';
import type { Answer, Credentials } from '../../support/client';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const PAPERS = ['ccda/sample-hospital.xml', 'ccda/sample-family-and-plans.xml', 'fhir-bundle/sample-lab-report.xml'];
const LETTER = 'fhir-bundle/sample-hospital-stay.xml';

/** What one of the doors answered. */
type Seen = Pick<Answer, 'status' | 'text'> & { readonly path: string };

for (const leg of databases) {
  describe(`the sentences about sharing on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let theirs: Exclude<Credentials, null>;
    let papers: readonly string[];
    let letter: string;
    let sharing: string;
    let ownResources: readonly Read[];

    const form = async (path: string, fields: readonly (readonly [string, string])[]): Promise<void> => {
      await record.owner.open(sharing);
      const crumb = record.owner.cookies.get('crumb')!;
      const answer = await record.owner.post(path, [['crumb', crumb], ...fields] as [string, string][]);
      expect(answer.status, answer.text).to.equal(303);
    };
    const change = (kinds: readonly string[], more: Readonly<Record<string, string>>): Promise<void> =>
      form(`${sharing}/${STRANGER}`, [
        ['what', 'save'],
        ...kinds.map((kind) => ['kind', kind] as const),
        ...Object.entries(more),
      ]);
    const stop = (): Promise<void> =>
      form(sharing, [
        ['what', 'stop'],
        ['account', STRANGER],
      ]);
    const circle = async (): Promise<string> =>
      (
        (await direct(service.services.database)('carenet')
          .where({ record_id: record.recordId, person_id: STRANGER })
          .first('id')) as { id: string }
      ).id;
    const tokenIn = async (): Promise<string> =>
      mintSmartToken(service, {
        account: STRANGER,
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        carenet: await circle(),
      });
    const fhir = async (token: string, path: string, method: 'GET' | 'DELETE' = 'GET') => {
      const { statusCode, payload, headers } = await service.running.server.inject({
        method,
        url: `/fhir${path}`,
        headers: { authorization: `Bearer ${token}`, ...(path.includes('$export') ? { prefer: 'respond-async' } : {}) },
      });
      return { path, status: statusCode, text: payload, headers };
    };
    const api = async (path: string): Promise<Seen> => ({ path, ...(await service.call(theirs, 'GET', path)) });
    const resultsOf = async (credentials: Exclude<Credentials, null>, place: string): Promise<readonly Read[]> => {
      const path = `${place}/reports/LabResult/?response_format=application/json`;
      return JSON.parse(succeeded(await service.call(credentials, 'GET', path)).text) as readonly Read[];
    };

    /** Every page of the circle to which a page of it leads, each path once, and those that are asked for. */
    const crawl = async (carenet: string): Promise<readonly Seen[]> => {
      const start = `/my/carenets/${carenet}/`;
      const asked = ['', 'paper?months=1200', 'search?q=troponin'].map((path) => `${start}${path}`);
      const [waiting, seen] = [new Map(asked.map((one) => [one, one])), [] as Seen[]];
      for (const address of waiting.values()) {
        const page = await record.stranger.get(address);
        seen.push({ path: address, status: page.status, text: page.text });
        for (const [, written = ''] of page.text.matchAll(/(?:href|src)="([^"#]*)/g)) {
          const found = written.replaceAll('&amp;', '&');
          const [path = ''] = found.split('?');
          if (path.startsWith(start) && !waiting.has(path)) {
            waiting.set(path, found);
          }
        }
      }
      return seen;
    };

    const lookByInterface = async (carenet: string): Promise<readonly Seen[]> => {
      const base = `/carenets/${carenet}`;
      const models = service.services.models().all.map(({ name }) => name);
      const minimal = ['labs', 'problems', 'medications', 'allergies', 'procedures', 'immunizations', 'vitals'];
      const paths = [
        ...models.flatMap((model) => [`${base}/reports/${model}/`, `${base}/lines/${model}/`]),
        ...minimal.map((name) => `${base}/reports/minimal/${name}/`),
        `${base}/reports/LabResult/?response_format=application%2Frdf%2Bxml`,
        ...['record', 'documents/', 'documents/?limit=1', 'demographics', 'apps/', 'accounts/'].map(
          (one) => `${base}/${one}`,
        ),
        ...['records/', 'permissions/', 'notifications/', 'inbox/'].map((one) => `/accounts/${STRANGER}/${one}`),
      ];
      return Promise.all(paths.map(api));
    };

    const lookByApp = async (token: string): Promise<readonly Seen[]> => {
      const { rest } = JSON.parse((await fhir(token, '/metadata')).text) as Read;
      const types = (rest[0].resource as readonly Read[]).map((one) => one['type'] as string);
      const seen: Seen[] = [];
      for (const type of types) {
        for (const query of ['_total=accurate', '_include=*&_revinclude=*&_include:iterate=*&_count=1000']) {
          seen.push(await fhir(token, `/${type}?${query}`));
        }
      }
      const found = new Set(
        seen.flatMap(({ text }) =>
          ((JSON.parse(text)['entry'] ?? []) as readonly Read[]).map((one) => one['resource']),
        ),
      );
      const names = [...found].map((one) => `/${one.resourceType as string}/${one.id as string}`);
      for (const name of new Set(names.filter((one) => !one.endsWith('undefined')))) {
        seen.push(await fhir(token, name), await fhir(token, `${name}/_history`));
      }
      const patient = `/Patient/${record.recordId}`;
      for (const path of [`${patient}/$everything`, `${patient}/$summary`, `${patient}/_history`]) {
        seen.push(await fhir(token, path));
      }
      seen.push(await fhir(token, `/DocumentReference/$docref?patient=${record.recordId}`));
      seen.push(...(await lookAtExports((path, method) => fhir(token, path, method), record.recordId)));
      return seen;
    };

    const lookEverywhere = async (token: string): Promise<readonly Seen[]> => {
      const carenet = await circle();
      return [...(await lookByInterface(carenet)), ...(await crawl(carenet)), ...(await lookByApp(token))];
    };

    /** The doors that name one of the ids, or say one of the words. */
    const tellingOf = (seen: readonly Seen[], ids: ReadonlySet<string>, words: readonly string[]): readonly string[] =>
      seen
        .filter(
          ({ text }) => (text.match(ID) ?? []).some((id) => ids.has(id)) || words.some((one) => text.includes(one)),
        )
        .map(({ path }) => path);

    /** That nothing of these is read by its id, at any door, and no answer says that it is there. */
    const expectClosed = async (token: string, documents: readonly string[], resources: readonly Read[]) => {
      const [carenet, open] = [await circle(), [] as string[]];
      const at = (id: string): readonly string[] => [
        `documents/${id}`,
        `documents/${id}/meta`,
        `lines/LabResult/${id}`,
      ];
      for (const path of documents.flatMap(at)) {
        const { status } = await api(`/carenets/${carenet}/${path}`);
        const page = await record.stranger.get(`/my/carenets/${carenet}/${path}`);
        open.push(...(status === 404 && page.status === 404 ? [] : [`${path} ${status} ${page.status}`]));
      }
      for (const { resourceType, id } of resources) {
        const path = `/${resourceType as string}/${id as string}`;
        for (const one of [path, `${path}/_history`, `/Binary/${id as string}`]) {
          const { status } = await fhir(token, one);
          open.push(...(status === 404 ? [] : [`${one} ${status}`]));
        }
        const counted = await fhir(token, `/${resourceType as string}?_id=${id as string}&_summary=count`);
        open.push(...(JSON.parse(counted.text)['total'] === 0 ? [] : [counted.path]));
      }
      expect(open).to.equal([]);
    };

    /** That results are seen as the papers say them, and of everything else nothing. */
    const expectResultsOnly = async (): Promise<void> => {
      const token = await tokenIn();
      const seen = await lookEverywhere(token);
      const own = await resultsOf(record.credentials, `/records/${record.recordId}`);
      const told = await resultsOf(theirs, `/carenets/${await circle()}`);
      const valuesOf = (all: readonly Read[]): readonly string[] =>
        all.map((one) => JSON.stringify([one['test_name_title'], one['value'], one['collected_at']])).sort();
      expect(valuesOf(told)).to.equal(valuesOf(own.filter((one) => one['test_name_title'] !== 'HIV 1 RNA')));
      expect((JSON.parse((await fhir(token, '/Observation?_total=accurate')).text) as Read)['total']).to.equal(
        told.length,
      );
      for (const door of [
        '/timeline',
        '/tests',
        '/list/LabResult',
        '/paper',
        '$everything',
        '$summary',
        'reports/minimal/labs',
      ]) {
        expect(
          seen.some(({ path, text }) => path.includes(door) && /Troponin/i.test(text)),
          door,
        ).to.be.true();
      }
      const hidden = ownResources.filter(({ resourceType }) => resourceType !== 'Patient');
      const ids = new Set([...papers, letter, ...hidden.map(({ id }) => id as string)]);
      const words = ['Secret note', 'HIV', 'Pneumonia', 'Dr Yusra Benali', 'atorvastatin', 'Ingrid Salo', 'Zebra'];
      expect(tellingOf(seen, ids, words)).to.equal([]);
      expect(seen.filter(({ status }) => status >= 500)).to.equal([]);
      await expectClosed(token, [...papers, letter], hidden);
      for (const path of ['documents/', 'audits/', 'shares/', 'carenets/', 'reports/LabResult/']) {
        expect((await api(`/records/${record.recordId}/${path}`)).status, path).to.equal(403);
      }
    };

    /** That nothing is open any more of what was. */
    const expectNothing = async (token: string, carenet: string): Promise<void> => {
      for (const path of ['/Observation', `/Patient/${record.recordId}`, `/Patient/${record.recordId}/$everything`]) {
        expect((await fhir(token, path)).status, path).to.equal(401);
      }
      for (const path of ['', 'timeline', 'tests', 'documents/', 'search?q=troponin', 'list/LabResult', 'paper']) {
        expect((await record.stranger.get(`/my/carenets/${carenet}/${path}`)).status, path).to.equal(404);
      }
      for (const { path, status, text } of await lookByInterface(carenet)) {
        expect(status === 403 || path.startsWith('/accounts/'), path).to.be.true();
        expect(text, path).to.not.contain('Halvorsen').and.to.not.contain(record.recordId);
      }
      expect((await record.stranger.get('/my/?all=1')).text).to.not.contain('Halvorsen');
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      record = await makeSiteRecord(service);
      theirs = await signIn(service.call, STRANGER);
      sharing = `/my/records/${record.recordId}/sharing`;
      const result = (name: string, code: string, value: string): string =>
        factOf('LabResult', {
          test_name_title: name,
          test_name_identifier: code,
          test_name_system: 'http://loinc.org',
          value,
          notes: 'Secret note',
        });
      const stored: string[] = [];
      for (const paper of PAPERS) {
        stored.push(await record.store(sample(service, paper)));
      }
      const facts = [result('Cholesterol', '2093-3', '231 mg/dL'), result('HIV 1 RNA', '20447-9', '7 copies/mL')];
      papers = [...stored, await record.store(factsDocument(service, ...facts))];
      letter = await record.store(sample(service, LETTER));
      const at = `/records/${record.recordId}/documents`;
      const label = { body: 'Zebra letter', type: 'text/plain' };
      succeeded(await service.call(record.credentials, 'PUT', `${at}/${letter}/label`, label));
      succeeded(await service.call(record.credentials, 'PUT', `${at}/${papers[0]}/rels/annotation/${letter}`));
      const own = await mintSmartToken(service, {
        account: OWNER,
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: record.recordId,
      });
      const everything = JSON.parse((await fhir(own, `/Patient/${record.recordId}/$everything`)).text) as Read;
      ownResources = (everything['entry'] as readonly Read[]).map(({ resource }) => resource as Read);
    });
    after(() => service.stop());

    it('"Lena sees my lab results, whatever paper they came in"', async () => {
      await form(sharing, [
        ['what', 'person'],
        ['who', STRANGER],
        ['sure', STRANGER],
        ['kind', 'labs'],
      ]);
      await expectResultsOnly();
    });

    it('"From today he sees nothing more"', async () => {
      const [token, carenet] = [await tokenIn(), await circle()];
      expect((await fhir(token, '/Observation')).status).to.equal(200);
      await stop();
      await expectNothing(token, carenet);
    });

    it('"My daughter, who has no account, sees them, too"', async () => {
      await form(`${sharing}/invite`, [
        ['what', 'invite'],
        ['name', 'Lena'],
        ['email', STRANGER],
        ['kind', 'labs'],
      ]);
      const mail = await waitForMail(service.mailDir, STRANGER, 'An invitation to a health record');
      const link = new URL(mail.links.find((one) => one.includes('/invitations/'))!).pathname;
      record = { ...record, stranger: await enterSite(service, STRANGER) };
      await record.stranger.submit(await record.stranger.open(link), {}, 'Yes, it is me');
      expect(mail.text).to.not.match(/Troponin|lab/i);
      expect((await record.stranger.get('/my/?all=1')).text).to.not.contain('Halvorsen');
      const listed = await api(`/accounts/${STRANGER}/records/`);
      expect(listed.text).to.not.contain('Halvorsen');
      const id = /name="id" value="([\w-]+)"/.exec((await record.owner.open(`${sharing}/invite`)).text)![1]!;
      await form(`${sharing}/invite`, [
        ['what', 'yes'],
        ['id', id],
      ]);
      await expectResultsOnly();
    });

    it('"My new practice sees everything but this one letter, until the end of March"', async () => {
      const path = `/records/${record.recordId}/documents/${letter}/nevershare`;
      succeeded(await service.call(record.credentials, 'PUT', path));
      const asked = (await record.owner.open(`${sharing}/${STRANGER}`)).text;
      const kinds = [...asked.matchAll(/name="kind" value="([^"]*)"/g)].map(([, kind]) => kind!);
      expect(kinds.length).to.be.above(10);
      const until = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
      await change(kinds, { documents: 'all', last_day: until });
      const [token, carenet] = [await tokenIn(), await circle()];
      const seen = await lookEverywhere(token);
      const source = `urn:uuid:${letter}`;
      const isOfLetter = ({ id, meta }: Read): boolean => id === letter || meta?.source === source;
      const [hidden, open] = [ownResources.filter(isOfLetter), ownResources.filter((one) => !isOfLetter(one))];
      expect([hidden.length > 10, open.length > 40]).to.equal([true, true]);
      const read = new Set(seen.map((one) => one.path));
      expect(open.map((one) => `/${one['resourceType']}/${one['id']}`).filter((one) => !read.has(one))).to.equal([]);
      for (const paper of papers) {
        expect((await api(`/carenets/${carenet}/documents/${paper}`)).status).to.equal(200);
      }
      const ids = new Set([letter, ...hidden.map(({ id }) => id as string)]);
      const words = ['Zebra', 'Pneumonia, right lower lobe', 'Dr Yusra Benali', 'Mei Tanaka', 'Streptococcus'];
      expect(tellingOf(seen, ids, words)).to.equal([]);
      await expectClosed(token, [letter], hidden);
      await direct(service.services.database)('carenet_account')
        .where({ carenet_id: carenet })
        .update({ ends_at: '2020-01-01T00:00:00.000000Z' });
      await expectNothing(token, carenet);
    });
  });
}
