/** readings: what was measured before, beside a reading that was just saved. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { Spark, spanOf } from '../../parts/charts/chart';
import { Tile } from '../../parts/icons';
import { recordBase } from '../../parts/record-frame';
import { pointsOf, pointWords } from '../data/chart';
import { seriesAddress } from '../data/query';
import type { Readings } from './last';

/** The small chart of the overview; nothing for a single reading. */
export function SavedReadings({
  visit,
  readings: { model, series, facts, isAll },
}: {
  readonly visit: PersonVisit;
  readonly readings: Readings;
}): JSX.Element | null {
  const { words } = visit;
  const points = pointsOf(model, series, facts, words);
  const span = spanOf(points, isAll);
  const count = span.marks.length;
  const [first, last] = [points.at(-count), points.at(-1)];
  if (!first || !last || count < 2) {
    return null;
  }
  const said = { name: series.label, count, first: pointWords(first, words), last: pointWords(last, words) };
  return (
    <section class="card k-meas">
      <header>
        <Tile name="pulse" />
        <h2>
          <a href={seriesAddress(visit, recordBase(visit), model, series)}>
            <bdi>{series.label}</bdi>
          </a>
        </h2>
      </header>
      <Spark span={span} words={words} label={words.say('overview.spark', said)} />
    </section>
  );
}
