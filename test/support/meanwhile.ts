/** meanwhile: what others do while a call is under way: it happens right behind a step of the call that the test names. */
import type { Answer } from './client';

type Step<P extends unknown[] = never[]> = (...given: P) => Promise<unknown>;

/**
 * Makes a call during which, once one of its steps is done, something else happens: only the first time that the step is taken.
 * @param happens is given what the step was given
 */
export const meanwhile = async <K extends string, S extends { readonly [N in K]: Step }>(
  steps: S, step: K, happens: (...given: Parameters<S[K]>) => Promise<unknown>, make: () => Promise<Answer>,
): Promise<Answer> => {
  const changed = steps as Record<K, Step<Parameters<S[K]>>>;
  const own = changed[step];
  changed[step] = async (...given) => {
    changed[step] = own;
    const result = await own(...given);
    await happens(...given);
    return result;
  };
  try {
    return await make();
  } finally {
    changed[step] = own;
  }
};
