/**
 * lanes: lets long work of several people go on side by side, one piece at a time. Each person has one piece of work
 * under way, and after a while the next in the queue goes on.
 */

type Waiting = { readonly isNew: boolean; readonly go: () => void };

/** Work that has its turn. */
export type Turn = {
  /** Lets others go on if they wait and this work had its time. Resolves when it is this work's turn again. */
  readonly pause: () => Promise<void>;
};

type TurnLimits = {
  /** The time of a turn. */ readonly milliseconds: number;
  /** How many pieces of work are begun and not ended; each holds memory while it waits for its next turn. */
  readonly begun: number;
  /** A clock in milliseconds. */ readonly now?: () => number;
};

export class Lanes {
  private readonly queue: Waiting[] = [];
  private readonly lanes = new Map<string, Promise<unknown>>();
  private isBusy = false;
  private begun = 0;

  constructor(private readonly limits: TurnLimits) {}

  /** @param owner whose work it is: work of the same owner is done one after the other */
  run<T>(owner: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const before = this.lanes.get(owner) ?? Promise.resolve();
    const result = before.then(() => this.begin(work));
    const ended = result
      .catch(() => undefined)
      .then(() => {
        if (this.lanes.get(owner) === ended) {
          this.lanes.delete(owner);
        }
      });
    this.lanes.set(owner, ended);
    return result;
  }

  private async begin<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
    const { milliseconds, now = () => performance.now() } = this.limits;
    await this.wait(true);
    let since = now();
    const pause = async (): Promise<void> => {
      if (this.queue.length > 0 && now() - since >= milliseconds) {
        this.isBusy = false;
        const turn = this.wait(false);
        this.next();
        await turn;
        since = now();
      }
    };
    try {
      return await work({ pause });
    } finally {
      this.isBusy = false;
      this.begun -= 1;
      this.next();
    }
  }

  private wait(isNew: boolean): Promise<void> {
    return new Promise((go) => {
      this.queue.push({ isNew, go });
      if (isNew) {
        this.next();
      }
    });
  }

  private next(): void {
    const found = this.queue.findIndex(({ isNew }) => !isNew || this.begun < this.limits.begun);
    if (this.isBusy || found < 0) {
      return;
    }
    const [{ isNew, go }] = this.queue.splice(found, 1) as [Waiting];
    this.isBusy = true;
    this.begun += isNew ? 1 : 0;
    go();
  }
}
