/** chart: the chart and the averages of a data page, made from the answer of the report. */
import type { JSX } from 'preact';
import type { Model } from '../../../../core/facts/model/model';
import { begunMarks } from './begun';
import type { DataQuery } from './query';
import { dateField, dateWords, knownDate, numberWords, unitWords, withUnit, type Fact } from '../../words/facts';
import { Chart, scaleStart, type ChartData, type Mark, type Reading } from '../../parts/charts/chart';
import { joinNumbers } from '../../words/measure-words';
import { Part } from '../../parts/layout';
import {
  averageWords,
  isIn,
  pairWords,
  unitIn,
  valuesIn,
  type ColumnSummary,
  type Period,
  type Series,
  type SeriesView,
} from './series';
import type { Words } from '../../words/words';
import { shownAt } from '../../words/zoned';

/** All that a chart is made from. */
export type Charted = {
  readonly model: Model;
  readonly series: Series;
  readonly view: SeriesView;
  /** The latest reading, if this is the first page in the usual order. */
  readonly newest: Fact | undefined;
  /** What is measured: the name of the series, or the one of its names that was chosen. */
  readonly name: string;
  readonly words: Words;
  readonly query: DataQuery;
  /** Days on which something was begun that may have changed what is measured. */
  readonly begun: Begun;
};

/** The medicines that the series answered, and where they are shown. */
type Begun = { readonly model: Model | undefined; readonly now: number; readonly base: string };

const DAY = 86_400_000;

function averages(columns: readonly ColumnSummary[]): readonly (number | null)[] {
  return columns.map(({ average }) => average);
}

/** The middle of a week or month, at which its average is drawn. */
function middleOf(period: string, increment: 'week' | 'month'): number {
  const [year = 0, part = 1] = period.split('-').map(Number);
  return increment === 'week' ? Date.UTC(year, 0, 1) + ((part - 1) * 7 + 3.5) * DAY : Date.UTC(year, part - 1, 15);
}

function dayOfMoment(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** "2025", "March 2025". */
function periodWords(period: string, { date }: Words): string {
  return period.length > 4 ? date(`${period}-01`, 'month') : date(`${period}-01-01`, 'year');
}

/** Readings of the same unit, oldest first. */
function readingsOf(series: Series, facts: readonly Fact[]): readonly Fact[] {
  const read = facts.filter((fact) => isIn(series, fact));
  return read.filter((fact) => unitIn(series, fact) === unitIn(series, read[0])).reverse();
}

type Dated = Reading & { readonly date: unknown };

/** Readings in the unit of the latest one, oldest first, with times in the zone of the person. */
export function pointsOf(model: Model, series: Series, facts: readonly Fact[], { zone }: Words): readonly Dated[] {
  const field = dateField(model)!;
  return readingsOf(series, facts).map((fact) => ({
    at: shownAt(zone, knownDate(fact, field)),
    values: valuesIn(series, fact),
    date: knownDate(fact, field),
  }));
}

/** "3 March 2026: 132 / 84" */
export function pointWords({ date, values }: Dated, words: Words): string {
  return words.say('data.point', { date: dateWords(date, words), value: pairWords(values, words) });
}

function pointMarks(model: Model, series: Series, facts: readonly Fact[], words: Words): readonly Mark[] {
  return pointsOf(model, series, facts, words).map((point) => ({ ...point, title: pointWords(point, words) }));
}

function averageMarks({ increment, periods }: NonNullable<SeriesView['averages']>, words: Words): readonly Mark[] {
  return periods.map(({ period, columns }) => {
    const at = middleOf(period, increment);
    const date = increment === 'week' ? words.date(dayOfMoment(at - 3.5 * DAY)) : periodWords(period, words);
    const value = averageWords(averages(columns), words);
    return {
      at,
      values: averages(columns),
      title: words.say(increment === 'week' ? 'data.week' : 'data.point', { date, value }),
    };
  });
}

const MOST_MEANS = 24;

function meansOf(periods: readonly Period[], marks: readonly Mark[]): ChartData['means'] {
  return periods.length < 2 || periods.length > MOST_MEANS || periods[0]!.columns.length === 0
    ? []
    : periods.flatMap(({ period, columns }) => {
        const own = marks.filter(({ at }) => dayOfMoment(at).startsWith(period));
        return own.length === 0 ? [] : [{ from: own[0]!.at, to: own.at(-1)!.at, values: averages(columns) }];
      });
}

export function latestOf({
  series,
  view,
  newest,
  words,
}: Charted): { readonly fact: Fact; readonly said: string } | undefined {
  const fact = (view.points as readonly Fact[]).find((one) => isIn(series, one)) ?? newest;
  return fact && { fact, said: withUnit(pairWords(valuesIn(series, fact), words), unitIn(series, fact), words) };
}

/** Says how the averages changed from the first period to the last one. */
export function trendWords({ view: { periods }, words, query }: Charted): string {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last || first === last || first.columns.length === 0) {
    return '';
  }
  return words.say(query.increment === 'month' ? 'data.trend-month' : 'data.trend-year', {
    from: averageWords(averages(first.columns), words),
    first: periodWords(first.period, words),
    to: averageWords(averages(last.columns), words),
    last: periodWords(last.period, words),
  });
}

