/** period: the choice of the time that the page of a test or of a measure shows: links, no script needed. */
import type { JSX } from 'preact';
import type { Words } from '../../words/words';

const DAY = 86_400_000;
export const PERIODS: Readonly<Record<string, number>> = {
  '5y': 1826 * DAY,
  '1y': 366 * DAY,
  '3m': 92 * DAY,
  '1m': 31 * DAY,
};

export function dayOr(value: string | undefined): string {
  return /^\d{4}-\d\d-\d\d$/.test(value ?? '') ? value! : '';
}

/** Links in a row of which one is chosen. */
export function Choice({
  label,
  choices,
}: {
  readonly label: string;
  readonly choices: readonly { readonly text: string; readonly to: string; readonly chosen: boolean }[];
}): JSX.Element {
  return (
    <nav class="seg" aria-label={label}>
      {choices.map(({ text: name, to, chosen }) => (
        <a href={to} aria-current={chosen ? 'true' : undefined}>
          <bdi>{name}</bdi>
        </a>
      ))}
    </nav>
  );
}

/** The usual times, as links. @param chosen empty where other days are asked for */
export function PeriodChoice({
  words,
  chosen,
  to,
}: {
  readonly words: Words;
  readonly chosen: string;
  readonly to: (period: string) => string;
}): JSX.Element {
  return (
    <Choice
      label={words.say('tests.period')}
      choices={['1m', '3m', '1y', '5y', 'all'].map((name) => ({
        text: words.say(`tests.period-${name}`),
        to: to(name),
        chosen: name === chosen,
      }))}
    />
  );
}
