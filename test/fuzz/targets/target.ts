/** target: the type of a fuzzing target, and what several of them check. A target that throws has found something. */
import { AppError } from '../../../core/base/errors';
import type { XmlEngine } from '../../../core/xml/engine';
import { gate } from '../../../core/xml/gate';

/** Feeds one input; throws when a check fails. */
export type Feed = (input: Buffer) => void | Promise<void>;

export type Target = {
  readonly name: string;
  /** Words that often occur in inputs of this kind. */
  readonly words: readonly string[];
  readonly open: () => Promise<Feed>;
};

/** The value of `SVC_MAX_DOCUMENT_BYTES`. */
export const MAX_BYTES = 1_000_000;

/** @throws Error with the failed check */
export const must = (holds: boolean, says: string): void => {
  if (!holds) {
    throw new Error(says);
  }
};

/**
 * Runs work that may refuse its input.
 * @returns undefined after an expected refusal
 */
export const orRefused = <T>(work: () => T, foreseen: (failure: unknown) => boolean): T | undefined => {
  try {
    return work();
  } catch (failure) {
    if (foreseen(failure)) {
      return undefined;
    }
    throw failure;
  }
};

/** Whether it is a refusal that the caller can correct. */
export const isCallers = (failure: unknown): boolean => failure instanceof AppError && failure.status < 500;

/** A text that passed the gate passes again, unchanged. */
export const passesAgain = (engine: XmlEngine, text: string): void => {
  const again = gate(engine, Buffer.from(text), 10 * MAX_BYTES);
  const same = again.cleanText() === text;
  again.free();
  must(same, 'what passed the gate is another text when it passes again');
};
