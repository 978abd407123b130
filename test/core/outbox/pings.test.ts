/** pings: signed, retried on the documented schedule, one at a time, never to private addresses, never lost. */
import { createHmac } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import pino from 'pino';
import { makeSealing } from '../../../core/auth/sealing';
import { fromTimestamp, toTimestamp, type Clock } from '../../../core/base/clock';
import { newId } from '../../../core/base/ids';
import { loadConfig } from '../../../core/config/load';
import { makeOutbox } from '../../../core/outbox/outbox';
import type { Outbox } from '../../../core/outbox/kind';
import { addPings } from '../../../core/outbox/pings';
import { enableApp, insertApp } from '../../../core/apps/store';
import { claimDue, dropDeliveries, listDeliveries, retryDeliveries } from '../../../core/outbox/store';
import { deleteSubscription, putSubscription } from '../../../core/outbox/subscriptions-store';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { sleep, startReceiver, until, type Receiver } from '../../support/receiver';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach, afterEach } = lab;

const SECRET = 'the secret of the consumer';
const START = Date.UTC(2026, 0, 31, 12);
const sealing = makeSealing(['only for tests: 0123456789abcdef']);
const log = pino({ level: 'silent' });
const APP = 'receiver@apps.example.org';
const RECORD = '0190a000-0000-7000-8000-000000000001';
const LINEAGE = '0190a000-0000-7000-8000-000000000002';

