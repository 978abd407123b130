/**
 * reader-child: one reader process, cut off from the terminal, the environment and the server's secrets, with a time
 * limit.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { newToken } from '../../base/ids';
import { scratchFolder } from '../../base/scratch';
import { programPath } from '../../config/environment';
import { keepGroup, killGroup } from './process-groups';
import { MEMORY_SIGNAL, type FromReader, type ToReader } from './reader-messages';
import { isShown, shutIn } from './reader-sandbox';
import { processorSeconds, timeLeft } from './time-limit';

/** An open file without a name, from which the process can read back what its native engines write to stderr. */
function openNamelessFile(): number {
  const path = join(scratchFolder(), `svc-reader-${newToken()}`);
  const file = openSync(path, 'ax+', 0o600);
  unlinkSync(path);
  return file;
}

/** Readers get no environment: no secret, no database address, and UTC as their time zone. */
const environment = { TZ: 'UTC', NODE_NO_WARNINGS: '1' };

type Program = {
  readonly script: string;
  /** The limit of the heap in megabytes. */
  readonly heap: number;
  readonly stdin: 'ignore' | 'pipe';
};

/**
 * Starts a process that runs a script of this folder, in a sandbox if the machine has one. End it with `killGroup`.
 * @param folders folders that it may read in addition to the service's own code
 */
export function startShutIn({ script, heap, stdin }: Program, folders: readonly string[]): ChildProcess {
  const complaints = openNamelessFile();
  const node = [process.execPath, `--max-old-space-size=${heap}`, join(__dirname, script)];
  const [program = '', ...args] = shutIn(node, folders);
  try {
    const child = spawn(program, args, {
      detached: true,
      serialization: 'advanced',
      // The program that makes the sandbox is searched for in this PATH; it passes the environment on.
      env: program === process.execPath ? environment : { ...environment, PATH: programPath() },
      stdio: [stdin, 'ignore', complaints, 'ipc'],
    });
    keepGroup(child);
    return child;
  } finally {
    closeSync(complaints);
  }
}

function startProcess(folders: readonly string[]): ChildProcess {
  return startShutIn({ script: 'reader-process.js', heap: 768, stdin: 'ignore' }, folders);
}

let ahead: { readonly child: ChildProcess; readonly folders: readonly string[] } | undefined;

/**
 * Starts the process of the next reader ahead of time: it loads its code and the engines while the caller finds out
 * what there is to do.
 * @param folders the folders that it will read, as far as is known: it cannot get access to others later
 */
export function startReaderAhead(folders: readonly string[]): void {
  const child = startProcess(folders);
  ahead = { child, folders };
  // A process that could not be started is replaced when a reader needs one.
  child.on('error', () => undefined);
  // A command that has nothing to read ends without waiting for this process, which then ends, too.
  child.unref();
  child.channel?.unref();
}

/**
 * The process of a reader, one that was started ahead of time if there is any.
 * @param folders the folders of formats and modules; in a sandbox the process sees no others
 */
export function takeProcess(folders: readonly string[]): ChildProcess {
  const taken = ahead;
  ahead = undefined;
  if (taken?.child.exitCode !== null || taken.child.signalCode !== null) {
    return startProcess(folders);
  }
  if (!folders.every((folder) => isShown(folder, taken.folders))) {
    killGroup(taken.child);
    return startProcess(folders);
  }
  taken.child.ref();
  taken.child.channel?.ref();
  return taken.child;
}

/** The exit code of the sandbox when this signal has ended the process inside. */
const MEMORY_CODE = 128 + constants.signals[MEMORY_SIGNAL];

type ReaderEvents<From> = {
  readonly message: (message: From) => void;
  /** `reason` says why the service ended it; null when it ended by itself or somebody else killed it. */
  readonly end: (reason: string | null) => void;
};

/** Work under a time limit: when it began, and the last look at it, with the processor time of the process then. */
type Work = { readonly limit: number; readonly began: number; readonly at: number; readonly used: number };

/** By default a reader of documents; a process with another script has messages of its own. */
export class ReaderChild<To extends object = ToReader, From extends object = FromReader> {
  private timer: NodeJS.Timeout | undefined;
  private reason: string | null = null;
  /** The processor time, in seconds, that the process had used when it began what it does. */
  private usedBefore = 0;
  readonly ended: Promise<void>;

  /** @param child started by `startShutIn` or `takeProcess` */
  constructor(
    events: ReaderEvents<From>,
    private readonly child: ChildProcess,
  ) {
    this.child.on('error', () => this.kill(null));
    this.child.on('message', (message: From) => {
      this.usedBefore = 'total' in message ? Number(message.total) : this.usedBefore;
      events.message(message);
    });
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        clearTimeout(this.timer);
        resolve();
        events.end(
          this.reason ?? (signal === MEMORY_SIGNAL || code === MEMORY_CODE ? 'it needed too much memory' : null),
        );
      });
    });
  }

  /** Sends a message. If it takes more than `seconds` of processor time, or waits so long, the process is killed. */
  send(message: To, seconds: number): void {
    const began = performance.now();
    this.look({ limit: seconds, began, at: began, used: this.usedBefore }, seconds);
    // A process that has already ended is reported by its `end` event.
    this.child.send(message, () => undefined);
  }

  /** Looks after some seconds whether the time of the work is over, and goes on looking while it is not. */
  private look(work: Work, seconds: number): void {
    this.timer = setTimeout(() => {
      const now = performance.now();
      const used = this.child.pid === undefined ? undefined : processorSeconds(this.child.pid);
      const left = timeLeft({
        limit: work.limit,
        waited: (now - work.began) / 1000,
        since: (now - work.at) / 1000,
        used: used === undefined ? undefined : used - this.usedBefore,
        usedSince: used === undefined ? undefined : used - work.used,
      });
      if (left === undefined || used === undefined) {
        this.kill(`it took longer than ${work.limit} seconds`);
      } else {
        this.look({ ...work, at: now, used }, left);
      }
    }, seconds * 1000);
  }

  /** Stops the time limit, because the message has been answered. */
  settle(): void {
    clearTimeout(this.timer);
  }

  kill(reason: string | null): void {
    this.reason = reason;
    killGroup(this.child);
  }
}
