/** printed: the button that prints a page, and the line at the top of the paper: whose it is, and when it was printed. */
import type { JSX } from 'preact';
import type { Visit } from '../http/page';

/** The button that prints the page; it stands there once the page's script runs, so the page must let it. */
export function PrintButton({ visit }: { readonly visit: Visit }): JSX.Element {
  return (
    <button type="button" class="button no-print reveal" data-print>
      {visit.words.say('printed.do')}
    </button>
  );
}

export function PrintedFor({
  visit,
  name,
  born,
}: {
  readonly visit: Visit;
  readonly name: string;
  /** Day of birth as YYYY-MM-DD, if it is known. */ readonly born?: string | undefined;
}): JSX.Element {
  const { say, date } = visit.words;
  return (
    <p class="print-only">
      {!born
        ? say('printed.on', { name, date: date(visit.now) })
        : say('printed.born', { name, born: date(born), date: date(visit.now) })}
    </p>
  );
}