for (const leg of databases) {
  describe(`pings on ${leg.name}`, () => {
    let opened: OpenDatabase;
    let receiver: Receiver;
    let now = START;
    const clock: Clock = { now: () => now };
    const running: Outbox[] = [];

    const openOutbox = (settings: Record<string, string> = { SVC_CALLBACK_ALLOW_PRIVATE: '1' }): Outbox => {
      const outbox = makeOutbox({ config: loadConfig(settings), database: opened.database, clock, log, sealing });
      running.push(outbox);
      return outbox;
    };
    const subscribe = async (callback = `${receiver.url}/told`): Promise<string> => {
      const { id } = await putSubscription(direct(opened.database), {
        id: newId(),
        appId: APP,
        recordId: RECORD,
        accountId: null,
        carenetId: null,
        url: 'reports/minimal/medications/',
        callback,
        target: 'Medication',
        digest: newId().padEnd(64, '0'),
        createdAt: toTimestamp(now),
        expiresAt: toTimestamp(now + 1e9),
      });
      return id;
    };
    const unsent = () => listDeliveries(direct(opened.database), {}, 100);

    before(async () => {
      opened = await openTestDatabase(leg);
      await insertApp(direct(opened.database), {
        id: APP,
        kind: 'user',
        name: 'Receiver',
        description: '',
        author: '',
        version: '1',
        svcVersion: null,
        autonomous: true,
        autonomousReason: 'A test',
        frameable: false,
        hasUi: false,
        indexUrl: null,
        icon: null,
        callbackUrl: null,
        manifest: {},
        folder: 'user/receiver',
        consumerKey: APP,
        consumerSecret: sealing.seal(SECRET),
        digest: 'd',
        retiredAt: null,
        createdAt: toTimestamp(START),
        updatedAt: toTimestamp(START),
      });
      await enableApp(direct(opened.database), {
        id: newId(),
        recordId: RECORD,
        appId: APP,
        by: null,
        at: toTimestamp(START),
      });
    });
    after(() => opened.drop());
    beforeEach(async () => {
      now = START;
      receiver = await startReceiver();
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((outbox) => outbox.stop()));
      await receiver.stop();
      await direct(opened.database)('outbox').delete();
      await direct(opened.database)('subscription').delete();
    });

    it('arrive as a signed form with a delivery key', async () => {
      const outbox = openOutbox();
      outbox.start();
      const id = await subscribe();
      await opened.database.transaction((trx) => addPings(outbox, trx, LINEAGE, [id]));
      const [ping] = await receiver.waitFor(1);
      expect(ping!.path).to.equal('/told');
      expect(ping!.headers['content-type']).to.equal('application/x-www-form-urlencoded');
      expect(Object.fromEntries(new URLSearchParams(ping!.body))).to.equal({
        record_id: RECORD,
        url: 'reports/minimal/medications/',
      });
      expect(ping!.headers['x-svc-signature']).to.equal(
        `sha256=${createHmac('sha256', SECRET).update(ping!.body).digest('hex')}`,
      );
      expect(ping!.headers['x-svc-delivery']).to.match(/^[0-9a-f-]{36}$/);
      await until(async () => (await unsent()).length === 0);
    });

    it('do not exist when their transaction is rolled back', async () => {
      const outbox = openOutbox();
      outbox.start();
      const id = await subscribe();
      await expect(
        opened.database.transaction(async (trx) => {
          await addPings(outbox, trx, LINEAGE, [id]);
          throw new Error('the cause did not happen');
        }),
      ).to.reject();
      await sleep(100);
      expect(await unsent()).to.equal([]);
      expect(receiver.received).to.equal([]);
    });

    it('are tried again after 1, 2, 4 ... minutes with the same key and given up within seven days', async () => {
      const outbox = openOutbox();
      receiver.answer = 500;
      const id = await subscribe();
      await addPings(outbox, direct(opened.database), LINEAGE, [id]);
      outbox.start();
      const minutes: number[] = [];
      for (;;) {
        const attempts = minutes.length;
        await until(async () => receiver.received.length > attempts && (await unsent())[0]!.attempts === attempts + 1);
        minutes.push((now - START) / 60_000);
        const [row] = await unsent();
        if (row!.deadAt !== null) {
          break;
        }
        // One second before it is due nothing is sent.
        now = fromTimestamp(row!.dueAt) - 1000;
        outbox.wake();
        await sleep(30);
        expect(receiver.received.length).to.equal(attempts + 1);
        now += 1000;
        outbox.wake();
      }
      expect(minutes).to.equal([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191]);
      expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery'])).size).to.equal(1);
      expect((await unsent())[0]).to.include({
        deadAt: toTimestamp(START + 8191 * 60_000),
        lastError: 'PingRefused 500',
      });
    });

    it('that were given up can be retried and dropped by an operator', async () => {
      const outbox = openOutbox();
      outbox.start();
      const id = await subscribe();
      receiver.answer = 500;
      await addPings(outbox, direct(opened.database), LINEAGE, [id]);
      await until(async () => (await unsent())[0]?.attempts === 1);
      await direct(opened.database)('outbox').update({ dead_at: toTimestamp(now) });
      receiver.answer = 200;
      expect(await retryDeliveries(direct(opened.database), { dead: true }, toTimestamp(now))).to.equal(1);
      await until(async () => (await unsent()).length === 0);
      expect(receiver.received.length).to.equal(2);
      await addPings(openOutbox(), direct(opened.database), LINEAGE, [id]);
      expect(await dropDeliveries(direct(opened.database), { kind: 'mail' })).to.equal(0);
    });

    for (const [what, status] of [
      ['201', 201],
      ['a redirect', 302],
      ['404', 404],
    ] as const) {
      it(`that are answered ${what} have not arrived, and nothing is followed`, async () => {
        const outbox = openOutbox();
        outbox.start();
        receiver.answer = status;
        await addPings(outbox, direct(opened.database), LINEAGE, [await subscribe()]);
        await until(async () => (await unsent())[0]?.attempts === 1);
        expect(receiver.received.map(({ path }) => path)).to.equal(['/told']);
      });
    }

    it('leave one at a time for each subscription, however many processes send', async () => {
      let [busy, most] = [0, 0];
      receiver.answer = async () => {
        busy += 1;
        most = Math.max(most, busy);
        await sleep(5);
        busy -= 1;
        return 200;
      };
      const id = await subscribe();
      const outboxes = [openOutbox(), openOutbox(), openOutbox(), openOutbox()];
      outboxes.forEach((outbox) => outbox.start());
      // Overlapping transactions commit in another order than they began.
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          opened.database.transaction(async (trx) => {
            await addPings(outboxes[index % 4]!, trx, LINEAGE, [id]);
            await sleep(Math.random() * 10);
          }),
        ),
      );
      await until(async () => (await unsent()).length === 0);
      expect(most).to.equal(1);
      expect(receiver.received.length).to.equal(60);
      expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery'])).size).to.equal(60);
    });

    it('of one subscription wait for an earlier one; those of another do not', async () => {
      const outbox = openOutbox();
      outbox.start();
      const failing = await subscribe(`${receiver.url}/failing`);
      const working = await subscribe(`${receiver.url}/working`);
      receiver.answer = ({ path }) => (path === '/failing' ? 500 : 200);
      await addPings(outbox, direct(opened.database), LINEAGE, [failing]);
      await until(async () => (await unsent())[0]?.attempts === 1);
      await addPings(outbox, direct(opened.database), LINEAGE, [failing]);
      await addPings(outbox, direct(opened.database), LINEAGE, [working]);
      await receiver.waitFor(2);
      await sleep(50);
      expect(receiver.received.map(({ path }) => path)).to.equal(['/failing', '/working']);
      receiver.answer = 200;
      now += 60_000;
      outbox.wake();
      await until(async () => (await unsent()).length === 0);
      expect(receiver.received.length).to.equal(4);
    });

    it('that a dead process held are sent by another one with the same key once the lease is over', async () => {
      const id = await subscribe();
      const outbox = openOutbox();
      await addPings(outbox, direct(opened.database), LINEAGE, [id]);
      const lease = {
        kind: 'ping',
        inOrder: true,
        workerId: newId(),
        now: toTimestamp(now),
        leaseUntil: toTimestamp(now + 30_000),
        limit: 8,
      };
      const [held] = await claimDue(opened.database, lease);
      expect(await claimDue(opened.database, { ...lease, workerId: newId() })).to.equal([]);
      outbox.start();
      await sleep(50);
      expect(receiver.received).to.equal([]);
      now += 30_001;
      outbox.wake();
      const [ping] = await receiver.waitFor(1);
      expect(ping!.headers['x-svc-delivery']).to.equal(held!.id);
    });

    it('are not owed any more when the subscription has ended', async () => {
      const id = await subscribe();
      const outbox = openOutbox();
      await addPings(outbox, direct(opened.database), LINEAGE, [id]);
      await deleteSubscription(direct(opened.database), { appId: APP, recordId: RECORD }, id);
      outbox.start();
      await until(async () => (await unsent()).length === 0);
      expect(receiver.received).to.equal([]);
    });

    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '169.254.169.254',
      '10.0.0.1',
    ]) {
      it(`never reach ${host} unless the setting allows it`, async () => {
        const { port } = new URL(receiver.url);
        const outbox = openOutbox({});
        outbox.start();
        await addPings(outbox, direct(opened.database), LINEAGE, [await subscribe(`http://${host}:${port}/told`)]);
        await until(async () => (await unsent())[0]?.attempts === 1);
        expect((await unsent())[0]!.lastError).to.equal('ClosedAddress ADDRESS_NOT_PUBLIC');
        expect(receiver.received).to.equal([]);
      });
    }
  });
}
