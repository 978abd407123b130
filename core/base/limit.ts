/** limit: a few at a time. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `most` run at the same time; the others wait in the order in which they came. */
export const limit = (most: number): Limit => {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) {
      free -= 1;
    } else {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        free += 1;
      }
    }
  };
};
