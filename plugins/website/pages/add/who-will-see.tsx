/** who-will-see: says before documents are added who will see them. */
import type { ValueOf } from '../../../../core/http/route';
import type { JSX } from 'preact';
import type { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { recordBase } from '../../parts/record-frame';
import { Part } from '../../parts/layout';
import { listNames } from '../../parts/list';

type Shared = ValueOf<typeof operations.carenets.recordSharedKinds>;

/**
 * Says who will see the documents once they are added: people who see everything, and circles that their types go into.
 */
export function WhoWillSee({
  visit,
  types,
  count,
  shared,
}: {
  readonly visit: PersonVisit;
  /** The types of the documents. */ readonly types: readonly string[];
  /** How many documents. */ readonly count: number;
  readonly shared: Shared;
}): JSX.Element {
  const { say, rich } = visit.words;
  const circles = shared.carenets.filter((carenet) => types.some((type) => carenet.types.includes(type)));
  const names = circles.map(({ name }) => name);
  return (
    <Part title={say('add.who-sees')}>
      <p>{say('add.who-sees-whole')}</p>
      <p>
        {names.length === 0
          ? say('add.who-sees-none', { count })
          : rich('add.who-sees-circles', {
              circles: <b>{listNames(names, visit.words)}</b>,
              count,
            })}
      </p>
      <p class="more">
        <a href={`${recordBase(visit)}sharing`}>{say('document.all-sharing')}</a>
      </p>
    </Part>
  );
}
