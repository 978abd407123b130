/** target: what a target of fuzzing is, and what several of them say. A target that throws has found something. */
import { AppError } from '../../../core/base/errors';
import type { XmlEngine } from '../../../core/xml/engine';
import { gate } from '../../../core/xml/gate';

/** Feeds one input; throws where something does not hold. */
export type Feed = (input: Buffer) => void | Promise<void>;

export type Target = {
  readonly name: string;
  /** Words that inputs of this kind are made of. */
  readonly words: readonly string[];
  readonly open: () => Promise<Feed>;
};

/** As `SVC_MAX_DOCUMENT_BYTES` would say. */
export const MAX_BYTES = 1_000_000;

/** @throws Error with what does not hold */
export const must = (holds: boolean, says: string): void => {
  if (!holds) {
    throw new Error(says);
  }
};

/** Runs what may refuse. @returns undefined after a foreseen refusal */
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

/** A refusal that its caller can do something about. */
export const isCallers = (failure: unknown): boolean => failure instanceof AppError && failure.status < 500;

/** What passed is written once and for all: written and read again it is the same, and holds nothing that is refused. */
export const passesAgain = (engine: XmlEngine, text: string): void => {
  const again = gate(engine, Buffer.from(text), 10 * MAX_BYTES);
  const same = again.cleanText() === text;
  again.free();
  must(same, 'what passed the gate is another text when it passes again');
};
