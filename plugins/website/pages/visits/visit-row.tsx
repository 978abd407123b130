/** visit-row: a visit in a list: what it was, where and with whom, and when. The same visit of several facts stands once. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import { EntryRow } from '../../parts/entry-row';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import { text, type Fact } from '../../words/facts';
import { visitAddress, visitDate, visitKey, visitPlace, visitTitle } from '../../words/visits';
import { commaSeparated } from '../../words/words';

type Props = { readonly visit: PersonVisit; readonly whose: Pick<Whose, 'base'>; readonly facts: readonly Fact[] };

/** Each visit once, in the order of the facts, by the first of its ids, so that it has one address everywhere. */
export function visitsOnce(facts: readonly Fact[]): readonly Fact[] {
  return [...groupedBy(facts, visitKey).values()].map((same) =>
    same.reduce((one, other) => (text(other.__id__) < text(one.__id__) ? other : one)),
  );
}

/** One visit, as an item of such a list. */
export function VisitRow({
  visit: { words },
  whose,
  fact,
}: Omit<Props, 'facts'> & { readonly fact: Fact }): JSX.Element {
  return (
    <EntryRow
      kind="Visit"
      id={fact.__id__}
      icon="visit"
      hue="k-visit"
      address={visitAddress(whose, fact)}
      title={visitTitle(fact, words)}
      line={commaSeparated(visitPlace(fact), words)}
      end={visitDate(fact, words)}
    />
  );
}

export function VisitRows({ facts, ...props }: Props): JSX.Element {
  return (
    <ul class="list ic-list">
      {visitsOnce(facts).map((fact) => (
        <VisitRow {...props} fact={fact} />
      ))}
    </ul>
  );
}
