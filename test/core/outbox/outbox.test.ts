/**
 * outbox: what a transaction adds is sent once, soon, in order, and again after failures, with one process or several.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import pino from 'pino';
import { makeSealing } from '../../../core/auth/sealing';
import type { Config } from '../../../core/config/schema';
import { makeOutbox } from '../../../core/outbox/outbox';
import type { Outbox } from '../../../core/outbox/kind';
import type { Kind } from '../../../core/outbox/kind';
import type { Database } from '../../../core/db/database';
import { openDatabase } from '../../../core/db/open';
import { openTestDatabase, databases, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import { until } from '../../support/receiver';

export const lab = Lab.script();
const { describe, it, before, after, afterEach } = lab;

for (const leg of databases) {
  describe(`outbox on ${leg.name}`, () => {
    let opened: OpenDatabase;
    let shift = 0;
    const clock = { now: () => Date.now() + shift };
    const running: Outbox[] = [];
    before(async () => {
      opened = await openTestDatabase(leg);
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((outbox) => outbox.stop()));
      await direct(opened.database)('outbox').delete();
      shift = 0;
    });
    after(() => opened.drop());

    const start = (
      deliver: Kind['deliver'],
      rules: Partial<Kind> = {},
      database: Database = opened.database,
    ): Outbox => {
      const outbox = makeOutbox(
        {
          config: {} as Config,
          database,
          clock,
          log: pino({ level: 'silent' }),
          sealing: makeSealing(['only for tests: 0123456789']),
        },
        { test: { retryAfterSeconds: () => 60, giveUpAfterSeconds: 1000, ...rules, deliver } },
      );
      running.push(outbox);
      outbox.start();
      return outbox;
    };
    type Row = {
      payload: string;
      sent_at: string | null;
      dead_at: string | null;
      attempts: number;
      last_error: string | null;
      lease_until: string | null;
    };
    const rows = async (): Promise<Row[]> => {
      const found: unknown = await direct(opened.database)('outbox').orderBy('seq');
      return found as Row[];
    };
    const leased = async (): Promise<boolean> => (await rows())[0]?.lease_until !== null;

    it('delivers what was committed', async () => {
      const got: unknown[] = [];
      const outbox = start((payload) => {
        got.push(payload);
        return Promise.resolve();
      });
      await opened.database.transaction((trx) => outbox.add(trx, { kind: 'test', payload: { text: 'hello' } }));
      await until(() => got.length > 0);
      expect(JSON.stringify(got)).to.equal('[{"text":"hello"}]');
      await until(async () => (await rows())[0]?.sent_at !== null);
    });

    it('delivers nothing of a transaction that was rolled back', async () => {
      const got: unknown[] = [];
      const outbox = start((payload) => {
        got.push(payload);
        return Promise.resolve();
      });
      await opened.database
        .transaction(async (trx) => {
          await outbox.add(trx, { kind: 'test', payload: 'no' });
          throw new Error('the cause fails');
        })
        .catch(() => undefined);
      await opened.database.transaction((trx) => outbox.add(trx, { kind: 'test', payload: 'yes' }));
      await until(() => got.length > 0);
      expect(JSON.stringify(got)).to.equal(JSON.stringify(['yes']));
    });

    it('keeps content sealed while it waits, and not at all once it left', async () => {
      const outbox = start(() => Promise.reject(new Error('down')));
      await outbox.add(direct(opened.database), { kind: 'test', payload: { secret: 'link-with-secret' } });
      await until(async () => (await rows())[0]?.attempts === 1);
      const [waiting] = await rows();
      expect(waiting!.payload).to.not.contain('link-with-secret');
      expect(waiting!.payload.length).to.be.above(20);
      await outbox.stop();
      start(() => Promise.resolve());
      shift = 61_000;
      await until(async () => (await rows())[0]?.sent_at !== null);
      expect((await rows())[0]!.payload).to.equal('');
    });

    it('tries again after the delay of its kind, with the same id, and gives up at the stated age', async () => {
      const tries: { attempt: number; id: string }[] = [];
      const asked: number[] = [];
      const outbox = start(
        (_payload, id) => {
          tries.push({ attempt: tries.length + 1, id });
          return Promise.reject(
            Object.assign(new Error('550 ann@example.org unknown'), { code: 'EENVELOPE', responseCode: 550 }),
          );
        },
        {
          retryAfterSeconds: (attempts) => {
            asked.push(attempts);
            return 60 * 2 ** (attempts - 1);
          },
          giveUpAfterSeconds: 300,
        },
      );
      await outbox.add(direct(opened.database), { kind: 'test', payload: 1 });
      await until(async () => (await rows())[0]?.attempts === 1);
      outbox.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(tries.length).to.equal(1);
      shift = 61_000;
      outbox.wake();
      await until(async () => (await rows())[0]?.attempts === 2);
      shift = 120_000;
      outbox.wake();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(tries.length).to.equal(2);
      shift = 305_000;
      outbox.wake();
      await until(async () => (await rows())[0]?.dead_at !== null);
      expect(asked.slice(0, 2)).to.equal([1, 2]);
      expect(new Set(tries.map(({ id }) => id)).size).to.equal(1);
      const [dead] = await rows();
      expect(dead!.last_error).to.equal('Error EENVELOPE 550');
    });

    it('leaves deliveries of one subject in order, one at a time', async () => {
      const got: unknown[] = [];
      let fails = true;
      const outbox = start(
        async (payload) => {
          await new Promise((resolve) => setTimeout(resolve, payload === 1 ? 50 : 0));
          if (payload === 1 && fails) {
            throw new Error('down');
          }
          got.push(payload);
        },
        { inOrder: true },
      );
      for (const payload of [1, 2, 3]) {
        await outbox.add(direct(opened.database), { kind: 'test', subject: 'one', payload });
      }
      await outbox.add(direct(opened.database), { kind: 'test', subject: 'two', payload: 'other' });
      await until(() => got.length === 1);
      expect(got).to.equal(['other']);
      await until(async () => (await rows())[0]?.attempts === 1);
      fails = false;
      shift = 61_000;
      outbox.wake();
      await until(() => got.length === 4);
      expect(got).to.equal(['other', 1, 2, 3]);
    });

    it('delivers each once with two processes', async () => {
      const second = await openDatabase(opened.url, 4);
      try {
        const got: unknown[] = [];
        const deliver: Kind['deliver'] = async (payload) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          got.push(payload);
        };
        const [one, two] = [start(deliver), start(deliver, {}, second)];
        for (let index = 0; index < 30; index += 1) {
          await (index % 2 ? one : two).add(index % 2 ? direct(opened.database) : direct(second), {
            kind: 'test',
            payload: index,
          });
        }
        await until(async () => (await rows()).every(({ sent_at: sent }) => sent !== null));
        expect([...got].sort((a, b) => Number(a) - Number(b))).to.equal(
          Array.from({ length: 30 }, (_unused, index) => index),
        );
        await two.stop();
        running.splice(running.indexOf(two), 1);
      } finally {
        await second.close();
      }
    });

    it('takes over what a process left behind when its lease is over', async () => {
      const got: unknown[] = [];
      let hang: () => void = () => undefined;
      const died = start(
        () =>
          new Promise((resolve) => {
            hang = resolve;
          }),
      );
      await died.add(direct(opened.database), { kind: 'test', payload: 'left' });
      await until(leased);
      const heir = start((payload) => {
        got.push(payload);
        return Promise.resolve();
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(got).to.equal([]);
      shift = 31_000;
      heir.wake();
      await until(() => got.length === 1);
      hang();
    });

    it('finishes what is under way before it stops', async () => {
      let done = false;
      const outbox = start(async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        done = true;
      });
      await outbox.add(direct(opened.database), { kind: 'test', payload: 1 });
      await until(leased);
      await outbox.stop();
      expect(done).to.be.true();
      expect((await rows())[0]!.sent_at).to.not.be.null();
    });
  });
}
