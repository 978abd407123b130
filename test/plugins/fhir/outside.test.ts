/** outside: what testers and unusual clients send to the FHIR door: every response is valid FHIR. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../../support/client';
import { databases } from '../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const FORM = 'application/x-www-form-urlencoded';
const strict = { headers: { prefer: 'handling=strict' } };

for (const leg of databases) {
  describe(`what is sent to the FHIR door from outside on ${leg.name}`, () => {
    let ground: FhirGround;
    const post = (path: string, body: object | string, headers: Readonly<Record<string, string>> = {}) =>
      ground.call(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': typeof body === 'string' ? FORM : 'application/fhir+json', ...headers },
      });
    const observation = (code: string, day: string): Read => ({
      resourceType: 'Observation',
      status: 'final',
      category: [
        { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
      ],
      code: { coding: [{ system: 'http://loinc.org', code, display: `Test ${code}` }] },
      subject: { reference: `Patient/${ground.recordId}` },
      effectiveDateTime: day,
      valueString: 'seen',
    });
    const entries = (bundle: Read): readonly Read[] => (bundle['entry'] ?? []) as readonly Read[];
    const ids = (bundle: Read): readonly string[] =>
      entries(bundle)
        .filter(({ search }) => search.mode === 'match')
        .map(({ resource }) => resource.id as string);
    const toldOf = (bundle: Read): readonly string[] =>
      entries(bundle)
        .filter(({ search }) => search.mode === 'outcome')
        .flatMap(({ resource }) => resource.issue as Read[])
        .map(({ details, diagnostics }) => (diagnostics ?? details.text) as string);
    const refused = (answer: Answer, status: number): void => {
      const start = answer.text.slice(0, 200);
      expect([answer.status, start]).to.equal([status, start]);
      issueOf(answer);
    };

    before(async () => {
      ground = await startFhir(leg);
      for (const [code, day] of [
        ['718-7', '2024-03-01'],
        ['718-7', '2024-01-01'],
        ['2345-7', '2024-02-01'],
      ] as const) {
        expect((await post('/Observation', observation(code, day))).status).to.equal(201);
      }
    });
    after(() => ground.service.stop());

    it('is told of includes that there are not, or refused with them', async () => {
      for (const include of ['_include=Observation:colour', '_include=Encounter:subject', '_revinclude=List:nothing']) {
        const found = await ground.get(`/Observation?${include}`);
        expect(ids(found).length, include).to.equal(3);
        expect(toldOf(found), include).to.have.length(1);
        refused(await ground.call(`/Observation?${include}`, strict), 400);
      }
      for (const include of ['_include=*', '_include=Observation:*', '_include=Observation:encounter:Encounter']) {
        expect((await ground.call(`/Observation?${include}`, strict)).status, include).to.equal(200);
      }
    });

    it('is told of a parameter whose name cannot be shown', async () => {
      const answer = await ground.call('/Observation?%ff%3Cb%3E=1', strict);
      refused(answer, 400);
      expect(answer.text).to.contain('The parameter without a readable name is not valid');
    });

    it('is sorted by those of several keys that it knows, on every page, and told of the others', async () => {
      const wanted = ids(await ground.get('/Observation?_sort=date'));
      expect(wanted.length).to.equal(3);
      for (const keys of ['date,code', 'code,date']) {
        let [path, found]: [string | undefined, readonly string[]] = [`/Observation?_sort=${keys}&_count=1`, []];
        while (path !== undefined) {
          const page: Read = await ground.get(path);
          found = [...found, ...ids(page)];
          const next = (page['link'] as readonly Read[]).find(({ relation }) => relation === 'next');
          path = next && (next['url'] as string).split('/fhir')[1];
        }
        expect(found, keys).to.equal(wanted);
        expect(toldOf(await ground.get(`/Observation?_sort=${keys}`)), keys).to.have.length(1);
        refused(await ground.call(`/Observation?_sort=${keys}`, strict), 400);
      }
    });

    it('is refused a wrong date, and takes an order, also where there is one resource or none', async () => {
      for (const type of ['RelatedPerson', 'Patient', 'Provenance', 'Medication', 'PractitionerRole', 'Device']) {
        for (const date of ['yesterday', '2024-02-30', '2024-1-1']) {
          refused(await ground.call(`/${type}?_lastUpdated=${date}`), 400);
        }
        expect((await ground.call(`/${type}?_sort=-_lastUpdated`, strict)).status, type).to.equal(200);
      }
    });

    it('may say the type of a reference behind its name', async () => {
      for (const type of ['Observation', 'DocumentReference']) {
        expect(ids(await ground.get(`/${type}?subject:Patient=${ground.recordId}`)).length, type).to.be.above(2);
        expect(ids(await ground.get(`/${type}?subject:Group=${ground.recordId}`)), type).to.equal([]);
        expect(ids(await ground.get(`/${type}?subject:Patient=somebody`)), type).to.equal([]);
        refused(await ground.call(`/${type}?subject:Patient=Group/${ground.recordId}`), 400);
        refused(await ground.call(`/${type}?subject:patient=${ground.recordId}`), 400);
      }
    });

    it('finds any of very many codes, and is refused what no database could plan', async () => {
      const codes = Array.from({ length: 400 }, (_, index) => `9${index}-1`);
      const list = (more: readonly string[]): string => [...codes, ...more].join(',');
      expect(ids(await ground.get(`/Observation?code=${list(['718-7'])}`)).length).to.equal(2);
      expect(ids(await ground.get(`/Observation?code=${list(['http://loinc.org|718-7'])}`)).length).to.equal(2);
      expect(ids(await ground.get(`/Observation?code:not=${list(['718-7'])}`)).length).to.equal(1);
      expect(ids(await ground.get(`/Observation?code=${list(['http://snomed.info/sct|718-7'])}`))).to.equal([]);
      const many = (name: string, count: number): string =>
        Array.from({ length: count }, (_, i) => `${name}${i}`).join('&');
      refused(await ground.call(`/Observation?${many('code:not=a', 300)}`), 400);
      const dates = Array.from({ length: 400 }, (_, index) => `ge${1900 + (index % 200)}`).join(',');
      refused(await ground.call(`/Observation?date=${dates}`), 400);
      refused(await post('/DocumentReference/_search', many('_id=a', 3000)), 400);
      expect((await post('/DocumentReference/_search', many('_id=a', 500))).status).to.equal(200);
    });

    it('finds no time in a zone that there is not', async () => {
      for (const zone of ['%2B99:99', '-15:00', '%2B02:75', '-14:30']) {
        refused(await ground.call(`/Observation?date=2024-01-01T10:00:00${zone}`), 400);
      }
      for (const zone of ['%2B14:00', '-13:59', '%2001:00']) {
        await ground.get(`/Observation?date=2024-01-01T10:00:00${zone}`);
      }
    });

    it('is answered in the form that a posted search names', async () => {
      const xml = await post('/Observation/_search', '_format=xml&_count=1');
      expect([xml.status, xml.headers['content-type']]).to.equal([200, 'application/fhir+xml; charset=utf-8']);
      refused(await post('/Observation/_search', '_format=html'), 406);
    });

    it('is refused a condition of two identifiers', async () => {
      const condition = { 'if-none-exist': 'identifier=http://a.example|1,http://a.example|2' };
      refused(await post('/Observation', observation('1-8', '2024-01-01'), condition), 400);
    });

    it('must send each entry of a Bundle to the address of its type', async () => {
      const bundle = (type: string, url: string): object => ({
        resourceType: 'Bundle',
        type,
        entry: [{ resource: observation('1-8', '2020-01-01'), request: { method: 'POST', url } }],
      });
      const base = `${ground.service.services.baseUrl()}/fhir`;
      for (const url of [
        'Condition',
        'https://other.example/fhir/Observation',
        'Observation/1',
        'Observation?code=1',
      ]) {
        refused(await post('', bundle('transaction', url)), 422);
        const { status, text } = await post('', bundle('batch', url));
        expect([status, JSON.parse(text).entry[0].response.status.slice(0, 1)], url).to.equal([200, '4']);
      }
      expect(ids(await ground.get('/Observation?code=1-8'))).to.equal([]);
      for (const url of ['Observation', `${base}/Observation`]) {
        expect((await post('', bundle('transaction', url))).status, url).to.equal(200);
      }
    });

    it('is refused a summary for parameters that are none', async () => {
      const path = `/Patient/${ground.recordId}/$summary`;
      refused(await post(path, '{', { 'content-type': 'application/fhir+json' }), 400);
      refused(await post(path, 'text', { 'content-type': 'text/plain' }), 415);
      expect((await post(path, { resourceType: 'Parameters' })).status).to.equal(200);
    });

    it('is told a summary of more kinds of measurements than a search takes codes', async () => {
      const entry = Array.from({ length: 650 }, (_, index) => ({ resource: observation(`x-${index}`, '2024-05-01') }));
      expect((await post('', { resourceType: 'Bundle', type: 'collection', entry })).status).to.equal(201);
      const summary = await ground.get(`/Patient/${ground.recordId}/$summary`);
      const told = entries(summary).filter(({ resource }) => resource.resourceType === 'Observation');
      expect(told.length).to.be.above(490);
    });
  });
}
