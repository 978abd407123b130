/** nonces: exactly one claim of a nonce succeeds, however many are made at once and by however many processes. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { cleanUp } from '../../../core/auth/clean-up';
import { makeNonces, type Nonce } from '../../../core/auth/nonces';
import { systemClock } from '../../../core/base/clock';
import { openDatabase } from '../../../core/db/open';
import { openTestDatabase, databases, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

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
      await direct(opened.database)('nonce').delete();
      let now = Date.now();
      const clock = { now: () => now };
      const nonces = makeNonces(opened.database, clock);
      const fresh = (): Nonce => nonce({ timestamp: String(Math.floor(now / 1000)), nonce: String(now) });
      expect(await nonces.claim(fresh())).to.be.true();
      now += 899_000;
      expect(await nonces.claim(fresh())).to.be.true();
      expect((await cleanUp(opened.database, clock)).nonces).to.equal(0);
      now += 2000;
      expect(await nonces.claim(fresh())).to.be.true();
      expect((await cleanUp(opened.database, clock)).nonces).to.equal(1);
    });

    describe('when a clock goes back', () => {
      const AHEAD = 1_200_000;
      let now: number;
      const clock = { now: () => now };
      const at = (text: string, time = now): Nonce =>
        nonce({ timestamp: String(Math.floor(time / 1000)), nonce: text });
      const begin = async () => {
        now = Date.now();
        await direct(opened.database)('nonce').delete();
        return makeNonces(opened.database, clock);
      };

      it('are still there, since a clock that is ahead deletes none that may be of use', async () => {
        const nonces = await begin();
        const used = at('used');
        expect(await nonces.claim(used)).to.be.true();
        now += AHEAD;
        expect((await cleanUp(opened.database, clock)).nonces).to.equal(0);
        now -= AHEAD;
        expect(await nonces.claim(used)).to.be.false();
        expect(await makeNonces(opened.database, clock).claim(used)).to.be.false();
        expect(await nonces.claim(at('new'))).to.be.true();
      });

      it('that were deleted while others came at the wrong time refuse what may be a copy, and nothing for long', async () => {
        const nonces = await begin();
        const used = at('used');
        const ahead = at('ahead', now + 250_000);
        expect([await nonces.claim(used), await nonces.claim(ahead)]).to.equal([true, true]);
        now += AHEAD;
        const wrong = at('at the wrong time');
        expect(await nonces.claim(wrong)).to.be.true();
        expect((await cleanUp(opened.database, clock)).nonces).to.equal(2);
        now -= AHEAD - 1000;
        // The process that noticed that the clock went back, and a process that starts later.
        for (const one of [nonces, makeNonces(opened.database, clock)]) {
          expect([await one.claim(used), await one.claim(ahead)]).to.equal([false, false]);
        }
        now += 299_000;
        expect(await makeNonces(opened.database, clock).claim(ahead)).to.be.false();
        now += 3000;
        expect(await makeNonces(opened.database, clock).claim(at('new'))).to.be.true();
        expect(await nonces.claim(at('newer'))).to.be.true();
        // A nonce that was claimed at the wrong time is kept until its own time has passed.
        await cleanUp(opened.database, clock);
        now += AHEAD - 303_000;
        expect(await nonces.claim(wrong)).to.be.false();
      });
    });
  });
}
