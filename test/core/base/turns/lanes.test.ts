/** lanes: long work of several people goes on side by side; that of one person one after the other. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Lanes, type Turn } from '../../../../core/base/turns/lanes';

export const lab = Lab.script();
const { describe, it } = lab;

/** Work of so many steps, each of which takes one millisecond of the test's clock. */
const world = (limits: { readonly milliseconds: number; readonly begun: number }) => {
  let now = 0;
  const done: string[] = [];
  const lanes = new Lanes({ ...limits, now: () => now });
  const steps =
    (name: string, count: number) =>
    async (turn: Turn): Promise<void> => {
      for (let step = 0; step < count; step += 1) {
        now += 1;
        done.push(name);
        await turn.pause();
      }
    };
  return { lanes, done, steps };
};

describe('the turns of lanes', () => {
  it('change after their time, so that short work waits no longer than one turn for each before it', async () => {
    const { lanes, done, steps } = world({ milliseconds: 3, begun: 3 });
    await Promise.all([lanes.run('a', steps('a', 8)), lanes.run('b', steps('b', 1)), lanes.run('c', steps('c', 4))]);
    expect(done.join('')).to.equal('aaabcccaaacaa');
  });

  it('are one for each person, who waits for their own work only', async () => {
    const { lanes, done, steps } = world({ milliseconds: 2, begun: 3 });
    await Promise.all([lanes.run('a', steps('a', 4)), lanes.run('a', steps('A', 1)), lanes.run('b', steps('b', 1))]);
    expect(done.join('')).to.equal('aabaaA');
  });

  it('begin no more work than may be under way', async () => {
    const { lanes, done, steps } = world({ milliseconds: 1, begun: 2 });
    await Promise.all(['a', 'b', 'c'].map((name) => lanes.run(name, steps(name, 3))));
    expect(done.join('')).to.equal('abababccc');
  });

  it('go on when work fails', async () => {
    const { lanes, done, steps } = world({ milliseconds: 1, begun: 1 });
    const failing = lanes.run('a', () => Promise.reject(new Error('it failed')));
    const same = lanes.run('a', steps('a', 1));
    const other = lanes.run('b', steps('b', 1));
    await expect(failing).to.reject('it failed');
    await Promise.all([same, other]);
    expect([...done].sort().join('')).to.equal('ab');
  });
});
