/**
 * smart-keys: one key for all processes, a new one when an operator asks for it, and the earlier ones while tokens
 * still need them.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { makeSealing } from '../../../core/auth/sealing';
import { openKeys, renewKeys, storedKeys } from '../../../core/auth/smart-keys';
import { systemClock } from '../../../core/base/clock';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

for (const leg of databases) {
  describe(`the keys of id tokens on ${leg.name}`, () => {
    let opened: OpenDatabase;
    before(async () => {
      opened = await openTestDatabase(leg);
    });
    after(() => opened.drop());

    it('are made once, sealed, and renewed with the newest first', async () => {
      const sealing = makeSealing(['only for tests: 0123456789']);
      const parts = { database: opened.database, sealing, clock: systemClock };
      const [one, other] = await Promise.all([storedKeys(parts), storedKeys(parts)]);
      expect(one).to.equal(other);
      // Sealed text has no quotation mark, while the letters alone could occur in it by chance.
      expect(one).to.not.contain('"kid"');
      const names = async (): Promise<string[]> =>
        openKeys(parts, await storedKeys(parts)).keys.map((key) => String(key['kid']));
      const first = await names();
      const [second, third] = await Promise.all([renewKeys(parts), renewKeys(parts)]);
      expect((await names()).length).to.equal(3);
      expect(await names()).to.include([...first, second, third]);
      const fourth = await renewKeys(parts);
      expect((await names())[0]).to.equal(fourth);
      expect(await names()).to.not.include(first[0]!);
      const strange = makeSealing(['another key: 0123456789']);
      expect(() => openKeys({ sealing: strange }, one)).to.throw(/sealed under another SVC_SECRET_KEY/);
    });
  });
}
