/** body-readings: the readings of a measure of the body in one unit, whatever units they are written in. */
import { bodyUnit, convertReading, plainUnit } from '../../../../core/lab-tests/body';
import type { BodyMeasure, LabTests } from '../../../../core/lab-tests/tests';
import type { Fact } from '../../words/facts';
import { unitIn, type ColumnSummary, type Period, type Series, type SeriesView } from '../data/series';

export type Measuring = { readonly tests: LabTests; readonly measure: BodyMeasure; readonly series: Series };

/** Whether the two are one unit, however it is written. */
export function isSameUnit({ tests, measure }: Measuring, one: string, other: string): boolean {
  const [first, second] = [one, other].map((unit) => plainUnit(bodyUnit(tests, measure, unit) ?? unit));
  return first === second;
}

function convertedIn({ tests, measure }: Measuring, written: string, from: string, to: string): string | undefined {
  const [one, other] = [bodyUnit(tests, measure, from), bodyUnit(tests, measure, to)];
  return one === undefined || other === undefined ? undefined : convertReading(measure, written, one, other);
}

/** The reading in the unit; undefined where its own unit is none of the measure. */
export function readingIn(of: Measuring, fact: Fact, to: string): Fact | undefined {
  const { unitColumn, columns } = of.series;
  const from = unitIn(of.series, fact);
  if (from === to || unitColumn === undefined) {
    return fact;
  }
  const filled = columns.filter((column) => (fact[column] ?? '') !== '');
  const values = filled.map((column) => [column, convertedIn(of, String(fact[column]), from, to)] as const);
  return values.some(([, value]) => value === undefined)
    ? undefined
    : { ...fact, ...Object.fromEntries(values), [unitColumn]: to };
}

/** Averages are computed with many digits, of which four mean something. */
const ENOUGH = 4;

function averageIn(of: Measuring, average: number | null, from: string, to: string): number | null {
  const text = average === null || from === to ? undefined : convertedIn(of, average.toFixed(ENOUGH), from, to);
  return text === undefined ? average : Number(text);
}

type OfUnit = { readonly unit: string; readonly periods: readonly Period[] };

/** One column of a period, whose readings are in several units, each as often as it was read. */
function joinColumns(parts: readonly ColumnSummary[]): ColumnSummary {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const total = parts.reduce((sum, part) => sum + (part.average ?? 0) * part.count, 0);
  return { count, average: count === 0 ? null : total / count, least: null, most: null, sum: null };
}

/** The averages of readings in several units, in one of them. Units that do not convert are left out. */
export function averagesIn(of: Measuring, parts: readonly OfUnit[], to: string): readonly Period[] {
  const known = parts.filter(({ unit }) => unit === to || convertedIn(of, '1', unit, to) !== undefined);
  const names = [...new Set(known.flatMap(({ periods }) => periods.map(({ period }) => period)))].sort();
  return names.map((period) => {
    const own = known.flatMap(({ unit, periods }) =>
      periods
        .filter((one) => one.period === period)
        .map(({ columns }) =>
          columns.map((column) => ({ ...column, average: averageIn(of, column.average, unit, to) })),
        ),
    );
    const columns = (own[0] ?? []).map((_, at) => joinColumns(own.map((part) => part[at]!)));
    return { period, count: Math.max(0, ...columns.map(({ count }) => count)), columns };
  });
}

/** The view of readings in one unit: its points are converted, and averages over several units are not drawn. */
export function viewIn(of: Measuring, view: SeriesView, to: string): SeriesView {
  const points = (view.points as readonly Fact[]).map((fact) => [fact, readingIn(of, fact, to)] as const);
  return points.every(([fact, read]) => fact === read)
    ? view
    : { ...view, periods: [], points: points.flatMap(([, read]) => read ?? []) as SeriesView['points'] };
}
