/**
 * anonymous-calls: strangers who call without credentials, or with invented ones, cannot fill the disk; the owner sees
 * these calls.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openAuditSigner } from '../../core/audit/signer';
import { verifyAudit } from '../../core/audit/verify';
import type { Credentials } from '../support/client';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { startService, ui, type TestService } from '../support/server';
import { makeWorld, succeeded, type World } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Row = Record<string, string | number | null>;

for (const leg of databases) {
  describe(`strangers on ${leg.name}`, () => {
    let service: TestService;
    let world: World;

    before(async () => {
      service = await startService(leg);
      world = await makeWorld(service);
    });
    after(() => service.stop());

    const audit = () => direct(service.services.database)('audit');
    const rowsOf = async (recordId: string): Promise<Row[]> =>
      (await audit().where({ record_id: recordId }).whereNull('principal_id').orderBy('seq')) as Row[];
    const call = (path: string, headers: Record<string, string> = {}): Promise<number> =>
      service.running.server.inject({ method: 'GET', url: path, headers }).then(({ statusCode }) => statusCode);
    const invented = (number: number): Record<string, string> => ({
      authorization:
        `OAuth oauth_consumer_key="invented-${number}", oauth_signature_method="HMAC-SHA1", ` +
        `oauth_timestamp="${Math.floor(Date.now() / 1000)}", oauth_nonce="n${number}", oauth_signature="AAAA"`,
    });

    it('leave one row for the first call of a minute, and one that counts the others', async () => {
      const path = `/records/${world.recordId}`;
      for (let times = 0; times < 50; times += 1) {
        expect(await call(path)).to.equal(403);
      }
      await service.services.anonymousCalls.drain();
      const rows = await rowsOf(world.recordId);
      // The calls may have been made in two minutes.
      expect(rows.length).to.be.between(1, 5);
      expect(rows.reduce((sum, row) => sum + Number(row['repeats'] ?? 1), 0)).to.equal(50);
      const { text } = succeeded(
        await service.call(world.alice, 'GET', `/records/${world.recordId}/audits/query/?function_name=record`),
      );
      expect(text)
        .to.match(/<Repeated times="\d+"\/>/)
        .and.to.contain('resp_code="403"');
    });

    it('are bounded by path, too, whether or not they invent credentials', async () => {
      const before = Number(((await audit().count({ n: '*' }).first()) as { n: number }).n);
      for (let number = 0; number < 1000; number += 1) {
        expect(await call(`/records/invented-${number}`)).to.equal(403);
        expect([403, 429]).to.include(await call(`/records/invented-too-${number}`, invented(number)));
      }
      await service.services.anonymousCalls.drain();
      const after = Number(((await audit().count({ n: '*' }).first()) as { n: number }).n);
      // 300 rows for the paths of an address, 60 more each minute, and those that count the other calls.
      expect(after - before).to.be.below(700);
    });

    it('leave no more than 300 characters of a path', async () => {
      const other = { remoteAddress: '192.0.2.50' };
      await service.running.server.inject({ method: 'GET', url: `/records/${'x'.repeat(900)}/documents/`, ...other });
      const [row] = (await audit().where({ ip_address: '192.0.2.50' })) as Row[];
      expect(String(row!['url']).length).to.equal(300);
    });

    it('are another matter than wrong signatures of a known app, each of which is on record', async () => {
      const wrong: Credentials = { consumer: { key: ui!.consumer.key, secret: 'wrong' } };
      const path = `/records/${world.recordId}/documents/`;
      for (let times = 0; times < 3; times += 1) {
        expect((await service.call(wrong, 'GET', path)).status).to.equal(403);
      }
      const rows = (await rowsOf(world.recordId)).filter((row) => row['url'] === path);
      expect(rows.map((row) => [row['consumer_key'], row['repeats']])).to.equal(
        Array.from({ length: 3 }, () => [ui!.consumer.key, null]),
      );
    });

    it('leave a log that can be proven', async () => {
      const { database, sealing, clock, audit: writer } = service.services;
      await writer.drain();
      const signer = await openAuditSigner(database, sealing, clock);
      expect((await verifyAudit({ database, signer })).problems).to.equal([]);
    });
  });
}
