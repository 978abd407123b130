/**
 * turn-queue: the order of turns, which documents wait longer, and which a full queue refuses. The test sets the
 * time.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { TurnQueue } from '../../../../core/base/turns/turn-queue';

export const lab = Lab.script();
const { describe, it, beforeEach } = lab;

type Job = { readonly owner: string; readonly size: number; readonly name: string };

const anything = (): boolean => true;

describe('a queue for readers', () => {
  let now: number;
  let queue: TurnQueue<Job>;
  beforeEach(() => {
    now = 0;
    queue = new TurnQueue<Job>(100, () => now);
  });

  const add = (owner: string, name: string, size = 1): readonly string[] =>
    queue.add({ owner, name, size }).map((refused) => refused.name);
  const take = (may: (job: Job) => boolean = anything): Job | undefined => queue.take(may);
  /** Runs one job after the other, each of which takes `milliseconds`; returns their order. */
  const order = (milliseconds: (job: Job) => number, count = Infinity): string => {
    const names: string[] = [];
    for (let job = take(); job && names.length < count; job = names.length < count ? take() : undefined) {
      names.push(job.name);
      now += milliseconds(job);
      queue.ended(job, false);
    }
    return names.join(' ');
  };

  it('serves one principal in the order of arrival', () => {
    ['a1', 'a2', 'a3'].forEach((name) => add('a', name));
    expect(order(() => 5)).to.equal('a1 a2 a3');
    expect(queue.length).to.equal(0);
  });

  it('gives turns: who has sent a thousand documents goes after who has sent one', () => {
    ['a1', 'a2', 'a3', 'a4', 'a5'].forEach((name) => add('a', name));
    add('b', 'b1');
    add('c', 'c1');
    expect(order(() => 5)).to.equal('a1 b1 c1 a2 a3 a4 a5');
  });

  it('counts reader time, not documents', () => {
    ['a1', 'a2', 'a3'].forEach((name) => add('a', name));
    ['b1', 'b2', 'b3', 'b4', 'b5'].forEach((name) => add('b', name));
    expect(order(({ owner }) => (owner === 'a' ? 1000 : 400))).to.equal('a1 b1 b2 b3 a2 b4 b5 a3');
  });

  it('counts what readers are at as far as it has come', () => {
    ['a1', 'a2'].forEach((name) => add('a', name));
    take();
    now += 10;
    add('b', 'b1');
    expect(take()?.name).to.equal('b1');
  });

  it('prefers whom fewer readers serve', () => {
    ['a1', 'a2'].forEach((name) => add('a', name));
    add('b', 'b1');
    expect([take()?.name, take()?.name, take()?.name]).to.equal(['a1', 'b1', 'a2']);
  });

  it('lets nobody save turns up', () => {
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'].forEach((name) => add('a', name));
    expect(order(() => 100, 4)).to.equal('a1 a2 a3 a4');
    ['b1', 'b2', 'b3', 'b4'].forEach((name) => add('b', name));
    expect(order(() => 100)).to.equal('a5 b1 a6 b2 a7 b3 a8 b4');
  });

  it('lets who runs into the time limit wait longer, and the longer the more often', () => {
    const hitLimit = (owner: string): void => {
      add(owner, 'hangs');
      const job = take();
      now += 10_000;
      queue.ended(job!, true);
    };
    add('other', 'busy');
    const busy = take()!;
    hitLimit('once');
    hitLimit('twice');
    hitLimit('twice');
    queue.ended(busy, false);
    const waited = (owner: string): number => {
      const start = now;
      add(owner, owner);
      add('other', 'quick');
      for (let job = take()!; job.name !== owner; job = take()!) {
        now += 1000;
        queue.ended(job, false);
        add('other', 'quick');
      }
      return now - start;
    };
    const [once, twice] = [waited('once'), waited('twice')];
    expect(once).to.be.at.most(20_000);
    expect(twice).to.be.above(20_000);
  });

  it('does not call a document slow that waited for a processor which others had', () => {
    const slowAfter = (took: number, processor?: number): boolean => {
      queue = new TurnQueue<Job>(100, () => now);
      add('a', 'a1');
      const job = take()!;
      now += took;
      queue.ended(job, false, processor);
      return queue.isSlow('a');
    };
    expect([slowAfter(1900, 20), slowAfter(600), slowAfter(700, 600), slowAfter(2100, 20)]).to.equal([
      false,
      true,
      true,
      true,
    ]);
  });

  it('knows of whom a job has ended', () => {
    add('a', 'a1');
    const job = take()!;
    expect([queue.isKnown('a'), queue.isKnown('b')]).to.equal([false, false]);
    queue.ended(job, false);
    expect([queue.isKnown('a'), queue.isKnown('b')]).to.equal([true, false]);
  });

  it('remembers for a while whose documents took long', () => {
    add('a', 'a1');
    add('b', 'b1');
    const [long, short] = [take()!, take()!];
    now += 400;
    expect([queue.isSlow('a'), queue.isSlow('b')]).to.equal([false, false]);
    queue.ended(short, false);
    now += 200;
    expect([queue.isSlow('a'), queue.isSlow('b'), queue.isSlow('nobody')]).to.equal([true, false, false]);
    now += 7400;
    queue.ended(long, false);
    add('a', 'a2');
    queue.ended(take()!, false);
    expect(queue.isSlow('a')).to.be.true();
    now += 60_000;
    expect(queue.isSlow('a')).to.be.true();
    now += 300_000;
    expect(queue.isSlow('a')).to.be.false();
  });

  it('passes over what may not be done now, in each line', () => {
    add('a', 'a-big', 50);
    add('a', 'a-small', 1);
    add('b', 'b-big', 49);
    expect(take(({ size }) => size < 10)?.name).to.equal('a-small');
    expect(take(({ size }) => size < 10)).to.be.undefined();
    expect(queue.length).to.equal(2);
  });

  it('puts what was begun in vain first in its line, and forgets the time it took', () => {
    ['a1', 'a2'].forEach((name) => add('a', name));
    const job = take()!;
    queue.ended(job, false);
    queue.addAgain(job);
    expect(order(() => 1)).to.equal('a1 a2');
  });

  it('refuses, when it is full, the last of the longest line and never the only one', () => {
    expect(add('a', 'a-huge', 150)).to.equal([]);
    expect(add('a', 'a2', 10)).to.equal(['a2']);
    take();
    expect(add('a', 'a3', 60)).to.equal([]);
    expect(add('b', 'b1', 40)).to.equal([]);
    expect(add('a', 'a4', 1)).to.equal(['a4']);
    expect(add('b', 'b2', 10)).to.equal(['a3']);
    expect(add('b', 'b3', 50)).to.equal([]);
    expect(queue.length).to.equal(3);
  });

  it('drops what is no longer wanted', () => {
    add('a', 'a1', 40);
    add('b', 'b1', 60);
    expect(queue.drop(({ owner }) => owner === 'b').map(({ name }) => name)).to.equal(['b1']);
    expect(add('c', 'c1', 60)).to.equal([]);
    expect(order(() => 1)).to.equal('a1 c1');
  });

  it('forgets who has not come for long, and nobody who waits', () => {
    add('patient', 'p1');
    for (let number = 0; number < 3000; number += 1) {
      now += 1000;
      add(`visitor ${number}`, 'v');
      const job = take(({ owner }) => owner !== 'patient')!;
      queue.ended(job, false);
    }
    expect(queue.owners).to.be.at.most(1100);
    expect(take()?.name).to.equal('p1');
  });
});
