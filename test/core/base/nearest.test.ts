/** nearest: finds the name that was probably meant, and none that differs much. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { nearest } from '../../../core/base/nearest';

export const lab = Lab.script();
const { describe, it } = lab;

const columns = ['start', 'end', 'minutes', 'status_title', 'status_code', 'status_system', 'status_text', 'a'];

describe('nearest', () => {
  for (const [asked, found] of [
    ['minuts', ['minutes']],
    ['Minutes', ['minutes']],
    ['strat', ['start']],
    ['statusTitle', ['status_title']],
    ['status', ['status_title', 'status_code', 'status_system']],
    ['b', ['a']],
    ['nothing_like_it', []],
    ['', []],
  ] as const) {
    it(`of ${asked || '(nothing)'} is ${found.join(', ') || 'nothing'}`, () => {
      expect(nearest(asked, columns)).to.equal([...found]);
    });
  }
});
