/** turns: who is next, what is interrupted, and that nobody who has gone is worked for. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Interrupted } from '../../../../core/base/turns/interruption';
import { makeTurns, OWN_WORK, type Asker, type Turns } from '../../../../core/base/turns/turns';

export const lab = Lab.script();
const { describe, it } = lab;

type Held = { readonly work: () => Promise<string>; readonly end: (answer?: string) => void };

/** A work that runs until it is ended. */
const held = (): Held => {
  let end: (answer?: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = (answer = 'done') => resolve(answer);
  });
  return { work: () => ended, end };
};

/** A work that only an interruption ends. */
const endless = (interrupted: Interrupted): Promise<never> =>
  new Promise((_resolve, reject) => {
    interrupted.addEventListener('abort', () => reject(interrupted.reason as Error));
  });

/** An asker who can go. */
const leaver = (
  owner: string,
): { readonly asker: Asker; readonly go: () => void; readonly listeners: Set<() => void> } => {
  const listeners = new Set<() => void>();
  return {
    asker: {
      owner,
      onGone: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    go: () => listeners.forEach((listener) => listener()),
    listeners,
  };
};

const make = (seconds = 60, room = 100, most = 1): Turns => makeTurns({ most, room, seconds });

describe('turns', () => {
  it('go to whoever has had the least time, and not to the one who asked most', async () => {
    const turns = make();
    const order: string[] = [];
    const first = held();
    const ask = (owner: string, name: string, work: () => Promise<string> = () => Promise.resolve('')) =>
      turns({ owner }, () => {
        order.push(name);
        return work();
      });
    const all = [ask('ann', 'ann 1', first.work)];
    all.push(...[2, 3, 4].map((number) => ask('ann', `ann ${number}`)), ask('bob', 'bob'));
    // Ann's first work is charged to her.
    await new Promise((resolve) => setTimeout(resolve, 20));
    first.end();
    await Promise.all(all);
    expect(order).to.equal(['ann 1', 'bob', 'ann 2', 'ann 3', 'ann 4']);
  });

  it('are interrupted at the deadline, which all works of one asker share', async () => {
    const turns = make(0.2);
    const asker = { owner: 'ann' };
    await expect(turns(asker, endless)).to.reject(/would take longer than the 0.2 seconds .*a shorter period/);
    let begun = false;
    const again = turns(asker, () => {
      begun = true;
      return Promise.resolve();
    });
    const error = (await expect(again).to.reject()) as Error & { readonly status: number; readonly code: string };
    expect([error.status, error.code, begun]).to.equal([503, 'took_too_long', false]);
    expect(await turns({ owner: 'ann' }, () => Promise.resolve('another call'))).to.equal('another call');
  });

  it('have no deadline for the work of the service itself', async () => {
    const turns = make(0.01);
    const work = held();
    const asked = turns(OWN_WORK, work.work);
    await new Promise((resolve) => setTimeout(resolve, 50));
    work.end('late');
    expect(await asked).to.equal('late');
  });

  it('are taken from those who have gone: they begin nothing, and what runs for them ends', async () => {
    const turns = make();
    const [running, waiting] = [leaver('ann'), leaver('bob')];
    const first = expect(turns(running.asker, endless)).to.reject(/nobody waits/);
    let begun = false;
    const second = expect(
      turns(waiting.asker, () => {
        begun = true;
        return Promise.resolve();
      }),
    ).to.reject(/nobody waits/);
    waiting.go();
    await second;
    running.go();
    await first;
    expect(begun).to.be.false();
    expect([...running.listeners, ...waiting.listeners]).to.equal([]);
    expect(await turns({ owner: 'eve' }, () => Promise.resolve('free'))).to.equal('free');
  });

  it('are refused to the longest line when too many wait', async () => {
    const turns = make(60, 3);
    const first = held();
    const outcomes: string[] = [];
    const ask = (owner: string, work: () => Promise<string> = () => Promise.resolve('')): Promise<void> =>
      turns({ owner }, work).then(
        () => void outcomes.push(owner),
        (error: Error) => void outcomes.push(`${owner}: ${error.message}`),
      );
    const all = [ask('ann', first.work), ask('bob'), ask('bob'), ask('bob'), ask('eve')];
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcomes).to.equal(['bob: The service cannot answer now: too many long reads wait. Try again soon.']);
    first.end();
    await Promise.all(all);
    expect(outcomes.slice(1).sort()).to.equal(['ann', 'bob', 'bob', 'eve']);
  });

  it('leave the last place to quick ones', async () => {
    const turns = make(60, 100, 2);
    const [slow, slowToo] = [held(), held()];
    const asked = [turns({ owner: 'ann' }, slow.work)];
    // Whoever works for more than half a second is slow.
    await new Promise((resolve) => setTimeout(resolve, 600));
    let begun = false;
    asked.push(
      turns({ owner: 'ann' }, () => {
        begun = true;
        return slowToo.work();
      }),
    );
    expect(await turns({ owner: 'bob' }, () => Promise.resolve('quick'))).to.equal('quick');
    expect(begun).to.be.false();
    slow.end();
    slowToo.end();
    await Promise.all(asked);
    expect(begun).to.be.true();
  });
});
