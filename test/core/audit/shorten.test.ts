/** shorten: old rows of refused calls lose their paths, and the log can still be verified. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AuditFacts } from '../../../core/audit/row';
import { shortenAnonymousCalls } from '../../../core/audit/shorten';
import { openAuditSigner, type AuditSigner } from '../../../core/audit/signer';
import { blank } from '../../../core/audit/trail';
import { verifyAudit, type AuditReport } from '../../../core/audit/verify';
import { makeAuditWriter } from '../../../core/audit/writer';
import { makeSealing } from '../../../core/auth/sealing';
import { systemClock, toTimestamp } from '../../../core/base/clock';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const NOW = Date.parse('2026-06-01T12:00:00Z');
const daysAgo = (days: number): string => toTimestamp(NOW - days * 86_400_000);

const facts = (id: string, days: number, change: Partial<AuditFacts> = {}): AuditFacts => ({
  ...blank,
  id,
  requested_at: daysAgo(days),
  function_name: 'record',
  successful: 0,
  record_id: 'r',
  external_id: 'their-name',
  url: `/records/r/documents/external/app/${id}`,
  ip_address: '192.0.2.1',
  method: 'GET',
  status: 403,
  content_type: 'application/xml',
  ...change,
});

for (const leg of databases) {
  describe(`old rows of refused calls on ${leg.name}`, () => {
    let open: OpenDatabase;
    let signer: AuditSigner;

    beforeEach(async () => {
      open = await openTestDatabase(leg);
      signer = await openAuditSigner(open.database, makeSealing(['only for tests: 0123456789']), systemClock);
      const writer = makeAuditWriter({ database: open.database, signer, clock: systemClock });
      for (const row of [
        facts('call-1', 100),
        facts('call-2', 99),
        facts('ann', 98, { principal_id: 'ann@example.org', status: 403 }),
        facts('wrong-signature', 97, { consumer_key: 'ui@apps.example' }),
        facts('anybody', 96, { successful: 1, status: 200 }),
        facts('call-3', 95, { repeats: 12 }),
        facts('young', 10),
      ]) {
        await writer.write(row);
      }
      await writer.drain();
    });
    afterEach(() => open.drop());

    const audit = () => direct(open.database)('audit');
    const parts = () => ({ database: open.database, signer, clock: { now: () => NOW } });
    const verify = (): Promise<AuditReport> => verifyAudit({ database: open.database, signer });
    const problems = async (): Promise<string[]> => (await verify()).problems.map(({ problem }) => problem);

    it('lose path and names, and keep when, where from and which record', async () => {
      expect(await shortenAnonymousCalls(parts(), 90)).to.equal(3);
      const rows = (await audit().orderBy('seq')) as Record<string, unknown>[];
      const short = rows.filter((row) => Number(row['shortened']) === 1);
      expect(short.map((row) => row['id'])).to.equal(['call-1', 'call-2', 'call-3']);
      expect(short[0]).to.include({
        url: '',
        external_id: null,
        content_type: '',
        record_id: 'r',
        ip_address: '192.0.2.1',
        requested_at: daysAgo(100),
      });
      expect(rows.filter((row) => row['url'] === '').length).to.equal(3);
      expect(await verify()).to.include({ rows: 7, shortened: 3, problems: [] });
    });

    it('are shortened once, go on later, and never when that is switched off', async () => {
      expect(await shortenAnonymousCalls(parts(), 0)).to.equal(0);
      expect(await shortenAnonymousCalls(parts(), 90)).to.equal(3);
      expect(await shortenAnonymousCalls(parts(), 90)).to.equal(0);
      expect(await shortenAnonymousCalls({ ...parts(), clock: { now: () => NOW + 90 * 86_400_000 } }, 90)).to.equal(1);
      expect(await problems()).to.equal([]);
    });

    it('are shortened by one process only when two begin at once', async () => {
      const both = await Promise.all([shortenAnonymousCalls(parts(), 90), shortenAnonymousCalls(parts(), 90)]);
      expect(both[0]! + both[1]!).to.equal(3);
      expect(await problems()).to.equal([]);
    });

    it('show what was changed in them afterwards, and what was removed', async () => {
      await shortenAnonymousCalls(parts(), 90);
      await audit().where({ id: 'call-2' }).update({ ip_address: '192.0.2.7' });
      expect(await problems()).to.equal(['rows between 1 and 6 were shortened, and changed or removed since']);
      await audit().where({ id: 'call-2' }).delete();
      expect(await problems()).to.include('row 2 is missing');
    });

    it('prove the rows between them as before', async () => {
      await shortenAnonymousCalls(parts(), 90);
      await audit().where({ id: 'ann' }).update({ status: 200 });
      expect(await problems()).to.equal(['the row, or its place, was changed']);
    });

    it('vouch for no row that somebody else shortens', async () => {
      await audit().where({ id: 'ann' }).update({ shortened: 1, url: '' });
      expect(await problems()).to.equal(['the row was shortened, which nothing signed speaks of']);
    });

    it('are not shortened when they were changed before: that would hide it', async () => {
      await audit().where({ id: 'call-1' }).update({ ip_address: '192.0.2.7' });
      expect(await shortenAnonymousCalls(parts(), 90)).to.equal(2);
      expect(await problems()).to.equal(['the row, or its place, was changed']);
    });

    it('are worthless with another signature', async () => {
      await shortenAnonymousCalls(parts(), 90);
      await direct(open.database)('audit_shortened').update({ signature: 'AAAA' });
      expect(await problems()).to.include('the row was shortened, which nothing signed speaks of');
    });
  });
}
