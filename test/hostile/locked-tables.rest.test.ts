/** locked-tables: another client of MariaDB or MySQL locks a row or a table and does not release it. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import type { Signer } from '../../core/auth/sign';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { probesUntilRefused } from '../support/probes';
import { medications, startService, type TestService } from '../support/server';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const document = '<Note xmlns="https://svc.example/vocab/xml/documents#"/>';

for (const leg of databases.filter(({ name }) => name === 'mysql')) {
  describe('a lock of another client of the database server', () => {
    let service: TestService;
    let person: Signer;
    let app: Signer;
    let recordId: string;
    let stranger: Database;

    before(async () => {
      service = await startService(leg);
      await createAccount(service.call, 'alice@example.org');
      recordId = await createRecord(service.call, 'alice@example.org');
      person = await signIn(service.call, 'alice@example.org');
      app = await authorizeApp(service.call, medications!, person, { record_id: recordId });
      stranger = await openDatabase(service.services.config.databaseUrl, 1);
    });
    after(async () => {
      await stranger.close();
      await service.stop();
    });

    const path = (): string => `/records/${recordId}/documents/`;
    const post = () => service.call(app, 'POST', path(), { body: document });
    const count = async (): Promise<string> => succeeded(await service.call(person, 'GET', path())).text;

    /** Holds a lock while `work` runs; `lock` and the unlock run on one connection. */
    const whileLocked = async (lock: string, work: () => Promise<void>): Promise<void> => {
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      let held: () => void = () => undefined;
      const holds = new Promise<void>((resolve) => {
        held = resolve;
      });
      const holding = stranger.transaction(async (trx) => {
        await trx.change(lock);
        held();
        await opened;
        await trx.change('unlock tables');
      });
      await Promise.race([holds, holding]);
      try {
        await work();
      } finally {
        open();
        await holding;
      }
    };

    for (const [what, lock] of [
      ['a row', 'select * from record for update'],
      ['a table', 'lock tables document write'],
    ] as const) {
      it(`on ${what} lets probes go on, and refuses what would write until it is gone`, async () => {
        const earlier = await count();
        await whileLocked(lock, async () => {
          expect(await probesUntilRefused(service.call, post())).to.be.above(5);
        });
        expect(await count()).to.equal(earlier);
        succeeded(await post());
      });
    }

    it('is waited for where it lasts no longer than a moment', async () => {
      let writing: Promise<unknown> | undefined;
      await whileLocked('lock tables document write', async () => {
        writing = post().then(succeeded);
        await new Promise((resolve) => setTimeout(resolve, 500));
      });
      await writing;
    });

    it('is waited for by a change of tables, which an export of a large record may hold up', async () => {
      const { database } = service.services;
      await direct(database).raw('create table by_test (id int)');
      let migrating: Promise<unknown> | undefined;
      await whileLocked('select * from by_test limit 1', async () => {
        migrating = database.dialect.exclusively(async (trx) => {
          await trx.raw('alter table by_test add column more int');
        });
        // This is longer than a request waits.
        await new Promise((resolve) => setTimeout(resolve, 7000));
      });
      await migrating;
      await direct(database).raw('drop table by_test');
    });
  });
}
