/** body-readings: the readings of a measure of the body in one unit, whatever units they are written in. */
import { bodyUnit, convertReading, plainUnit } from '../../../../core/lab-tests/body';
import { groupedBy } from '../../../../core/base/grouped-by';
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

/** One column of a period, whose readings are in several units, each as often as it was read. */
function joinColumns(parts: readonly ColumnSummary[]): ColumnSummary {
  if (parts.length === 1) {
    return parts[0]!;
  }
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const total = parts.reduce((sum, part) => sum + (part.average ?? 0) * part.count, 0);
  return { count, average: count === 0 ? null : total / count, least: null, most: null, sum: null };
}

/** The averages of readings in several units, in one of them. Units that do not convert are left out. */
export function averagesIn(of: Measuring, periods: readonly Period[], to: string): readonly Period[] {
  const known = periods.flatMap((period): readonly Period[] => {
    const unit = period.split ?? '';
    const columns = period.columns.map((column) => ({ ...column, average: averageIn(of, column.average, unit, to) }));
    return unit === to || convertedIn(of, '1', unit, to) !== undefined ? [{ ...period, columns }] : [];
  });
  return [...groupedBy(known, ({ period }) => period)]
    .map(([period, own]) => {
      const columns = own[0]!.columns.map((_, at) => joinColumns(own.map((part) => part.columns[at]!)));
      return { period, count: Math.max(0, ...columns.map(({ count }) => count)), split: to, columns };
    })
    .sort((one, other) => Number(one.period > other.period) - Number(one.period < other.period));
}

/** The view of readings in one unit. Where the model names the unit for all readings, they are in it. */
export function viewIn(of: Measuring, view: SeriesView, to: string): SeriesView {
  const { unitColumn, unit = '' } = of.series;
  const inUnits = (periods: readonly Period[]): readonly Period[] =>
    averagesIn(of, unitColumn === undefined ? periods.map((one) => ({ ...one, split: unit })) : periods, to);
  return {
    ...view,
    periods: inUnits(view.periods),
    averages: view.averages && { ...view.averages, periods: inUnits(view.averages.periods) },
    points: (view.points as readonly Fact[]).flatMap((fact) => readingIn(of, fact, to) ?? []) as SeriesView['points'],
  };
}
