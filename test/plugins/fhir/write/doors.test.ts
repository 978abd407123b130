/**
 * doors: what clients of other servers expect of answers and writes: files as they are, the form of next pages, caches,
 * and the Provenance of a resource.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PDF = '%PDF-1.4 \u0001';

for (const leg of databases) {
  describe(`the FHIR door as other servers have it, on ${leg.name}`, () => {
    let ground: FhirGround;
    let observations: readonly string[];

    const post = async (path: string, body: string, type = 'application/fhir+json'): Promise<Read> => {
      const answer = await ground.call(path, { method: 'POST', body, headers: { 'content-type': type } });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const observation = async (text: string): Promise<string> => {
      const { id } = await post(
        '/Observation',
        `{"resourceType":"Observation","status":"final","code":{"text":"${text}"},"subject":{"reference":"Patient/${ground.recordId}"}}`,
      );
      return id as string;
    };

    before(async () => {
      ground = await startFhir(leg);
      observations = [await observation('a'), await observation('b')];
    });
    after(() => ground.service.stop());

    it('takes a file as a Binary, and gives it back byte by byte', async () => {
      const made = await post('/Binary', PDF, 'application/pdf');
      expect([made['resourceType'], made['contentType']]).to.equal(['Binary', 'application/pdf']);
      const bytes = await ground.call(`/Binary/${made['id']}`);
      expect([bytes.status, bytes.text, bytes.headers['content-type']]).to.equal([200, PDF, 'application/pdf']);
      const resource = await ground.get(`/Binary/${made['id']}`, { headers: { accept: 'application/fhir+json' } });
      expect(Buffer.from(resource['data'] as string, 'base64').toString('utf8')).to.equal(PDF);
    });

    it('takes no file where a resource belongs, and none for another person', async () => {
      const send = (path: string, headers = {}, token?: string) =>
        ground.call(path, {
          method: 'POST',
          body: PDF,
          headers: { 'content-type': 'application/pdf', ...headers },
          ...(token === undefined ? {} : { token }),
        });
      expect((await send('/Goal')).status).to.equal(415);
      expect((await send('/Binary', { 'x-security-context': 'Patient/other' })).status).to.equal(422);
      expect((await send('/Binary', {}, await ground.mint('patient/Observation.cruds'))).status).to.equal(403);
    });

    it('names each type behind the right article when it refuses', async () => {
      const send = async (path: string, resource: Read): Promise<string> => {
        const headers = { 'content-type': 'application/fhir+json' };
        const answer = await ground.call(path, { method: 'POST', body: JSON.stringify(resource), headers });
        expect(answer.status, answer.text).to.be.between(399, 500);
        return issueOf(answer)['diagnostics'] as string;
      };
      const sent = { resource: { resourceType: 'Encounter' }, request: { method: 'POST', url: 'Goal' } };
      expect(await send('/Observation', { resourceType: 'Observation' })).to.contain('requires of an Observation.');
      expect(await send('/Goal', { resourceType: 'Goal' })).to.contain('requires of a Goal.');
      expect(await send('/ImagingStudy', { resourceType: 'Goal' })).to.contain('address: an ImagingStudy is wanted');
      expect(await send('', { resourceType: 'Bundle', type: 'transaction', entry: [sent] })).to.contain(
        'is an Encounter and must be sent to Encounter',
      );
    });

    it('keeps the form of a page in the link to the next', async () => {
      const next = (page: Read): string => page['link'].find((one: Read) => one['relation'] === 'next').url as string;
      const first = await ground.get('/Observation?_count=1&_format=json');
      const second = await ground.call(next(first).replace(/^.*\/fhir/, ''), {
        headers: { accept: 'application/fhir+xml' },
      });
      expect(second.headers['content-type']).to.contain('application/fhir+json');
      const history = await ground.call(`/Observation/${observations[0]}/_history?_format=xml`);
      expect(history.headers['content-type']).to.contain('application/fhir+xml');
      const everything = await ground.get(`/Patient/${ground.recordId}/$everything?_count=1&_format=json`);
      expect(next(everything)).to.contain('&_format=json');
    });

    it('tells caches that a state without a body depends on the form, too', async () => {
      const { headers } = await ground.call(`/Observation/${observations[0]}`);
      const again = await ground.call(`/Observation/${observations[0]}`, {
        headers: { 'if-none-match': String(headers['etag']) },
      });
      expect([again.status, again.text]).to.equal([304, '']);
      expect(String(again.headers['vary']).toLowerCase()).to.contain('accept');
    });

    it('finds the Provenance of a resource by what it is about', async () => {
      const target = `Observation/${observations[0]}`;
      const found = async (query: string, token?: string): Promise<readonly Read[]> =>
        ((await ground.get(`/Provenance?${query}`, token === undefined ? {} : { token }))['entry'] ?? []) as Read[];
      const [entry, ...others] = await found(`target=${target}`);
      expect(others).to.equal([]);
      expect(entry!['resource'].target.map((one: Read) => one['reference'])).to.include(target);
      const { meta } = await ground.get(`/${target}`);
      expect(entry!['resource'].id).to.equal(meta.versionId);
      expect(await found(`target=${target},Observation/${observations[1]}`)).to.have.length(2);
      expect(await found('target=Observation/nobody')).to.equal([]);
      // A token that may not read the resource does not learn of which document it is.
      expect(await found(`target=${target}`, await ground.mint('patient/Provenance.rs'))).to.equal([]);
      expect(await found(`target=${target}`, ground.carenetToken)).to.equal([]);
    });

    const sendIf = (condition: string, text: string, token?: string) =>
      ground.call('/Observation', {
        method: 'POST',
        body: JSON.stringify({
          resourceType: 'Observation',
          status: 'final',
          code: { text, coding: [{ system: 'urn:own', code: text }] },
          subject: { reference: `Patient/${ground.recordId}` },
          effectiveDateTime: '2024-05-06',
        }),
        headers: { 'content-type': 'application/fhir+json', 'if-none-exist': condition },
        ...(token === undefined ? {} : { token }),
      });

    it('stores a resource only where no other meets a condition, and asks back where several do', async () => {
      const first = await sendIf('code=urn:own|c&date=2024-05-06', 'c');
      expect(first.status, first.text).to.equal(201);
      const again = await sendIf('code=urn:own|c&date=2024-05-06', 'c');
      expect([again.status, JSON.parse(again.text).id]).to.equal([200, JSON.parse(first.text).id]);
      expect((await sendIf('code=urn:own|c&date=2023', 'c')).status).to.equal(201);
      const several = await sendIf('code=urn:own|c', 'c');
      expect([several.status, issueOf(several)['code']]).to.equal([412, 'conflict']);
      expect((await ground.get('/Observation?code=urn:own|c'))['total']).to.equal(2);
    });

    it('answers conditions only to whom the token lets search', async () => {
      const creator = await ground.mint('patient/Observation.c');
      expect((await sendIf('code=urn:own|c', 'c', creator)).status).to.equal(403);
      // One identifier is only a name that its sender has given.
      expect((await sendIf('identifier=urn:own|nobody', 'd', creator)).status).to.equal(201);
    });

    it('takes a condition in the place of a reference, if the person meets it', async () => {
      const goal = (reference: string, token?: string) =>
        ground.call('/Goal', {
          method: 'POST',
          body: JSON.stringify({
            resourceType: 'Goal',
            lifecycleStatus: 'active',
            description: { text: 'x' },
            subject: { reference },
          }),
          headers: { 'content-type': 'application/fhir+json' },
          ...(token === undefined ? {} : { token }),
        });
      for (const own of [`Patient?_id=${ground.recordId}`, 'Patient?name=alice', 'Patient?family=lee&given=alice']) {
        const answer = await goal(own);
        expect(answer.status, answer.text).to.equal(201);
        expect(JSON.parse(answer.text).subject).to.equal({ reference: `Patient/${ground.recordId}` });
      }
      for (const other of ['Patient?name=bob', 'Patient?identifier=urn:x|1', 'Patient?_id=other']) {
        expect([other, (await goal(other)).status]).to.equal([other, 422]);
      }
      expect((await goal('Patient?nonsense=1')).status).to.equal(400);
      expect((await goal('Patient?name=alice', await ground.mint('patient/Goal.cruds'))).status).to.equal(422);
    });

    it('takes searches in the place of references of a transaction, if one resource meets each', async () => {
      for (const value of ['1', '2', '2']) {
        await post(
          '/Practitioner',
          `{"resourceType":"Practitioner","identifier":[{"system":"urn:staff","value":"${value}"}],"name":[{"family":"Kay"}]}`,
        );
      }
      const goal = (reference: string): object => ({
        resourceType: 'Goal',
        lifecycleStatus: 'active',
        description: { text: 'walk' },
        subject: { reference: `Patient/${ground.recordId}` },
        expressedBy: { reference },
      });
      const transaction = (reference: string, more: readonly object[] = [], token?: string) =>
        ground.call('/', {
          method: 'POST',
          body: JSON.stringify({
            resourceType: 'Bundle',
            type: 'transaction',
            entry: [
              { fullUrl: 'urn:uuid:g', resource: goal(reference), request: { method: 'POST', url: 'Goal' } },
              ...more,
            ],
          }),
          headers: { 'content-type': 'application/fhir+json' },
          ...(token === undefined ? {} : { token }),
        });
      const nameIn = (answer: { readonly status: number; readonly text: string }): string => {
        expect(answer.status, answer.text).to.equal(200);
        return JSON.parse(answer.text).entry[0].resource.expressedBy.reference as string;
      };
      const found = nameIn(await transaction('Practitioner?identifier=urn:staff|1'));
      expect((await ground.get(`/${found}`))['identifier'][0].value).to.equal('1');
      // One that comes with it is meant before it is stored.
      const own = {
        fullUrl: 'urn:uuid:p',
        resource: { resourceType: 'Practitioner', identifier: [{ system: 'urn:staff', value: '7' }] },
        request: { method: 'POST', url: 'Practitioner' },
      };
      const carried = nameIn(await transaction('Practitioner?identifier=urn:staff|7', [own]));
      expect((await ground.get(`/${carried}`))['identifier'][0].value).to.equal('7');
      const goals = async (): Promise<number> => (await ground.get('/Goal?_summary=count'))['total'] as number;
      const before = await goals();
      for (const [reference, status] of [
        ['Practitioner?identifier=urn:staff|none', 412],
        ['Practitioner?identifier=urn:staff|2', 412],
        ['Practitioner?nonsense=1', 400],
        ['Nonsense?code=1', 400],
      ] as const) {
        const answer = await transaction(reference);
        expect([reference, answer.status]).to.equal([reference, status]);
        issueOf(answer);
      }
      const blind = await transaction(
        'Practitioner?identifier=urn:staff|1',
        [],
        await ground.mint('patient/Goal.cruds'),
      );
      expect(blind.status).to.equal(403);
      expect(await goals()).to.equal(before);
      // A resource that is sent alone stays as it came.
      const alone = await post('/Goal', JSON.stringify(goal('Practitioner?identifier=urn:staff|none')));
      expect(alone['expressedBy'].reference).to.equal('Practitioner?identifier=urn:staff|none');
    });

    it('does so in XML, too', async () => {
      const body =
        '<Bundle xmlns="http://hl7.org/fhir"><type value="transaction"/><entry><resource><Goal><lifecycleStatus ' +
        'value="active"/><description><text value="run"/></description><subject><reference ' +
        `value="Patient/${ground.recordId}"/></subject><expressedBy><reference ` +
        'value="Practitioner?identifier=urn:staff|1&amp;family=Kay"/></expressedBy></Goal></resource><request><method ' +
        'value="POST"/><url value="Goal"/></request></entry></Bundle>';
      const headers = { 'content-type': 'application/fhir+xml' };
      const answer = await ground.call('/', { method: 'POST', body, headers });
      expect(answer.status, answer.text).to.equal(200);
      expect(JSON.parse(answer.text).entry[0].resource.expressedBy.reference).to.match(/^Practitioner\/[0-9a-f-]{36}$/);
    });

    it('refuses a body in a form that it does not say', async () => {
      const answer = await ground.call('/Binary', {
        method: 'POST',
        body: PDF,
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status).to.equal(400);
      expect(issueOf(answer)['code']).to.be.a.string();
    });
  });
}
