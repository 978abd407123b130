/** by-month: the readings of a measure by month: averages, of mornings and evenings too, the least and the greatest. */
import type { JSX } from 'preact';
import { max, mean, min } from 'd3-array';
import { groupedBy } from '../../../../core/base/grouped-by';
import type { PersonVisit } from '../../http/page';
import { unitWords } from '../../words/facts';
import type { Words } from '../../words/words';
import { averageWords, pairWords } from '../data/series';
import { partsOfDay, type DatedReading } from './body-cards';

type Props = {
  readonly visit: PersonVisit;
  /** The oldest first. */ readonly points: readonly DatedReading[];
  readonly columns: number;
  readonly unit: string;
};

type Of = (values: readonly number[]) => number | undefined;

/** One number of each column: "133 / 83". */
function ofColumns(points: readonly DatedReading[], columns: number, of: Of): readonly (number | null)[] {
  return Array.from(
    { length: columns },
    (_, index) => of(points.flatMap(({ values }) => (typeof values[index] === 'number' ? values[index] : []))) ?? null,
  );
}

function monthOf({ at }: DatedReading): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** Of more months than this, the older ones are folded. */
const MOST_SHOWN = 12;

type Column = {
  readonly text: string;
  readonly of: (own: readonly DatedReading[]) => string;
  readonly isWide?: boolean;
};

/** The columns of numbers; those of mornings and evenings are there only where a month has both. */
function monthColumns(columns: number, hasParts: boolean, words: Words): readonly Column[] {
  const { say } = words;
  const part = (index: 0 | 1) => (own: readonly DatedReading[]) => {
    const parts = partsOfDay(own, columns);
    return parts ? averageWords(parts[index]!.values, words) : '–';
  };
  return [
    { text: say('data.average'), of: (own) => averageWords(ofColumns(own, columns, mean), words) },
    ...(hasParts ? [{ text: say('body.morning'), of: part(0), isWide: true }] : []),
    ...(hasParts ? [{ text: say('body.evening'), of: part(1), isWide: true }] : []),
    { text: say('data.least'), of: (own) => pairWords(ofColumns(own, columns, min), words) },
    { text: say('data.most'), of: (own) => pairWords(ofColumns(own, columns, max), words) },
  ];
}

type Month = readonly [month: string, readings: readonly DatedReading[]];

type TableProps = {
  readonly words: Words;
  readonly unit: string;
  readonly months: readonly Month[];
  readonly shown: readonly Column[];
};

function MonthTable({ words, unit, months, shown }: TableProps): JSX.Element {
  const { say } = words;
  const styleOf = ({ isWide }: Column): string => (isWide ? 'num wide-only' : 'num');
  return (
    <table class="fit">
      <caption class="unseen">{say('body.months', { unit: unitWords(unit, words) })}</caption>
      <thead>
        <tr>
          <th scope="col">{say('data.month')}</th>
          {shown.map((column) => (
            <th scope="col" class={styleOf(column)}>
              {column.text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map(([month, own]) => (
          <tr>
            <th scope="row">
              {words.date(`${month}-01`, 'short-month')}{' '}
              <span class="orig">{say('body.count', { count: own.length })}</span>
            </th>
            {shown.map((column, index) => (
              <td class={styleOf(column)}>
                {index === 0 ? (
                  <b>
                    <bdi>{column.of(own)}</bdi>
                  </b>
                ) : (
                  <bdi>{column.of(own)}</bdi>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Nothing for readings of one month, and where no month has two: the list of the readings says the same. */
export function ByMonth({ visit: { words }, points, columns, unit }: Props): JSX.Element | null {
  const { say } = words;
  const months = [...groupedBy([...points].reverse(), monthOf)];
  if (months.length < 2 || months.every(([, own]) => own.length < 2)) {
    return null;
  }
  const hasParts = months.some(([, own]) => partsOfDay(own, columns) !== undefined);
  const table = { words, unit, shown: monthColumns(columns, hasParts, words) };
  const older = months.length - MOST_SHOWN;
  return (
    <section class="card k-meas">
      <header>
        <h2>{say('data.by-month')}</h2>
      </header>
      <MonthTable {...table} months={months.slice(0, MOST_SHOWN)} />
      {older > 0 && (
        <details class="fold">
          <summary>{say('body.older-months', { count: older })}</summary>
          <MonthTable {...table} months={months.slice(MOST_SHOWN)} />
        </details>
      )}
    </section>
  );
}
