/**
 * limit: lets only a few works run at the same time; the others wait in the order of their calls, or with each owner in
 * turn.
 */
type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `most` run at the same time; the others wait in the order in which they came. */
export function limit(most: number): Limit {
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
}

/** An owner of work, or for example a network and a name in it: networks take turns, and in each its names. */
export type TurnOwner = string | readonly [outer: string, inner: string];

type LimitInTurn = <T>(owner: TurnOwner, work: () => Promise<T>) => Promise<T>;

type Waiter = { readonly start: () => void; readonly refuse: (error: Error) => void };

/** The lines of owners, in the order of their turns. */
class Lines<Line> {
  readonly #lines = new Map<string, Line>();

  lineOf(owner: string, make: () => Line): Line {
    const line = this.#lines.get(owner) ?? make();
    this.#lines.set(owner, line);
    return line;
  }

  /**
   * Takes from the line whose turn it is, which is then the last one, or gone when it is empty.
   * @param newest from the line that came last instead
   */
  takeTurn<T>(take: (line: Line) => T, isEmpty: (line: Line) => boolean, newest = false): T | undefined {
    const turn = newest ? [...this.#lines].at(-1) : this.#lines.entries().next().value;
    if (!turn) {
      return undefined;
    }
    const [owner, line] = turn;
    const taken = take(line);
    this.#lines.delete(owner);
    if (!isEmpty(line)) {
      this.#lines.set(owner, line);
    }
    return taken;
  }

  /** Takes from the longest line. */
  takeLongest<T>(lengthOf: (line: Line) => number, take: (line: Line) => T): T {
    const [owner, line] = [...this.#lines].reduce((long, one) => (lengthOf(one[1]) > lengthOf(long[1]) ? one : long));
    const taken = take(line);
    if (lengthOf(line) === 0) {
      this.#lines.delete(owner);
    }
    return taken;
  }
}

/** Those of one outer owner who wait. */
class Crowd {
  readonly #lines = new Lines<Waiter[]>();
  size = 0;
  #newest = false;

  add(inner: string, waiter: Waiter): void {
    this.#lines.lineOf(inner, () => []).push(waiter);
    this.size += 1;
  }

  /** In turn the owner who came last, who may have come during a flood, and the one who waits longest. */
  next(): Waiter {
    this.size -= 1;
    this.#newest = !this.#newest;
    return this.#lines.takeTurn(
      (line) => line.pop()!,
      (line) => line.length === 0,
      this.#newest,
    )!;
  }

  /** The one who waits longest for the inner owner with the most. */
  drop(): Waiter {
    this.size -= 1;
    return this.#lines.takeLongest(
      (line) => line.length,
      (line) => line.shift()!,
    );
  }
}

/**
 * Lets at most `most` run at the same time. Outer owners take turns, and so do the inner ones of each, the one who came
 * last and the one who waits longest alternately. The newest work of an inner owner runs next. So a caller who comes
 * during a flood is served while the flood waits.
 * @param room how many may wait; when there are more, the oldest work of the owner with the most fails with the error
 * of `full`
 */
export function limitInTurn(most: number, room: number, full: () => Error): LimitInTurn {
  let free = most;
  let waiting = 0;
  const crowds = new Lines<Crowd>();

  const wait = (owner: TurnOwner, waiter: Waiter): void => {
    const [outer, inner] = typeof owner === 'string' ? [owner, ''] : owner;
    crowds.lineOf(outer, () => new Crowd()).add(inner, waiter);
    waiting += 1;
    if (waiting > room) {
      waiting -= 1;
      crowds
        .takeLongest(
          ({ size }) => size,
          (crowd) => crowd.drop(),
        )
        .refuse(full());
    }
  };

  const next = (): Waiter | undefined => {
    const waiter = crowds.takeTurn(
      (crowd) => crowd.next(),
      ({ size }) => size === 0,
    );
    waiting -= waiter ? 1 : 0;
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
}
