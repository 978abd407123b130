/**
 * meanwhile: something that others do while a call is under way: it happens directly after a step of the call that the
 * test names.
 */
import type { Id, PrincipalId } from '../../core/base/types';
import type { Answer } from './client';
import * as appStore from '../../core/apps/store';
import * as recordStore from '../../core/records/store';

type Step<P extends unknown[] = never[]> = (...given: P) => Promise<unknown>;

/**
 * Makes a call, and lets something happen after one of its steps, only the first time that the step is done.
 * @param happens is called with the arguments of the step
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
 * Makes a call of an app that is removed from the record when the call has locked the record's row. The removal happens
 * in the call's own transaction, which sees it as if others had committed it, because SQLite has only one transaction
 * at a time. A refusal rolls it back.
 */
export const losingApp = (
  { recordId, appId }: { readonly recordId: Id; readonly appId: PrincipalId },
  make: () => Promise<Answer>,
): Promise<Answer> => meanwhile(recordStore, 'lockRecord', (trx) => appStore.disableApp(trx, recordId, appId), make);
