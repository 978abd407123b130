/**
 * limit: lets only a few works run at the same time; the others wait in the order of their calls, or with each owner in
 * turn.
 */
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

export type LimitInTurn = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

type Waiter = { readonly start: () => void; readonly refuse: (error: Error) => void };

/**
 * Lets at most `most` run at the same time. Owners take turns, and the newest work of an owner runs next, so that a
 * caller who comes during a flood is served while the flood waits.
 * @param room how many may wait; when there are more, the oldest work of the owner with the most fails with the error
 * of `full`
 */
export const limitInTurn = (most: number, room: number, full: () => Error): LimitInTurn => {
  let free = most;
  let waiting = 0;
  // The owners, in the order of their turns.
  const lines = new Map<string, Waiter[]>();

  const wait = (owner: string, waiter: Waiter): void => {
    const line = lines.get(owner);
    if (line) {
      line.push(waiter);
    } else {
      lines.set(owner, [waiter]);
    }
    waiting += 1;
    if (waiting > room) {
      const [longest, crowd] = [...lines].reduce((long, one) => (one[1].length > long[1].length ? one : long));
      crowd.shift()!.refuse(full());
      waiting -= 1;
      if (crowd.length === 0) {
        lines.delete(longest);
      }
    }
  };

  const next = (): Waiter | undefined => {
    const [turn] = lines;
    if (!turn) {
      return undefined;
    }
    const [owner, line] = turn;
    const waiter = line.pop();
    waiting -= 1;
    lines.delete(owner);
    if (line.length > 0) {
      lines.set(owner, line);
    }
    return waiter;
  };

  return async (owner, work) => {
    if (free > 0) {
      free -= 1;
    } else {
      await new Promise<void>((start, refuse) => wait(owner, { start, refuse }));
    }
    try {
      return await work();
    } finally {
      const waiter = next();
      if (waiter) {
        waiter.start();
      } else {
        free += 1;
      }
    }
  };
};
