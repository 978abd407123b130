/** readers: snapshots of SQLite: how many are open at once, and what happens to their connections. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Reads } from '../../../../core/db/database';
import { openTestDatabase, sqliteFile, type OpenDatabase } from '../../../support/databases';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('snapshots of SQLite', () => {
  let open: OpenDatabase;
  before(async () => {
    open = await openTestDatabase(sqliteFile);
  });
  after(() => open.drop());

  it('are there for others while two archives hold two of them', async () => {
    let end = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = [1, 2].map(() => open.database.snapshot(() => until));
    // Those two end only after this read.
    expect(await open.database.snapshot((on) => on.rows('select 1 as one', []))).to.equal([{ one: 1 }]);
    end();
    await Promise.all(held);
  });

  it('tell why a read failed that ended their transaction, and go on', async () => {
    const failing = async (on: Reads): Promise<unknown> => {
      // SQLite itself rolls back like this when the disk fails.
      await on.rows('rollback', []);
      return on.rows('select 1 from nothing_of_this_name', []);
    };
    await expect(open.database.snapshot(failing)).to.reject(/nothing_of_this_name/);
    expect(await open.database.snapshot((on) => on.rows<{ one: number }>('select 1 as one', []))).to.equal([
      { one: 1 },
    ]);
  });
});
