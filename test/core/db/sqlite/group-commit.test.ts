/** group-commit: simultaneous transactions share a commit, and a failure of one does not affect the others. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Transaction } from '../../../../core/db/database';
import { openTestDatabase, databases, type OpenDatabase } from '../../../support/databases';
import { direct } from '../../../support/direct';
import { watchStatements } from '../../../../core/db/watch';

export const lab = Lab.script();
const { describe, it, before, beforeEach, after } = lab;

for (const leg of databases) {
  describe(`transactions that come together on ${leg.name}`, () => {
    let open: OpenDatabase;
    before(async () => {
      open = await openTestDatabase(leg);
    });
    beforeEach(() => direct(open.database)('installation').delete());
    after(() => open.drop());

    const put = (trx: Transaction, name: string): Promise<unknown> =>
      trx('installation').insert({ name, content: '', changed_at: '2026-01-02T03:04:05.000000Z' });
    const names = async (): Promise<readonly string[]> =>
      (await direct(open.database)('installation').orderBy('name').pluck('name')) as string[];
    const commits = async (work: () => Promise<unknown>): Promise<number> => {
      let counted = 0;
      const count = ({ sql }: { sql: string }): void => {
        counted += /^commit/i.test(sql) ? 1 : 0;
      };
      const stop = watchStatements(count);
      await work();
      stop();
      return counted;
    };

    it('are all stored', async () => {
      const counted = await commits(() =>
        Promise.all(
          Array.from({ length: 20 }, (_, number) => open.database.transaction((trx) => put(trx, `name ${number}`))),
        ),
      );
      expect(await names()).to.have.length(20);
      if (leg.name === 'sqlite') {
        expect(counted).to.equal(1);
      }
    });

    it('answer with what their work answers', async () => {
      const answers = await Promise.all(
        [1, 2, 3].map((number) =>
          open.database.transaction(async (trx) => {
            await put(trx, `name ${number}`);
            return number;
          }),
        ),
      );
      expect(answers).to.equal([1, 2, 3]);
    });

    it('lose what one of them wrote before it failed, and nothing of the others', async () => {
      const outcomes = await Promise.allSettled([
        open.database.transaction((trx) => put(trx, 'first')),
        open.database.transaction(async (trx) => {
          await put(trx, 'half');
          throw new Error('changed its mind');
        }),
        open.database.transaction(async (trx) => {
          await put(trx, 'twice');
          await put(trx, 'twice');
        }),
        open.database.write((trx) => put(trx, 'last')),
      ]);
      expect(outcomes.map(({ status }) => status)).to.equal(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      expect((outcomes[1] as PromiseRejectedResult).reason.message).to.equal('changed its mind');
      expect(await names()).to.equal(['first', 'last']);
    });

    it('lose everything when one fails that came alone', async () => {
      await expect(
        open.database.transaction(async (trx: Transaction) => {
          await put(trx, 'alone');
          throw new Error('no');
        }),
      ).to.reject('no');
      expect(await names()).to.equal([]);
    });

    it('go on after a group whose commit failed', async () => {
      if (leg.name === 'sqlite') {
        // The transaction is rolled back behind the group's back, as SQLite itself does when the disk is full. No
        // caller may be told that it was stored.
        const broken = await Promise.allSettled([
          open.database.transaction((trx) => put(trx, 'one')),
          open.database.transaction((trx) => trx.raw('rollback')),
          open.database.transaction((trx) => put(trx, 'three')),
        ]);
        expect(broken.map(({ status }) => status)).to.equal(['rejected', 'rejected', 'rejected']);
      }
      await open.database.transaction((trx) => put(trx, 'later'));
      expect(await names()).to.equal(['later']);
    });

    it('tell that the disk is full, also when several came together', async () => {
      if (leg.name !== 'sqlite') {
        return;
      }
      const fill = (name: string): Promise<unknown> =>
        open.database.transaction((trx) =>
          trx('installation').insert({ name, content: 'x'.repeat(200_000), changed_at: '2026-01-02T03:04:05.000000Z' }),
        );
      const [{ page_count: pages } = { page_count: 0 }] = await open.database.reads.rows<{ page_count: number }>(
        'pragma page_count',
        [],
      );
      await direct(open.database).raw(`pragma max_page_count = ${pages + 1}`);
      const outcomes = await Promise.allSettled(['one', 'two', 'three'].map(fill));
      await direct(open.database).raw('pragma max_page_count = 1073741823');
      const statuses = outcomes.map((outcome) => (outcome as { reason?: { status?: number } }).reason?.status);
      expect(statuses).to.equal([503, 503, 503]);
      expect(await names()).to.equal([]);
    });

    it('are seen by reads once they are committed, and not before', async () => {
      const seen = (): Promise<readonly { name: string }[]> =>
        open.database.reads.rows<{ name: string }>('select name from installation where name = ?', ['slow']);
      let during: readonly unknown[] = [];
      await open.database.transaction(async (trx) => {
        await put(trx, 'slow');
        during = await seen();
      });
      expect(during).to.equal([]);
      expect(await seen()).to.equal([{ name: 'slow' }]);
    });
  });
}
