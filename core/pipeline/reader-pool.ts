/** reader-pool: hands documents to reader processes, with a time limit, and replaces those that hang, crash or grow. */
import type { ChildProcess } from 'node:child_process';
import { AppError, errors, SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import type { Models } from '../datamodel/models';
import { entriesOf, type Entries, type Entry } from './entries';
import { startReaderProcess } from './reader-child';
import { MEMORY_SIGNAL, type FromReader, type ToReader } from './reader-messages';
import type { ReadDocument } from './steps';

export type ReaderSettings = Pick<Config, 'pipelineConfigDirs' | 'vocabBase' | 'maxDocumentBytes' | 'transformSeconds' | 'xmlWorkers'>;

/** Reads documents outside the server's process: parsing, validating and transforming cannot stall or crash it. */
export type DocumentReader = {
  /** Stages one to three of the pipeline. @throws AppError too_large, invalid_document, transform_failed, unavailable */
  readonly read: (bytes: Buffer) => Promise<ReadDocument>;
  /** Well-formedness and type only: for documents that are kept as they are. @throws as `read` */
  readonly inspect: (bytes: Buffer) => Promise<{ readonly type: string }>;
  /** Takes a new configuration for later documents. @throws SetupError with every problem; then the old one stays */
  readonly reload: (settings: ReaderSettings, models: Models) => Promise<void>;
  /** The document formats in use now. */
  readonly entries: Entries;
  readonly close: () => Promise<void>;
};

type Done = Extract<FromReader, { kind: 'done' }>['result'];
type Job = { readonly kind: 'read' | 'inspect'; readonly bytes: Buffer; readonly resolve: (result: Done) => void; readonly reject: (error: Error) => void; deaths: number };
type Reader = { readonly process: ChildProcess; ready: boolean; worked: boolean; job: Job | null; timer: NodeJS.Timeout | null; killedFor: string | null };

/** Loading may compile a hundred schemas; one that takes longer than this is a trap. */
const LOAD_SECONDS = 60;
/** A reader that died for no known reason gets its document a second chance on another one. */
const DEATHS_ALLOWED = 1;
const QUEUE_BYTES = 268_435_456;
const RESTART_MILLISECONDS = 250;
const FAILED_STARTS = 5;

const TOO_SLOW = (seconds: number): string => `it took longer than ${seconds} seconds`;
const TOO_BIG = 'it needed too much memory';
const DIED = 'the process that read it ended';

/** One configuration with its processes: jobs in, results out. */
class Generation {
  entries: Entries = entriesOf([]);
  private readonly readers = new Set<Reader>();
  private queue: Job[] = [];
  private queuedBytes = 0;
  private closing = false;
  private failedStarts = 0;
  private onIdle: (() => void) | null = null;

  constructor(private readonly settings: ReaderSettings, private readonly models: Models) {}

  /** @throws SetupError with every problem of the configuration */
  async open(): Promise<void> {
    const { pipelineConfigDirs: folders, vocabBase, maxDocumentBytes: maxBytes } = this.settings;
    const first = this.start({ kind: 'load', folders, vocabBase, models: this.models.all, maxBytes });
    try {
      this.entries = entriesOf(await this.loaded(first));
    } catch (error) {
      await this.close();
      throw error;
    }
    this.watch(first);
    this.becomeReady(first);
    for (let started = 1; started < this.settings.xmlWorkers; started += 1) {
      this.startAnother();
    }
  }

  submit(kind: Job['kind'], bytes: Buffer): Promise<Done> {
    return new Promise((resolve, reject) => {
      if (this.queuedBytes + bytes.length > QUEUE_BYTES && this.queue.length > 0) {
        reject(errors.unavailable('too many documents are waiting to be read'));
        return;
      }
      this.queuedBytes += bytes.length;
      this.queue.push({ kind, bytes, resolve, reject, deaths: 0 });
      this.handOut();
    });
  }

  /** Waits for the jobs under way and waiting, then ends the processes. */
  async close(): Promise<void> {
    if (this.queue.length > 0 || [...this.readers].some(({ job }) => job)) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    }
    this.closing = true;
    await Promise.all([...this.readers].map(({ process: child }) => new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    })));
  }

  private start(message: ToReader): Reader {
    const child = startReaderProcess();
    const reader: Reader = { process: child, ready: false, worked: false, job: null, timer: null, killedFor: null };
    this.readers.add(reader);
    child.on('error', () => child.kill('SIGKILL'));
    child.send(message, () => undefined);
    return reader;
  }

  private startAnother(): void {
    if (this.closing) {
      return;
    }
    const reader = this.start({ kind: 'start', entries: this.entries.all, models: this.models.all, maxBytes: this.settings.maxDocumentBytes });
    this.limit(reader, LOAD_SECONDS);
    this.watch(reader);
  }

  private loaded(reader: Reader): Promise<readonly Entry[]> {
    let compiling = 'the configuration';
    return new Promise((resolve, reject) => {
      const refuse = (problems: readonly string[]): void => {
        clearTimeout(reader.timer ?? undefined);
        reader.process.removeAllListeners('exit');
        reader.process.once('exit', () => this.readers.delete(reader));
        reject(new SetupError(problems));
      };
      this.limit(reader, LOAD_SECONDS);
      reader.process.once('exit', (_code, signal) =>
        refuse([`${compiling}:1: loading this format ${reader.killedFor ? `took longer than ${LOAD_SECONDS} seconds` : signal === MEMORY_SIGNAL ? 'needs too much memory' : 'ends the process that does it'}`]));
      reader.process.on('message', (message: FromReader) => {
        if (message.kind === 'compiling') {
          compiling = message.file;
        } else if (message.kind === 'refused') {
          refuse(message.problems);
        } else if (message.kind === 'ready') {
          reader.process.removeAllListeners('exit');
          reader.process.removeAllListeners('message');
          resolve(message.entries);
        }
      });
    });
  }

  private watch(reader: Reader): void {
    reader.process.on('message', (message: FromReader) => this.receive(reader, message));
    reader.process.once('exit', (_code, signal) => this.replace(reader, signal));
  }

  private limit(reader: Reader, seconds: number): void {
    clearTimeout(reader.timer ?? undefined);
    reader.timer = setTimeout(() => {
      reader.killedFor = TOO_SLOW(seconds);
      reader.process.kill('SIGKILL');
    }, seconds * 1000);
  }

  private becomeReady(reader: Reader): void {
    clearTimeout(reader.timer ?? undefined);
    reader.ready = true;
    reader.worked = true;
    this.failedStarts = 0;
    this.handOut();
  }

  private receive(reader: Reader, message: FromReader): void {
    if (message.kind === 'ready') {
      this.becomeReady(reader);
    } else if (message.kind === 'refused') {
      reader.process.kill('SIGKILL');
    } else if (message.kind !== 'compiling') {
      this.finish(reader, message);
    }
  }

  private finish(reader: Reader, message: Extract<FromReader, { worn: boolean }>): void {
    clearTimeout(reader.timer ?? undefined);
    const { job } = reader;
    reader.job = null;
    if (message.worn) {
      reader.ready = false;
      reader.process.kill('SIGKILL');
    }
    if (message.kind === 'done') {
      job?.resolve(message.result);
    } else {
      job?.reject(message.kind === 'failed'
        ? new AppError(message.status, message.code, message.message, message.details)
        : new Error(`a reader process failed: ${message.reason}`));
    }
    this.handOut();
  }

  /** What to do when a process has ended: its job, if any, is answered or tried again; another process takes its place. */
  private replace(reader: Reader, signal: NodeJS.Signals | null): void {
    clearTimeout(reader.timer ?? undefined);
    this.readers.delete(reader);
    const { job } = reader;
    reader.job = null;
    const reason = reader.killedFor ?? (signal === MEMORY_SIGNAL ? TOO_BIG : null);
    if (job && reason === null && job.deaths < DEATHS_ALLOWED) {
      job.deaths += 1;
      this.queue.unshift(job);
      this.queuedBytes += job.bytes.length;
    } else {
      job?.reject(errors.transformFailed(reason ?? DIED));
    }
    this.restart(reader.worked);
    this.handOut();
  }

  private restart(worked: boolean): void {
    if (this.closing) {
      return;
    }
    this.failedStarts += worked ? 0 : 1;
    if (this.failedStarts >= FAILED_STARTS && ![...this.readers].some(({ ready }) => ready)) {
      this.queue.splice(0).forEach((job) => job.reject(errors.unavailable('documents cannot be read at present')));
      this.queuedBytes = 0;
    }
    setTimeout(() => this.startAnother(), worked ? 0 : RESTART_MILLISECONDS * this.failedStarts).unref();
  }

  private handOut(): void {
    for (const reader of this.readers) {
      const job = reader.ready && !reader.job ? this.queue.shift() : undefined;
      if (job) {
        this.queuedBytes -= job.bytes.length;
        reader.job = job;
        this.limit(reader, this.settings.transformSeconds);
        reader.process.send({ kind: job.kind, bytes: job.bytes } satisfies ToReader, () => undefined);
      }
    }
    if (this.onIdle && this.queue.length === 0 && ![...this.readers].some(({ job }) => job)) {
      this.onIdle();
    }
  }
}

/**
 * Loads the pipeline configuration, compiles all of it, and starts the reader processes.
 * @throws SetupError with every problem of the configuration, `file:line: reason`
 */
export const openReader = async (settings: ReaderSettings, models: Models): Promise<DocumentReader> => {
  let current = new Generation(settings, models);
  await current.open();
  return {
    read: async (bytes) => (await current.submit('read', bytes)) as ReadDocument,
    inspect: async (bytes) => (await current.submit('inspect', bytes)) as { type: string },
    reload: async (newSettings, newModels) => {
      const next = new Generation(newSettings, newModels);
      await next.open();
      const last = current;
      current = next;
      void last.close();
    },
    get entries() {
      return current.entries;
    },
    close: () => current.close(),
  };
};
