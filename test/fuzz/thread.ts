/**
 * thread: feeds one target in a thread of its own. Each input is first copied into memory that the main thread can
 * read, so that an input which never ends can be taken from there. An input that reaches new code joins the corpus.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { watchCoverage, type Coverage } from './coverage';
import { mutated } from './mutations';
import { targetNamed } from './targets';
import type { Feed } from './targets/target';

export type ThreadData = {
  readonly target: string;
  /**
   * Holds an Int32 that counts inputs, an Int32 with the length of the current input (-1 when there is none), then its
   * bytes.
   */
  readonly shared: SharedArrayBuffer;
  readonly corpus: readonly Uint8Array[];
  readonly seed: number;
  /** How long to hunt once the target is open; with 0 only the inputs that are sent are tried. */
  readonly seconds: number;
};

export type Told =
  | { readonly kind: 'ready' }
  | { readonly kind: 'kept' | 'passed'; readonly input: Uint8Array }
  | { readonly kind: 'failed'; readonly input: Uint8Array; readonly reason: string }
  | { readonly kind: 'done'; readonly tried: number; readonly code: number };

/** Number of bytes of the counters, after which the input begins. */
export const HEAD = 8;
const AT_ONCE = 100;

const reasonOf = (failure: unknown): string =>
  failure instanceof Error ? (failure.stack ?? failure.message) : 'thrown';

type Trying = {
  readonly tryOne: (input: Buffer) => Promise<string | undefined>;
  /** @returns false when the input failed, which is also reported */
  readonly tryAndTell: (input: Buffer) => Promise<boolean>;
};

const tell = (told: Told): void => parentPort!.postMessage(told);

const tryingOf = (feed: Feed, shared: SharedArrayBuffer): Trying => {
  const counters = new Int32Array(shared, 0, 2);
  const bytes = new Uint8Array(shared, HEAD);
  const tryOne = async (input: Buffer): Promise<string | undefined> => {
    bytes.set(input);
    Atomics.store(counters, 1, input.length);
    try {
      await feed(input);
      return undefined;
    } catch (failure) {
      return reasonOf(failure);
    } finally {
      Atomics.store(counters, 1, -1);
      Atomics.add(counters, 0, 1);
    }
  };
  return {
    tryOne,
    tryAndTell: async (input) => {
      const reason = await tryOne(input);
      if (reason !== undefined) {
        tell({ kind: 'failed', input, reason });
      }
      return reason === undefined;
    },
  };
};

/** Keeps the inputs of a batch that reach new code. They are found by halving the batch. */
const keepNew = async (
  inputs: readonly Buffer[],
  corpus: Buffer[],
  coverage: Coverage,
  trying: Trying,
): Promise<void> => {
  for (const input of inputs) {
    await trying.tryOne(input);
  }
  if (!coverage.somethingNew(inputs.length === 1)) {
    return;
  }
  if (inputs.length === 1) {
    corpus.push(inputs[0]!);
    tell({ kind: 'kept', input: inputs[0]! });
    return;
  }
  const half = Math.ceil(inputs.length / 2);
  await keepNew(inputs.slice(0, half), corpus, coverage, trying);
  await keepNew(inputs.slice(half), corpus, coverage, trying);
};

/** Tries inputs until one fails or the time is over. */
const hunt = async (
  { corpus: given, seed, seconds, shared }: ThreadData,
  words: readonly string[],
  trying: Trying,
): Promise<void> => {
  const until = Date.now() + seconds * 1000;
  const corpus: Buffer[] = given.map((input) => Buffer.from(input));
  const coverage = watchCoverage();
  const passAll = async (inputs: readonly Buffer[]): Promise<boolean> => {
    for (const input of inputs) {
      if (!(await trying.tryAndTell(input))) {
        return false;
      }
    }
    return true;
  };
  let going = await passAll(corpus);
  coverage.somethingNew(true);
  for (let batch = 0; going && Date.now() < until; batch += 1) {
    const inputs = mutated(corpus, words, seed + batch, AT_ONCE);
    going = await passAll(inputs);
    if (going && coverage.somethingNew(false)) {
      await keepNew(inputs, corpus, coverage, trying);
    }
  }
  tell({ kind: 'done', tried: Atomics.load(new Int32Array(shared, 0, 2), 0), code: coverage.size() });
  coverage.stop();
};

const main = async (data: ThreadData): Promise<void> => {
  const target = await targetNamed(data.target);
  const trying = tryingOf(await target.open(), data.shared);
  tell({ kind: 'ready' });
  if (data.seconds > 0) {
    await hunt(data, target.words, trying);
    return;
  }
  parentPort!.on('message', (input: Uint8Array) => {
    void trying.tryAndTell(Buffer.from(input)).then((passed) => passed && tell({ kind: 'passed', input }));
  });
};

if (parentPort && (workerData as ThreadData | null)?.shared) {
  void main(workerData as ThreadData);
}
