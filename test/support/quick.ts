/**
 * quick: limits in milliseconds. They hold on a machine that does nothing else, so they are asserted only on such a
 * machine (`npm run tool bench-hostile`). Beside other tests they would measure these.
 */
import { expect } from '@hapi/code';

export const ALONE = process.env['SVC_TEST_ALONE'] === '1';

/** @throws when this machine has nothing else to do and the time is above the limit */
export const expectQuick = (milliseconds: number, limit: number, what = 'milliseconds'): void => {
  if (ALONE) {
    expect(milliseconds, what).to.be.below(limit);
  }
};
