/**
 * reader-pool: runs the reader processes of one configuration. It gives them documents, and replaces processes that
 * hang, die or grow.
 */
import { dirname } from 'node:path';
import { AppError, SetupError, errors } from '../../base/errors';
import { bundledFormats } from '../../base/paths';
import type { Config } from '../../config/schema';
import type { Fact } from '../../facts/model/fact';
import type { Models } from '../../facts/model/models';
import { type Attributes, type Traced, failureOf, traced } from '../../base/tracing';
import { SLOW_MILLISECONDS, TurnQueue, type Waiting } from '../../base/turns/turn-queue';
import { type Entries, type Entry, entriesOf } from '../entries';
import type { Intake } from '../intake/intake-messages';
import type { KeptResource } from '../../fhir/kept';
import { ReaderChild, takeProcess } from './reader-child';
import type { FromReader, ReportWriters, Task } from './reader-messages';
import { ReportFailure } from '../report-modules';
import { traceOf, type ReaderTrace } from './reader-trace';
import { DocumentRefused, type ReadDocument } from '../steps';

export type ReaderSettings = Pick<
  Config,
  'pipelineConfigDirs' | 'vocabBase' | 'maxDocumentBytes' | 'transformSeconds' | 'xmlWorkers'
>;

export type Answer = Extract<FromReader, { kind: 'done' }>['result'];
type Job = Waiting & {
  readonly task: Task;
  readonly resolve: (result: Answer) => void;
  readonly reject: (error: Error) => void;
  /** Facts of a long answer that have already arrived. */
  readonly facts: Fact[];
  /** As `facts`. */
  readonly kept: KeptResource[];
  deaths: number;
  /** The trace of a request that is traced. */
  readonly trace: ReaderTrace | undefined;
};
type Reader = {
  readonly child: ReaderChild;
  /** The file that it is compiling before it is ready. */ compiling: string;
  /** Whether it has ever been ready. */ worked: boolean;
  ready: boolean;
  job: Job | null;
  /** Whether its document may take long, as far as can be told beforehand. */
  isHeavy: boolean;
  slow: NodeJS.Timeout | undefined;
  isSlow: boolean;
};

/** Loading may compile a hundred schemas, but takes no longer than this unless a schema is malicious. */
const LOAD_SECONDS = 60;
/** If a reader dies for an unknown reason, another reader tries its document this many times more. */
const DEATHS_ALLOWED = 1;
/**
 * How long to wait before a retry: whatever killed one reader may be killing all of them, and their ends are noticed
 * one after the other.
 */
const RETRY_MILLISECONDS = 50;
const QUEUE_BYTES = 268_435_456;
/**
 * Documents of this size, modules that write reports, and documents of a principal whose others took long never occupy
 * the last reader, so that small documents keep moving.
 */
const BIG_DOCUMENT = 1_000_000;
/**
 * For a principal of whom nothing is known yet, documents above this size are treated likewise: otherwise the first
 * documents of a flood would occupy all readers.
 */
const BIG_FIRST_DOCUMENT = 250_000;
const FACT_BYTES = 1000;
const RESTART_MILLISECONDS = 250;
const FAILED_STARTS = 5;

function sizeOf(task: Task): number {
  if (task.kind === 'print') {
    return task.data.length;
  }
  return task.kind === 'write' ? task.page.facts.length * FACT_BYTES : task.bytes.length;
}
/** Of these a fault is told to the operator, who wrote the module or the template. */
function isOwn({ kind }: Task): boolean {
  return kind === 'write' || kind === 'print';
}
function isBig({ task, size }: Job): boolean {
  return task.kind === 'write' || size > BIG_DOCUMENT;
}

/** The error for a task whose process ended. */
function endedFailure({ task }: Job, reason: string): Error {
  return isOwn(task) ? new ReportFailure(reason) : errors.transformFailed(reason);
}

/**
 * The codes with which a reader may refuse a document. Codes are counted and traced, so a reader that a document
 * controls must not invent others.
 */
const CODES = ['invalid_document', 'too_large', 'transform_failed', 'unavailable', 'out_of_order'];

function refusalOfReader(message: Extract<FromReader, { kind: 'failed' }>): AppError {
  const code = CODES.includes(message.code) ? message.code : 'transform_failed';
  return message.entry === undefined
    ? new AppError(message.status, code, message.message, message.details, message.headers)
    : new DocumentRefused(message.entry, { ...message, code });
}

