/**
 * attempts: failures are counted per minute for all processes. A success is not counted, and is accepted after any
 * number of failures.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import {
  addressBucket,
  countDone,
  countFailure,
  credentialBuckets,
  limitFailures,
  limitGuesses,
} from '../../../core/auth/attempts';
import { errors } from '../../../core/base/errors';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NOON = Date.parse('2026-01-02T12:00:15Z');

for (const leg of databases) {
  describe(`attempts on ${leg.name}`, () => {
    let opened: OpenDatabase;
    let now = NOON;
    const clock = { now: () => now };
    before(async () => {
      opened = await openTestDatabase(leg);
    });
    after(() => opened.drop());

    const counting = () => ({ database: opened.database, clock });
    const statusOf = async (work: Promise<unknown>): Promise<number> =>
      work.then(
        () => 200,
        (error: { status: number }) => error.status,
      );
    const refuse = () => Promise.reject(errors.permissionDenied());

    it('of a full bucket are told when to come back, right ones pass, and counting goes on in the next minute', async () => {
      const buckets = [{ name: 'a', limit: 3 }];
      for (let round = 0; round < 3; round += 1) {
        expect(await statusOf(limitFailures(counting(), buckets, refuse))).to.equal(403);
      }
      const refused = (await limitFailures(counting(), buckets, refuse).catch((error: unknown) => error)) as {
        status: number;
        headers: Record<string, string>;
      };
      expect(refused.status).to.equal(429);
      expect(refused.headers['retry-after']).to.equal('45');
      expect(await limitFailures(counting(), buckets, () => Promise.resolve('in'))).to.equal('in');
      now += 60_000;
      expect(await statusOf(limitFailures(counting(), buckets, refuse))).to.equal(403);
    });

    it('that come together are told so as well, once there are more of them than the limit', async () => {
      const buckets = [{ name: 'together', limit: 3 }];
      const statuses = await Promise.all(
        Array.from({ length: 8 }, () => statusOf(limitFailures(counting(), buckets, refuse))),
      );
      expect(statuses.filter((status) => status === 403)).to.have.length(3);
      expect(statuses.filter((status) => status === 429)).to.have.length(5);
    });

    it('that succeed or fail for another reason are not counted', async () => {
      const buckets = [{ name: 'b', limit: 1 }];
      await limitFailures(counting(), buckets, () => Promise.resolve());
      expect(
        await statusOf(limitFailures(counting(), buckets, () => Promise.reject(errors.missingParameter('x')))),
      ).to.equal(400);
      expect(await statusOf(limitFailures(counting(), buckets, () => Promise.reject(errors.internal())))).to.equal(500);
      expect(await direct(opened.database)('failed_attempt').where({ bucket: 'b' })).to.have.length(0);
      expect(
        await statusOf(limitFailures(counting(), buckets, () => Promise.reject(errors.missingParameter('x')), [400])),
      ).to.equal(400);
      expect(await statusOf(limitFailures(counting(), buckets, refuse))).to.equal(429);
    });

    it('of a full bucket fill no table with invented names, and what else they mean happens all the same', async () => {
      const full = { name: 'consumer', limit: 1 };
      await statusOf(countFailure(counting(), [full]));
      let meant = 0;
      const also = (): Promise<void> => {
        meant += 1;
        return Promise.resolve();
      };
      expect(await statusOf(countFailure(counting(), [{ name: 'invented', limit: 10 }, full], also))).to.equal(429);
      expect(meant).to.equal(1);
      expect(await direct(opened.database)('failed_attempt').where({ bucket: 'invented' })).to.have.length(0);
    });

    it('of one who guesses at a secret of its own end for right guesses, too', async () => {
      const bucket = { name: 'guesses', limit: 2 };
      for (const status of [403, 403, 429]) {
        expect(await statusOf(limitGuesses(counting(), bucket, refuse))).to.equal(status);
      }
      expect(await statusOf(limitGuesses(counting(), bucket, () => Promise.resolve('in')))).to.equal(429);
      expect(await limitGuesses(counting(), { ...bucket, limit: 0 }, () => Promise.resolve('in'))).to.equal('in');
    });

    it('are no more than what is done and counted, which is undone when it is too often', async () => {
      const done = (): Promise<number> =>
        statusOf(opened.database.transaction((trx) => countDone(trx, clock, { name: 'mail', limit: 2 })));
      expect([await done(), await done(), await done(), await done()]).to.equal([200, 200, 429, 429]);
      const atOnce = await Promise.all(
        Array.from({ length: 10 }, () =>
          statusOf(opened.database.transaction((trx) => countDone(trx, clock, { name: 'mails', limit: 4 }))),
        ),
      );
      expect(atOnce.filter((status) => status === 200)).to.have.length(4);
    });

    it('from one network count together, in whatever way its address is written', () => {
      const name = (address: string): string => addressBucket(5, address).name;
      expect(name('192.0.2.7')).to.equal(name('::ffff:192.0.2.7'));
      expect(name('192.0.2.7')).to.not.equal(name('192.0.2.8'));
      expect(name('2001:db8::1')).to.equal(name('2001:0DB8:0:0:ffff:ffff:ffff:ffff'));
      expect(name('2001:db8:0:1::1')).to.not.equal(name('2001:db8::1'));
      expect(name('fe80::1%eth0')).to.equal(name('fe80::2'));
      expect(name('::1')).to.equal('address 0:0:0:0::/64');
    });

    it('sent all at once are worth no more than the limit: a right guess among them is not told', async () => {
      const bucket = { name: 'c', limit: 5 };
      const slowRight = limitGuesses(
        counting(),
        bucket,
        () =>
          new Promise((resolve) => {
            setTimeout(resolve, 400, 'in');
          }),
      );
      const wrong = Array.from({ length: 8 }, () => statusOf(limitGuesses(counting(), bucket, refuse)));
      await Promise.all(wrong);
      expect(await statusOf(slowRight)).to.equal(429);
    });

    it('of any number pass when the limit is 0', async () => {
      for (let round = 0; round < 5; round += 1) {
        expect(await statusOf(countFailure(counting(), [{ name: 'd', limit: 0 }]))).to.equal(200);
      }
    });

    it('at once from many callers are all counted', async () => {
      await Promise.all(Array.from({ length: 20 }, () => countFailure(counting(), [{ name: 'e', limit: 1000 }])));
      const row = (await direct(opened.database)('failed_attempt').where({ bucket: 'e' }).first('failures')) as {
        failures: number;
      };
      expect(Number(row.failures)).to.equal(20);
    });

    it('count against the account that was tried and the app that passed them on', () => {
      expect(
        credentialBuckets(
          { rateAccountPerMinute: 10, rateConsumerPerMinute: 600 },
          'ann@example.org',
          'ui@example.org',
        ),
      ).to.equal([
        { name: 'account ann@example.org', limit: 10 },
        { name: 'credentials ui@example.org', limit: 600 },
      ]);
    });
  });
}
