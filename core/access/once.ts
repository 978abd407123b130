/**
 * once: what several operations of one page read alike, read once for all of them. Only a page that is made of several
 * operations remembers it, and only until one of them changes something; a call of the API reads each time.
 */
import type { Id } from '../base/types';

export type Once = <T>(
  what: readonly [kind: string, ...ids: (Id | null | undefined)[]],
  read: () => Promise<T>,
) => Promise<T>;

export function makeOnce(): Once {
  const kept = new Map<string, Promise<unknown>>();
  return <T>(what: readonly (string | null | undefined)[], read: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(what);
    const found = (kept.get(key) as Promise<T> | undefined) ?? read();
    kept.set(key, found);
    return found;
  };
}

export function readOnce<T>(
  { once }: { readonly once?: Once },
  what: Parameters<Once>[0],
  read: () => Promise<T>,
): Promise<T> {
  return once ? once(what, read) : read();
}
