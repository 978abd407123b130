/** meanwhile: what others do while a call is under way: it happens right behind a step of the call that the test names. */
import type { Id, PrincipalId } from '../../core/base/types';
import type { Services } from '../../core/services';
import type { Answer } from './client';

type Step<P extends unknown[] = never[]> = (...given: P) => Promise<unknown>;

/**
 * Makes a call during which, once one of its steps is done, something else happens: only the first time that the step is taken.
 * @param happens is given what the step was given
 */
export const meanwhile = async <K extends string, S extends { readonly [N in K]: Step }>(
  steps: S,
  step: K,
  happens: (...given: Parameters<S[K]>) => Promise<unknown>,
  make: () => Promise<Answer>,
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

/**
 * Makes a call of an app's own that gets the row of a record only when the app has been taken off it. That is done in the call's own
 * transaction, which sees it as what others have committed: on SQLite nobody else has one. A refusal undoes it.
 */
export const losingApp = (
  { stores }: Services,
  { recordId, appId }: { readonly recordId: Id; readonly appId: PrincipalId },
  make: () => Promise<Answer>,
): Promise<Answer> =>
  meanwhile(stores.records, 'lockRecord', (trx) => stores.apps.disableApp(trx, recordId, appId), make);
