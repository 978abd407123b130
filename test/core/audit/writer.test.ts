/** writer: a row is durable when `write` resolves; rows are written in groups, and chained. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { aboutNothing, chainStart, rowHash, type AuditFacts } from '../../../core/audit/row';
import { openAuditSigner, type AuditSigner } from '../../../core/audit/signer';
import { makeAuditWriter } from '../../../core/audit/writer';
import { makeSealing } from '../../../core/auth/sealing';
import { systemClock } from '../../../core/base/clock';
import type { Database } from '../../../core/db/database';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { until } from '../../support/receiver';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const facts = (id: string): AuditFacts => ({
  id,
  requested_at: '2026-01-02T03:04:05.000000Z',
  function_name: 'record',
  successful: 1,
  principal_id: 'ann@example.org',
  proxy_id: null,
  ui_app_id: null,
  consumer_key: 'ui@apps.example',
  ...aboutNothing,
  record_id: 'r',
  url: '/records/r',
  ip_address: '127.0.0.1',
  domain: '',
  method: 'GET',
  status: 200,
  content_type: 'application/xml',
});

for (const leg of databases) {
  describe(`the audit writer on ${leg.name}`, () => {
    let open: OpenDatabase;
    let signer: AuditSigner;
    before(async () => {
      open = await openTestDatabase(leg);
      signer = await openAuditSigner(open.database, makeSealing(['only for tests: 0123456789']), systemClock);
    });
    after(() => open.drop());

    it('has each row stored once write resolves', async () => {
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await writer.write(facts('first'));
      expect(await direct(open.database)('audit').where('id', 'first').first('status')).to.equal({ status: 200 });
    });

    it('chains what many callers write at once', async () => {
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await Promise.all(Array.from({ length: 500 }, (_, index) => writer.write(facts(`many-${index}`))));
      const rows = await direct(open.database)('audit').where('id', 'like', 'many-%').orderBy('writer_seq');
      expect(rows.length).to.equal(500);
      let hash = chainStart(rows[0].writer_id);
      for (const row of rows) {
        hash = rowHash(hash, row);
        expect(row.hash).to.equal(hash);
      }
    });

    it('stores a row that comes while the rows before it are signed for', async () => {
      let late: Promise<void> | undefined;
      const lateSigner: AuditSigner = {
        ...signer,
        sign: (text) => {
          // The first signature is for the beginning of the chain, while a group is under way. The second one is made
          // by the timer.
          signed += 1;
          late ??= signed === 2 ? writer.write(facts('late')) : undefined;
          return signer.sign(text);
        },
      };
      let signed = 0;
      const writer = makeAuditWriter({ database: open.database, signer: lateSigner, clock: systemClock });
      await writer.write(facts('early'));
      while (!late) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await late;
      expect(await direct(open.database)('audit').where('id', 'late').first('status')).to.equal({ status: 200 });
      await writer.drain();
    });

    it('stores the next rows while the disk is busy with those before, and tells nobody too early', async () => {
      const syncs: (() => void)[] = [];
      const slowDisk: Database = {
        ...open.database,
        durable: () =>
          new Promise<void>((resolve) => {
            syncs.push(resolve);
          }),
      };
      const writer = makeAuditWriter({ database: slowDisk, signer, clock: systemClock });
      const told: string[] = [];
      const write = (id: string): Promise<void> =>
        writer.write(facts(id)).then(() => {
          told.push(id);
        });
      const both = [write('one')];
      await until(() => syncs.length === 1);
      both.push(write('another'));
      await until(() => syncs.length === 2);
      const rows = (await direct(open.database)('audit')
        .whereIn('id', ['one', 'another'])
        .orderBy('writer_seq')
        .select('id', 'writer_id')) as { id: string; writer_id: string }[];
      expect(rows.map(({ id }) => id)).to.equal(['one', 'another']);
      expect(rows[0]!.writer_id).to.equal(rows[1]!.writer_id);
      expect(told).to.equal([]);
      syncs[0]!();
      await both[0];
      expect(told).to.equal(['one']);
      syncs[1]!();
      await both[1];
      await writer.drain();
    });

    it('fails its callers when the disk does', async () => {
      const deadDisk: Database = { ...open.database, durable: () => Promise.reject(new Error('no disk')) };
      const writer = makeAuditWriter({ database: deadDisk, signer, clock: systemClock });
      await expect(writer.write(facts('lost'))).to.reject('no disk');
      await writer.drain();
    });

    it('fails its callers and starts a new chain when the rows cannot be stored', async () => {
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await writer.write(facts('before'));
      await expect(writer.write({ ...facts('broken'), function_name: null } as unknown as AuditFacts)).to.reject();
      await writer.write(facts('behind'));
      const [before, behind] = await direct(open.database)('audit')
        .whereIn('id', ['before', 'behind'])
        .orderBy('seq')
        .select('writer_id', 'writer_seq');
      expect(behind.writer_id).to.not.equal(before.writer_id);
      expect(behind.writer_seq).to.equal(1);
      await writer.drain();
    });
  });
}
