/** nonces: one claim in all the world succeeds, however many ask at once and from how many processes. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { cleanUp } from '../../../core/auth/clean-up';
import { makeNonces, type Nonce } from '../../../core/auth/nonces';
import { systemClock } from '../../../core/base/clock';
import { openDatabase } from '../../../core/storage/database';
import { openTestDatabase, databases, type OpenDatabase } from '../../support/databases';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const nonce = (part: Partial<Nonce> = {}): Nonce => ({
  consumerKey: 'app@example.org',
  token: 'T',
  timestamp: '1700000000',
  nonce: 'n',
  ...part,
});

for (const leg of databases) {
  describe(`nonces on ${leg.name}`, () => {
    let opened: OpenDatabase;
    before(async () => {
      opened = await openTestDatabase(leg);
    });
    after(() => opened.drop());

    it('are good once', async () => {
      const nonces = makeNonces(opened.database, systemClock);
      expect(await nonces.claim(nonce())).to.be.true();
      expect(await nonces.claim(nonce())).to.be.false();
    });

    it('are another with another consumer, token, timestamp or text', async () => {
      const nonces = makeNonces(opened.database, systemClock);
      const others = [
        { consumerKey: 'b@example.org' },
        { token: null },
        { token: '' },
        { timestamp: '1700000001' },
        { nonce: 'm' },
        { consumerKey: 'app@example.orgT', token: '' },
      ];
      for (const part of others) {
        expect(await nonces.claim(nonce(part)), JSON.stringify(part)).to.be.true();
      }
    });

    it('claimed many times at once by two processes succeed once', async () => {
      const second = await openDatabase(opened.url, 4);
      try {
        const both = [makeNonces(opened.database, systemClock), makeNonces(second, systemClock)];
        const rounds = Array.from({ length: 20 }, (_unused, round) => `round ${round}`);
        const claims = rounds.flatMap((text) =>
          Array.from({ length: 10 }, (_unused, index) => ({
            text,
            first: both[index % 2]!.claim(nonce({ nonce: text })),
          })),
        );
        const results = await Promise.all(claims.map(async ({ text, first }) => ({ text, first: await first })));
        for (const text of rounds) {
          expect(results.filter((result) => result.text === text && result.first).length, text).to.equal(1);
        }
      } finally {
        await second.close();
      }
    });

    it('are forgotten by the clean-up when no timestamp in the window can bring them back', async () => {
      await cleanUp(opened.database, systemClock);
      expect(await makeNonces(opened.database, systemClock).claim(nonce())).to.be.false();
      await cleanUp(opened.database, { now: () => Date.now() + 901_000 });
      expect(await makeNonces(opened.database, systemClock).claim(nonce())).to.be.true();
    });
  });
}
