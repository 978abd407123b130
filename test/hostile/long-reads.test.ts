/**
 * long-reads: what one account asks for keeps nobody else waiting. A long read has an owner, a deadline that interrupts
 * the database itself, and ends when its caller has gone.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
import type { Asker } from '../../core/base/turns';
import { openDatabase, PATIENT, type Database } from '../../core/storage/database';
import { databases } from '../support/databases';
import { direct } from '../support/direct';
import { until } from '../support/receiver';

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
      database = await openDatabase(made.url, 10, { ...PATIENT, longSeconds: 1 });
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
      const many = Array.from({ length: 12 }, (_, number) => expect(ask({ owner: 'ann' }, 100 + number)).to.reject());
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
