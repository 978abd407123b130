/** overview-visits: the card of the newest visits on the first page of a record or carenet; nothing without visits. */
import type { JSX } from 'preact';
import { Tile } from '../../parts/icons';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import { text, type Fact } from '../../words/facts';
import { VisitRows, visitsOnce } from './visit-row';

type Props = { readonly visit: PersonVisit; readonly whose: Whose; readonly facts: readonly unknown[] };

const SHOWN = 4;

function visitBegin(fact: Fact): string {
  return text(fact['startDate']);
}

export function NewestVisits({ visit, whose, facts }: Props): JSX.Element | null {
  const { say } = visit.words;
  const newest = [...(facts as readonly Fact[])].sort((one, other) => (visitBegin(one) < visitBegin(other) ? 1 : -1));
  const once = visitsOnce(newest);
  return once.length === 0 ? null : (
    <section class="card k-visit" data-kind="Visit">
      <header>
        <Tile name="visit" />
        <h2>
          <a href={`${whose.base}visits/`}>{say('visits.title')}</a>
        </h2>
      </header>
      <VisitRows visit={visit} whose={whose} facts={once.slice(0, SHOWN)} />
      {once.length > SHOWN && (
        <p class="more">
          <a href={`${whose.base}visits/`}>{say('visits.all')}</a>
        </p>
      )}
    </section>
  );
}
