/** verify: changes to the audit log behind the service's back are found and named. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { writeCheckpoint } from '../../../core/audit/checkpoints';
import { signEndedChains } from '../../../core/audit/ended-chains';
import { aboutNothing, auditFacts, chainStart, rowHash, type AuditFacts } from '../../../core/audit/row';
import { openAuditSigner, type AuditSigner } from '../../../core/audit/signer';
import { recordTrail } from '../../../core/audit/trail';
import { verifyAudit, type AuditReport } from '../../../core/audit/verify';
import { makeAuditWriter } from '../../../core/audit/writer';
import { anonymous } from '../../../core/auth/principal';
import { makeSealing } from '../../../core/auth/sealing';
import { systemClock, toTimestamp } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import { routeTable } from '../../../core/http/table';
import { areas } from '../../../core/server/plugins';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, beforeEach, after } = lab;

const facts = (id: string, principal: string | null = 'ann@example.org'): AuditFacts => ({
  id,
  requested_at: '2026-01-02T03:04:05.000000Z',
  function_name: 'record',
  successful: 1,
  principal_id: principal,
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

const ROWS = 30;

for (const leg of databases) {
  describe(`the audit log on ${leg.name}`, () => {
    let open: OpenDatabase;
    let signer: AuditSigner;
    let writerId: string;

    before(async () => {
      open = await openTestDatabase(leg);
    });
    beforeEach(async () => {
      await audit().delete();
      await checkpoints().delete();
      signer = await openAuditSigner(open.database, makeSealing(['only for tests: 0123456789']), systemClock);
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await Promise.all(Array.from({ length: ROWS }, (_, index) => writer.write(facts(`row-${index + 1}`))));
      await writer.drain();
      writerId = ((await audit().first('writer_id')) as { writer_id: string }).writer_id;
    });
    after(() => open.drop());

    const audit = () => direct(open.database)('audit');
    const checkpoints = () => direct(open.database)('audit_checkpoint');
    const verify = (): Promise<AuditReport> => verifyAudit({ database: open.database, signer });
    const places = ({ problems }: AuditReport): string[] =>
      problems.map(({ writerSeq, rowId }) => `${writerSeq} ${rowId ?? '-'}`);
    /** Hashes everything anew from a row on, as an attacker with the database but without the key would do. */
    const rehash = async (from: number): Promise<void> => {
      const rows = (await audit().where({ writer_id: writerId }).orderBy('writer_seq')) as Record<
        string,
        string | number
      >[];
      let hash = chainStart(writerId);
      for (const row of rows) {
        hash = Number(row['writer_seq']) < from ? String(row['hash']) : rowHash(hash, row as never);
        await audit().where({ seq: row['seq'] }).update({ hash });
      }
    };

    it('is in order as it was written, also by several writers', async () => {
      await recordTrail({ database: open.database, signer, clock: systemClock }, [
        { function_name: 'a' },
        { function_name: 'b' },
      ]);
      const report = await verify();
      expect(report.problems).to.equal([]);
      expect(report).to.include({ rows: ROWS + 2, chains: 2, unsigned: 0 });
    });

    it('is in order whatever the callers sent, also where a name was cut in the middle of a character', async () => {
      const spec = routeTable(areas).find((row) => row.spec.name === 'record_document_list')!.spec;
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      const rows = ['\u{1F600}', '\u0000', 'x ', 'é'].map((end, index) =>
        auditFacts({
          id: `cut-${index}`,
          requestedAt: '2026-01-02T03:04:05.000000Z',
          spec,
          params: { RECORD_ID: `${'a'.repeat(35)}${end}` },
          noted: {},
          principal: anonymous,
          consumerKey: `${'k'.repeat(199)}${end}`,
          method: 'GET',
          ipAddress: '127.0.0.1',
          status: 403,
          contentType: 'application/xml',
        }),
      );
      await Promise.all(rows.map((row) => writer.write(row)));
      await writer.drain();
      const report = await verify();
      expect(report.problems).to.equal([]);
      expect(report.rows).to.equal(ROWS + rows.length);
    });

    it('keeps one key over restarts and refuses another installation key', async () => {
      const again = await openAuditSigner(open.database, makeSealing(['only for tests: 0123456789']), systemClock);
      expect(again.publicKey).to.equal(signer.publicKey);
      await expect(openAuditSigner(open.database, makeSealing(['another key: 0123456789']), systemClock)).to.reject(
        /another SVC_SECRET_KEY/,
      );
    });

    it('shows an edited row', async () => {
      await audit().where({ id: 'row-7' }).update({ principal_id: 'bob@example.org' });
      expect(places(await verify())).to.equal(['7 row-7']);
    });

    it('shows an edited row even when everything after it was hashed anew', async () => {
      await audit().where({ id: 'row-7' }).update({ principal_id: null });
      await rehash(7);
      const report = await verify();
      expect(places(report)).to.equal([`${ROWS} row-${ROWS}`]);
      expect(report.problems[0]?.problem).to.contain('signed checkpoint');
    });

    it('shows deleted rows, one or many, at the beginning too', async () => {
      await audit().whereIn('id', ['row-1', 'row-9', 'row-10']).delete();
      const report = await verify();
      expect(places(report)).to.equal(['1 -', '9 -']);
      expect(report.problems.map(({ problem }) => problem)).to.equal(['row 1 is missing', 'rows 9 to 10 are missing']);
    });

    it('shows two rows that changed places', async () => {
      await audit().where({ id: 'row-4' }).update({ writer_seq: 999 });
      await audit().where({ id: 'row-5' }).update({ writer_seq: 4 });
      await audit().where({ id: 'row-4' }).update({ writer_seq: 5 });
      const found = places(await verify());
      expect(found).to.include(['4 row-5', '5 row-4']);
    });

    it('shows a cut end, and a whole chain that was removed', async () => {
      await audit()
        .whereIn('id', [`row-${ROWS}`, `row-${ROWS - 1}`])
        .delete();
      const report = await verify();
      expect(report.problems.map(({ problem }) => problem)).to.equal([
        `rows ${ROWS - 1} to ${ROWS} are missing at the end`,
      ]);
      await audit().delete();
      expect((await verify()).problems.map(({ problem }) => problem)).to.equal([
        `rows 1 to ${ROWS} are missing at the end`,
      ]);
    });

    it('shows a chain that was removed with its checkpoints, once another one followed', async () => {
      await recordTrail({ database: open.database, signer, clock: systemClock }, [{ function_name: 'later' }]);
      await audit().where({ writer_id: writerId }).delete();
      await checkpoints().where({ writer_id: writerId }).delete();
      expect((await verify()).problems.map(({ problem }) => problem)).to.equal([
        'the checkpoint made before this one is missing',
      ]);
    });

    it('shows rows that were put in: into a chain, or as a chain of their own', async () => {
      const foreign = newId();
      const row = { ...facts('forged'), writer_id: foreign, writer_seq: 1 };
      await audit().insert({ ...row, hash: rowHash(chainStart(foreign), row) });
      expect((await verify()).problems).to.equal([
        { writerId: foreign, writerSeq: 0, problem: 'the chain was not begun by this service' },
      ]);
      const elsewhere = await openTestDatabase(databases[0]!);
      const other = await openAuditSigner(elsewhere.database, makeSealing(['somebody else: 0123456789']), systemClock);
      await elsewhere.drop();
      await writeCheckpoint(
        open.database,
        other,
        { writerId: foreign, seq: 0, hash: chainStart(foreign) },
        '2026-01-02T03:04:05.000000Z',
      );
      expect((await verify()).problems.map(({ problem }) => problem)).to.equal([
        'the signature of its checkpoint is not ours',
      ]);
    });

    it('shows a checkpoint that was moved', async () => {
      await checkpoints()
        .where({ writer_seq: ROWS })
        .update({ writer_seq: ROWS - 5 });
      const report = await verify();
      expect(report.problems.map(({ problem }) => problem)).to.include('the signature of its checkpoint is not ours');
    });

    it('counts the rows that nobody has signed for yet', async () => {
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await writer.write(facts('fresh'));
      expect(await verify()).to.include({ unsigned: 1 });
      await writer.drain();
      expect(await verify()).to.include({ unsigned: 0 });
    });

    it('signs the ends of the chains whose writers are gone', async () => {
      const killed = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await Promise.all([1, 2, 3].map((number) => killed.write(facts(`last-${number}`))));
      const alive = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await alive.write({ ...facts('just now'), requested_at: toTimestamp(systemClock.now()) });
      expect(await verify()).to.include({ unsigned: 4 });
      const parts = { database: open.database, signer, clock: systemClock };
      expect(await signEndedChains(parts)).to.equal(1);
      expect(await signEndedChains(parts)).to.equal(0);
      expect(await verify()).to.include({ unsigned: 1, problems: [] });
      await audit().where({ id: 'last-3' }).delete();
      expect((await verify()).problems.map(({ problem }) => problem)).to.equal(['row 3 is missing at the end']);
    });

    it('does not sign an end that was changed before', async () => {
      const killed = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      await Promise.all([1, 2, 3].map((number) => killed.write(facts(`last-${number}`))));
      await audit().where({ id: 'last-2' }).update({ status: 403 });
      expect(await signEndedChains({ database: open.database, signer, clock: systemClock })).to.equal(0);
      expect((await verify()).problems.map(({ rowId }) => rowId)).to.equal(['last-2']);
    });
  });
}
