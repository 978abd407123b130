/**
 * bundles: the entries of a batch do not depend on each other, those of a transaction may have conditions, and each
 * answer tells of its own entry.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Answer } from '../../../support/client';
import { databases } from '../../../support/databases';
import { direct } from '../../../support/direct';
import { issueOf, startFhir, type FhirCall, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const JSON_TYPE = 'application/fhir+json';
const URL_OF_ENCOUNTER = 'urn:uuid:0a0a0a0a-0000-4000-8000-0000000000aa';

for (const leg of databases) {
  describe(`bundles of requests on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const post = (body: object | string, { headers = {}, ...more }: FhirCall = {}): Promise<Answer> =>
      ground.call('', {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': JSON_TYPE, ...headers },
        ...more,
      });
    const rows = async (table: string): Promise<number> => {
      const [row] = (await direct(ground.service.services.database)(table).count({ n: '*' })) as { n: number }[];
      return Number(row!.n);
    };
    const condition = (text: string, more: object = {}): Read => ({
      resourceType: 'Condition',
      code: { text },
      subject: { reference: `Patient/${ground.recordId}` },
      ...more,
    });
    const creating = (resource: Read, more: object = {}): Read => ({
      resource,
      request: { method: 'POST', url: resource['resourceType'], ...more },
    });
    const asking = (url: string, method = 'GET'): Read => ({ request: { method, url } });
    const bundle = (type: string, ...entry: readonly Read[]): object => ({ resourceType: 'Bundle', type, entry });
    const answered = async (body: object | string, options?: FhirCall): Promise<readonly Read[]> => {
      const answer = await post(body, options);
      expect(answer.status, answer.text).to.equal(200);
      return (JSON.parse(answer.text) as Read)['entry'] as readonly Read[];
    };
    const statuses = (entries: readonly Read[]): readonly string[] =>
      entries.map(({ response }) => String(response.status).slice(0, 3));

    describe('a batch', () => {
      it('reads, searches and creates, each entry by itself and with a row of its own', async () => {
        const audited = await rows('audit');
        const entries = await answered(
          bundle(
            'batch',
            asking(`Patient/${ground.recordId}`),
            creating(condition('Asthma', { recordedDate: '2024-05-06' })),
            asking('Condition?recorded-date=2024-05-06'),
            creating(condition('of another', { subject: { reference: 'Patient/other' } })),
            asking(`${ground.service.services.baseUrl()}/fhir/Condition/none`),
            asking('Condition/1', 'DELETE'),
          ),
        );
        expect(statuses(entries)).to.equal(['200', '201', '200', '422', '404', '405']);
        expect(entries[0]!['resource'].id).to.equal(ground.recordId);
        expect(entries[2]!['resource']).to.include({ resourceType: 'Bundle', total: 1 });
        expect(entries[1]!['response'].location).to.contain('/Condition/');
        expect(entries[1]!['response'].etag).to.match(/^W\//);
        for (const index of [3, 4, 5]) {
          expect(entries[index]!['resource']).to.be.undefined();
          expect(entries[index]!['response'].outcome.issue[0].expression).to.equal([`Bundle.entry[${index}]`]);
        }
        // An address that takes no DELETE has no operation, and so no row.
        expect((await rows('audit')) - audited).to.equal(6);
      });

      it('keeps digits, and sends what a client has already once', async () => {
        const [made] = await answered(
          bundle('batch', asking('metadata'), creating(condition('a'), {}), asking('Condition?_count=0')),
        );
        expect(made!['resource'].resourceType).to.equal('CapabilityStatement');
        const text = JSON.stringify({
          resourceType: 'Observation',
          status: 'final',
          code: { text: 'digits' },
          subject: { reference: `Patient/${ground.recordId}` },
          valueQuantity: { value: 777_777 },
        }).replace('777777', '1.50E-2');
        const answer = await post(
          `{"resourceType":"Bundle","type":"batch","entry":[{"resource":${text},"request":{"method":"POST","url":"Observation","ifNoneExist":"code=none"}}]}`,
        );
        expect(answer.text).to.contain('"value":1.50E-2');
        const patient = await ground.call(`/Patient/${ground.recordId}`);
        const ifNoneMatch = String(patient.headers['etag']);
        const url = `Patient/${ground.recordId}`;
        const entries = await answered(bundle('batch', { request: { method: 'GET', url, ifNoneMatch } }));
        expect(statuses(entries)).to.equal(['304']);
      });

      it('stores what it only creates as one document, and the rest of it when one entry is refused', async () => {
        const before = await rows('document');
        expect(
          statuses(await answered(bundle('batch', ...['b', 'c'].map((text) => creating(condition(text)))))),
        ).to.equal(['201', '201']);
        expect(await rows('document')).to.equal(before + 1);
        const other = creating(condition('d', { subject: { reference: 'Patient/other' } }));
        expect(statuses(await answered(bundle('batch', other, creating(condition('e')))))).to.equal(['422', '201']);
        expect(await rows('document')).to.equal(before + 2);
      });

      it('does no more than its token may, and leads nowhere else', async () => {
        const token = await ground.mint('patient/Condition.rs');
        const entries = await answered(
          bundle(
            'batch',
            asking(`Patient/${ground.recordId}`),
            asking('Condition'),
            creating(condition('f')),
            asking('../my'),
            asking('Condition/../../my/records'),
            asking('//example.org/Condition'),
            asking(`Patient/${ground.recordId}/$everything`),
            asking('export/1'),
            creating(condition('g'), { url: '' }),
          ),
          { token },
        );
        expect(statuses(entries)).to.equal(['403', '200', '403', '400', '400', '400', '400', '400', '400']);
        const none = await post(bundle('batch', asking('Condition')), { token: 'wrong' });
        expect(none.status).to.equal(401);
        const many = Array.from({ length: 101 }, () => asking('metadata'));
        expect((await post(bundle('batch', ...many))).status).to.equal(422);
        const twice = { fullUrl: URL_OF_ENCOUNTER };
        const unclear = [creating(condition('h')), creating(condition('i'))].map((one) => ({ ...one, ...twice }));
        expect((await post(bundle('batch', ...unclear))).status).to.equal(422);
      });

      it('says where entries that read may stand', async () => {
        const reading =
          '<Bundle xmlns="http://hl7.org/fhir"><type value="batch"/><entry><request><method value="GET"/><url ' +
          'value="Condition"/></request></entry></Bundle>';
        const together = bundle('transaction', creating(condition('z')), asking('Condition'));
        for (const [body, type, place] of [
          [reading, 'application/fhir+xml', 'Bundle.entry[0]'],
          [together, JSON_TYPE, 'Bundle.entry[1]'],
        ] as const) {
          const headers = { 'content-type': type, accept: JSON_TYPE };
          const refused = await post(body, { headers });
          expect(refused.status, refused.text).to.equal(422);
          expect(issueOf(refused)['details'].text).to.include(`${place} asks to read: only a batch in JSON takes`);
        }
      });

      it('lets a token for a carenet read only', async () => {
        const entries = await answered(
          bundle('batch', asking(`Patient/${ground.recordId}`), creating(condition('j'))),
          { token: ground.carenetToken },
        );
        expect(statuses(entries)).to.equal(['200', '403']);
      });
    });

    describe('a transaction with conditions', () => {
      const identifier = (value: string): object => ({ identifier: [{ system: 'urn:clinic', value }] });
      const visit = (value: string): Read => ({
        fullUrl: URL_OF_ENCOUNTER,
        ...creating(
          {
            resourceType: 'Encounter',
            status: 'finished',
            class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'AMB' },
            subject: { reference: `Patient/${ground.recordId}` },
            ...identifier(value),
          },
          { ifNoneExist: `identifier=urn:clinic|${value}` },
        ),
      });
      const during = (text: string): Read => creating(condition(text, { encounter: { reference: URL_OF_ENCOUNTER } }));

      it('stores what is not there yet, and refers to what is', async () => {
        const first = await answered(bundle('transaction', visit('v1'), during('k')));
        expect(statuses(first)).to.equal(['201', '201']);
        const second = await answered(bundle('transaction', visit('v1'), during('l')));
        expect(statuses(second)).to.equal(['200', '201']);
        const encounter = `Encounter/${first[0]!['resource'].id}`;
        expect(second.map(({ resource }) => resource.encounter?.reference ?? `Encounter/${resource.id}`)).to.equal([
          encounter,
          encounter,
        ]);
        expect(second[0]!['response'].outcome.issue[0].expression).to.equal(['Bundle.entry[0]']);
        expect(await ground.get('/Encounter?identifier=urn:clinic|v1')).to.include({ total: 1 });
        const before = await rows('document');
        const third = await answered(bundle('transaction', visit('v1')));
        expect(statuses(third)).to.equal(['200']);
        expect(await rows('document')).to.equal(before);
      });

      it('does so in XML, too', async () => {
        const xml = (text: string): string =>
          `<Bundle xmlns="http://hl7.org/fhir"><type value="transaction"/><entry><fullUrl value="${URL_OF_ENCOUNTER}"/><resource><Encounter><identifier><system value="urn:clinic"/><value value="v2"/></identifier><status value="finished"/><class><code value="AMB"/></class><subject><reference value="Patient/${ground.recordId}"/></subject></Encounter></resource><request><method value="POST"/><url value="Encounter"/><ifNoneExist value="identifier=urn:clinic|v2"/></request></entry><entry><resource><Condition><code><text value="${text}"/></code><subject><reference value="Patient/${ground.recordId}"/></subject><encounter><reference value="${URL_OF_ENCOUNTER}"/></encounter></Condition></resource><request><method value="POST"/><url value="Condition"/></request></entry></Bundle>`;
        const headers = { 'content-type': 'application/fhir+xml', accept: JSON_TYPE };
        const first = await answered(xml('m'), { headers });
        const second = await answered(xml('n'), { headers });
        expect([statuses(first), statuses(second)]).to.equal([
          ['201', '201'],
          ['200', '201'],
        ]);
        expect(second[1]!['resource'].encounter.reference).to.equal(`Encounter/${first[0]!['resource'].id}`);
      });

      it('stores once, however many send it at once', async () => {
        const answers = await Promise.all(
          Array.from({ length: 4 }, (_, index) => answered(bundle('transaction', visit('v3'), during(`o${index}`)))),
        );
        expect(answers.map((entries) => statuses(entries)[0]).sort()).to.equal(['200', '200', '200', '201']);
        expect(await ground.get('/Encounter?identifier=urn:clinic|v3')).to.include({ total: 1 });
      });

      it('refuses all of it where several meet a condition or a condition cannot be used', async () => {
        await answered(bundle('transaction', creating(condition('p', identifier('same')))));
        await answered(bundle('transaction', creating(condition('q', identifier('same')))));
        const before = await rows('document');
        for (const [ifNoneExist, status] of [
          ['identifier=urn:clinic|same', 412],
          ['colour=red', 400],
          ['identifier=a|1,b|2', 400],
        ] as const) {
          const answer = await post(
            bundle('transaction', creating(condition('r')), creating(condition('s'), { ifNoneExist })),
          );
          expect([ifNoneExist, answer.status]).to.equal([ifNoneExist, status]);
          expect(issueOf(answer)['expression']).to.equal(['Bundle.entry[1]']);
        }
        const referring = condition('r', { asserter: { reference: 'Practitioner?identifier=urn:staff|none' } });
        const none = await post(bundle('transaction', creating(condition('s')), creating(referring)));
        expect([none.status, issueOf(none)['expression']]).to.equal([412, ['Bundle.entry[1]']]);
        expect(await rows('document')).to.equal(before);
      });

      it('tells of each entry alone where the client wants outcomes', async () => {
        const headers = { prefer: 'return=OperationOutcome' };
        const entries = await answered(bundle('transaction', creating(condition('u')), creating(condition('v'))), {
          headers,
        });
        expect(statuses(entries)).to.equal(['201', '201']);
        expect(entries.map(({ resource, response }) => [resource, response.outcome.resourceType])).to.equal([
          [undefined, 'OperationOutcome'],
          [undefined, 'OperationOutcome'],
        ]);
      });

      it('shows what exists to those only who may read it', async () => {
        const token = await ground.mint('patient/*.c');
        const [entry] = await answered(bundle('transaction', visit('v1'), during('t')), { token });
        expect(Object.keys(entry!)).to.equal(['response']);
        expect(Object.keys(entry!['response'])).to.equal(['status', 'location', 'outcome']);
      });
    });
  });
}
