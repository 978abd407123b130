/**
 * exports: an app tries to read what it exported after its access, or what it exported, was taken away, and to fill the
 * database with exports.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { FHIR_APP, issueOf, startFhir, type FhirGround, type Read } from '../support/fhir';
import { until } from '../support/receiver';
import { mintSmartToken } from '../support/smart';
import { admin } from '../support/server';
import { succeeded } from '../support/world';
import * as exportStore from '../../plugins/fhir/bulk/store';
import * as sharingStore from '../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure = (name: string): string => `<Procedure xmlns="${NS}"><name>${name}</name></Procedure>`;

for (const leg of databases) {
  describe(`what an app exported on ${leg.name}`, () => {
    let ground: FhirGround;
    let note: string;

    before(async () => {
      ground = await startFhir(leg);
      note = await ground.put(procedure('Appendectomy'));
      await placed(note, 'PUT');
    });
    after(() => ground.service.stop());

    const as = async (method: string, address: string, form?: Record<string, string>): Promise<void> => {
      succeeded(await ground.service.call(ground.alice, method, address, form ? { form } : {}));
    };
    const placed = (id: string, method: string): Promise<void> =>
      as(method, `/records/${ground.recordId}/documents/${id}/carenets/${ground.carenetId}`);
    /** A token for the carenet, by which the app and its member are let in again. */
    const carenetToken = async (): Promise<string> => {
      const { database } = ground.service.services;
      const trx = direct(database);
      await sharingStore.putMember(trx, ground.carenetId, 'carol@example.org', false, '2026-01-01T00:00:00.000000Z');
      return mintSmartToken(ground.service, {
        account: 'carol@example.org',
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        carenet: ground.carenetId,
      });
    };
    const below = (address: unknown): string => String(address).replace(/^.*\/fhir(?=\/)/, '');
    const begin = (token: string, rest = '') =>
      ground.call(`/Patient/${ground.recordId}/$export${rest}`, { token, headers: { prefer: 'respond-async' } });
    type Exported = { readonly job: string; readonly id: string; readonly files: readonly string[] };
    const exported = async (token: string, rest = ''): Promise<Exported> => {
      const answer = await begin(token, rest);
      expect(answer.status, answer.text).to.equal(202);
      const job = below(answer.headers['content-location']);
      let text = '';
      await until(async () => {
        const state = await ground.call(job, { token });
        text = state.text;
        return state.status === 200;
      }, 'the end of the export');
      const files = (JSON.parse(text) as Read)['output'].map((file: Read) => below(file['url'])) as string[];
      expect(files).to.not.be.empty();
      for (const file of files) {
        expect((await ground.call(file, { token })).status).to.equal(200);
      }
      return { job, id: job.split('/').at(-1)!, files };
    };
    const expectGone = async ({ job, files }: Exported, token: string): Promise<void> => {
      for (const address of [job, ...files]) {
        const answer = await ground.call(address, { token });
        expect([address, answer.status]).to.equal([address, 404]);
      }
    };
    const rowsLeft = async ({ id }: Exported): Promise<readonly number[]> =>
      Promise.all(
        ['export_part', 'export_document'].map(
          async (table) => (await direct(ground.service.services.database)(table).where({ job_id: id })).length,
        ),
      );
    const sweep = (): Promise<void> => exportStore.sweepExports(ground.service.services.database);

    const carenetPath = (rest: string): string => `/carenets/${ground.carenetId}${rest}`;
    const app = encodeURIComponent(FHIR_APP);
    for (const [what, end] of [
      ['the app was taken out of the carenet', () => as('DELETE', carenetPath(`/apps/${app}`))],
      ['the member left the carenet', () => as('DELETE', carenetPath('/accounts/carol%40example.org'))],
      ['the app was taken off the record', () => as('DELETE', `/records/${ground.recordId}/apps/${app}`)],
    ] as const) {
      it(`is gone once ${what}, also for a later token`, async () => {
        const files = await exported(await carenetToken());
        await end();
        await expectGone(files, await carenetToken());
        await sweep();
        expect(await rowsLeft(files)).to.equal([0, 0]);
      });
    }

    for (const [what, end] of [
      ['the app was taken off the record', () => as('DELETE', `/records/${ground.recordId}/apps/${app}`)],
      ['the share ended', () => as('DELETE', `/records/${ground.recordId}/shares/bob%40example.org`)],
      [
        'the account was disabled',
        async () => {
          const state = (value: string) =>
            ground.service.call(admin, 'POST', '/accounts/bob%40example.org/set-state', { form: { state: value } });
          succeeded(await state('disabled'));
          succeeded(await state('active'));
        },
      ],
    ] as const) {
      it(`from the whole record is gone once ${what}, also for a later token`, async () => {
        const files = await exported(await ground.mint('patient/*.rs', 'bob@example.org'));
        await end();
        const { database } = ground.service.services;
        const trx = direct(database);
        await sharingStore.putShare(trx, ground.recordId, 'bob@example.org', null, '2026-01-01T00:00:00.000000Z');
        await expectGone(files, await ground.mint('patient/*.rs', 'bob@example.org'));
        await sweep();
        expect(await rowsLeft(files)).to.equal([0, 0]);
      });
    }

    for (const [what, takeOut, putBack] of [
      ['taken out of the carenet', () => placed(note, 'DELETE'), () => placed(note, 'PUT')],
      [
        'never to be shared',
        () => as('PUT', `/records/${ground.recordId}/documents/${note}/nevershare`),
        () => as('DELETE', `/records/${ground.recordId}/documents/${note}/nevershare`),
      ],
    ] as const) {
      it(`from a carenet is gone once a document is ${what}, even if it comes back`, async () => {
        const token = await carenetToken();
        const files = await exported(token);
        await takeOut();
        await expectGone(files, token);
        await putBack();
        await expectGone(files, token);
        const later = await exported(token);
        await takeOut();
        // Nobody asks for these files before the document comes back.
        await sweep();
        await putBack();
        await expectGone(later, token);
        expect([await rowsLeft(files), await rowsLeft(later)]).to.equal([
          [0, 0],
          [0, 0],
        ]);
      });
    }

    it('from a carenet is gone once a type is no longer shared there', async () => {
      const token = await carenetToken();
      const bytype = `/records/${ground.recordId}/autoshare/carenets/${ground.carenetId}/bytype`;
      await as('POST', `${bytype}/set`, { type: `${NS}Procedure` });
      await ground.put(procedure('Shared by its type'));
      const files = await exported(token, '?_type=Procedure');
      await as('POST', `${bytype}/unset`, { type: `${NS}Procedure` });
      await expectGone(files, token);
    });

    it('from a carenet is gone once a document was corrected, as the carenet shows the last version only', async () => {
      const token = await carenetToken();
      const files = await exported(token, '?_type=Procedure');
      note = await ground.put(
        procedure('Corrected'),
        'application/xml',
        `/records/${ground.recordId}/documents/${note}/replace`,
      );
      await expectGone(files, token);
    });

    it('from a carenet is gone once the carenet no longer says who the record is about', async () => {
      const token = await carenetToken();
      const id = (
        (await direct(ground.service.services.database)('demographics')
          .where({ record_id: ground.recordId })
          .first('document_id')) as { document_id: string }
      ).document_id;
      await placed(id, 'PUT');
      const files = await exported(token, '?_type=Patient');
      await placed(id, 'DELETE');
      await expectGone(files, token);
    });

    it('from a carenet stays while other documents come, go and are corrected', async () => {
      const token = await carenetToken();
      const files = await exported(token, '?_type=Procedure');
      const other = await ground.put(procedure('Never shared'));
      await ground.put(
        procedure('Never shared, corrected'),
        'application/xml',
        `/records/${ground.recordId}/documents/${other}/replace`,
      );
      await placed(await ground.put(procedure('Shared later')), 'PUT');
      await sweep();
      for (const file of files.files) {
        expect((await ground.call(file, { token })).status).to.equal(200);
      }
    });

    it('from the whole record stays when a document is corrected, whose history it can read anyway', async () => {
      const token = await ground.mint('patient/*.rs');
      const files = await exported(token, '?_type=Procedure');
      note = await ground.put(
        procedure('Corrected again'),
        'application/xml',
        `/records/${ground.recordId}/documents/${note}/replace`,
      );
      await sweep();
      expect((await ground.call(files.files[0]!, { token })).status).to.equal(200);
    });

    it('is not read to its end when the access ends meanwhile', async () => {
      const { database } = ground.service.services;
      const { id } = await exported(await carenetToken(), '?_type=Procedure');
      const { number } = (await exportStore.listParts(database.reads, id, 'Procedure'))[0]!;
      expect(await exportStore.findPart(database.reads, id, 'Procedure', number)).to.not.be.undefined();
      await as('DELETE', carenetPath(`/apps/${app}`));
      expect(await exportStore.findPart(database.reads, id, 'Procedure', number)).to.be.undefined();
    });

    it('is limited in number until it is deleted or a day has passed', async () => {
      const { database } = ground.service.services;
      const token = await ground.mint('patient/*.rs', 'bob@example.org');
      await direct(database)('export_job').delete();
      const jobs: Exported[] = [];
      for (let number = 0; number < 24; number += 1) {
        jobs.push(await exported(token, '?_type=Procedure'));
      }
      const refused = await begin(token);
      expect([refused.status, issueOf(refused)['code']]).to.equal([429, 'throttled']);
      expect(Number(refused.headers['retry-after'])).to.be.within(3600, 24 * 3600);
      // Another person's exports by the same app are counted apart.
      await exported(await ground.mint('patient/*.rs'), '?_type=Procedure');
      expect((await ground.call(jobs[0]!.job, { method: 'DELETE', token })).status).to.equal(202);
      await exported(token, '?_type=Procedure');
      expect((await begin(token)).status).to.equal(429);
    });

    it('from a carenet is gone with the carenet', async () => {
      const token = await carenetToken();
      const files = await exported(token);
      await as('DELETE', carenetPath(''));
      await sweep();
      expect(await rowsLeft(files)).to.equal([0, 0]);
      expect(await direct(ground.service.services.database)('export_job').where({ id: files.id })).to.equal([]);
    });
  });
}
