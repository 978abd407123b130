/**
 * long-reads: what one account asks for keeps nobody else waiting. A long read has an owner, a deadline that interrupts
 * the database itself, and ends when its caller has gone.
 */
import { get } from 'node:http';
import { Server } from '@hapi/hapi';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import type { Asker } from '../../core/base/turns/turns';
import { operate } from '../../core/http/operation';
import { goneOf } from '../../core/http/read-request';
import type { Call, RouteSpec } from '../../core/http/route';
import type { Database } from '../../core/db/database';
import { PATIENT } from '../../core/db/open';
import { openDatabase } from '../../core/db/open';
import { routes as accountRoutes } from '../../plugins/accounts/routes';
import { addPerson } from '../support/cast';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { until } from '../support/receiver';
import { startService, ui, type TestService } from '../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** Counts without end; the first column tells one such statement from another. */
const endless = (mark: number): string =>
  `select ${mark} as mark, count(*) as n from ` +
  '(with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000) select a.i from n as a, n as b, ' +
  'n as c, n as d) as numbers';

for (const leg of databases) {
  describe(`long reads on ${leg.name}`, () => {
    let database: Database;
    let drop: () => Promise<void>;
    before(async () => {
      const made = await leg.create();
      ({ drop } = made);
      database = await openDatabase(made.url, 10, { ...PATIENT, longSeconds: 4 });
      await direct(database).raw('create table thing (name varchar(20))');
      await direct(database)('thing').insert({ name: 'one' });
    });
    after(async () => {
      await database.close();
      await drop();
    });

    const ask = (asker: Asker, mark: number): Promise<unknown> => database.longFor(asker).rows(endless(mark), []);
    const quick = async (owner: string): Promise<void> => {
      expect(await database.longFor({ owner })('thing').select('name')).to.equal([{ name: 'one' }]);
    };
    /** The statements with this mark that the server is still running; SQLite's run in processes that are gone. */
    const running = async (mark: number): Promise<number> =>
      database.dialect.name === 'sqlite'
        ? 0
        : (
            await database.reads.rows(
              "select id from information_schema.processlist where info like concat('%', ?, ' as mark, count%') and id <> connection_id()",
              [`select ${mark}`],
            )
          ).length;

    it('are interrupted at the deadline, with an answer that says what to do', async () => {
      const error = (await expect(ask({ owner: 'ann' }, 11)).to.reject()) as AppError;
      expect([error.status, error.code]).to.equal([503, 'took_too_long']);
      expect(error.message).to.contain('ask for a shorter period, fewer words or a smaller page');
      await until(async () => (await running(11)) === 0);
      await quick('ann');
    });

    it('of one account that asks for many keep nobody else waiting', async () => {
      const many = Array.from({ length: 4 }, (_, number) => expect(ask({ owner: 'ann' }, 100 + number)).to.reject());
      const order: string[] = [];
      void Promise.all(many).then(() => order.push('all'));
      for (const owner of ['bob', 'eve', 'bob']) {
        await quick(owner);
      }
      order.push('others');
      await Promise.all(many);
      await new Promise((resolve) => setImmediate(resolve));
      expect(order).to.equal(['others', 'all']);
    });

    it('end when their caller has gone, and those that wait never begin', async () => {
      let go: () => void = () => undefined;
      const asker: Asker = {
        owner: 'ann',
        onGone: (listener) => {
          const before = go;
          go = () => {
            before();
            listener();
          };
          return () => undefined;
        },
      };
      const made = await leg.create();
      const patient = await openDatabase(made.url, 3, PATIENT);
      const asked = [21, 22, 23].map((mark) =>
        expect(patient.longFor(asker).rows(endless(mark), [])).to.reject(/nobody waits for the answer any more/),
      );
      go();
      await Promise.all(asked);
      expect(await patient.longFor({ owner: 'ann' }).rows('select 1 as one', [])).to.equal([{ one: 1 }]);
      await until(async () => (await running(21)) === 0);
      await patient.close();
      await made.drop();
    });
  });
}

const accountId = 'ann@people.example';
const uiAppId = ui!.consumer.key;

for (const leg of databases) {
  describe(`the long reads of an operation on ${leg.name}`, () => {
    let service: TestService;
    before(async () => {
      service = await startService(leg, {}, { longReadSeconds: 1 });
      await addPerson(service.services, accountId, 'Ann');
    });
    after(() => service.stop());

    /** An operation of the account that reads for ever, for a page that may be left. */
    const readForEver = (onGone?: Asker['onGone']): Promise<unknown> => {
      const spec = accountRoutes.find(({ name }) => name === 'account_info')!;
      return operate(
        { ...spec, handle: ({ services }: Call) => services.database.reads.long.rows(endless(31), []) } as RouteSpec,
        { principal: { kind: 'account', accountId, uiAppId, sessionHash: '' }, params: { ACCOUNT_EMAIL: accountId } },
        {
          url: '/my',
          method: 'GET',
          ipAddress: '127.0.0.1',
          received: Date.now(),
          appId: uiAppId,
          ...(onGone ? { onGone } : {}),
        },
        service.services,
      );
    };

    it('end at the deadline of the settings, and its audit row says that it failed', async () => {
      const error = (await expect(readForEver()).to.reject()) as AppError;
      expect([error.status, error.code]).to.equal([503, 'took_too_long']);
      const rows = await direct(service.services.database)('audit').orderBy('seq', 'desc').limit(1);
      expect((rows as unknown[])[0]).to.include({ function_name: 'account_info', status: 503, successful: 0 });
    });

    it('do not begin for a page that was left', async () => {
      const left: Asker['onGone'] = (listener) => {
        listener();
        return () => undefined;
      };
      await expect(readForEver(left)).to.reject(/nobody waits for the answer any more/);
    });
  });
}

describe('a caller who closes the connection', () => {
  it('is gone for the long reads of the request', async () => {
    const server = new Server({ host: '127.0.0.1', port: 0 });
    const gone = new Promise<void>((resolve) => {
      server.route({
        method: 'GET',
        path: '/',
        handler: (request) =>
          new Promise((answer) => {
            const stop = goneOf(request)(() => {
              stop();
              answer('');
              resolve();
            });
            asked.destroy();
          }),
      });
    });
    await server.start();
    const asked = get(server.info.uri).on('error', () => undefined);
    await gone;
    await server.stop();
  });
});
