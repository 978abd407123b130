/**
 * audit: how an attacker with the database, but without the key, tries to hide from the audit log, and what the
 * operator sees of it.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openDatabase } from '../../core/db/open';
import { httpClient, type Client } from '../support/client';
import { databases, type TestDatabase } from '../support/databases';
import { admin, startService } from '../support/server';
import { command, serve, type Ran } from '../support/svc';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

// What differs between the databases is tested in test/core/audit/outside.test.ts.
for (const leg of databases.slice(0, 1)) {
  describe(`the audit log against those who have the database, on ${leg.name}`, () => {
    let database: TestDatabase;
    let folder: string;
    let settings: Record<string, string>;

    beforeEach(async () => {
      database = await leg.create();
      folder = mkdtempSync(join(tmpdir(), 'svc-audit-'));
      settings = { SVC_DATABASE_URL: database.url, SVC_AUDIT_HEAD: join(folder, 'audit.head') };
    });
    afterEach(async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    const ask = async (call: Client, calls: number): Promise<void> => {
      for (let number = 0; number < calls; number += 1) {
        succeeded(await call(admin, 'GET', '/capabilities/'));
        await call(admin, 'GET', `/records/nothing-${number}`);
      }
    };
    /** Starts, uses and stops a service, which begins a chain of its own. */
    const live = async (calls: number): Promise<void> => {
      const create = () => Promise.resolve({ url: database.url, drop: () => Promise.resolve() });
      const service = await startService({ name: leg.name, create }, settings);
      await ask(service.call, calls);
      await service.stop();
    };
    const change = async (...statements: readonly string[]): Promise<void> => {
      const open = await openDatabase(database.url, 1);
      for (const sql of statements) {
        await open.write((trx) => trx.change(sql));
      }
      await open.close();
    };
    const verify = (...args: string[]): Promise<Ran> => command(['verify-audit', ...args], settings);
    const cutHalf = () =>
      change('delete from audit where writer_seq > 2', 'delete from audit_checkpoint where writer_seq > 2');

    it('finds nothing wrong when nobody tried, with one process or two', async () => {
      await live(3);
      const served = await serve(settings, ['--workers', '2']);
      await ask(httpClient(served.url), 3);
      await served.stop();
      const ran = await verify();
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.match(
        /(\d+) of \1 chains end where the heads outside the database say; heads are kept since/,
      );
    });

    it('finds rows that were cut off at the end with all later checkpoints', async () => {
      await live(3);
      await cutHalf();
      const ran = await verify();
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.match(/rows 3 to \d+ are missing at the end, which the head outside the database knows/);
    });

    it('finds a newest chain that is gone as if it had never been', async () => {
      await live(1);
      await live(2);
      const newest = '(select writer_id from (select writer_id from audit order by seq desc limit 1) as last)';
      await change(
        `delete from audit_checkpoint where writer_id = ${newest}`,
        `delete from audit where writer_id = ${newest}`,
      );
      const ran = await verify('--json');
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.contain('the chain is gone, whose row');
    });

    it('finds a log that was emptied with its key, also once the service has begun a new one', async () => {
      await live(2);
      await change(
        'delete from audit',
        'delete from audit_checkpoint',
        "delete from installation where name = 'audit_key'",
      );
      await live(1);
      const ran = await verify();
      expect(ran.code).to.equal(1);
      expect(ran.stderr).to.contain("the head outside the database is not signed with this log's key");
    });

    it('says so when the file of the heads is gone, and takes copies', async () => {
      await live(2);
      const copy = join(folder, 'copy');
      const moved = { ...settings, SVC_AUDIT_HEAD: copy };
      const gone = await command(['verify-audit'], moved);
      expect([gone.code, existsSync(copy)]).to.equal([1, false]);
      expect(gone.stderr).to.contain(`no head of this database is in ${copy}`);
      const ran = await command(['verify-audit', '--heads', settings['SVC_AUDIT_HEAD']!], moved);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.contain('1 of 1 chains');
      const missing = await verify('--heads', join(folder, 'nothing'));
      expect(missing.code).to.equal(1);
    });

    it('tells a restored backup from a cut by the word of the operator', async () => {
      await live(3);
      await cutHalf();
      const restored = await verify('--restored', 'the backup of Monday');
      expect(restored.code, restored.stderr).to.equal(0);
      const after = await verify();
      expect(after.code, after.stderr).to.equal(0);
      expect(after.stdout).to.match(
        /went back from row \d+ to row 2 with its database, as the operator signed at .*: the backup of Monday/,
      );
    });

    it('begins anew after a reset, which says so itself', async () => {
      await live(2);
      const reset = await command(['reset', '--yes'], settings);
      expect(reset.code, reset.stderr).to.equal(0);
      await live(1);
      const ran = await verify();
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.contain('svc reset');
    });
  });
}
