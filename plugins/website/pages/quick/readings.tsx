/** readings: what was measured before, beside a reading that was just saved. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { Spark, spanOf } from '../../parts/charts/chart';
import { Tile } from '../../parts/icons';
import { recordBase } from '../../parts/record-frame';
import { pointsOf, pointWords } from '../data/chart';
import { queryAddress, seriesChoice } from '../data/query';
import type { Readings } from './last';

/** The small chart of the overview; nothing for a single reading. */
export function SavedReadings({
  visit,
  readings: { model, series, facts, isAll },
}: {
  readonly visit: PersonVisit;
  readonly readings: Readings;
}): JSX.Element | null {
  const { words, models } = visit;
  const points = pointsOf(model, series, facts, words);
  const span = spanOf(points, isAll);
  const count = span.marks.length;
  const [first, last] = [points.at(-count), points.at(-1)];
  if (!first || !last || count < 2) {
    return null;
  }
  const base = recordBase(visit);
  const measure = models.labTests.body.find(({ field }) => field === series.field);
  const to = measure
    ? `${base}tests/${measure.id}`
    : queryAddress(`${base}data/${model.name}`, { aggregate_by: seriesChoice('avg', series) });
  const said = { name: series.label, count, first: pointWords(first, words), last: pointWords(last, words) };
  return (
    <section class="card k-meas">
      <header>
        <Tile name="pulse" />
        <h2>
          <a href={to}>
            <bdi>{series.label}</bdi>
          </a>
        </h2>
      </header>
      <Spark span={span} words={words} label={words.say('overview.spark', said)} />
    </section>
  );
}
