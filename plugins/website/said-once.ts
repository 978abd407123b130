/** said-once: what several documents say in the same words stands on a page once, with how many say it (pure). */
import { groupedBy } from '../../core/base/grouped-by';
import type { Fact } from './facts';

export type Statement = {
  readonly fact: Fact;
  /** The documents that say it; at least one. */ readonly documents: readonly string[];
  /** How often they say it; a document may repeat itself. */ readonly times: number;
};

/**
 * Facts without those that read the same as an earlier one.
 * @param say everything that the page says of a fact
 */
export const saidOnce = (facts: readonly Fact[], say: (fact: Fact) => readonly string[]): readonly Statement[] =>
  [...groupedBy(facts, (fact) => JSON.stringify(say(fact)).toLowerCase()).values()].map((same) => ({
    fact: same[0]!,
    documents: [...new Set(same.map(({ __documentid__ }) => __documentid__ ?? ''))],
    times: same.length,
  }));
