/**
 * rounds: random rounds of steps, each on a stage of its own, until enough has been compared. A failure prints its seed
 * and shrinks for two minutes.
 */
import fc from 'fast-check';

/** A longer search for a shorter list would keep the other tests of a run from their time. */
const SHRINK_MILLISECONDS = 120_000;

export type Rounds<Step> = {
  readonly step: fc.Arbitrary<Step>;
  /** Fewest and most steps of a part. A round has some parts, and after each of them everything is compared. */
  readonly steps: { readonly least?: number; readonly most: number };
  readonly parts: { readonly most: number };
  readonly seed: number;
  /** A round that hangs is ended after about this number of minutes. */
  readonly minutes: number;
  readonly isEnough: () => boolean;
  readonly round: (parts: readonly (readonly Step[])[]) => Promise<void>;
};

/** The round, which is not tried again when its first failure is long enough ago, so that shrinking ends. */
const endShrinking = <Step>(round: Rounds<Step>['round']): Rounds<Step>['round'] => {
  let failed: number | undefined;
  return async (parts) => {
    if (failed !== undefined && Date.now() > failed + SHRINK_MILLISECONDS) {
      return;
    }
    try {
      await round(parts);
    } catch (error) {
      failed ??= Date.now();
      throw error;
    }
  };
};

/** @throws Error with the seed and the shortest list of steps that was found to show a difference */
export const tryRounds = async <Step>(rounds: Rounds<Step>): Promise<void> => {
  const { step, steps, parts, seed: first, minutes, isEnough, round } = rounds;
  const part = fc.array(step, { minLength: steps.least ?? 0, maxLength: steps.most, size: 'max' });
  const some = fc.array(part, { minLength: 1, maxLength: parts.most, size: 'max' });
  for (let seed = first; !isEnough(); seed += 1) {
    await fc.assert(fc.asyncProperty(some, endShrinking(round)), {
      seed,
      numRuns: 1,
      unbiased: true,
      includeErrorInReport: true,
      interruptAfterTimeLimit: minutes * 50_000,
    });
  }
};
