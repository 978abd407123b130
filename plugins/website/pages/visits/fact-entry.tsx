/** fact-entry: a fact of any model as a row of a list: its sign, the name that leads to it, its words and its day. */
import type { ComponentChildren, JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { EntryRow } from '../../parts/entry-row';
import type { Whose } from '../../parts/whose';
import { factAddress, factDate, factLine, factTitle, type Fact } from '../../words/facts';
import { lookOf } from '../record/timeline-days';

type Props = {
  readonly visit: PersonVisit;
  readonly whose: Pick<Whose, 'base'>;
  readonly fact: Fact;
  /** More below the words. */ readonly children?: ComponentChildren;
};

/** Nothing for a fact whose model is gone. */
export function EntryOfFact({ visit: { models, words }, whose, fact, children }: Props): JSX.Element | null {
  const model = models.find(fact.__modelname__);
  if (!model) {
    return null;
  }
  const { hue, icon } = lookOf(model.name);
  return (
    <EntryRow
      kind={model.name}
      id={fact.__id__}
      icon={icon}
      hue={hue}
      address={factAddress(whose.base, fact)}
      title={factTitle(model, fact, words)}
      line={factLine(model, fact, words)}
      end={factDate(model, fact, words, 'day')}
    >
      {children}
    </EntryRow>
  );
}
