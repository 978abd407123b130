/** groups: what is asked singly is answered in groups: all who ask in one turn of the event loop, or while one group is under way, make one. */

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly done: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
};

type Work<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

const settle = async <Item, Answer>(
  group: readonly Waiting<Item, Answer>[],
  work: Work<Item, Answer>,
): Promise<void> => {
  try {
    const answers = await work(group.map(({ item }) => item));
    group.forEach(({ done }, index) => done(answers[index]!));
  } catch (error) {
    group.forEach(({ failed }) => failed(error));
  }
};

/**
 * Groups of one turn of the event loop, none of which waits for another.
 * @param most how many one group may hold
 * @param work answers all of a group, in their order; it begins after each of them was asked. When it fails, all of them fail
 */
export const perTurn = <Item, Answer>(most: number, work: Work<Item, Answer>): ((item: Item) => Promise<Answer>) => {
  let waiting: Waiting<Item, Answer>[] = [];

  const begin = (): void => {
    const asked = waiting;
    waiting = [];
    for (let first = 0; first < asked.length; first += most) {
      void settle(asked.slice(first, first + most), work);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) {
        setImmediate(begin);
      }
      waiting.push({ item, done: resolve, failed: reject });
    });
};

/**
 * As `perTurn`, with one group under way at a time: who asks meanwhile waits for the next, which is the larger for it.
 * @param most how many one group may hold
 * @param work as in `perTurn`
 */
export const inGroups = <Item, Answer>(most: number, work: Work<Item, Answer>): ((item: Item) => Promise<Answer>) => {
  const waiting: Waiting<Item, Answer>[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    // Lets every request of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      await settle(waiting.splice(0, most), work);
    }
    running = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, done: resolve, failed: reject });
      if (!running) {
        void run();
      }
    });
};
