/** one-by-one: pieces of work under the same key wait for each other, so that a form that is sent twice does nothing twice. */

/** Runs the work when all earlier work under its key has ended, whether that succeeded or not; other keys do not wait. */
type OneByOne = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Of this process alone; what must hold among processes needs the database. */
export function newOneByOne(): OneByOne {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) {
        last.delete(key);
      }
    }
  };
}
