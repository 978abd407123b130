/**
 * read-processes: runs SQLite's long reads in processes, outside the event loop. A statement in a thread of this process
 * could not be interrupted; a process can be ended at any moment, and a reader leaves nothing behind. A process starts
 * when it is first needed, and ends after a pause.
 *
 * Statements that wait in a process together share a snapshot (core/DECISIONS.md, 30). None of them waits for a slow one: as soon
 * as one is slow, those behind it are asked of another process.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { errors } from '../../base/errors';
import type { Interrupted } from '../../base/turns/interruption';
import { SLOW_MILLISECONDS } from '../../base/turns/turn-queue';
import { rowsOf, toJson, type Lists } from './statements';

export type ToReadProcess = { readonly id: number; readonly sql: string; readonly values: readonly unknown[] };
export type FromReadProcess = { readonly id: number } & (
  Lists | { readonly failure: { readonly reason: string; readonly code: string } }
);

/** What a process says first. */
export const READY: FromReadProcess = { id: 0, names: [], lists: [] };

export type ReadProcesses = {
  /** Runs one statement. Once `interrupted` is aborted, it ends, if need be together with its process. */
  readonly rows: (sql: string, values: readonly unknown[], interrupted: Interrupted) => Promise<readonly unknown[]>;
  readonly close: () => Promise<void>;
};

/** Two processes work. One would leave a processor idle, and each further one would use memory. */
const PROCESSES = 2;

/**
 * This many statements may be asked at a time. Each of them may be slow and keep a process, so this is also the greatest
 * number of processes.
 */
export const READS_AT_ONCE = 8;

const PAUSE_MILLISECONDS = 300_000;

type Asked = {
  readonly question: ToReadProcess;
  readonly interrupted: Interrupted;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: unknown) => void;
};

type Reader = {
  readonly child: ChildProcess;
  /** The statements that were sent and not answered, in their order: the first one is running. */
  readonly asked: Map<number, Asked>;
  /** False while the process starts. */ ready: boolean;
  /** The running statement is slow: nothing more is sent. */ stuck: boolean;
  /** It still has statements that were taken away, so it ends after the running one. */ leaving: boolean;
  pause?: NodeJS.Timeout | undefined;
  slow?: NodeJS.Timeout | undefined;
};

function unread(): Error {
  return errors.unavailable('the database was not read to the end');
}

/** The process gets no environment, so no secret. */
function startProcess(file: string): ChildProcess {
  return fork(join(__dirname, 'read-process.js'), [file], {
    env: { TZ: 'UTC', NODE_NO_WARNINGS: '1' },
    execArgv: ['--max-semi-space-size=8'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** A process keeps this one alive only while somebody waits for it. */
function rest({ child }: Reader): void {
  child.unref();
  child.channel?.unref();
}

function wake({ child, pause }: Reader): void {
  clearTimeout(pause);
  child.ref();
  child.channel?.ref();
}

function whenEnded({ child }: Reader): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.ref();
    child.once('exit', () => resolve());
  });
}

function settleAsked({ resolve, reject }: Asked, answer: FromReadProcess): void {
  if ('failure' in answer) {
    const { reason, code } = answer.failure;
    reject(Object.assign(new Error(reason), { code }));
  } else {
    resolve(rowsOf(answer));
  }
}

// eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
export function readProcesses(file: string): ReadProcesses {
  const readers = new Set<Reader>();
  let closed = false;
  let last = 0;

  /** Ends a process. The statements that it had not answered are the caller's to settle or to ask again. */
  const end = (reader: Reader): readonly Asked[] => {
    clearTimeout(reader.pause);
    clearTimeout(reader.slow);
    readers.delete(reader);
    const left = [...reader.asked.values()];
    reader.asked.clear();
    reader.child.kill('SIGKILL');
    return left;
  };

  /** Takes away what waits behind the running statement. */
  const relieve = (reader: Reader): void => {
    const [, ...behind] = reader.asked;
    behind.forEach(([id]) => reader.asked.delete(id));
    reader.stuck = true;
    reader.leaving ||= behind.length > 0;
    behind.forEach(([, asked]) => send(asked));
  };

  /** When the process is ready, and after each answer. */
  const goOn = (reader: Reader): void => {
    clearTimeout(reader.slow);
    if (!readers.has(reader)) {
      return;
    }
    reader.stuck = reader.leaving;
    if (reader.asked.size > 0) {
      reader.slow = setTimeout(() => relieve(reader), SLOW_MILLISECONDS).unref();
    } else if (reader.leaving) {
      // It still has the statements that were taken away.
      end(reader);
    } else {
      rest(reader);
      reader.pause = setTimeout(() => end(reader), PAUSE_MILLISECONDS).unref();
    }
  };

  const start = (): Reader => {
    const reader: Reader = { child: startProcess(file), asked: new Map(), ready: false, stuck: false, leaving: false };
    const fail = (): void => end(reader).forEach(({ reject }) => reject(unread()));
    reader.child.on('exit', fail).on('error', fail);
    reader.child.on('message', (answer: FromReadProcess) => {
      const asked = reader.asked.get(answer.id);
      reader.asked.delete(answer.id);
      reader.ready = true;
      if (asked) {
        settleAsked(asked, answer);
      }
      if (asked || answer.id === READY.id) {
        goOn(reader);
      }
    });
    readers.add(reader);
    return reader;
  };

  /** The process that has least to do, so that the second one starts only when the first is busy. */
  const idlest = (): Reader => {
    const open = [...readers].filter(({ stuck, child }) => !stuck && child.connected);
    const best = open.sort((one, other) => one.asked.size - other.asked.size)[0];
    return best === undefined || (best.asked.size > 0 && open.length < PROCESSES) ? start() : best;
  };

  const send = (asked: Asked): void => {
    const reader = idlest();
    wake(reader);
    reader.asked.set(asked.question.id, asked);
    if (reader.ready && reader.asked.size === 1) {
      goOn(reader);
    }
    reader.child.send(asked.question, (error) => {
      if (error && reader.asked.delete(asked.question.id)) {
        asked.reject(unread());
      }
    });
  };

  /** Ends a statement. If it is the one that runs, its process ends, and the others are asked again. */
  const interrupt = (asked: Asked): void => {
    asked.reject(asked.interrupted.reason);
    const { id } = asked.question;
    for (const reader of [...readers].filter((one) => one.asked.has(id))) {
      const [first] = reader.asked.keys();
      reader.asked.delete(id);
      if (first === id) {
        end(reader).forEach(send);
      } else {
        reader.leaving = true;
        relieve(reader);
      }
    }
  };

  const ask = (question: ToReadProcess, interrupted: Interrupted): Promise<readonly unknown[]> => {
    let listener: () => void = () => undefined;
    return new Promise<readonly unknown[]>((resolve, reject) => {
      const asked: Asked = { question, interrupted, resolve, reject };
      listener = () => interrupt(asked);
      interrupted.addEventListener('abort', listener);
      send(asked);
    }).finally(() => interrupted.removeEventListener('abort', listener));
  };

  return {
    rows: async (sql, values, interrupted) => {
      if (closed) {
        throw errors.unavailable('the database is closed');
      }
      interrupted.throwIfAborted();
      last += 1;
      return ask({ id: last, sql, values: values.map(toJson) }, interrupted);
    },
    close: async () => {
      closed = true;
      const ending = [...readers];
      ending.flatMap((reader) => end(reader)).forEach(({ reject }) => reject(unread()));
      await Promise.all(ending.map(whenEnded));
    },
  };
}
