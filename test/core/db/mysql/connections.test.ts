/** connections: several hosts in one setting are tried in order, with the password of the setting. */
import { randomBytes } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openDatabase } from '../../../../core/db/open';
import { freePort } from '../../../support/ports';
import { databases } from '../../../support/databases';
import { direct } from '../../../support/direct';

export const lab = Lab.script();
const { describe, it } = lab;

for (const leg of databases.filter(({ name }) => name === 'mysql')) {
  describe('a list of hosts', () => {
    it('leads to the first that answers, whether it belongs to a cluster or not', async () => {
      const { url, drop } = await leg.create();
      const dead = `127.0.0.1:${await freePort()}`;
      for (const hosts of [`${dead},$1`, `$1,${dead}`, `${dead},${dead},$1`]) {
        const database = await openDatabase(url.replace(/([^@/]+)(?=\/[^/]*$)/, hosts), 2);
        expect(await database.dialect.columnsOf(direct(database), 'no_such_table')).to.equal([]);
        await database.close();
      }
      await drop();
    });

    it("is asked with the user's password", async () => {
      const { url, drop } = await leg.create();
      const name = `svc_${randomBytes(6).toString('hex')}`;
      const [database, path] = [await openDatabase(url, 1), url.slice(url.lastIndexOf('/') + 1)];
      await direct(database).raw("create user ?? identified by 's@cret:/#'", [name]);
      await direct(database).raw('grant all on ??.* to ??', [path, name]);
      const as = (user: string): string => url.replace(/\/\/[^@/]*@/, `//${user}@`);
      const other = await openDatabase(as(`${name}:${encodeURIComponent('s@cret:/#')}`), 1);
      expect(await other.reads.rows('select current_user() as user', [])).to.equal([{ user: `${name}@%` }]);
      await other.close();
      for (const wrong of [name, `${name}:else`]) {
        await expect(openDatabase(as(wrong), 1)).to.reject(
          /^SVC_DATABASE_URL: the database does not answer: Access denied/,
        );
      }
      await direct(database).raw('drop user ??', [name]);
      await database.close();
      await drop();
    });

    it("fails with the setting's name when none answers", async () => {
      const dead = `127.0.0.1:${await freePort()}`;
      await expect(openDatabase(`mysql://root@${dead},${dead}/db`, 1)).to.reject(
        /^SVC_DATABASE_URL: the database does not answer/,
      );
    });
  });
}
