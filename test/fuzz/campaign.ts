/**
 * campaign: hunts for inputs that make a target fail. A thread feeds the target; this side limits the time of each
 * input, and shortens the inputs that failed.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { inProject } from '../../core/base/paths';
import { HEAD, type ThreadData, type Told } from './thread';

/** An input that failed, already shortened, and the file with it. */
export type Finding = { readonly file: string; readonly input: Buffer; readonly reason: string };

export type Campaign = {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  /** Folder for inputs that failed. */
  readonly findings: string;
  /** Folder for inputs that reached new code, which the next campaign starts with; undefined keeps none. */
  readonly kept: string | undefined;
  /** Longest time of one input. */
  readonly inputSeconds: number;
};

export type Outcome = {
  readonly tried: number;
  /** Characters of the service's code that have run. */
  readonly code: number;
  readonly corpus: number;
  readonly finding: Finding | undefined;
};

/** Bytes of the buffer for an input, more than any input has. */
const ROOM = 1_000_000;
const SHORTENING_SECONDS = 30;
const TOO_LONG = 'it did not end in time';

const filesIn = (folder: string): readonly Buffer[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((name) => readFileSync(join(folder, name)))
    : [];

/** The inputs of a target that are kept in the repository: some for each form, and all that ever failed. */
export const corpusOf = (target: string): readonly Buffer[] => {
  const files = filesIn(inProject(`test/fuzz/corpus/${target}`));
  return files.length > 0 ? files : [Buffer.from('<a>b</a>')];
};

const nameOf = (input: Uint8Array): string => createHash('sha256').update(input).digest('hex').slice(0, 16);

const write = (folder: string, input: Uint8Array): string => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, nameOf(input));
  writeFileSync(file, input);
  return file;
};

type Failure = { readonly input: Buffer; readonly reason: string };
type Thread = {
  readonly send: (input: Buffer) => void;
  /** When an input takes too long, the message is `failed`, and the thread has been stopped. */
  readonly next: () => Promise<Told>;
  readonly end: () => Promise<unknown>;
};

/** Starts a thread and watches its inputs. One that takes too long is reported as failed, and the thread is stopped. */
const openThread = (target: string, inputSeconds: number, more: Partial<ThreadData> = {}): Thread => {
  const shared = new SharedArrayBuffer(HEAD + ROOM);
  const counters = new Int32Array(shared, 0, 2);
  counters[1] = -1;
  const data: ThreadData = { target, shared, corpus: [], seed: 0, seconds: 0, ...more };
  const worker = new Worker(join(__dirname, 'thread.js'), { workerData: data });
  const told: Told[] = [];
  let wake = (): void => undefined;
  const tell = (one: Told): void => {
    told.push(one);
    wake();
  };
  const present = (): Buffer =>
    Buffer.from(Buffer.from(shared, HEAD, Math.max(0, Atomics.load(counters, 1))).toString('latin1'), 'latin1');
  let before = -1;
  let since = performance.now();
  const watch = setInterval(() => {
    const count = Atomics.load(counters, 0);
    if (count !== before || Atomics.load(counters, 1) < 0) {
      before = count;
      since = performance.now();
    } else if (performance.now() - since > inputSeconds * 1000) {
      clearInterval(watch);
      const input = present();
      void worker.terminate().then(() => tell({ kind: 'failed', input, reason: TOO_LONG }));
    }
  }, 100);
  worker.on('message', tell);
  worker.on('error', (error) => tell({ kind: 'failed', input: present(), reason: String(error.stack) }));
  return {
    send: (input) => worker.postMessage(input),
    next: async () => {
      while (told.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return told.shift()!;
    },
    end: () => {
      clearInterval(watch);
      return worker.terminate();
    },
  };
};

/**
 * Starts a thread that tries single inputs.
 * @throws Error when its target cannot be opened
 */
const openTrier = async (target: string, inputSeconds: number): Promise<Thread> => {
  const thread = openThread(target, inputSeconds);
  const told = await thread.next();
  if (told.kind === 'failed') {
    await thread.end();
    throw new Error(told.reason);
  }
  return thread;
};

/** Two failures are of one kind when their first lines are equal except for numbers. */
const kindOf = (reason: string): string => reason.split('\n')[0]!.replace(/\d+/g, '0');

/** Removes parts, large ones first, as long as the rest still fails in the same way (delta debugging). */
const shortened = async (target: string, { input, reason }: Failure, inputSeconds: number): Promise<Failure> => {
  const until = performance.now() + SHORTENING_SECONDS * 1000;
  let thread: Thread | undefined;
  let best: Failure = { input, reason };
  const fails = async (candidate: Buffer): Promise<boolean> => {
    thread ??= await openTrier(target, inputSeconds);
    thread.send(candidate);
    const told = await thread.next();
    if (told.kind !== 'failed') {
      return false;
    }
    if (told.reason === TOO_LONG) {
      await thread.end();
      thread = undefined;
    }
    const same = kindOf(told.reason) === kindOf(reason);
    best = same ? { input: candidate, reason: told.reason } : best;
    return same;
  };
  for (let size = Math.ceil(input.length / 2); size >= 1 && performance.now() < until; size = Math.floor(size / 2)) {
    for (let place = 0; place < best.input.length && performance.now() < until;) {
      const candidate = Buffer.concat([best.input.subarray(0, place), best.input.subarray(place + size)]);
      place = (await fails(candidate)) ? place : place + size;
    }
  }
  await thread?.end();
  return best;
};

/** Feeds a target for some time, or until something fails. */
export const runCampaign = async (campaign: Campaign): Promise<Outcome> => {
  const { target, seed, seconds, inputSeconds, kept } = campaign;
  const corpus = [...corpusOf(target), ...(kept === undefined ? [] : filesIn(join(kept, target)))];
  const thread = openThread(target, inputSeconds, { corpus, seed, seconds });
  let found = corpus.length;
  try {
    for (;;) {
      const told = await thread.next();
      if (told.kind === 'kept') {
        found += 1;
        if (kept !== undefined) {
          write(join(kept, target), told.input);
        }
      }
      if (told.kind === 'failed') {
        await thread.end();
        const failure = { input: Buffer.from(told.input), reason: told.reason };
        const { input, reason } = await shortened(target, failure, inputSeconds);
        const file = write(join(campaign.findings, target), input);
        return { tried: 0, code: 0, corpus: found, finding: { file, input, reason } };
      }
      if (told.kind === 'done') {
        return { tried: told.tried, code: told.code, corpus: found, finding: undefined };
      }
    }
  } finally {
    await thread.end();
  }
};

/**
 * Feeds the given inputs once each.
 * @returns those that failed, with the reason
 */
export const tryInputs = async (
  target: string,
  inputs: readonly Buffer[],
  inputSeconds: number,
): Promise<readonly Failure[]> => {
  const failures: Failure[] = [];
  let thread: Thread | undefined;
  for (const input of inputs) {
    thread ??= await openTrier(target, inputSeconds);
    thread.send(input);
    const told = await thread.next();
    if (told.kind === 'failed') {
      failures.push({ input, reason: told.reason });
      await thread.end();
      thread = undefined;
    }
  }
  await thread?.end();
  return failures;
};
