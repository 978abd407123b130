/**
 * picture-maker: has files drawn, and their words read, outside the server's process, one after another. The process starts with the first
 * file and ends when nobody has asked for a while.
 */
import { errors } from '../../base/errors';
import { TurnQueue, type Waiting } from '../../base/turns/turn-queue';
import { ReaderChild, startShutIn } from '../readers/reader-child';
import type { Drawing, FromPictures, Problem, Result, Task, ToDraw, ToRead, Words } from './picture-messages';

export type PictureMaker = {
  /**
   * @param owner the principal for whom it is drawn; each has a queue, and the queues take turns
   * @throws AppError unavailable when too much waits, or the process does not work
   */
  readonly draw: (task: ToDraw, owner: string) => Promise<Drawing>;
  /** The words of a file. @throws as `draw` */
  readonly read: (task: ToRead, owner: string) => Promise<Words | { readonly problem: Problem }>;
  readonly close: () => Promise<void>;
};

/** The files that may wait, in bytes. */
const QUEUE_BYTES = 160_000_000;
/** What every waiting job counts at least, so that small files cannot wait in thousands. */
const LEAST_SIZE = 131_072;
const IDLE_MILLISECONDS = 60_000;
const HEAP_MEGABYTES = 512;
/** How often a file is tried again whose process was ended by somebody else. */
const DEATHS_ALLOWED = 1;

type Job = Waiting & {
  readonly task: Task;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  deaths: number;
};

type Child = ReaderChild<Task, FromPictures>;

class Pictures implements PictureMaker {
  private readonly queue = new TurnQueue<Job>(QUEUE_BYTES);
  private child: Child | undefined;
  private job: Job | undefined;
  private idle: NodeJS.Timeout | undefined;
  private closing = false;

  /** @param seconds the limit of processor time for one picture */
  constructor(private readonly seconds: number) {}

  async draw(task: ToDraw, owner: string): Promise<Drawing> {
    const result = await this.ask(task, owner);
    return 'words' in result ? { problem: 'broken' } : result;
  }

  async read(task: ToRead, owner: string): Promise<Words | { readonly problem: Problem }> {
    const result = await this.ask(task, owner);
    return 'drawn' in result ? { problem: 'broken' } : result;
  }

  private ask(task: Task, owner: string): Promise<Result> {
    return new Promise((resolve, reject) => {
      const job: Job = { owner, size: Math.max(LEAST_SIZE, task.bytes.length), task, resolve, reject, deaths: 0 };
      if (this.closing) {
        reject(errors.unavailable('the service is stopping'));
        return;
      }
      for (const refused of this.queue.add(job)) {
        refused.reject(errors.unavailable('too many pictures are waiting to be made'));
      }
      this.next();
    });
  }

  async close(): Promise<void> {
    this.closing = true;
    this.queue.drop(() => true).forEach(({ reject }) => reject(errors.unavailable('the service is stopping')));
    const { child } = this;
    this.stop();
    await child?.ended;
  }

  private next(): void {
    if (this.job || this.closing) {
      return;
    }
    clearTimeout(this.idle);
    this.job = this.queue.take(() => true);
    if (this.job) {
      this.child ??= this.start();
      this.child.send(this.job.task, this.seconds);
    } else {
      this.idle = setTimeout(() => this.stop(), IDLE_MILLISECONDS);
      this.idle.unref();
    }
  }

  private start(): Child {
    const child: Child = new ReaderChild<Task, FromPictures>(
      {
        message: ({ result, worn }) => {
          child.settle();
          if (worn) {
            this.stop();
          }
          this.finish((job) => job.resolve(result));
        },
        end: (reason) => this.ended(child, reason),
      },
      startShutIn({ script: '../pictures/picture-process.js', heap: HEAP_MEGABYTES, stdin: 'ignore' }, []),
    );
    return child;
  }

  /** Ends the process. The next file gets another one. */
  private stop(): void {
    clearTimeout(this.idle);
    const { child } = this;
    this.child = undefined;
    child?.kill(null);
  }

  private finish(tell: (job: Job) => void, hitLimit = false): void {
    const { job } = this;
    this.job = undefined;
    if (job) {
      this.queue.ended(job, hitLimit);
      tell(job);
    }
    this.next();
  }

  /** @param reason why the service ended it, or that it needed too much memory; null: somebody else did */
  private ended(child: Child, reason: string | null): void {
    if (this.child !== child) {
      return;
    }
    this.child = undefined;
    const { job } = this;
    if (job && reason === null && job.deaths < DEATHS_ALLOWED && !this.closing) {
      job.deaths += 1;
      this.queue.ended(job, false);
      this.job = undefined;
      this.queue.addAgain(job);
      this.next();
    } else if (reason === null) {
      this.finish((one) => one.reject(errors.unavailable('the process that draws pictures ended')));
    } else {
      this.finish((one) => one.resolve({ problem: 'large' }), true);
    }
  }
}

/** @param seconds the limit of processor time for one picture */
export function makePictures(seconds: number): PictureMaker {
  return new Pictures(seconds);
}
