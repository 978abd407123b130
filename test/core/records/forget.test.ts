/** forget: nothing of the record remains except in the audit log; other records keep everything. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openAuditSigner } from '../../../core/audit/signer';
import { verifyAudit } from '../../../core/audit/verify';
import { forgetRecord } from '../../../core/records/forget';
import { insertRows } from '../../../core/db/insert-rows';
import { UnreadableContent } from '../../../core/sealing/contents-store';
import { type RawRow, openRow } from '../../../core/sealing/tables-store';
import { closeRecord } from '../../../core/records/erasure-store';
import { addApp, addPerson, addToken, enable, type Signs } from '../../support/cast';
import { databases } from '../../support/databases';
import { admin, startService, type TestService } from '../../support/server';
import { until } from '../../support/receiver';
import { attribute, createRecord, demographics, succeeded } from '../../support/world';
import { direct } from '../../support/direct';
import { tableNames } from '../../../core/backup/empty';
import * as documentStore from '../../../core/documents/store';
import { procedure } from '../../support/archives';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Tables that keep ids of the record on purpose. */
const KEPT = ['audit', 'audit_checkpoint', 'outbox'];

for (const leg of databases) {
  describe(`forgetting a record on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let bob: Signs;

    /** The tables that contain one of the ids, once for each such row. */
    const tracesOf = async (ids: readonly string[]): Promise<string[]> => {
      const { database } = service.services;
      const found: string[] = [];
      for (const table of (await tableNames(database)).filter((name) => !KEPT.includes(name))) {
        const rows = (await database.reads(table)) as object[];
        found.push(...rows.filter((row) => ids.some((id) => JSON.stringify(row).includes(id))).map(() => table));
      }
      return found;
    };

    /** Makes a record with rows in every table. */
    const furnish = async (): Promise<{ recordId: string; ids: string[] }> => {
      const { call, services } = service;
      const recordId = await createRecord(call, 'alice@example.org');
      const documents = `/records/${recordId}/documents/`;
      await enable(services, recordId, 'app@apps.example');
      const token = await addToken(services, { app, accountId: 'alice@example.org', recordId });
      const first = attribute(
        succeeded(await call(token, 'POST', documents, { body: procedure('First') })).text,
        'Document',
        'id',
      );
      const second = attribute(
        succeeded(await call(token, 'POST', `${documents}${first}/replace`, { body: procedure(`Only in ${recordId}`) }))
          .text,
        'Document',
        'id',
      );
      const related = attribute(
        succeeded(await call(alice, 'POST', `${documents}${second}/rels/annotation/`, { body: '<n/>' })).text,
        'Document',
        'id',
      );
      succeeded(
        await call(alice, 'POST', `${documents}${related}/set-status`, { form: { status: 'void', reason: 'x' } }),
      );
      const carenet = attribute(
        succeeded(await call(alice, 'GET', `/records/${recordId}/carenets/`)).text,
        'Carenet',
        'id',
      );
      succeeded(await call(alice, 'PUT', `${documents}${second}/carenets/${carenet}`));
      succeeded(
        await call(alice, 'POST', `/carenets/${carenet}/accounts/`, {
          form: { account_id: 'bob@example.org', write: 'false' },
        }),
      );
      succeeded(await call(alice, 'PUT', `/carenets/${carenet}/apps/app%40apps.example`));
      succeeded(
        await call(alice, 'POST', `/records/${recordId}/autoshare/carenets/${carenet}/bytype/set`, {
          form: { type: 'Lab' },
        }),
      );
      succeeded(await call(alice, 'POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org' } }));
      await addToken(services, { app, accountId: 'bob@example.org', recordId, carenetId: carenet });
      succeeded(
        await call(token, 'POST', `/records/${recordId}/apps/app%40apps.example/documents/`, { body: '<private/>' }),
      );
      succeeded(
        await call(token, 'POST', `/records/${recordId}/notifications/`, {
          form: { content: 'hello', document_id: second },
        }),
      );
      return { recordId, ids: [recordId, first, second, related, carenet] };
    };

    let app: Signs;
    before(async () => {
      service = await startService(leg);
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      bob = await addPerson(service.services, 'bob@example.org', 'Bob Friend');
      app = await addApp(service.services, 'app@apps.example', 'user');
    });
    after(() => service.stop());

    it('removes every trace of it, leaves the other record, and stands in the audit log', async () => {
      const { services } = service;
      const { database, clock } = services;
      const gone = await furnish();
      const stays = await furnish();
      // The table of a model that has been removed.
      await direct(database).raw('create table fact_gone as select * from fact_procedure');
      const before = (await tracesOf(stays.ids)).sort();
      const traces = new Set(await tracesOf(gone.ids));
      expect(traces.size).to.be.above(15);
      expect([...traces]).to.include(['fact_procedure', 'fact_gone']);

      const signer = await openAuditSigner(database, services.sealing, clock);
      const tools = { database, signer, clock };
      expect(await forgetRecord(tools, gone.recordId)).to.equal(3);

      expect(await tracesOf(gone.ids)).to.equal([]);
      expect((await tracesOf(stays.ids)).sort()).to.equal(before);
      expect((await service.call(alice, 'GET', `/records/${gone.recordId}`)).status).to.equal(403);
      expect((await service.call(alice, 'GET', `/records/${stays.recordId}/documents/`)).status).to.equal(200);
      const row = (await direct(database)('audit').where({ function_name: 'record_forget' }).first()) as {
        record_id: string;
      };
      expect(row.record_id).to.equal(gone.recordId);
      expect((await verifyAudit({ database, signer })).problems).to.equal([]);
      expect(await forgetRecord(tools, gone.recordId)).to.be.undefined();
      if (database.dialect.name === 'sqlite') {
        const [{ file }] = (await direct(database).raw('pragma database_list')) as [{ file: string }];
        const bytes = Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]);
        // Facts of the remaining record are stored in clear.
        expect([bytes.includes(`Only in ${gone.recordId}`), bytes.includes(`Only in ${stays.recordId}`)]).to.equal([
          false,
          true,
        ]);
      }
    });

    it('destroys the key first: from then on nothing opens, though rows are left, and lists that others see go on', async () => {
      const { services, call } = service;
      const { database, clock, contents } = services;
      const { recordId } = await furnish();
      succeeded(await call(admin, 'POST', `/records/${recordId}/inbox/last`, { form: { subject: 'last', body: 'b' } }));
      const [kept] = (await database.reads('record').where({ id: recordId }).select('content_key')) as [
        { content_key: string },
      ];
      const inbox = '/accounts/bob%40example.org/inbox/';
      expect((await call(bob, 'GET', inbox)).text).to.contain('last');
      const [{ id }] = (await database.reads('document').where({ record_id: recordId }).select('id')) as [
        { id: string },
      ];
      // Stopped after its first step.
      await database.transaction((trx) => closeRecord(trx, recordId));
      const left = (await database.reads('document').where({ record_id: recordId })) as readonly RawRow[];
      expect([left.length, left.every(({ sealed }) => sealed === 1)]).to.equal([4, true]);
      for (const row of left) {
        expect(() => openRow('document', contents.under(null), row)).to.throw(UnreadableContent);
        // An earlier copy of the key would still open it.
        expect(openRow('document', contents.under(kept.content_key), row)['digest']).to.equal(row['digest']);
      }
      expect(await documentStore.findContent(database.reads, contents, { recordId }, id)).to.be.undefined();
      const letters = await call(bob, 'GET', inbox);
      expect([letters.status, letters.text.includes('last')]).to.equal([200, false]);
      expect((await call(bob, 'GET', '/accounts/bob%40example.org/notifications/')).status).to.equal(200);
      const signer = await openAuditSigner(database, services.sealing, clock);
      expect(await forgetRecord({ database, signer, clock }, recordId)).to.equal(3);
    });

    it('frees the external id first, and is found by its name no more', async () => {
      const { services, call } = service;
      const { database, clock } = services;
      const put = async (family: string): Promise<string> =>
        attribute(
          succeeded(
            await call(admin, 'PUT', `/records/external/${encodeURIComponent(admin!.consumer.key)}/cut-short`, {
              body: demographics('Una', family),
            }),
          ).text,
          'Record',
          'id',
        );
      const first = await put('Unfinished');
      expect((await call(admin, 'GET', '/records/search?label=Unfinished')).text).to.contain(first);
      // Stopped after its first step.
      await database.transaction((trx) => closeRecord(trx, first));
      expect((await call(admin, 'GET', '/records/search?label=Unfinished')).text).to.not.contain(first);
      const second = await put('Begun');
      expect(second).to.not.equal(first);
      expect(await put('Begun')).to.equal(second);
      const signer = await openAuditSigner(database, services.sealing, clock);
      expect(await forgetRecord({ database, signer, clock }, first)).to.equal(1);
    });

    it('leaves nothing behind of calls that come while it works', async () => {
      const { services, call } = service;
      const { database, clock } = services;
      const { recordId, ids } = await furnish();
      const signer = await openAuditSigner(database, services.sealing, clock);
      const statuses: number[] = [];
      const late: readonly (readonly [string, string, object])[] = [
        ['POST', `/records/${recordId}/shares/`, { form: { account_id: 'bob@example.org' } }],
        ['PUT', `/records/${recordId}/apps/app%40apps.example`, {}],
        ['POST', `/records/${recordId}/carenets/`, { form: { name: 'Late' } }],
        ['POST', `/records/${recordId}/notifications/`, { form: { content: 'late' } }],
        ['POST', `/records/${recordId}/inbox/late`, { form: { subject: 's', body: 'b' } }],
      ];
      let done = false;
      const callers = late.map(async ([method, path, options]) => {
        // Each caller makes at least its last call after the record is gone.
        for (let after = 0; after < 2; after += done ? 1 : 0) {
          statuses.push((await call(admin, method, path, options)).status);
        }
      });
      await until(() => Promise.resolve(statuses.includes(200)));
      const removed = await forgetRecord({ database, signer, clock }, recordId);
      done = true;
      await Promise.all(callers);
      expect(removed).to.equal(3);
      expect(await tracesOf(ids)).to.equal([]);
      expect(statuses.filter((status) => ![200, 400, 403, 404].includes(status))).to.equal([]);
      // Earlier calls succeeded, and what they wrote is gone. From the first step on the record does not exist for
      // callers.
      expect(statuses).to.include([200, 404]);
      expect(statuses.slice(-late.length).filter((status) => status === 200)).to.equal([]);
    });

    it('removes many facts in portions, closed from the first, and finishes what was cut short', async () => {
      const { services, call } = service;
      const { database, clock } = services;
      const { recordId, ids } = await furnish();
      const [model] = (await database.reads('fact_procedure').where({ _record_id: recordId }).limit(1)) as Record<
        string,
        unknown
      >[];
      const { _seq: _own, ...fact } = model!;
      const columns = Object.keys(fact);
      await database.transaction((trx) =>
        insertRows(
          trx,
          'fact_procedure',
          columns,
          Array.from({ length: 2500 }, (_, number) => ({
            ...fact,
            _id: `${recordId.slice(0, 24)}${100_000 + number}`,
          })),
        ),
      );
      const left = async (): Promise<number> =>
        ((await database.reads('fact_procedure').where({ _record_id: recordId }).pluck('_seq')) as unknown[]).length;
      const steps: number[] = [];
      const watched = (failing: boolean): typeof database => ({
        ...database,
        transaction: async (work) => {
          if (failing && steps.length === 3) {
            throw new Error('cut short');
          }
          const before = await left();
          const result = await database.transaction(work);
          steps.push(before - (await left()));
          return result;
        },
      });
      const signer = await openAuditSigner(database, services.sealing, clock);
      await expect(forgetRecord({ database: watched(true), signer, clock }, recordId)).to.reject('cut short');
      expect(await left()).to.be.above(0);
      // Neither its owner nor the admin app that made it can find what is left.
      for (const reader of [alice, admin]) {
        for (const path of ['', '/documents/', '/documents/special/demographics', '/reports/Procedure/', '/shares/']) {
          const { status } = await call(reader, 'GET', `/records/${recordId}${path}`);
          expect([403, 404], `${path} ${status}`).to.include(status);
        }
      }
      steps.length = 0;
      expect(await forgetRecord({ database: watched(false), signer, clock }, recordId)).to.equal(3);
      expect(Math.max(...steps)).to.be.within(1, 500);
      expect(await tracesOf(ids)).to.equal([]);
    });

    it('removes more messages than one statement can name', async () => {
      const { services, call } = service;
      const { database, clock } = services;
      const recordId = await createRecord(call, 'alice@example.org');
      const rows = Array.from({ length: 33_000 }, (_, number) => ({
        id: `${recordId.slice(0, 20)}-${number}`,
        record_id: recordId,
        sender_id: 'app@apps.example',
        external_id: `m${number}`,
        subject: 's',
        body: 'b',
        body_type: 'plaintext',
        severity: 'low',
        attachment_count: 1,
        created_at: '2026-01-02T03:04:05.000000Z',
        record_message_id: `${recordId.slice(0, 20)}-${number}`,
        num: 1,
        type: 't',
        media_type: 'text/xml',
        size: 1,
        content: Buffer.from('x'),
      }));
      await database.transaction(async (trx) => {
        await insertRows(
          trx,
          'record_message',
          [
            'id',
            'record_id',
            'sender_id',
            'external_id',
            'subject',
            'body',
            'body_type',
            'severity',
            'attachment_count',
            'created_at',
          ],
          rows,
        );
        await insertRows(
          trx,
          'record_message_attachment',
          ['record_message_id', 'num', 'type', 'media_type', 'size', 'content'],
          rows,
        );
      });
      expect(
        await forgetRecord(
          { database, signer: await openAuditSigner(database, services.sealing, clock), clock },
          recordId,
        ),
      ).to.equal(1);
      expect(await tracesOf([recordId.slice(0, 20)])).to.equal([]);
    });
  });
}
