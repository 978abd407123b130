/** transaction: all or nothing; unusable after its end; a connection that breaks inside one affects no other. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../../core/base/errors';
import type { Transaction } from '../../../core/db/database';
import { watchStatements } from '../../../core/db/watch';
import { openTestDatabase, databases, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import { sqliteDriver } from '../../../core/db/sqlite/driver';
import { Sqlite } from '../../../core/db/sqlite/better-sqlite';
import type { SqliteConnection } from '../../../core/db/sqlite/statements';

export const lab = Lab.script();
const { describe, it, before, beforeEach, after } = lab;

for (const leg of databases) {
  describe(`a transaction on ${leg.name}`, () => {
    let open: OpenDatabase;
    before(async () => {
      open = await openTestDatabase(leg);
    });
    beforeEach(() => direct(open.database)('installation').delete());
    after(() => open.drop());

    const put = (trx: Transaction, name: string): Promise<unknown> =>
      trx.change('insert into installation (name, content, changed_at) values (?, ?, ?)', [
        name,
        '',
        '2026-01-02T03:04:05.000000Z',
      ]);
    const names = async (): Promise<readonly string[]> =>
      (await open.database.reads.rows<{ name: string }>('select name from installation order by name', [])).map(
        ({ name }) => name,
      );

    it('takes statements as text, as raw text and from the builder, all on its connection', async () => {
      await open.database.transaction(async (trx) => {
        await put(trx, 'as text');
        await trx.raw('update installation set name = ?', ['raw']);
        await trx('installation')
          .where({ name: 'raw' })
          .update({ name: trx.raw('?', ['built']) });
        expect(await trx('installation').pluck('name')).to.equal(['built']);
        expect(await trx.rows('select name from installation', [])).to.equal([{ name: 'built' }]);
        expect(await names()).to.equal([]);
      });
      expect(await names()).to.equal(['built']);
    });

    it('refuses every kind of statement once it is over', async () => {
      let kept: Transaction | undefined;
      await open.database.transaction(async (trx) => {
        kept = trx;
      });
      const trx = kept!;
      for (const late of [
        () => put(trx, 'late'),
        () => trx.rows('select 1', []),
        () => trx('installation').delete(),
        () => trx.raw('select 1'),
      ]) {
        await expect(Promise.resolve().then<unknown>(late)).to.reject('the transaction is over');
      }
      await expect(
        open.database.transaction(async (failing) => {
          kept = failing;
          throw new Error('no');
        }),
      ).to.reject('no');
      await expect(put(kept!, 'late')).to.reject('the transaction is over');
      expect(await names()).to.equal([]);
    });

    it('tells who asked that it is committed, after that, and only if it is', async () => {
      const told: string[] = [];
      await open.database.transaction(async (trx) => {
        trx.onCommit(() => told.push('stored'));
        await put(trx, 'stored');
        expect(told).to.equal([]);
      });
      expect(told).to.equal(['stored']);
      await expect(
        open.database.transaction(async (trx) => {
          trx.onCommit(() => told.push('failed'));
          throw new Error('no');
        }),
      ).to.reject('no');
      expect(told).to.equal(['stored']);
    });

    if (leg.name !== 'sqlite') {
      it('that waits long for a row lets go of what it holds and fails as one that may be tried again', async () => {
        await put(direct(open.database), 'wanted');
        await put(direct(open.database), 'its own');
        const append = (trx: Transaction, name: string): Promise<number> =>
          trx.change('update installation set content = concat(content, ?) where name = ?', ['x', name]);
        await open.database.transaction(async (holder) => {
          await append(holder, 'wanted');
          const waiting = open.database.transaction(async (trx) => {
            await append(trx, 'its own');
            await append(trx, 'wanted');
          });
          expect(await expect(waiting).to.reject(AppError)).to.include({ status: 503 });
          await open.database.transaction((trx) => append(trx, 'its own'));
        });
        expect(await open.database.reads.rows('select name, content from installation order by name', [])).to.equal([
          { name: 'its own', content: 'x' },
          { name: 'wanted', content: 'x' },
        ]);
      });
    }

    it('is shown to those who watch the statements, from its begin to its end', async () => {
      const seen: string[] = [];
      const watch = ({ sql }: { readonly sql: string }): void => {
        seen.push(sql.split(' ')[0]!);
      };
      const stop = watchStatements(watch);
      await open.database.transaction((trx) => put(trx, 'watched'));
      await open.database.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined);
      stop();
      expect(seen).to.equal(['begin', 'insert', 'commit', 'begin', 'rollback']);
    });

    if (leg.name === 'sqlite') {
      it('leaves the connection usable when its commit is refused', async () => {
        await direct(open.database).raw('create table parent (id integer primary key)');
        await direct(open.database).raw(
          'create table child (id integer references parent (id) deferrable initially deferred)',
        );
        await expect(
          open.database.transaction(async (trx) => {
            await put(trx, 'before');
            await trx('child').insert({ id: 1 });
          }),
        ).to.reject(/FOREIGN KEY constraint failed/);
        await open.database.transaction((trx) => put(trx, 'after'));
        expect(await names()).to.equal(['after']);
      });

      it('undoes what a failed rollback has left open', async () => {
        const connection: SqliteConnection = new Sqlite(':memory:');
        connection.exec('create table thing (name text); begin; insert into thing values (1)');
        const driver = sqliteDriver(connection);
        await driver.begin(connection);
        await driver.commit(connection);
        expect(connection.prepare('select count(*) as n from thing').get()).to.equal({ n: 0 });
        connection.close();
      });
    } else {
      it('whose connection is cut is undone, and the next one gets another', async () => {
        const cut = async (): Promise<void> =>
          open.database.transaction(async (trx) => {
            await put(trx, 'cut');
            const [{ id }] = (await trx.rows<{ id: number }>('select connection_id() as id', [])) as [{ id: number }];
            await direct(open.database).raw('kill ?', [id]);
            await put(trx, 'never');
          });
        for (let time = 0; time < 5; time += 1) {
          await expect(cut()).to.reject(/the database is busy or out of reach/);
        }
        await Promise.all(
          [1, 2, 3, 4].map((number) => open.database.transaction((trx) => put(trx, `after ${number}`))),
        );
        expect(await names()).to.equal(['after 1', 'after 2', 'after 3', 'after 4']);
      });
    }
  });
}
