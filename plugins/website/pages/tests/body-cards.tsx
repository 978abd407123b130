/** body-cards: what the readings of a measure say in short: mornings and evenings, the target, and weeks within it. */
import type { JSX } from 'preact';
import { mean } from 'd3-array';
import { unitWords, withUnit } from '../../words/facts';
import { joinNumbers } from '../../words/measure-words';
import type { Words } from '../../words/words';
import type { Reading } from '../../parts/charts/chart';
import { averageWords } from '../data/series';
import { isTarget, type Ends, type Target } from './target';

const DAY = 86_400_000;

/** Hours of a day at which people measure in the morning and in the evening. */
const PARTS = [
  ['morning', 4, 11],
  ['evening', 17, 24],
] as const;

/** A reading with its date as its source said it. */
export type DatedReading = Reading & { readonly date: unknown };

type PartOfDay = {
  readonly name: 'morning' | 'evening';
  readonly count: number;
  readonly values: readonly (number | null)[];
};

/** The averages of the mornings and of the evenings; undefined where one of them has no reading. */
export function partsOfDay(points: readonly DatedReading[], columns: number): readonly PartOfDay[] | undefined {
  const timed = points.filter(({ date }) => /T\d\d:\d\d/.test(String(date)));
  const parts = PARTS.map(([name, from, to]) => {
    const own = timed.filter(({ at }) => new Date(at).getUTCHours() >= from && new Date(at).getUTCHours() < to);
    const values = Array.from(
      { length: columns },
      (_, index) => mean(own, (point) => point.values[index] ?? undefined) ?? null,
    );
    return { name, count: own.length, values };
  });
  return parts.some(({ count }) => count === 0) ? undefined : parts;
}

/** The readings of the last days before the newest one. */
function lastDays(points: readonly DatedReading[], days: number): readonly DatedReading[] {
  const end = points.at(-1)?.at ?? 0;
  return points.filter(({ at }) => at > end - days * DAY);
}

type Props = {
  readonly words: Words;
  readonly unit: string;
  readonly columns: number;
  /** Of the last 30 days, the oldest first. */ readonly recent: readonly DatedReading[];
};

/** "The average of the mornings of the last 7 days is 134 / 86, that of the evenings 133 / 82."; empty without both. */
export function leadWords({ words, columns, recent }: Omit<Props, 'unit'>): string {
  const [morning, evening] = partsOfDay(lastDays(recent, 7), columns) ?? [];
  return morning && evening
    ? words.say('body.lead', {
        morning: averageWords(morning.values, words),
        evening: averageWords(evening.values, words),
      })
    : '';
}

/** A table of the averages of the last 7 and 30 days; nothing without mornings and evenings. */
export function MorningAndEvening({ words, unit, columns, recent }: Props): JSX.Element | null {
  const { say } = words;
  const rows = [7, 30].flatMap((days) => {
    const parts = partsOfDay(lastDays(recent, days), columns);
    return parts ? [{ days, parts }] : [];
  });
  return rows.length === 0 ? null : (
    <section class="card s4 k-meas">
      <header>
        <h2>{say('body.parts')}</h2>
      </header>
      <table class="fit">
        <caption class="unseen">{say('body.parts-of', { unit: unitWords(unit, words) })}</caption>
        <thead>
          <tr>
            <th scope="col">{say('body.average')}</th>
            {PARTS.map(([name]) => (
              <th scope="col" class="num">
                {say(`body.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ days, parts }) => (
            <tr>
              <th scope="row">{say('body.days', { count: days })}</th>
              {parts.map(({ values, count }) => (
                <td class="num">
                  <b>
                    <bdi>{averageWords(values, words)}</bdi>
                  </b>
                  <span class="orig">{say('body.count', { count })}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function endsWords({ low, high }: Ends, words: Words): string {
  const [least, most] = [low, high].map((end) => (end === undefined ? '' : words.number(end))) as [string, string];
  if (least !== '' && most !== '') {
    return `${least}–${most}`;
  }
  return least === '' ? most && `≤ ${most}` : `≥ ${least}`;
}

/** "110–135 / 70–85 mmHg", "≤ 135 mmHg"; a dash for a value that has no target. */
function targetWords({ ends, unit }: NonNullable<Target>, words: Words): string {
  const said = ends.map((one) => endsWords(one, words) || '–');
  return withUnit(joinNumbers(said, words), unit, words);
}

export function TargetCard({ words, target }: { readonly words: Words; readonly target: Target }): JSX.Element | null {
  return isTarget(target) ? (
    <section class="card s4 k-meas">
      <header>
        <h2>{words.say('body.target')}</h2>
      </header>
      <p class="val mid">
        <bdi>{targetWords(target, words)}</bdi>
      </p>
      <p class="more">
        <a href="#target">{words.say('body.target-change')}</a>
      </p>
    </section>
  ) : null;
}

const MOST_WEEKS = 52;
const IN_ROW = 26;

/** The Monday of a time, as a number of weeks: the first day of 1970 was a Thursday. */
function weekOf(at: number): number {
  return Math.floor((at / DAY + 3) / 7);
}

type Week = 'in' | 'out' | 'none';

function isWithin({ low = -Infinity, high = Infinity }: Ends, value: number): boolean {
  return value >= low && value <= high;
}

/** The weeks up to the newest reading, at most a year, and whether the averages of each lie in the target. */
function weeksIn(marks: readonly Reading[], { ends }: NonNullable<Target>): readonly Week[] {
  const last = weekOf(marks.at(-1)!.at);
  const first = Math.max(weekOf(marks[0]!.at), last - MOST_WEEKS + 1);
  return Array.from({ length: last - first + 1 }, (_, index): Week => {
    const own = marks.filter(({ at }) => weekOf(at) === first + index);
    const averages = ends.map((_, column) => mean(own, ({ values }) => values[column] ?? undefined));
    if (averages.includes(undefined)) {
      return 'none';
    }
    return ends.every((one, column) => isWithin(one, averages[column]!)) ? 'in' : 'out';
  });
}

type WeeksProps = {
  readonly words: Words;
  readonly target: Target;
  readonly unit: string;
  /** Readings, or their averages by week, the oldest first. */ readonly marks: readonly Reading[];
};

/** Nothing without a target in the unit of the readings, or with readings of less than two weeks. */
export function WeeksCard({ words, target, unit, marks }: WeeksProps): JSX.Element | null {
  const weeks = isTarget(target) && target.unit === unit && marks.length > 0 ? weeksIn(marks, target) : [];
  if (weeks.length < 2) {
    return null;
  }
  const said = { inside: weeks.filter((week) => week === 'in').length, count: weeks.length };
  const height = Math.ceil(weeks.length / IN_ROW) * 32;
  return (
    <section class="card s4 k-meas">
      <header>
        <h2>{words.say('body.weeks')}</h2>
      </header>
      <p class="val mid">{words.say('body.weeks-of', said)}</p>
      <svg
        class="weeks"
        viewBox={`0 0 ${IN_ROW * 8} ${height}`}
        role="img"
        aria-label={words.say('body.weeks-label', said)}
      >
        {weeks.map((week, index) => {
          const [x, y] = [(index % IN_ROW) * 8, Math.floor(index / IN_ROW) * 32];
          return week === 'none' ? (
            <circle cx={x + 3.5} cy={y + 14} r="1.5" />
          ) : (
            <rect class={week} x={x + 1} y={y + 1} width="5" height="26" rx="2" />
          );
        })}
      </svg>
      <p class="by">{words.say('body.weeks-hint')}</p>
    </section>
  );
}
