/** long-work: work that goes on after the answer was sent, and the page that shows how far it is. */
import type { ComponentChildren, JSX } from 'preact';
import type { PersonVisit } from '../http/page';

/** How long a person waits for the work before the next page, so that little work is done when that is shown. */
const PATIENCE_MILLISECONDS = 2000;

/** Headers of a page that shows progress: it loads itself again. */
export const RELOADS = { refresh: '2' } as const;

/** Waits for the work, but not for long. A failure is kept with what is worked on, and the next page says it. */
export async function waitShortly(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MILLISECONDS);
  });
  await Promise.race([work.catch(() => undefined), patience]);
  clearTimeout(timer);
}

/** How much is done, and of how much. */
export type Done = readonly [value: number, most: number];

export function percentOf({ words }: PersonVisit, [value, most]: Done): string {
  return words.number(most === 0 ? 0 : value / most, { style: 'percent' });
}

type Progress = {
  readonly visit: PersonVisit;
  /** The name of the bar. */ readonly title: string;
  readonly done: Done;
  /** The same page. */ readonly address: string;
  /** What is done so far, in words. */ readonly children: ComponentChildren;
};

export function Progress({ visit, title, done, address, children }: Progress): JSX.Element {
  const [value, most] = done;
  return (
    <div class="aside">
      <p role="status">{children}</p>
      <progress value={value} max={Math.max(most, 1)} aria-label={title}>
        {percentOf(visit, done)}
      </progress>
      <p class="soft">{visit.words.say('add-file.leave')}</p>
      <p>
        <a href={address}>{visit.words.say('add-file.look-again')}</a>
      </p>
    </div>
  );
}