function sentences(...said: readonly string[]): string {
  return said.filter((one) => one !== '').join(' ');
}

/** Undefined when there are fewer than two readings, or when all have the same time, because a chart shows changes. */
export function chartData(charted: Charted, unit: string): ChartData | undefined {
  const { model, series, view, name, words, query } = charted;
  const marks = view.averages
    ? averageMarks(view.averages, words)
    : pointMarks(model, series, view.points as readonly Fact[], words);
  if (marks.length < 2 || marks[0]!.at === marks.at(-1)!.at) {
    return undefined;
  }
  const [first, last] = [dayOfMoment(marks[0]!.at), dayOfMoment(marks.at(-1)!.at)];
  const { now, model: medicines } = charted.begun;
  const events = begunMarks(medicines, view.begun as readonly Fact[], { first, last, now }, words);
  return {
    marks,
    events,
    means: meansOf(view.periods, marks),
    unit: unitWords(unit, words),
    names: series.names.map((one) => (series.choice === undefined ? one : name)),
    meanName: words.say(query.increment === 'month' ? 'data.mean-month' : 'data.mean-year'),
    label: sentences(
      words.say('data.chart', {
        name,
        count: view.averages ? view.count : marks.length,
        first: words.date(first),
        last: words.date(last),
      }),
      trendWords(charted),
      ...events.map(({ title }) => title),
      words.say('data.chart-table'),
    ),
  };
}

const stepTexts = { week: 'data.weeks', month: 'data.months' } as const;

export function ChartPart({ charted, data }: { readonly charted: Charted; readonly data: ChartData }): JSX.Element {
  const { view, words } = charted;
  const { say } = words;
  const start = scaleStart(data);
  const left = view.averages ? 0 : view.count - data.marks.length;
  const first = dateWords(view.averages ? view.first : dayOfMoment(data.marks[0]!.at), words);
  const last = dateWords(view.averages ? view.last : dayOfMoment(data.marks.at(-1)!.at), words);
  return (
    <Chart data={data} words={words}>
      <>
        {sentences(
          say(first === last ? 'data.caption-day' : 'data.caption', {
            count: view.averages ? view.count : data.marks.length,
            first,
            last,
          }),
          view.averages ? say(stepTexts[view.averages.increment]) : '',
          left > 0 ? say('data.not-drawn', { count: left }) : '',
          start === 0 ? '' : say('data.start', { start: numberWords(start, words) }),
        )}{' '}
        <a href="#readings">{say('data.below')}</a>
        {data.events.length > 0 && (
          <>
            {'. '}
            {words.rich('data.begun-from', {
              a: (chunks) => <a href={`${charted.begun.base}data/${charted.begun.model!.name}`}>{chunks}</a>,
            })}
          </>
        )}
      </>
    </Chart>
  );
}

type PeriodColumn = { readonly text: string; readonly of: (period: Period) => string; readonly strong?: boolean };

function periodColumns({ words, query, series }: Charted): readonly PeriodColumn[] {
  const exactly = (values: readonly (number | null)[]): string =>
    joinNumbers(
      values.map((value) => (value === null ? '–' : numberWords(value, words))),
      words,
    );
  const average: PeriodColumn = {
    text: words.say('data.average'),
    strong: query.operator === 'avg',
    of: ({ columns }) => averageWords(averages(columns), words),
  };
  const least: PeriodColumn = {
    text: words.say('data.least'),
    of: ({ columns }) => exactly(columns.map((one) => one.least)),
  };
  const most: PeriodColumn = {
    text: words.say('data.most'),
    of: ({ columns }) => exactly(columns.map((one) => one.most)),
  };
  const sum: PeriodColumn = {
    text: words.say('data.sum'),
    strong: query.operator === 'sum',
    of: ({ columns }) => exactly(columns.map((one) => one.sum)),
  };
  return series.measured ? [average, least, most] : [sum, average, most];
}

/** Averages and sums by year or month, newest first. */
export function PeriodsPart({
  charted,
  unit,
}: {
  readonly charted: Charted;
  readonly unit: string;
}): JSX.Element | null {
  const { view, words, query, name } = charted;
  const { say } = words;
  if (view.periods.length === 0 || view.periods[0]!.columns.length === 0) {
    return null;
  }
  const columns = periodColumns(charted);
  const title = say(query.increment === 'month' ? 'data.by-month' : 'data.by-year');
  const inUnit = unitWords(unit, words);
  return (
    <Part title={title} {...(inUnit === '' ? {} : { hint: say('data.in', { unit: inUnit }) })}>
      <table class="fit" role="table">
        <caption class="unseen">{say('data.periods', { name, by: title })}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {say(query.increment === 'month' ? 'data.month' : 'data.year')}
            </th>
            {columns.map(({ text }) => (
              <th scope="col" role="columnheader" class="num">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {[...view.periods].reverse().map((period) => (
            <tr role="row">
              <th scope="row" role="rowheader">
                {periodWords(period.period, words)}{' '}
                <span class="soft small">{say('data.readings', { count: period.count })}</span>
              </th>
              {columns.map(({ text, of, strong }) => (
                <td role="cell" class="num" data-label={text}>
                  {strong ? <b>{of(period)}</b> : of(period)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}
