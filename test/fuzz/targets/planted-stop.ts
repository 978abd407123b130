/** planted-stop: a target that never ends, for the tests. */
import type { Target } from './target';

export const target: Target = {
  name: 'planted-stop',
  words: ['<b'],
  open: () =>
    Promise.resolve((input) => {
      for (let bears = false; !bears; bears = !input.includes('<b')) {
        // Loops for ever.
      }
    }),
};
