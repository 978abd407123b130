/**
 * nothing: shown in place of an empty list: why it is empty, with a link to the whole list if filters left nothing, or
 * with a way to add something.
 */
import type { JSX } from 'preact';
import type { PersonVisit } from '../http/page';
import type { Whose } from './whose';
import { Part } from './layout';

export function Nothing({
  visit,
  whose,
  title,
  why,
  all,
}: {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  readonly title: string;
  /** Empty if the page has said it. */ readonly why: string;
  /** The text of the link to the list without its filters; absent without filters. */ readonly all: string | undefined;
}): JSX.Element {
  return (
    <Part title={title}>
      {why !== '' && <p>{why}</p>}
      {all !== undefined && (
        <p class="more">
          <a href={visit.path}>{all}</a>
        </p>
      )}
      {all === undefined && whose.kind === 'record' && (
        <div class="buttons">
          <a class="button" href={`${whose.base}add`}>
            {visit.words.say('documents.add')}
          </a>
        </div>
      )}
    </Part>
  );
}