function brokenFailure({ task }: Job, reason: string): Error {
  return isOwn(task) ? new ReportFailure(reason) : new Error(`a reader process failed: ${reason}`);
}

function notLoaded(file: string, reason: string | null): string {
  return `${file}:1: it cannot be loaded: ${reason ?? 'the process that did it ended'}`;
}

function restKey({ file, method }: Extract<Task, { kind: 'write' }>): string {
  return `${method} ${file}`;
}

/**
 * Reports to the operator why processes that were started later could not use all of a configuration that worked when
 * it was loaded.
 */
export type TellProblems = (problems: readonly string[]) => void;

type Loaded = {
  readonly entries: readonly Entry[];
  readonly intakes: readonly Intake[];
  readonly writers: ReportWriters;
};

/** An answer with what was sent ahead of it. */
function withSentAhead(read: ReadDocument, { facts, kept }: Pick<Job, 'facts' | 'kept'>): ReadDocument {
  return {
    ...read,
    facts: facts.length > 0 ? [...facts, ...read.facts] : read.facts,
    ...(read.kept ? { kept: kept.length > 0 ? [...kept, ...read.kept] : read.kept } : {}),
  };
}

export class ReaderPool {
  entries: Entries = entriesOf([]);
  writers: ReportWriters = [];
  private readonly readers = new Set<Reader>();
  private readonly queue = new TurnQueue<Job>(QUEUE_BYTES);
  /**
   * Functions of modules that hung, and the time until which they are not called: otherwise the callers that wait for
   * one would keep one reader after another busy.
   */
  private readonly resting = new Map<string, number>();
  private closing = false;
  private failedStarts = 0;
  private whenIdle: (() => void) | undefined;

  constructor(
    private readonly settings: ReaderSettings,
    private readonly models: Models,
    private readonly tell: TellProblems,
  ) {}

  /** Loads and compiles the configuration. @throws SetupError with all its problems */
  async open(): Promise<void> {
    try {
      const { entries, intakes, writers } = await this.load();
      this.entries = entriesOf(entries, intakes);
      this.writers = writers;
    } catch (error) {
      await this.close();
      throw error;
    }
    for (let started = this.readers.size; started < this.settings.xmlWorkers; started += 1) {
      this.startAnother();
    }
  }

  /**
   * As many documents as there are processes, but no more than the queue can hold, because at first no process is
   * ready.
   */
  get atOnce(): number {
    return Math.max(1, Math.min(this.settings.xmlWorkers, Math.floor(QUEUE_BYTES / this.settings.maxDocumentBytes)));
  }

  /** @param owner the principal for whom the work is done; each principal has a queue of their own */
  submit(task: Task, owner: string): Promise<Answer> {
    const size = sizeOf(task);
    return traced(`document ${task.kind}`, { 'svc.bytes': size }, (span) => this.wait(task, owner, size, span));
  }

