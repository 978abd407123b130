/** planted-stop: a target of the tests that never ends. */
import type { Target } from './target';

export const target: Target = {
  name: 'planted-stop',
  words: ['<b'],
  open: () =>
    Promise.resolve((input) => {
      for (let bears = false; !bears; bears = !input.includes('<b')) {
        // It goes on for ever.
      }
    }),
};
