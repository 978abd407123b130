/** groups: what is asked singly is answered in groups: all who wait while one group is under way make the next one. */

type Waiting<Item, Answer> = { readonly item: Item; readonly done: (answer: Answer) => void; readonly failed: (error: unknown) => void };

/**
 * @param most how many one group may hold
 * @param work answers all of a group, in their order; it begins after each of them was asked. When it fails, all of them fail
 */
export const inGroups = <Item, Answer>(most: number, work: (items: readonly Item[]) => Promise<readonly Answer[]>): ((item: Item) => Promise<Answer>) => {
  const waiting: Waiting<Item, Answer>[] = [];
  let running = false;

  const settle = async (group: readonly Waiting<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await work(group.map(({ item }) => item));
      group.forEach(({ done }, index) => done(answers[index]!));
    } catch (error) {
      group.forEach(({ failed }) => failed(error));
    }
  };

  const run = async (): Promise<void> => {
    running = true;
    // Lets every request of this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      await settle(waiting.splice(0, most));
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
