/** printed: the line at the top of a printed page, which says whose it is and when it was printed. */
import type { JSX } from 'preact';
import type { Visit } from '../http/page';

export const PrintedFor = ({
  visit,
  name,
  born,
}: {
  readonly visit: Visit;
  readonly name: string;
  /** Day of birth as YYYY-MM-DD, if it is known. */ readonly born?: string | undefined;
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
