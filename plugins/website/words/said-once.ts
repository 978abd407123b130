/**
 * said-once: joins what several documents say in the same words, so that a page shows it once with the number of
 * documents (pure).
 */
import { groupedBy } from '../../../core/base/grouped-by';
import type { Fact } from './facts';

export type Statement = {
  readonly fact: Fact;
  /** The documents that say it; at least one. */ readonly documents: readonly string[];
  /** How often they say it; a document may repeat itself. */ readonly times: number;
};

/**
 * The facts without those that have the same words as an earlier one.
 * @param say everything that the page says about a fact
 */
export const saidOnce = (facts: readonly Fact[], say: (fact: Fact) => readonly string[]): readonly Statement[] =>
  [...groupedBy(facts, (fact) => JSON.stringify(say(fact)).toLowerCase()).values()].map((same) => ({
    fact: same[0]!,
    documents: [...new Set(same.map(({ __documentid__ }) => __documentid__ ?? ''))],
    times: same.length,
  }));
