/**
 * groups: collects single calls into groups that are processed together. All calls of one turn of the event loop, or
 * all that arrive while a group is being processed, make one group.
 */

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
};

type Work<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

function settleGroup(group: readonly Waiting<unknown, unknown>[], answers: Promise<readonly unknown[]>): Promise<void> {
  return answers.then(
    (known) => group.forEach(({ done }, index) => done(known[index])),
    (error: unknown) => group.forEach(({ failed }) => failed(error)),
  );
}

/**
 * Makes groups of the calls of one turn of the event loop; no group waits for another.
 * @param most how many calls one group may hold
 * @param work returns the answers of a group, in the order of its items; it begins after all of its calls were made.
 * When it fails, all of them fail
 */
export function perTurn<Item, Answer>(most: number, work: Work<Item, Answer>): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];

  const begin = (): void => {
    const asked = waiting;
    waiting = [];
    for (let first = 0; first < asked.length; first += most) {
      const group = asked.slice(first, first + most);
      void settleGroup(group as Waiting<unknown, unknown>[], work(group.map(({ item }) => item)));
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) {
        setImmediate(begin);
      }
      waiting.push({ item, done: resolve, failed: reject });
    });
}

/** A group that has begun. */
export type Begun<Answer> = {
  /** One for each item, in their order. When it rejects, all calls of the group fail. */
  readonly answers: Promise<readonly Answer[]>;
  /** The next group begins when this has settled, which may be before the answers are known. */
  readonly next: Promise<unknown>;
};

/**
 * Begins one group after the other. Calls that arrive meanwhile wait for the next group.
 * @param most how many calls one group may hold
 * @param begin starts the work of a group; it does not throw
 * @param laneOf 0 or 1: a group holds items of one lane, and lane 1 waits while something is in lane 0
 */
export function inLine<Item, Answer>(
  most: number,
  begin: (items: readonly Item[]) => Begun<Answer>,
  laneOf: (item: Item) => 0 | 1 = () => 0,
): (item: Item) => Promise<Answer> {
  const lanes: readonly [Waiting<Item, Answer>[], Waiting<Item, Answer>[]] = [[], []];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    // Lets every request of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    for (let lane = lanes.find(({ length }) => length > 0); lane; lane = lanes.find(({ length }) => length > 0)) {
      const group = lane.splice(0, most);
      const { answers, next } = begin(group.map(({ item }) => item));
      void settleGroup(group as Waiting<unknown, unknown>[], answers);
      await next.catch(() => undefined);
    }
    running = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      lanes[laneOf(item)].push({ item, done: resolve, failed: reject });
      if (!running) {
        void run();
      }
    });
}

/**
 * As `inLine`, but a group begins only when the one before has ended.
 * @param most how many calls one group may hold
 * @param work as in `perTurn`
 */
export function inGroups<Item, Answer>(most: number, work: Work<Item, Answer>): (item: Item) => Promise<Answer> {
  return inLine(most, (items) => {
    const answers = work(items);
    return { answers, next: answers };
  });
}
