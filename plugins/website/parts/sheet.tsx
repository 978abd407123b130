/** sheet: places or actions in a sheet over the page, opened by a button, closed by Escape or a press beside it. */
import type { ComponentChildren, JSX } from 'preact';
import type { Visit } from '../http/page';
import { Icon } from './icons';

type Props = {
  readonly visit: Visit;
  readonly id: string;
  readonly title: string;
  /** At the end of the page, under a button that stands there. */ readonly atEnd?: boolean;
  readonly children: ComponentChildren;
};

/** Needs no script. Old browsers show it below the page. */
export function Sheet({ visit, id, title, atEnd = false, children }: Props): JSX.Element {
  return (
    <nav class={atEnd ? 'sheet at-end' : 'sheet'} popover="auto" id={id} aria-label={title}>
      <div class="ends">
        <h2>{title}</h2>
        <button class="close" type="button" popovertarget={id} popovertargetaction="hide">
          <Icon name="close" />
          <span class="unseen">{visit.words.say('frame.close')}</span>
        </button>
      </div>
      <ul>{children}</ul>
    </nav>
  );
}
