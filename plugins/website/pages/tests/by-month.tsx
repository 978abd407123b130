/** by-month: the readings of a measure by month: averages, of mornings and evenings too, the least and the greatest. */
import type { JSX } from 'preact';
import { max, mean, min } from 'd3-array';
import { groupedBy } from '../../../../core/base/grouped-by';
import type { PersonVisit } from '../../http/page';
import { unitWords } from '../../words/facts';
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

/** Months, the newest first, of which at most these have a row. */
const MOST = 24;

/** Nothing for readings of one month. */
export function ByMonth({ visit: { words }, points, columns, unit }: Props): JSX.Element | null {
  const { say } = words;
  const months = [...groupedBy([...points].reverse(), monthOf)].slice(0, MOST);
  const hasParts = months.some(([, own]) => partsOfDay(own, columns) !== undefined);
  return months.length < 2 ? null : (
    <section class="card k-meas">
      <header>
        <h2>{say('data.by-month')}</h2>
      </header>
      <table class="fit">
        <caption class="unseen">{say('body.months', { unit: unitWords(unit, words) })}</caption>
        <thead>
          <tr>
            <th scope="col">{say('data.month')}</th>
            <th scope="col" class="num">
              {say('data.average')}
            </th>
            {hasParts &&
              (['morning', 'evening'] as const).map((name) => (
                <th scope="col" class="num wide-only">
                  {say(`body.${name}`)}
                </th>
              ))}
            <th scope="col" class="num">
              {say('data.least')}
            </th>
            <th scope="col" class="num">
              {say('data.most')}
            </th>
          </tr>
        </thead>
        <tbody>
          {months.map(([month, own]) => {
            const parts = partsOfDay(own, columns);
            return (
              <tr>
                <th scope="row">
                  {words.date(`${month}-01`, 'month')}{' '}
                  <span class="orig">{say('body.count', { count: own.length })}</span>
                </th>
                <td class="num">
                  <b>
                    <bdi>{averageWords(ofColumns(own, columns, mean), words)}</bdi>
                  </b>
                </td>
                {hasParts &&
                  [0, 1].map((index) => (
                    <td class="num wide-only">
                      <bdi>{parts ? averageWords(parts[index]!.values, words) : '–'}</bdi>
                    </td>
                  ))}
                <td class="num">
                  <bdi>{pairWords(ofColumns(own, columns, min), words)}</bdi>
                </td>
                <td class="num">
                  <bdi>{pairWords(ofColumns(own, columns, max), words)}</bdi>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
