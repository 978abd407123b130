/** history: the versions of a resource page by page and since a time, and parameters that a call does not accept. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import type { Answer } from '../../support/client';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const strict = { headers: { prefer: 'handling=strict' } };
const lenient = { headers: { prefer: 'return=minimal, handling=lenient' } };
const LAST = 25;

for (const leg of databases) {
  describe(`histories and parameters of the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    let documents: readonly string[];
    let path: string;
    before(async () => {
      ground = await startFhir(leg);
      const store = (title: string, replaced?: string): Promise<string> =>
        ground.put(
          JSON.stringify({
            resourceType: 'Procedure',
            status: 'completed',
            code: { text: title },
            subject: { reference: `Patient/${ground.recordId}` },
          }),
          'application/fhir+json',
          `/records/${ground.recordId}/documents/${replaced === undefined ? '' : `${replaced}/replace`}`,
        );
      const stored = [await store('Version 0')];
      for (let number = 1; number <= LAST; number += 1) {
        stored.push(await store(`Version ${number}`, stored.at(-1)));
      }
      documents = stored;
      const found = await ground.get('/Procedure');
      path = `/Procedure/${found['entry'][0].resource.id as string}`;
    });
    after(() => ground.service.stop());

    const linkOf = (bundle: Read, relation: string): string | undefined =>
      (bundle['link'] as readonly Read[])
        .find((link) => link['relation'] === relation)
        ?.['url'].replace(/^.*\/fhir/, '') as string | undefined;
    const versionsIn = (bundle: Read): readonly string[] =>
      ((bundle['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource.meta.versionId as string);
    const methodsIn = (bundle: Read): readonly string[] =>
      (bundle['entry'] as readonly Read[]).map(({ request }) => request.method as string);
    const pages = async (first: string, between: () => Promise<unknown> = async () => {}): Promise<readonly Read[]> => {
      const found = [await ground.get(first)];
      for (let next = linkOf(found[0]!, 'next'); next !== undefined; next = linkOf(found.at(-1)!, 'next')) {
        await between();
        found.push(await ground.get(next));
      }
      return found;
    };
    const newestFirst = (): string[] => [...documents].reverse();

    it('tells every version of a resource, page by page', async () => {
      const whole = await pages(`${path}/_history`);
      expect(whole.flatMap(versionsIn)).to.equal(newestFirst());
      expect(linkOf(whole[0]!, 'self')).to.equal(`${path}/_history`);
      for (const count of [1, 7, 26]) {
        const found = await pages(`${path}/_history?_count=${count}`);
        expect(found.flatMap(versionsIn), `${count}`).to.equal(newestFirst());
        expect(found.every((page) => versionsIn(page).length <= count)).to.be.true();
        expect(found.map((page) => linkOf(page, 'self'))).to.equal(found.map(() => `${path}/_history?_count=${count}`));
        expect(found.flatMap(methodsIn)).to.equal([...documents.slice(1).map(() => 'PUT'), 'POST']);
      }
      for (const [index, version] of documents.entries()) {
        expect((await ground.get(`${path}/_history/${version}`))['code'].text).to.equal(`Version ${index}`);
      }
    });

    it('tells the versions since a time, and no creation that is older', async () => {
      const state = await ground.get(`${path}/_history/${documents[LAST - 3]!}`);
      const since = state['meta'].lastUpdated as string;
      const found = await ground.get(`${path}/_history?_since=${since}`);
      expect(versionsIn(found)).to.equal(newestFirst().slice(0, 4));
      expect([found['total'], methodsIn(found)]).to.equal([4, ['PUT', 'PUT', 'PUT', 'PUT']]);
      expect((await pages(`${path}/_history?_since=${since}&_count=3`)).map(versionsIn)).to.equal([
        newestFirst().slice(0, 3),
        newestFirst().slice(3, 4),
      ]);
      const none = await ground.get(`${path}/_history?_since=2100-01-01T00:00:00Z`);
      expect(none).to.include({ resourceType: 'Bundle', type: 'history', total: 0 });
      expect(none['entry']).to.be.undefined();
      expect((await pages(`${path}/_history?_since=2020-01-01`)).flatMap(versionsIn)).to.equal(newestFirst());
    });

    it('tells the states of a document in pages, and none twice when another one comes', async () => {
      const id = await ground.put('<Note xmlns="urn:notes">one</Note>');
      const setStatus = async (status: string): Promise<void> => {
        succeeded(
          await ground.service.call(ground.alice, 'POST', `/records/${ground.recordId}/documents/${id}/set-status`, {
            form: { status, reason: 'x' },
          }),
        );
      };
      for (const status of ['archived', 'active', 'void']) {
        await setStatus(status);
      }
      let next = 'active';
      const found = await pages(`/DocumentReference/${id}/_history?_count=2`, async () => {
        await setStatus(next);
        next = next === 'archived' ? 'active' : 'archived';
      });
      expect(found.map((page) => [page['total'], versionsIn(page)])).to.equal([
        [4, ['4', '3']],
        [5, ['2', '1']],
      ]);
      expect(methodsIn(found[1]!)).to.equal(['PUT', 'POST']);
      const patient = await ground.get(`/Patient/${ground.recordId}/_history?_count=1`);
      expect([versionsIn(patient).length, methodsIn(patient)]).to.equal([1, ['POST']]);
    });

    it('shows as much of each state as is asked for', async () => {
      const found = await pages(`${path}/_history?_count=20&_elements=performedDateTime`);
      const resources = found
        .flatMap((page) => page['entry'] as readonly Read[])
        .map(({ resource }) => resource as Read);
      expect(resources.length).to.equal(LAST + 1);
      expect(
        resources.every((one) => one['code'] === undefined && one['meta'].tag[0].code === 'SUBSETTED'),
      ).to.be.true();
    });

    it('refuses what a history does not take, and pages of something else', async () => {
      const other = `/Patient/${ground.recordId}`;
      const next = linkOf(await ground.get(`${path}/_history?_count=1`), 'next')!;
      const page = next.slice(next.indexOf('?'));
      for (const [address, options, status] of [
        [`${path}/_history?_count=0`, {}, 400],
        [`${path}/_history?_count=-1`, {}, 400],
        [`${path}/_history?_count=some`, {}, 400],
        [`${path}/_history?_since=yesterday`, {}, 400],
        [`${path}/_history?_since=gt2020`, {}, 400],
        [`${path}/_history?_page=x`, {}, 400],
        [`${path}/_history?_at=2020`, {}, 400],
        [`${path}/_history?_at=2020`, strict, 400],
        [`${path}/_history?_count=1&_count=2`, {}, 400],
        [`${path}/_history${page}&_count=2`, {}, 400],
        [`${other}/_history${page}`, {}, 400],
        [`/Procedure/_history${page}`, {}, 404],
        [`${path}/_history${page}`, { token: ground.carenetToken }, 400],
        ['/Procedure/x/_history?_count=1', {}, 404],
        [`${path}/_history${page}`, { token: '' }, 401],
      ] as const) {
        const answer = await ground.call(address, options);
        expect([address, answer.status]).to.equal([address, status]);
        issueOf(answer);
      }
      const left = await ground.get(`${path}/_history?_at=2020&_count=1`, lenient);
      expect(linkOf(left, 'self')).to.equal(`${path}/_history?_count=1`);
      const same = await ground.get(`${path}/_history?_format=json&_count=1&_since=`);
      expect([same['entry'], linkOf(same, 'self')]).to.equal([left['entry'], `${path}/_history?_count=1`]);
    });

    it('refuses to a strict caller what a call does not take', async () => {
      const record = `/Patient/${ground.recordId}`;
      for (const address of [
        `${record}/$everything`,
        `${record}/$summary`,
        `/DocumentReference/$docref?patient=${ground.recordId}`,
        record,
        path,
        `${path}/_history/${documents[0]!}`,
        '/metadata',
        `/Binary/${documents[0]!}`,
        '/Procedure',
      ]) {
        const unknown = `${address}${address.includes('?') ? '&' : '?'}colour=red`;
        const answer = await ground.call(unknown, strict);
        expect([address, answer.status]).to.equal([address, 400]);
        expect(issueOf(answer)['details'].text).to.contain('colour');
        expect((await ground.call(address, strict)).status, address).to.equal(200);
        expect((await ground.call(unknown, lenient)).status, address).to.equal(200);
      }
      const created = await ground.call('/Procedure?colour=red', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/fhir+json', ...strict.headers },
      });
      expect([created.status, issueOf(created)['details'].text]).to.equal([
        400,
        'The parameter colour is not valid: this call does not take it.',
      ]);
    });

    it('takes no modifier of a result parameter silently, and counts in searches alone', async () => {
      const search = '/Observation?_count=0';
      for (const name of [
        '_count:exact',
        '_sort:missing',
        '_total:not',
        '_summary:x',
        '_include:exact',
        '_elements:x',
      ]) {
        const address = `${search}&${name}=_id`;
        const bundle = await ground.get(address);
        expect([name, linkOf(bundle, 'self')]).to.equal([name, search]);
        expect(bundle['entry'][0].resource.issue[0].details.text).to.contain(`The parameter ${name} was not used`);
        expect((await ground.call(address, strict)).status, name).to.equal(400);
      }
      const again = await ground.get('/Procedure?_count=1&_include:iterate=Procedure:subject');
      expect(again['entry'].map((entry: Read) => entry['search'].mode)).to.equal(['match', 'include']);
      expect((await ground.call('/Procedure?_include:iterate=Procedure:subject', strict)).status).to.equal(200);
      expect((await ground.call('/Procedure?_include:iterate=Procedure:colour', strict)).status).to.equal(400);
      for (const address of [path, `${path}/_history`, `/Patient/${ground.recordId}/$everything`]) {
        expect((await ground.call(`${address}?_summary=count`)).status, address).to.equal(400);
        expect((await ground.call(`${address}?_summary=text`)).status, address).to.equal(200);
      }
    });

    it('reads Parameters as they are, or not at all', async () => {
      const everything = `/Patient/${ground.recordId}/$everything`;
      const post = (body: object | string, type = 'application/fhir+json'): Promise<Answer> =>
        ground.call(everything, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': type },
        });
      const parameters = (...parameter: readonly unknown[]): object => ({ resourceType: 'Parameters', parameter });
      for (const wrong of [
        { name: '_type' },
        { name: '_type', part: [{ name: 'x', valueCode: 'Condition' }] },
        { name: '_type', resource: { resourceType: 'Condition' } },
        { valueCode: 'Condition' },
        null,
        5,
      ]) {
        expect((await post(parameters(wrong))).status, JSON.stringify(wrong)).to.equal(400);
      }
      expect((await post(parameters({ name: '_type', valueCode: 'Patient' }))).status).to.equal(200);
      expect((await post('_type=Patient', 'application/x-www-form-urlencoded')).status).to.equal(200);
      const xml = await post('<Parameters xmlns="http://hl7.org/fhir"/>', 'application/fhir+xml');
      expect([xml.status, issueOf(xml)['details'].text]).to.equal([
        415,
        'The body must be declared as application/fhir+json or application/x-www-form-urlencoded.',
      ]);
    });

    it('tells others what was not used, where the answer has room, and refuses it where it has none', async () => {
      const record = `/Patient/${ground.recordId}`;
      const everything = `${record}/$everything?_type=Patient`;
      const docref = `/DocumentReference/$docref?patient=${ground.recordId}`;
      for (const [address, self] of [
        [`${everything}&colour=red`, everything],
        [`${everything}&_type=Procedure&_count=100&colour=red`, `${everything}&_type=Procedure&_count=100`],
        [`${docref}&colour=red`, docref],
        [`${docref}&patient=other`, docref],
      ] as const) {
        for (const options of [{}, lenient]) {
          const bundle = await ground.get(address, options);
          expect(linkOf(bundle, 'self')).to.equal(self);
          const entries = bundle['entry'] as readonly Read[];
          expect(entries.at(-1)!['search']).to.equal({ mode: 'outcome' });
          expect(entries.at(-1)!['resource'].issue[0].details.text).to.match(/parameter (colour|patient) was not used/);
          expect(entries.length).to.be.above(1);
        }
      }
      const xml = await ground.call(`${everything}&colour=red&_format=xml`);
      expect(xml.text).to.match(/<OperationOutcome .*colour.*<mode value="outcome"\/><\/search><\/entry><\/Bundle>$/s);
      expect((await ground.call(`${record}/$summary?colour=red`)).status).to.equal(400);
      expect((await ground.call(`${record}/$summary?colour=red`, lenient)).status).to.equal(200);
      const profile = 'http://hl7.org/fhir/uv/ips/StructureDefinition/Bundle-uv-ips';
      expect((await ground.call(`${record}/$summary?profile=${profile}|1.1.0`, strict)).status).to.equal(200);
      expect((await ground.call(`${record}/$summary?profile=${profile}-x`)).status).to.equal(400);
      const next = linkOf(await ground.get(`${record}/$everything?_count=1&_elements=id`), 'next')!;
      const second = await ground.get(`${next}&_count=50`);
      expect(linkOf(second, 'self')).to.equal(`${record}/$everything?_count=1&_elements=id`);
      expect(second['entry'].map((entry: Read) => entry['search'].mode)).to.equal(['match', 'outcome']);
      expect((await ground.call(`${next}&_count=50`, strict)).status).to.equal(400);
      await ground.put('<Note xmlns="urn:notes">two</Note>');
      const page = linkOf(await ground.get('/DocumentReference?_count=1'), 'next')!;
      const beside = await ground.get(`${page}&status=superseded`);
      expect(beside['entry'].at(-1).resource.issue[0].details.text).to.contain('The parameter status was not used');
      expect((await ground.call(`${page}&status=superseded`, strict)).status).to.equal(400);
      const larger = await ground.get(`${page}&_count=3`, strict);
      expect(larger['entry'].map((entry: Read) => entry['search'].mode)).to.equal(['match', 'match', 'match']);
    });
  });
}