  private wait(task: Task, owner: string, size: number, span: Traced | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const job: Job = { owner, task, size, resolve, reject, facts: [], kept: [], deaths: 0, trace: traceOf(span) };
      for (const refused of this.queue.add(job)) {
        refused.reject(errors.unavailable('too many documents are waiting to be read'));
      }
      this.dropResting();
      this.handOut();
    });
  }

  /** Waits for the running and waiting documents, then ends the processes. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.whenIdle = resolve;
      this.tellWhenIdle();
    });
    this.closing = true;
    await Promise.all(
      [...this.readers].map(({ child }) => {
        child.kill(null);
        return child.ended;
      }),
    );
  }

  private load(): Promise<Loaded> {
    const { pipelineConfigDirs: folders, vocabBase, maxDocumentBytes: maxBytes } = this.settings;
    let compiling = folders.join(':');
    let reader: Reader | undefined;
    return new Promise((resolve, reject) => {
      const events = {
        message: (message: FromReader): void => {
          if (message.kind === 'compiling') {
            compiling = message.file;
          } else if (message.kind === 'refused') {
            reject(new SetupError(message.problems));
            child.kill(null);
          } else if (message.kind === 'ready') {
            reader = this.add(child);
            resolve(message);
            this.becomeReady(reader);
          } else if (reader) {
            this.receive(reader, message);
          }
        },
        end: (reason: string | null): void => {
          if (reader) {
            this.replace(reader, reason);
          }
          reject(new SetupError([notLoaded(compiling, reason)]));
        },
      };
      const child: ReaderChild = new ReaderChild(events, takeProcess(this.folders()));
      child.send({ kind: 'load', folders, vocabBase, models: this.models.all, maxBytes }, LOAD_SECONDS);
    });
  }

  /** The folders of formats, including those of the service, and of the models' modules. */
  private folders(): readonly string[] {
    const modules = this.models.all.flatMap(({ serializers }) =>
      serializers === undefined ? [] : [dirname(serializers)],
    );
    return [...new Set([...this.settings.pipelineConfigDirs, bundledFormats, ...modules])];
  }

  private add(child: ReaderChild): Reader {
    const reader: Reader = {
      child,
      compiling: this.settings.pipelineConfigDirs.join(':'),
      worked: false,
      ready: false,
      job: null,
      isHeavy: false,
      slow: undefined,
      isSlow: false,
    };
    this.readers.add(reader);
    return reader;
  }

  private startAnother(): void {
    if (this.closing) {
      return;
    }
    const reader: Reader = this.add(
      new ReaderChild(
        {
          message: (message) => this.receive(reader, message),
          end: (reason) => this.replace(reader, reason),
        },
        takeProcess(this.folders()),
      ),
    );
    reader.child.send(
      { kind: 'start', entries: this.entries.all, models: this.models.all, maxBytes: this.settings.maxDocumentBytes },
      LOAD_SECONDS,
    );
  }

  private becomeReady(reader: Reader): void {
    reader.child.settle();
    reader.ready = true;
    reader.worked = true;
    this.failedStarts = 0;
    this.handOut();
  }

  private receive(reader: Reader, message: FromReader): void {
    if (message.kind === 'ready') {
      if (message.problems.length > 0) {
        this.tell(message.problems);
      }
      this.becomeReady(reader);
    } else if (message.kind === 'refused') {
      this.tell(message.problems);
      reader.child.kill(null);
    } else if (message.kind === 'compiling') {
      reader.compiling = message.file;
    } else if (message.kind === 'facts') {
      reader.job?.facts.push(...message.facts);
    } else if (message.kind === 'kept') {
      reader.job?.kept.push(...message.kept);
    } else {
      this.finish(reader, message);
    }
  }

  private finish(reader: Reader, message: Extract<FromReader, { worn: boolean }>): void {
    reader.child.settle();
    const job = this.release(reader, false, message.processor);
    job?.trace?.over(this.told(message, job), message.marks);
    if (message.worn || this.quickReaders() > this.settings.xmlWorkers) {
      reader.ready = false;
      reader.child.kill(null);
    }
    if (message.kind === 'done') {
      const { result } = message;
      job?.resolve('facts' in result ? withSentAhead(result, job) : result);
    } else {
      job?.reject(message.kind === 'failed' ? refusalOfReader(message) : brokenFailure(job, message.reason));
    }
    this.handOut();
    this.tellWhenIdle();
  }

  /** What a reader's answer says of the document, in names of formats and codes that are known here, and in numbers. */
  private told(message: Extract<FromReader, { worn: boolean }>, job: Job): Attributes {
    const facts = message.kind === 'done' && 'facts' in message.result ? message.result : undefined;
    const name = message.kind === 'failed' ? message.entry : facts?.entry;
    const format = this.entries.all.find((entry) => entry.name === name)?.name;
    return {
      'svc.processor_ms': Number(message.processor),
      ...(format === undefined ? {} : { 'svc.format': format }),
      ...(facts ? { 'svc.facts': job.facts.length + facts.facts.length } : {}),
      ...(message.kind === 'failed' ? failureOf(refusalOfReader(message)) : {}),
      ...(message.kind === 'broken' ? { 'error.type': 'broken' } : {}),
    };
  }

  /** @param hitLimit true when the service ended the process because it used too much time or memory */
  private release(reader: Reader, hitLimit: boolean, processor?: number): Job | null {
    const { job } = reader;
    if (job) {
      this.queue.ended(job, hitLimit, processor);
    }
    clearTimeout(reader.slow);
    reader.isSlow = false;
    reader.isHeavy = false;
    reader.job = null;
    return job;
  }

  /** Handles the end of a process: its document, if any, is answered or retried, and another process replaces it. */
  private replace(reader: Reader, reason: string | null): void {
    this.readers.delete(reader);
    const job = this.release(reader, reason !== null);
    if (job && reason === null && job.deaths < DEATHS_ALLOWED) {
      this.tryAgain(job);
    } else {
      job?.trace?.over({ 'error.type': reason === null ? 'reader_ended' : 'over_limit' });
      job?.reject(endedFailure(job, reason ?? 'the process that read it ended'));
      if (job?.task.kind === 'write') {
        this.resting.set(restKey(job.task), Date.now() + this.settings.transformSeconds * 1000);
        this.dropResting();
      }
      this.handOut();
    }
    if (!reader.worked && !this.closing) {
      this.tell([notLoaded(reader.compiling, reason)]);
    }
    this.restart(reader.worked);
    this.tellWhenIdle();
  }

  private tryAgain(job: Job): void {
    job.deaths += 1;
    job.trace?.again();
    job.facts.length = 0;
    job.kept.length = 0;
    this.queue.addAgain(job);
    setTimeout(() => this.handOut(), RETRY_MILLISECONDS);
  }

  private restart(worked: boolean): void {
    this.failedStarts += worked ? 0 : 1;
    if (this.failedStarts >= FAILED_STARTS && ![...this.readers].some(({ ready }) => ready)) {
      this.queue
        .drop(() => true)
        .forEach((job) => job.reject(errors.outOfOrder('the processes that read documents do not start')));
    }
    if (this.readers.size < this.settings.xmlWorkers) {
      setTimeout(
        () => this.startAnother(),
        worked ? 0 : RESTART_MILLISECONDS * Math.min(this.failedStarts, FAILED_STARTS),
      );
    }
  }

  private isResting({ task }: Job): boolean {
    return task.kind === 'write' && (this.resting.get(restKey(task)) ?? 0) > Date.now();
  }

  private dropResting(): void {
    for (const job of this.queue.drop((waiting) => this.isResting(waiting))) {
      job.reject(new ReportFailure('it is left alone for a while after it hung or ended its process'));
    }
  }

  private isHeavy(job: Job): boolean {
    const { owner, size } = job;
    return isBig(job) || this.queue.isSlow(owner) || (size > BIG_FIRST_DOCUMENT && !this.queue.isKnown(owner));
  }

  /**
   * Whether a job may be started now. One of the readers that are not slow, stand-ins included, is reserved for jobs
   * that are not heavy, if there are at least two. While any reader is slow, the reserved one must be ready, because a
   * reader that was just started takes seconds on a busy machine. A principal whose documents take long never has more
   * readers than there are without stand-ins.
   */
  private mayTake(job: Job): boolean {
    if (!this.isHeavy(job)) {
      return true;
    }
    const { xmlWorkers } = this.settings;
    const share = Math.max(1, xmlWorkers - 1);
    const readers = [...this.readers];
    const slow = readers.filter(({ isSlow }) => isSlow).length;
    const room = slow === 0 ? share : Math.min(xmlWorkers, 2 * xmlWorkers - slow) - 1;
    const heavy = readers.filter((reader) => reader.isHeavy && !reader.isSlow).length;
    const light = readers.filter((reader) => reader.ready && !reader.isHeavy).length;
    if (slow > 0 && light < 2) {
      return false;
    }
    const own = readers.filter((reader) => reader.job?.owner === job.owner);
    return (
      heavy < room &&
      (!this.queue.isSlow(job.owner) || (own.length < xmlWorkers && own.filter(({ isSlow }) => !isSlow).length < share))
    );
  }

  private handOut(): void {
    for (const reader of this.readers) {
      if (this.queue.length === 0) {
        return;
      }
      const job = reader.ready && !reader.job ? this.queue.take((one) => this.mayTake(one)) : undefined;
      if (job) {
        this.give(reader, job);
      }
    }
  }

  private give(reader: Reader, job: Job): void {
    reader.job = job;
    reader.isHeavy = this.isHeavy(job);
    reader.slow = setTimeout(() => this.standIn(reader), SLOW_MILLISECONDS);
    job.trace?.given();
    reader.child.send(job.trace ? { ...job.task, timed: true } : job.task, this.settings.transformSeconds);
  }

  private quickReaders(): number {
    return [...this.readers].filter(({ isSlow }) => !isSlow).length;
  }

  private standIn(reader: Reader): void {
    reader.isSlow = true;
    if (this.quickReaders() < this.settings.xmlWorkers && this.readers.size < 2 * this.settings.xmlWorkers) {
      this.startAnother();
    }
    // Heavy documents may have waited until this reader became slow, which makes room for them.
    this.handOut();
  }

  private tellWhenIdle(): void {
    if (this.queue.length === 0 && ![...this.readers].some(({ job }) => job)) {
      this.whenIdle?.();
    }
  }
}
