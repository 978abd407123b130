/** body-sources: reads the readings of a measure of the body, each kind of them in one unit. */
import type { Model } from '../../../../core/facts/model/model';
import type { BodyMeasure } from '../../../../core/lab-tests/tests';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import { dateField, type Fact } from '../../words/facts';
import { isIn, seriesOf, unitIn, type Period as YearOrMonth, type Series, type SeriesView } from '../data/series';
import { joinedReadings, type Readings } from './body-joined';
import { averagesIn, viewIn, type Measuring } from './body-readings';
import { dayOr, PERIODS } from './period';

export type Of = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  readonly measure: BodyMeasure;
  /** The unit that the address asks for; empty: that of the newest reading. */ readonly unit: string;
};
export type Source = {
  readonly model: Model;
  readonly series: Series;
  /** What the report is asked for: the facts of this measure. */ readonly query: Readonly<Record<string, string>>;
};
export type Period = { readonly name: string; readonly from: string; readonly to: string };

export function measureName({ names }: BodyMeasure, { words }: PersonVisit): string {
  return names[words.language];
}

/** Where readings of the measure are: a field of VitalSigns, and some types of Measurement. */
export function bodySources({ visit: { models, words }, measure }: Of): readonly Source[] {
  const [vitals, others] = [models.find('VitalSigns'), models.find('Measurement')];
  const field = vitals && seriesOf(vitals, words).find((one) => one.field === measure.field);
  const value = others && seriesOf(others, words).find((one) => one.field === 'value');
  return [
    ...(field ? [{ model: vitals, series: field, query: {} }] : []),
    ...(value && measure.types.length > 0
      ? [{ model: others, series: withoutChoice(value), query: { type: measure.types.join('|') } }]
      : []),
  ];
}

export function measuringOf({ visit, measure }: Of, series: Series): Measuring {
  return { tests: visit.models.labTests, measure, series };
}

/** Readings of one type need no name of what is measured. */
function withoutChoice({ choice: _choice, ...series }: Series): Series {
  return series;
}

const USUAL = '1y';

/**
 * The time that the address asks for. Where it asks for none it is the last year if there are readings of it, and all
 * of them if there are none, or where they are wanted.
 * @param last the newest date of the measure
 */
export function periodIn({ query, now }: PersonVisit, last: string | undefined, isAllWanted: boolean): Period {
  const [from, to] = [dayOr(query['from']), dayOr(query['to'])];
  const isRecent = last !== undefined && Date.parse(last) >= now - PERIODS[USUAL]!;
  const usual = from === '' && to === '' && isRecent && !isAllWanted ? USUAL : 'all';
  const { period = usual } = query;
  return { name: Object.hasOwn(PERIODS, period) ? period : 'all', from, to };
}

/** The days of the period as a range of the report. */
function rangeOf({ name, from, to }: Period, date: string, visit: PersonVisit): Readonly<Record<string, string>> {
  const least = PERIODS[name];
  const first = from || (least === undefined ? '' : new Date(visit.now - least).toISOString().slice(0, 10));
  return first === '' && to === '' ? {} : { date_range: `${date}*${first}*${to}`, _range_zone: visit.words.zone };
}

export type Queried = Readonly<Record<string, string>>;

async function querySeries({ visit, whose }: Of, { model, series, query }: Source, more: Queried): Promise<SeriesView> {
  return visit.ask(whose.kind === 'record' ? operations.reports.recordSeries : operations.reports.carenetSeries, {
    params: { ...whose.params, DATA_MODEL: model.name },
    query: {
      ...query,
      ...more,
      _columns: series.columns.join('|'),
      _date: dateField(model)!,
      _increment: 'year',
      _zone: visit.words.zone,
    },
  });
}

/** Of units that are written more seldom nothing is drawn where there are too many readings for points. */
const MOST_UNITS = 3;

/** The averages of readings in several units, each read by itself, in the one that is asked for or else the newest. */
async function averagesOfUnits(
  of: Of,
  source: Source,
  view: SeriesView,
  range: Queried,
): Promise<[SeriesView, string]> {
  const { series } = source;
  const { unitColumn = '' } = series;
  const measuring = measuringOf(of, series);
  const averages = view.averages!;
  const parts: (Pick<SeriesView, 'last'> & { readonly unit: string; readonly periods: readonly YearOrMonth[] })[] = [];
  for (const { value: unit } of view.choices.slice(0, MOST_UNITS)) {
    const own = await querySeries(of, source, { ...range, [unitColumn]: unit, _step: averages.increment });
    parts.push({ unit, last: own.last, periods: own.averages?.periods ?? [] });
  }
  const newest = parts.reduce((one, other) => ((other.last ?? '') > (one.last ?? '') ? other : one));
  const unit = of.unit || newest.unit;
  const periods = averagesIn(measuring, parts, unit);
  return [{ ...view, periods: [], averages: { ...averages, periods } }, unit];
}

/** The readings of a source as they are written, and as they are drawn in one unit. */
async function readSource(of: Of, source: Source, period: Period): Promise<ReadSource> {
  const { model, series } = source;
  const range = rangeOf(period, dateField(model)!, of.visit);
  const { unitColumn } = series;
  const view = await querySeries(of, source, {
    ...range,
    ...(unitColumn === undefined ? {} : { _choices: unitColumn }),
  });
  const facts = (view.points as readonly Fact[]).filter((fact) => isIn(series, fact));
  const parts = [{ ...source, count: view.count }];
  const [common] = view.choices;
  const isOfOneUnit = common === undefined || (of.unit === '' && common.count === view.count);
  if (view.averages && !isOfOneUnit) {
    const [drawn, unit] = await averagesOfUnits(of, source, view, range);
    return { ...source, view: drawn, facts, unit, parts };
  }
  const unit = of.unit || unitIn(series, facts[0]) || common?.value || of.measure.unit;
  return { ...source, view: viewIn(measuringOf(of, series), view, unit), facts, unit, parts };
}
export type ReadSource = Readings;

/** The source with averages over such times, where it has points or averages over shorter ones. */
async function averaged(
  of: Of,
  source: ReadSource,
  increment: 'week' | 'month' | undefined,
  period: Period,
): Promise<ReadSource> {
  const { view, model } = source;
  if (increment === undefined || view.averages?.increment === increment) {
    return source;
  }
  const range = rangeOf(period, dateField(model)!, of.visit);
  const [drawn, unit] = await averagesOfUnits(of, source, { ...view, averages: { increment, periods: [] } }, range);
  return { ...source, view: drawn, unit };
}

/** The readings of both models, together where both have some, one after the other: each is several long reads. */
export async function readBodySource(of: Of, period: Period): Promise<ReadSource | undefined> {
  const filled: ReadSource[] = [];
  for (const source of bodySources(of)) {
    const read = await readSource(of, source, period);
    filled.push(...(read.view.count > 0 ? [read] : []));
  }
  const [one, two] = filled;
  if (!one || !two) {
    return one;
  }
  const lengths = [one, two].flatMap(({ view }) => view.averages?.increment ?? []);
  const increment = lengths.find((length) => length === 'month') ?? lengths[0];
  const both = [await averaged(of, one, increment, period), await averaged(of, two, increment, period)] as const;
  return joinedReadings(measuringOf(of, one.series), both, of.unit);
}
