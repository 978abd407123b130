/** planted-fault: a target that fails, so that tests can check that this is found. */
import { must, type Target } from './target';

export const target: Target = {
  name: 'planted-fault',
  words: ['<b'],
  open: () =>
    Promise.resolve((input) => {
      must(!/<b.*<b/s.test(input.toString('latin1')), 'two of them');
    }),
};
