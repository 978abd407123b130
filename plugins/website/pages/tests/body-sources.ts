/** body-sources: reads the readings of a measure of the body, each kind of them in one unit. */
import type { Model } from '../../../../core/facts/model/model';
import type { BodyMeasure } from '../../../../core/lab-tests/tests';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import { dateField, type Fact } from '../../words/facts';
import { isIn, seriesOf, unitIn, type Series, type SeriesView } from '../data/series';
import { joinedReadings, type Readings } from './body-joined';
import { viewIn, type Measuring } from './body-readings';
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
/** When a measure was taken, and in how many models its readings are. */
export type Span = { readonly first: string; readonly last: string; readonly models: number };
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

type Range = { readonly from: string; readonly to: string };

/** The days of the period; empty where it has no end. */
function rangeOf({ name, from, to }: Period, { now }: PersonVisit): Range {
  const least = PERIODS[name];
  return { from: from || (least === undefined ? '' : new Date(now - least).toISOString().slice(0, 10)), to };
}

/** The days as a range of the report. */
function queryOf({ from, to }: Range, date: string, { words }: PersonVisit): Queried {
  return from === '' && to === '' ? {} : { date_range: `${date}*${from}*${to}`, _range_zone: words.zone };
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

/** The days of the readings that the period has, of those that the measure has at all. */
function spanIn({ from, to }: Range, { first, last }: Span): string {
  const [begin, end] = [from > first ? from : first, to !== '' && to < last ? to : last];
  return `${begin}*${end}`;
}

/** The readings of a source as they are written, and as they are drawn in one unit. */
async function readSource(of: Of, source: Source, more: Queried): Promise<ReadSource> {
  const { series } = source;
  const { unitColumn } = series;
  const view = await querySeries(of, source, { ...more, ...(unitColumn === undefined ? {} : { _split: unitColumn }) });
  const facts = (view.points as readonly Fact[]).filter((fact) => isIn(series, fact));
  const unit = of.unit || unitIn(series, facts[0]) || of.measure.unit;
  const parts = [{ ...source, count: view.count }];
  return { ...source, view: viewIn(measuringOf(of, series), view, unit), facts, unit, parts };
}
export type ReadSource = Readings;

/** Whether there are more readings than are listed. */
function isLong({ view, facts }: ReadSource): boolean {
  return view.count > facts.length;
}

/** With either its points or its averages, whichever are drawn. */
function drawnBy(areAverages: boolean, { view, ...read }: ReadSource): ReadSource {
  return { ...read, view: areAverages ? { ...view, points: [] } : { ...view, averages: null } };
}

/**
 * The readings of both models, together where both have some, one after the other: each is several long reads.
 * @param span when there are readings, and in how many models
 */
export async function readBodySource(of: Of, period: Period, span: Span | undefined): Promise<ReadSource | undefined> {
  const filled: ReadSource[] = [];
  const range = rangeOf(period, of.visit);
  const together: Queried = span && span.models > 1 ? { _together: spanIn(range, span) } : {};
  for (const source of bodySources(of)) {
    const read = await readSource(of, source, { ...queryOf(range, dateField(source.model)!, of.visit), ...together });
    filled.push(...(read.view.count > 0 ? [read] : []));
  }
  const areAverages = filled.some(isLong);
  const [one, two] = filled.map((read) => drawnBy(areAverages, read));
  return one && two ? joinedReadings(measuringOf(of, one.series), [one, two], of.unit) : one;
}
