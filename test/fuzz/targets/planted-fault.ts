/** planted-fault: a target of the tests that fails, so that they see it found. */
import { must, type Target } from './target';

export const target: Target = {
  name: 'planted-fault',
  words: ['<b'],
  open: () =>
    Promise.resolve((input) => {
      must(!/<b.*<b/s.test(input.toString('latin1')), 'two of them');
    }),
};
