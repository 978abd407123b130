/** coverage: which characters of the service's code have run in this thread, from Node's own inspector. */
import { Session, type Profiler } from 'node:inspector';

export type Coverage = {
  /** Whether code has run that had not run when this was last called with `remember`. */
  readonly somethingNew: (remember: boolean) => boolean;
  /** How many characters of code have run. */
  readonly size: () => number;
  readonly stop: () => void;
};

/** The inspector calls back before `post` returns, when a session belongs to its own thread. */
const answerOf = <T>(ask: (answer: (error: Error | null, value: T) => void) => void): T => {
  let found: T | undefined;
  ask((error, value) => {
    if (error) {
      throw error;
    }
    found = value;
  });
  return found!;
};

const OURS = /\/dist\/(?:core|plugins)\//;

/**
 * Which characters of a function ran. Inner ranges come after the ranges that contain them. V8 joins neighbouring
 * ranges of equal count, so ranges cannot be compared between runs.
 */
const ranIn = (ranges: readonly Profiler.CoverageRange[]): Uint8Array => {
  const { startOffset: start, endOffset: end } = ranges[0]!;
  const ran = new Uint8Array(end - start);
  ranges.forEach((range) => ran.fill(range.count > 0 ? 1 : 0, range.startOffset - start, range.endOffset - start));
  return ran;
};

/** Begins to count in this thread. */
export const watchCoverage = (): Coverage => {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const seen = new Map<string, Uint8Array>();
  return {
    somethingNew: (remember) => {
      const { result } = answerOf<Profiler.TakePreciseCoverageReturnType>((answer) =>
        session.post('Profiler.takePreciseCoverage', answer),
      );
      let isNew = false;
      for (const { url, scriptId, functions } of result) {
        for (const { ranges } of OURS.test(url) ? functions : []) {
          if (ranges[0]!.count === 0) {
            continue;
          }
          const key = `${scriptId}:${ranges[0]!.startOffset}`;
          const ran = ranIn(ranges);
          const known = seen.get(key) ?? new Uint8Array(ran.length);
          isNew ||= ran.some((flag, place) => flag > known[place]!);
          if (remember) {
            seen.set(
              key,
              known.map((flag, place) => flag | ran[place]!),
            );
          }
        }
      }
      return isNew;
    },
    size: () => [...seen.values()].reduce((sum, flags) => sum + flags.reduce((one, flag) => one + flag, 0), 0),
    stop: () => session.disconnect(),
  };
};
