/** printed: the line that stands on top of a page on paper only: whose it is, and when it was printed. */
import type { JSX } from 'preact';
import type { Visit } from '../page';

export const PrintedFor = ({
  visit,
  name,
  born,
}: {
  readonly visit: Visit;
  readonly name: string;
  /** Day of birth as YYYY-MM-DD, where it is known. */ readonly born?: string | undefined;
}): JSX.Element => {
  const { say, date } = visit.words;
  return (
    <p class="print-only">
      {!born
        ? say('printed.on', { name, date: date(visit.now) })
        : say('printed.born', { name, born: date(born), date: date(visit.now) })}
    </p>
  );
};
