/** visit-row: a visit in a list: what it was, where and with whom, and when. The same visit of several facts stands once. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import { Tile } from '../../parts/icons';
import { Line } from '../../parts/layout';
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

function VisitRow({ visit: { words }, whose, fact }: Omit<Props, 'facts'> & { readonly fact: Fact }): JSX.Element {
  return (
    <li data-kind="Visit" data-id={fact.__id__}>
      <Tile name="visit" kind="k-visit" />
      <div>
        <a class="name" href={visitAddress(whose, fact)}>
          <bdi>{visitTitle(fact, words)}</bdi>
        </a>
        <Line text={commaSeparated(visitPlace(fact), words)} />
      </div>
      <span class="end below">{visitDate(fact, words)}</span>
    </li>
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
