/** reader-child: one reader process, cut off from the terminal, the environment and the server's secrets, with a time limit. */
import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '../base/ids';
import { scratchFolder } from '../base/scratch';
import { MEMORY_SIGNAL, type FromReader, type ToReader } from './reader-messages';

/** An open file without a name: the process can read back there what its native engines write to stderr. */
const openNamelessFile = (): number => {
  const path = join(scratchFolder(), `svc-reader-${newToken()}`);
  const file = openSync(path, 'ax+', 0o600);
  unlinkSync(path);
  return file;
};

/** Readers get no environment: no secret, no database address, and UTC as their time zone. */
const environment = { TZ: 'UTC', NODE_NO_WARNINGS: '1' };

const startProcess = (): ChildProcess => {
  const complaints = openNamelessFile();
  try {
    return fork(join(__dirname, 'reader-process.js'), {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=768'],
      env: environment,
      stdio: ['ignore', 'ignore', complaints, 'ipc'],
    });
  } finally {
    closeSync(complaints);
  }
};

let ahead: ChildProcess | undefined;

/** Starts the process that the next reader will be: it loads its code and the engines while the caller finds out what it has to do. */
export const startReaderAhead = (): void => {
  ahead = startProcess();
  // One that could not be started is not taken.
  ahead.on('error', () => undefined);
  // Who finds that there is nothing to read ends, and the process with it.
  ahead.unref();
  ahead.channel?.unref();
};

const takeProcess = (): ChildProcess => {
  const taken = ahead;
  ahead = undefined;
  if (taken?.exitCode !== null || taken.signalCode !== null) {
    return startProcess();
  }
  taken.ref();
  taken.channel?.ref();
  return taken;
};

export type ReaderEvents = {
  readonly message: (message: FromReader) => void;
  /** `reason` says what the service had against it; null: it ended by itself or somebody killed it. */
  readonly end: (reason: string | null) => void;
};

export class ReaderChild {
  private readonly child: ChildProcess;
  private timer: NodeJS.Timeout | undefined;
  private reason: string | null = null;
  readonly ended: Promise<void>;

  constructor(events: ReaderEvents) {
    this.child = takeProcess();
    this.child.on('error', () => this.kill(null));
    this.child.on('message', (message: FromReader) => events.message(message));
    this.ended = new Promise((resolve) => {
      this.child.once('exit', (_code, signal) => {
        clearTimeout(this.timer);
        resolve();
        events.end(this.reason ?? (signal === MEMORY_SIGNAL ? 'it needed too much memory' : null));
      });
    });
  }

  /** Sends a message that must be dealt with within `seconds`, else the process is killed. */
  send(message: ToReader, seconds: number): void {
    this.timer = setTimeout(() => this.kill(`it took longer than ${seconds} seconds`), seconds * 1000);
    // A process that is gone already is reported by its end.
    this.child.send(message, () => undefined);
  }

  /** The message has been dealt with. */
  settle(): void {
    clearTimeout(this.timer);
  }

  kill(reason: string | null): void {
    this.reason = reason;
    this.child.kill('SIGKILL');
  }
}
