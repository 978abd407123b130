/**
 * Limits in milliseconds hold on a machine that does nothing else, so they are asserted where somebody provides one
 * (`npm run bench:hostile`) and not beside other tests, where they would tell about the neighbours.
 */
import { expect } from '@hapi/code';

export const ALONE = process.env['SVC_TEST_ALONE'] === '1';

/** @throws when this machine has nothing else to do and something took longer than it may */
export const expectQuick = (milliseconds: number, limit: number, what = 'milliseconds'): void => {
  if (ALONE) {
    expect(milliseconds, what).to.be.below(limit);
  }
};
