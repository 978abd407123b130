/**
 * outside: the ends of the log are kept outside the database, so that a cut is found, and a restored backup can be told
 * from a cut.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { checkpointText } from '../../../core/audit/checkpoint-text';
import { readLines } from '../../../core/audit/head-file';
import { databasePlace } from '../../../core/audit/head-line';
import { readHeads, type Heads } from '../../../core/audit/heads';
import { rowHash, type AuditColumn } from '../../../core/audit/row';
import { acceptRestored } from '../../../core/audit/restored';
import { openAuditSigner, type AuditSigner } from '../../../core/audit/signer';
import { recordTrail } from '../../../core/audit/trail';
import { verifyAudit, type AuditReport } from '../../../core/audit/verify';
import { makeSealing } from '../../../core/auth/sealing';
import { systemClock, toTimestamp } from '../../../core/base/clock';
import { newId, sha256 } from '../../../core/base/ids';
import { loadConfig } from '../../../core/config/load';
import type { Config } from '../../../core/config/schema';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const sealing = makeSealing(['only for tests: 0123456789']);

for (const leg of databases) {
  describe(`the audit log outside its database, on ${leg.name}`, () => {
    let open: OpenDatabase;
    let folder: string;
    let config: Config;
    let signer: AuditSigner;
    let told: string[];

    beforeEach(async () => {
      open = await openTestDatabase(leg);
      folder = mkdtempSync(join(tmpdir(), 'svc-outside-'));
      config = loadConfig({ SVC_DATABASE_URL: open.url, SVC_AUDIT_HEAD: join(folder, 'audit.head') });
      told = [];
      signer = await openSigner();
    });
    afterEach(async () => {
      await open.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    const openSigner = (settings: Config = config): Promise<AuditSigner> =>
      openAuditSigner(open.database, sealing, systemClock, { config: settings, warn: (text) => told.push(text) });
    const parts = () => ({ config, database: open.database, signer, clock: systemClock });
    /** Writes what one process writes in its life: a chain of its own. */
    const live = (rows: number): Promise<void> =>
      recordTrail(
        parts(),
        Array.from({ length: rows }, () => ({ function_name: 'record' })),
      );
    const heads = async (): Promise<Heads> =>
      (await readHeads((await readLines(config.auditHead)) ?? [], signer, databasePlace(config.databaseUrl)))!;
    const verify = async (): Promise<AuditReport> =>
      verifyAudit({ database: open.database, signer, heads: await heads() });
    const problems = async (): Promise<string[]> => (await verify()).problems.map(({ problem }) => problem);
    const audit = () => direct(open.database)('audit');
    const checkpoints = () => direct(open.database)('audit_checkpoint');
    const newest = async (): Promise<string> =>
      ((await audit().orderBy('seq', 'desc').first('writer_id')) as { writer_id: string }).writer_id;
    const cut = async (writerId: string, after: number): Promise<void> => {
      await audit().where({ writer_id: writerId }).where('writer_seq', '>', after).delete();
      await checkpoints().where({ writer_id: writerId }).where('writer_seq', '>', after).delete();
    };
    const removeChain = async (writerId: string): Promise<void> => {
      await audit().where({ writer_id: writerId }).delete();
      await checkpoints().where({ writer_id: writerId }).delete();
    };

    it('agrees with a log that nobody cut, written by several processes', async () => {
      await Promise.all([live(3), live(2)]);
      expect(await verify()).to.include({ rows: 5, chains: 2, compared: 2, problems: [] });
      expect((await heads()).since).to.exist();
      expect(told).to.equal([]);
    });

    it('shows last rows that were cut off with all later checkpoints', async () => {
      await live(5);
      await cut(await newest(), 0);
      expect((await verifyAudit({ database: open.database, signer })).problems).to.equal([]);
      expect(await problems()).to.equal([
        'rows 1 to 5 are missing at the end, which the head outside the database knows',
      ]);
    });

    it('shows a whole newest chain that was removed with its checkpoints', async () => {
      await live(1);
      await live(2);
      await removeChain(await newest());
      expect((await verifyAudit({ database: open.database, signer })).problems).to.equal([]);
      expect(await problems()).to.equal(['the chain is gone, whose row 2 the head outside the database knows']);
    });

    it('shows a log that was emptied together with its key', async () => {
      await live(2);
      await audit().delete();
      await checkpoints().delete();
      await direct(open.database)('installation').where({ name: 'audit_key' }).delete();
      signer = await openSigner();
      await live(1);
      expect(await problems()).to.equal(["the head outside the database is not signed with this log's key"]);
    });

    it('shows an end that was written anew, chained soundly, with the checkpoint behind it removed', async () => {
      await live(3);
      const writerId = await newest();
      const [before, last] = (await audit().where({ writer_id: writerId }).orderBy('writer_seq').offset(1)) as Record<
        AuditColumn | 'hash',
        string
      >[];
      const forged = { ...last!, function_name: 'nothing' };
      await audit()
        .where({ writer_id: writerId, writer_seq: 3 })
        .update({ function_name: 'nothing', hash: rowHash(before!.hash, forged) });
      await checkpoints().where({ writer_id: writerId, writer_seq: 3 }).delete();
      expect((await verifyAudit({ database: open.database, signer })).problems).to.equal([]);
      expect(await problems()).to.equal([
        'the row or rows before it were written anew: the head outside the database says otherwise',
      ]);
    });

    it('goes back with a restored backup once the operator has signed for that, and on record', async () => {
      await live(4);
      const chain = await newest();
      await live(2);
      const gone = await newest();
      await cut(chain, 3);
      await removeChain(gone);
      // The backup was taken when three rows had no checkpoint yet.
      expect((await problems()).length).to.equal(2);
      expect(await acceptRestored(parts(), 'backup of yesterday')).to.equal(2);
      expect(await acceptRestored(parts(), 'again')).to.equal(0);
      const report = await verify();
      expect(report.problems).to.equal([]);
      const { takenBack } = await heads();
      expect(takenBack.map(({ writerId, writerSeq, was, why }) => [writerId, writerSeq, was, why])).to.only.include([
        [chain, 3, 4, 'backup of yesterday'],
        [gone, 0, 2, 'backup of yesterday'],
      ]);
      expect(await audit().where({ function_name: 'audit_restored' }).pluck('external_id')).to.equal([
        'backup of yesterday',
      ]);
      // A later cut is found as before.
      await cut(chain, 1);
      expect(await problems()).to.equal([
        'rows 2 to 3 are missing at the end, which the head outside the database knows',
      ]);
    });

    it('goes back by nobody else’s word', async () => {
      await live(4);
      const writerId = await newest();
      await cut(writerId, 0);
      const elsewhere = await openTestDatabase(databases[0]!);
      const other = await openAuditSigner(elsewhere.database, makeSealing(['somebody else: 0123456789']), systemClock);
      await elsewhere.drop();
      const before = await problems();
      await acceptRestored({ ...parts(), signer: { ...other, outside: signer.outside } }, 'it was me');
      await audit().where({ function_name: 'audit_restored' }).delete();
      expect(await problems()).to.include(before);
    });

    it('passes over the lines of other databases that share the file', async () => {
      await live(1);
      const text = readFileSync(config.auditHead, 'utf8');
      writeFileSync(
        config.auditHead,
        `${text}\n${JSON.stringify({
          audit: 'head',
          database: 'elsewhere',
          at: toTimestamp(systemClock.now()),
          chain: newId(),
          row: 7,
          hash: sha256('x'),
          previous: sha256('y'),
          signature: 'AAAA',
        })}\nnot a line of ours\n{"audit":"head"\n`,
      );
      expect(await problems()).to.equal([]);
    });

    it('keeps apart what a copy of the database did under another name, although it has the same key', async () => {
      await live(3);
      const writerId = await newest();
      const text = readFileSync(config.auditHead, 'utf8');
      const copied = text.replaceAll(JSON.stringify(databasePlace(config.databaseUrl)), '"a copy"');
      expect(copied).to.not.equal(text);
      await cut(writerId, 1);
      writeFileSync(config.auditHead, copied);
      signer = await openSigner();
      await live(1);
      expect(await problems()).to.equal([]);
      expect((await heads()).expected.get(writerId)?.writerSeq).to.equal(0);
    });

    it('keeps the ends of a log that is older than the file, from then on', async () => {
      await live(2);
      const old = await newest();
      rmSync(config.auditHead);
      await live(1);
      expect([...(await heads()).expected.keys()]).to.include(old);
      await cut(old, 0);
      expect(await problems()).to.include(
        'rows 1 to 2 are missing at the end, which the head outside the database knows',
      );
    });

    it('reads what a syslog server wrote of them', async () => {
      await live(3);
      const texts = readFileSync(config.auditHead, 'utf8')
        .split('\n')
        .map((line) => `2026-11-24T23:00:00Z host svc[1]: ${line}`);
      const read = await readHeads(texts, signer, databasePlace(config.databaseUrl));
      expect(read!.expected).to.equal((await heads()).expected);
      expect(read!.expected.size).to.equal(1);
    });

    it('grows within bounds, and still knows the end of each chain', async () => {
      await live(1);
      const first = await newest();
      const writerId = newId();
      for (let round = 1; round <= 60; round += 1) {
        for (let number = 0; number < 150; number += 1) {
          const unsigned = {
            madeAt: toTimestamp(systemClock.now()),
            writerId,
            writerSeq: round * 1000 + number,
            hash: sha256(`${round}`),
            previous: sha256('earlier'),
          };
          // Only the last signature is checked.
          const signature = number === 149 ? signer.sign(checkpointText(unsigned)) : 'A'.repeat(88);
          signer.outside.keep({ ...unsigned, signature });
        }
        await signer.outside.settled();
      }
      expect(statSync(config.auditHead).size).to.be.below(2_500_000);
      const { expected } = await heads();
      expect([expected.get(writerId)?.writerSeq, expected.get(first)?.writerSeq]).to.equal([60_149, 1]);
    });

    it('tells the operator once when it cannot be written, and holds up nobody', async () => {
      signer = await openSigner({ ...config, auditHead: '/proc/nothing/audit.head' });
      await live(1);
      await live(1);
      expect(told).to.have.length(1);
      expect(told[0]).to.contain('/proc/nothing/audit.head (ENOENT)');
      expect(await audit().pluck('function_name')).to.equal(['record', 'record']);
    });
  });
}
