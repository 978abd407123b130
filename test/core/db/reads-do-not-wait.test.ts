/**
 * reads-do-not-wait: no read waits for a transaction. One is held open, and the work of every GET route ends before it
 * does.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makeLookups } from '../../../core/access/lookups';
import type { Call, RouteSpec } from '../../../core/http/route';
import { routeTable } from '../../../core/http/table';
import { areas } from '../../../core/server/plugins';
import type { Database } from '../../../core/db/database';
import { findStandings } from '../../../core/tokens/store';
import { databases } from '../../support/databases';
import { callEverything } from '../../support/every-call';
import { startService, type TestService } from '../../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Held = { readonly isOpen: () => boolean; readonly end: () => Promise<void> };

/** A transaction that has written, and stays open until it is ended explicitly. */
const hold = (database: Database): Promise<Held> =>
  new Promise((resolve, reject) => {
    let open = true;
    const over = database.transaction(async (trx) => {
      await trx('installation').where({ name: 'no such name' }).update({ content: '' });
      await new Promise<void>((release) => {
        resolve({
          isOpen: () => open,
          end: () => {
            open = false;
            release();
            return over;
          },
        });
      });
    });
    over.catch(reject);
  });

/** These GET routes write: that a message was read, and an attempt at a secret. */
const WRITING = ['account_check_secrets', 'account_inbox_message'];

for (const leg of databases.filter(({ name }) => name === 'sqlite')) {
  describe(`while a transaction is open on ${leg.name}`, () => {
    let service: TestService;
    const answered = new Set<string>();
    const writing = new Set<string>();

    /**
     * Runs a route while a transaction is open. A route that writes would wait for ever, so the open transaction is
     * ended before the write.
     */
    const whileHeld =
      (name: string, handle: RouteSpec['handle']): RouteSpec['handle'] =>
      async (call: Call) => {
        const { database } = call.services;
        const held = await hold(database);
        const ending =
          <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
          async (...args: A): Promise<R> => {
            writing.add(name);
            await held.end();
            return write(...args);
          };
        const guarded = {
          ...database,
          transaction: ending(database.transaction) as Database['transaction'],
          write: ending(database.write) as Database['write'],
        };
        try {
          return (await handle({ ...call, services: { ...call.services, database: guarded } })) as unknown;
        } finally {
          // A refusal also counts as an answer.
          if (held.isOpen()) {
            answered.add(name);
          }
          await held.end();
        }
      };

    before(async () => {
      service = await startService(leg, { SVC_AUTH_SYSTEMS: 'directory', SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      const reading = routeTable(areas).filter(({ spec }) => spec.method === 'GET' && !spec.page);
      const original = reading.map(({ spec }) => spec.handle);
      const put = (spec: RouteSpec, handle: RouteSpec['handle']) => Object.assign(spec, { handle });
      reading.forEach(({ spec }) => put(spec, whileHeld(spec.name, spec.handle)));
      try {
        await callEverything(service);
      } finally {
        reading.forEach(({ spec }, index) => put(spec, original[index]!));
      }
    });
    after(() => service.stop());

    it('every route that reads does its work before it ends', () => {
      const routes = routeTable(areas).filter(
        ({ spec }) => spec.method === 'GET' && !spec.page && spec.access.callers.length > 0,
      );
      const missing = routes
        .map(({ spec }) => spec.name)
        .filter((name) => !answered.has(name) && !WRITING.includes(name));
      expect([...writing].sort()).to.equal(WRITING);
      expect(missing.sort()).to.equal([]);
    });

    it('the questions of access rules and of signatures are answered', async () => {
      const { database } = service.services;
      const held = await hold(database);
      const lookups = makeLookups(database.reads, { now: () => Date.now() });
      await lookups.fullControl('a', 'b');
      await lookups.owns('a', 'b');
      await lookups.created('a', 'b');
      await lookups.enabled('a', 'b');
      await lookups.carenet('a', 'b', 'c');
      await findStandings(database.reads, [{ consumerKey: 'a', tokenHash: 'b' }]);
      await database.snapshot((on) => on('record').first('id'));
      await database.reads.long('record').count({ n: '*' });
      expect(held.isOpen()).to.be.true();
      await held.end();
    });

    it('a statement that writes is refused outside of transactions', async () => {
      const { reads } = service.services.database;
      for (const write of [
        () => reads('installation').insert({ name: 'x', content: '', changed_at: '' }),
        () => reads('installation').where({ name: 'x' }).update({ content: 'y' }),
        () => reads('installation').where({ name: 'x' }).delete(),
      ]) {
        await expect(Promise.resolve().then<unknown>(write)).to.reject(/only a transaction may/);
      }
      await expect(reads.rows("delete from installation where name = 'x'", [])).to.reject(/readonly database/);
    });
  });
}
