/**
 * export: everything that a token can read as files: written in the background, fetched by the app that asked, and
 * deleted in time.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { cleanUp } from '../../../core/auth/clean-up';
import { inProject } from '../../../core/base/paths';
import { forgetRecord } from '../../../core/records/forget';
import { openAuditSigner } from '../../../core/audit/signer';
import { askedBy } from '../../support/asked';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { FHIR_APP, issueOf, startFhir, type FhirCall, type FhirGround, type Read } from '../../support/fhir';
import { mintSmartToken } from '../../support/smart';
import { succeeded } from '../../support/world';
import type { Answer } from '../../support/client';
import { until } from '../../support/receiver';
import * as exportStore from '../../../plugins/fhir/bulk/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ASYNC = { prefer: 'respond-async' };
const DAY = 86_400_000;

for (const leg of databases) {
  describe(`exports of the FHIR door on ${leg.name}`, () => {
    let ground: FhirGround;
    let note: string;
    before(async () => {
      ground = await startFhir(leg);
      note = await ground.put('<Note xmlns="urn:notes">one</Note>');
      await ground.put(
        readFileSync(inProject('pipeline-config', 'fhir-bundle', 'sample-patient-summary.xml'), 'utf8'),
        'application/fhir+xml',
      );
      const bodies = Array.from(
        { length: 450 },
        (_, index) =>
          `<Model name="Measurement"><Field name="type">Schritte ü ${index}</Field><Field ` +
          `name="value">${index}.50</Field><Field name="unit">1</Field><Field ` +
          'name="datetime">2024-01-02T00:00:00Z</Field></Model>',
      );
      await ground.put(`<Models>${bodies.join('')}</Models>`);
      succeeded(
        await ground.service.call(
          ground.alice,
          'PUT',
          `/records/${ground.recordId}/documents/${note}/carenets/${ground.carenetId}`,
        ),
      );
    });
    after(() => ground.service.stop());

    const path = (rest = ''): string => `/Patient/${ground.recordId}/$export${rest}`;
    const below = (address: unknown): string => String(address).replace(/^.*\/fhir(?=\/)/, '');
    const begin = async (rest = '', options: FhirCall = {}): Promise<string> => {
      const answer = await ground.call(path(rest), { ...options, headers: { ...ASYNC, ...options.headers } });
      expect(answer.status, answer.text).to.equal(202);
      expect(JSON.parse(answer.text)).to.include({ resourceType: 'OperationOutcome' });
      return below(answer.headers['content-location']);
    };
    const finished = async (job: string, options: FhirCall = {}): Promise<Read> => {
      let answer: Answer | undefined;
      await until(async () => {
        answer = await ground.call(job, options);
        return answer.status !== 202;
      });
      expect(answer!.status, answer!.text).to.equal(200);
      expect(Date.parse(String(answer!.headers['expires']))).to.be.above(Date.now() + DAY - 600_000);
      return JSON.parse(answer!.text) as Read;
    };
    const linesOf = async (file: Read, options: FhirCall = {}): Promise<readonly Read[]> => {
      const answer = await ground.call(below(file['url']), options);
      expect([answer.status, answer.headers['content-type']]).to.equal([200, 'application/fhir+ndjson']);
      expect(answer.bytes.length).to.equal(Number(answer.headers['content-length']));
      const lines = answer.text.split('\n');
      expect(lines.pop()).to.equal('');
      expect(lines.length).to.equal(file['count']);
      return lines.map((line) => JSON.parse(line) as Read);
    };

    it('writes the part that is asked for: resources by searches, and elements of them', async () => {
      const filter = 'Observation?date=2024-01-02';
      const rest = `?_type=Observation,Condition&_typeFilter=${encodeURIComponent(filter)}&_elements=Observation.code`;
      const manifest = await finished(await begin(rest));
      const [conditions, observations] = await Promise.all(
        ['Condition', 'Observation'].map((type) =>
          linesOf(manifest['output'].find((file: Read) => file['type'] === type)),
        ),
      );
      const total = async (search: string): Promise<number> =>
        (await ground.get(`/${search}&_count=0`))['total'] as number;
      expect(observations!.length)
        .to.equal(await total(filter))
        .and.to.be.above(400);
      expect(await total('Observation?')).to.be.above(observations!.length);
      expect(conditions!.length).to.equal(await total('Condition?'));
      expect(observations![0]).to.include(['code', 'status', 'id']).and.to.not.include('valueQuantity');
      expect(observations![0]!['meta'].tag[0].code).to.equal('SUBSETTED');
      expect(conditions![0]).to.include('subject');
      expect(conditions![0]!['meta'].tag).to.be.undefined();
    });

    it('refuses parts that it cannot write before it begins', async () => {
      for (const wrong of [
        '_typeFilter=Observation%3Fcolour%3Dred',
        '_typeFilter=Observation%3Fdate%3Dsomeday',
        '_typeFilter=Nothing%3Fcode%3D1',
        '_typeFilter=code%3D1',
        '_type=Condition&_typeFilter=Observation%3Fcode%3D1',
        '_elements=a%20b',
      ]) {
        const answer = await ground.call(path(`?${wrong}`), { headers: ASYNC });
        expect([wrong, answer.status]).to.equal([wrong, 400]);
      }
    });

    it('writes all that the token sees, each resource once, as the reads tell it', async () => {
      const job = await begin();
      const manifest = await finished(job);
      expect(manifest).to.include({ requiresAccessToken: true, error: [] });
      expect(manifest['request']).to.match(/\$export$/);
      expect(manifest['transactionTime']).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
      const whole = await ground.get(`/Patient/${ground.recordId}/$everything`);
      const told = (whole['entry'] as readonly Read[]).map((entry) => entry['resource'] as Read);
      const key = (one: Read): string => `${one['resourceType']}/${one['id']}`;
      const found: Read[] = [];
      for (const file of manifest['output'] as readonly Read[]) {
        const lines = await linesOf(file);
        expect(new Set(lines.map((one) => one['resourceType']))).to.equal(new Set([file['type']]));
        found.push(...lines);
      }
      const sorted = (list: readonly Read[]): readonly Read[] =>
        [...list].sort((one, other) => (key(one) < key(other) ? -1 : 1));
      // A file has no base to which the addresses of attachments could be relative.
      const inFiles = (one: Read): Read =>
        JSON.parse(JSON.stringify(one).replaceAll('"url":"Binary/', `"url":"${base}/Binary/`)) as Read;
      const base = `${ground.service.services.baseUrl()}/fhir`;
      expect(JSON.stringify(found)).to.contain(`"url":"${base}/Binary/`);
      expect(sorted(found)).to.equal(sorted(told.map(inFiles)));
      // Numbers keep their digits.
      const file = (manifest['output'] as readonly Read[]).find((one) => one['type'] === 'Observation')!;
      expect((await ground.call(below(file['url']))).text).to.contain('"value":7.5');
      const metrics = await ground.service.services.metrics.text();
      expect(metrics).to.match(/svc_exports_total\{outcome="done"\} [1-9]/);
      // A client can fetch a part of a file, for instance after an interruption.
      const bytes = (await ground.call(below(file['url']))).bytes;
      const part = await ground.call(below(file['url']), { headers: { range: 'bytes=1000-1999' } });
      expect([part.status, part.headers['content-range']]).to.equal([206, `bytes 1000-1999/${bytes.length}`]);
      expect(part.bytes).to.equal(bytes.subarray(1000, 2000));
      const end = await ground.call(below(file['url']), { headers: { range: `bytes=${bytes.length - 10}-` } });
      expect([end.status, end.bytes]).to.equal([206, bytes.subarray(-10)]);
      const last = await ground.call(below(file['url']), { headers: { range: 'bytes=-10' } });
      expect([last.status, last.bytes]).to.equal([206, bytes.subarray(-10)]);
      const ignored: readonly Readonly<Record<string, string>>[] = [
        { range: 'bytes=1-2,4-5' },
        { range: 'lines=1-2' },
        { range: 'bytes=1-', 'if-range': '"x"' },
      ];
      for (const headers of ignored) {
        const answer = await ground.call(below(file['url']), { headers });
        expect([answer.status, answer.bytes.length]).to.equal([200, bytes.length]);
      }
      const beyond = await ground.call(below(file['url']), { headers: { range: `bytes=${bytes.length}-` } });
      expect([beyond.status, beyond.headers['content-range']]).to.equal([416, `bytes */${bytes.length}`]);
      issueOf(beyond);
    });

    it('writes only the types and times that are asked for and that the scopes open', async () => {
      const types = async (rest: string, token = ground.token): Promise<readonly string[]> =>
        ((await finished(await begin(rest, { token }), { token }))['output'] as readonly Read[]).map(
          (file) => file['type'] as string,
        );
      expect(await types('?_type=Condition,Procedure&_outputFormat=application/fhir%2Bndjson')).to.equal([
        'Condition',
        'Procedure',
      ]);
      expect(await types('?_type=Condition&_since=2100-01-01T00:00:00Z&_outputFormat=ndjson')).to.equal([]);
      const token = await ground.mint('patient/Patient.r patient/Condition.rs');
      expect(await types('', token)).to.equal(['Condition', 'Patient']);
      const inCarenet = await finished(await begin('', { token: ground.carenetToken }), { token: ground.carenetToken });
      const files = inCarenet['output'] as readonly Read[];
      expect(files.map((file) => file['type'])).to.equal([
        'DocumentReference',
        'Patient',
        'Provenance',
        'RelatedPerson',
      ]);
      const [document] = await linesOf(files[0]!, { token: ground.carenetToken });
      expect(document!['id']).to.equal(note);
    });

    it('refuses what it cannot do', async () => {
      const refused = async (rest: string, options: FhirCall, status: number): Promise<void> => {
        const answer = await ground.call(rest, options);
        expect([rest, answer.status]).to.equal([rest, status]);
        issueOf(answer);
      };
      await refused(path(), {}, 400);
      const headers = ASYNC;
      for (const rest of [
        '?_outputFormat=csv',
        '?_type=Nonsense',
        '?_since=yesterday',
        '?_since=ge2024',
        '?_colour=x',
        '?patient=x',
      ]) {
        await refused(path(rest), { headers }, 400);
      }
      await begin('?_colour=x&_type=Condition', { headers: { prefer: 'respond-async, handling=lenient' } });
      await refused(path(), { headers, token: '' }, 401);
      await refused(path(), { headers, token: await ground.mint('patient/Condition.r') }, 403);
      await refused(path('?_type=Condition'), { headers, token: await ground.mint('patient/Patient.r') }, 403);
      await refused('/Patient/01890000-0000-7000-8000-000000000000/$export', { headers }, 404);
      await refused(path(), { headers: { ...headers, accept: 'text/turtle' } }, 406);
      await refused('/export/01890000-0000-7000-8000-000000000000', {}, 404);
      await refused('/export/01890000-0000-7000-8000-000000000000', { method: 'DELETE' }, 404);
      await refused('/export/nonsense/Patient.ndjson', {}, 404);
    });

    it('shows an export to the app and the account that asked for it, for its place', async () => {
      const job = await begin('?_type=Condition,Procedure');
      const manifest = await finished(job);
      const file = below((manifest['output'] as readonly Read[])[0]!['url']);
      const others = [ground.carenetToken, ground.shareToken];
      for (const token of others) {
        for (const [method, address] of [
          ['GET', job],
          ['GET', file],
          ['DELETE', job],
        ] as const) {
          const answer = await ground.call(address, { method, token });
          expect([method, answer.status]).to.equal([method, 404]);
          issueOf(answer);
        }
      }
      for (const address of [job, file]) {
        expect((await ground.call(address, { token: '' })).status).to.equal(401);
      }
      // A later token of the same app can be used as well, within its scopes.
      const narrow = await ground.mint('patient/Patient.r patient/Procedure.r');
      const seen = (await finished(job, { token: narrow }))['output'] as readonly Read[];
      expect(seen.map((one) => one['type'])).to.equal(['Procedure']);
      expect((await ground.call(file, { token: narrow })).status).to.equal(403);
      expect((await ground.call(`${job}/Observation.ndjson`)).status).to.equal(404);
      expect((await ground.call(file, { token: await ground.mint('patient/Condition.c') })).status).to.equal(403);
    });

    it('deletes an export with its files', async () => {
      const job = await begin('?_type=Condition');
      const manifest = await finished(job);
      const file = below((manifest['output'] as readonly Read[])[0]!['url']);
      expect((await ground.call(job, { method: 'DELETE' })).status).to.equal(202);
      for (const address of [job, file]) {
        expect((await ground.call(address)).status).to.equal(404);
      }
      const id = job.split('/').at(-1)!;
      expect(await direct(ground.service.services.database)('export_part').where({ job_id: id })).to.equal([]);
    });

    it('is taken up by another process where it stopped, and belongs to one process at a time', async () => {
      const { database, clock } = ground.service.services;
      const claim = (workerId: string, ahead: number) =>
        exportStore.claimExport(database, {
          workerId,
          now: new Date(clock.now() + ahead).toISOString().replace('Z', '000Z'),
          leaseUntil: new Date(clock.now() + ahead + 60_000).toISOString().replace('Z', '000Z'),
        });
      const knex = direct(database);
      const job = await begin();
      await finished(job);
      const id = job.split('/').at(-1)!;
      // As if the process had ended before it wrote anything: the job is open, and its lease still runs.
      await knex('export_part').where({ job_id: id }).delete();
      await knex('export_job')
        .where({ id })
        .update({ state: 'open', place: null, resources: 0, lease_until: '2099-01-01T00:00:00.000000Z' });
      expect((await ground.call(job)).headers['x-progress']).to.equal('0 resources written');
      const { asked, result } = await askedBy(() => claim('one', 0));
      expect(result).to.be.undefined();
      // `askedBy` does not count the statement of `claim`, because every process looks for work regularly.
      expect(asked).to.equal([]);
      await knex('export_job').where({ id }).update({ lease_until: '2000-01-01T00:00:00.000000Z' });
      const manifest = await finished(job);
      const counts = (manifest['output'] as readonly Read[]).map((file) => [file['type'], file['count']]);
      expect(Number(counts.find(([type]) => type === 'Observation')![1])).to.be.above(450);
      for (const file of manifest['output'] as readonly Read[]) {
        const ids = (await linesOf(file)).map((one) => one['id'] as string);
        expect(new Set(ids).size).to.equal(ids.length);
      }
      // A process that has lost the job cannot write any more.
      const row = (await exportStore.findExport(database.reads, id, '2000-01-01T00:00:00.000000Z'))!;
      const kept = await database.transaction((trx) =>
        exportStore.writeProgress(trx, row, {
          workerId: 'another',
          parts: [],
          documentIds: [],
          facts: [],
          place: null,
          resources: 0,
          leaseUntil: row.expiresAt,
          expiresAt: row.expiresAt,
        }),
      );
      expect(kept).to.be.false();
    });

    it('allows one app and person only a few at a time', async () => {
      const { database } = ground.service.services;
      const knex = direct(database);
      const jobs: string[] = [];
      for (const _ of [1, 2, 3]) {
        const job = await begin('?_type=Procedure');
        await finished(job);
        jobs.push(job.split('/').at(-1)!);
      }
      const hold = { state: 'open', lease_until: '2099-01-01T00:00:00.000000Z' };
      await knex('export_job').whereIn('id', jobs).update(hold);
      const answer = await ground.call(path(), { headers: ASYNC });
      expect([answer.status, issueOf(answer)['code'], answer.headers['retry-after']]).to.equal([
        429,
        'throttled',
        '60',
      ]);
      await knex('export_job').whereIn('id', jobs).delete();
    });

    it('tells of a failure, and ends when the access ends', async () => {
      const { database } = ground.service.services;
      const knex = direct(database);
      const job = await begin('?_type=Procedure');
      await finished(job);
      const id = job.split('/').at(-1)!;
      await knex('export_job').where({ id }).update({ state: 'failed' });
      const failed = await ground.call(job);
      expect(failed.status).to.equal(500);
      expect(issueOf(failed)['code']).to.equal('exception');

      const token = ground.shareToken;
      const shared = await begin('?_type=Procedure', { token });
      const manifest = await finished(shared, { token });
      const file = below((manifest['output'] as readonly Read[])[0]!['url']);
      expect((await ground.call(file, { token })).status).to.equal(200);
      const sharedId = shared.split('/').at(-1)!;
      await knex('export_job')
        .where({ id: sharedId })
        .update({ state: 'open', place: null, lease_until: '2099-01-01T00:00:00.000000Z' });
      succeeded(
        await ground.service.call(ground.alice, 'DELETE', `/records/${ground.recordId}/shares/bob@example.org`),
      );
      for (const address of [shared, file]) {
        expect((await ground.call(address, { token })).status).to.equal(401);
      }
      // When the access has ended, nothing more is written, and what was written is deleted.
      await until(async () => (await knex('export_job').where({ id: sharedId })).length === 0);
      await exportStore.sweepExports(database);
      expect(await knex('export_part').where({ job_id: sharedId })).to.equal([]);
    });

    it('keeps the files sealed, for a day, and no longer than the record', async () => {
      const { database, clock, sealing, config, log } = ground.service.services;
      const knex = direct(database);
      const job = await begin('?_type=Condition');
      const manifest = await finished(job);
      const id = job.split('/').at(-1)!;
      const parts = (await knex('export_part').where({ job_id: id })) as readonly { content: Buffer }[];
      expect(parts.length).to.equal(1);
      expect(parts[0]!.content.toString('latin1')).to.not.contain('Condition');
      await knex('export_job').where({ id }).update({ expires_at: '2000-01-01T00:00:00.000000Z' });
      for (const address of [job, below((manifest['output'] as readonly Read[])[0]!['url'])]) {
        expect((await ground.call(address)).status).to.equal(404);
      }
      const counts = await cleanUp(database, { now: () => clock.now() + DAY + 60_000 });
      expect(counts['exports and their files']).to.be.above(0);
      expect(counts['orders of exports']).to.be.above(0);
      expect(await knex('export_part')).to.equal([]);

      const token = await mintSmartToken(ground.service, {
        account: 'alice@example.org',
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: ground.recordId,
      });
      await finished(await begin('?_type=Condition', { token }), { token });
      const signer = await openAuditSigner(database, sealing, clock, {
        config,
        warn: (problem) => log.warn({ problem }, 'outside'),
      });
      await forgetRecord({ database, signer, clock }, ground.recordId);
      expect([await knex('export_part'), await knex('export_job')]).to.equal([[], []]);
    });
  });
}
