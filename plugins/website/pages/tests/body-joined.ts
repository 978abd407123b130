/** body-joined: the readings of one measure from both models as one series, in one unit, so that they share a chart. */
import { CLOCKS, PARTIAL_DATES } from '../../../../core/facts/partial-dates';
import type { Model } from '../../../../core/facts/model/model';
import { dateField, text, type Fact } from '../../words/facts';
import type { Series, SeriesView } from '../data/series';
import { averagesIn, readingIn, type Measuring } from './body-readings';

/** The readings of one model, as they are written and as they are drawn in one unit. */
export type Readings = {
  readonly model: Model;
  readonly series: Series;
  readonly query: Readonly<Record<string, string>>;
  readonly view: SeriesView;
  readonly facts: readonly Fact[];
  readonly unit: string;
  /** The models of which the readings are. */ readonly parts: readonly Part[];
};
type Part = Pick<Readings, 'model' | 'series' | 'query'> & { readonly count: number };

function renamed(said: unknown, from: string, to: string): Readonly<Record<string, unknown>> {
  const { [from]: own, ...others } = (said ?? {}) as Readonly<Record<string, unknown>>;
  return own === undefined ? others : { ...others, [to]: own };
}

/** The fact of another model with the columns of this one; it keeps the name of its own model, its id and document. */
function inColumnsOf({ model, series }: Readings, other: Readings, fact: Fact): Fact {
  const [date, own] = [dateField(model)!, dateField(other.model)!];
  const values = series.columns.map((column, at) => [column, fact[other.series.columns[at] ?? '']] as const);
  const unit = other.series.unitColumn === undefined ? other.series.unit : fact[other.series.unitColumn];
  return {
    ...fact,
    ...Object.fromEntries(values),
    ...(series.unitColumn === undefined ? {} : { [series.unitColumn]: unit }),
    [date]: fact[own],
    [PARTIAL_DATES]: renamed(fact[PARTIAL_DATES], own, date),
    [CLOCKS]: renamed(fact[CLOCKS], own, date),
  };
}

function newestFirst(facts: readonly Fact[], date: string): readonly Fact[] {
  return [...facts].sort((a, b) => Number(text(a[date]) < text(b[date])) - Number(text(a[date]) > text(b[date])));
}

function ends(both: readonly Readings[]): Pick<SeriesView, 'first' | 'last'> {
  const days = (name: 'first' | 'last'): readonly string[] => both.flatMap(({ view }) => view[name] ?? []).sort();
  return { first: days('first')[0] ?? null, last: days('last').at(-1) ?? null };
}

/**
 * Two series as one, in the unit that is asked for or else that of the newest reading. Both have averages, of equal
 * lengths of time, or neither has any.
 */
export function joinedReadings(measuring: Measuring, two: readonly [Readings, Readings], asked: string): Readings {
  const [one, other] = two[0].view.last! >= two[1].view.last! ? two : ([two[1], two[0]] as const);
  const unit = asked || one.unit;
  const of: Measuring = { ...measuring, series: one.series };
  const date = dateField(one.model)!;
  const facts = newestFirst([...one.facts, ...other.facts.map((fact) => inColumnsOf(one, other, fact))], date);
  const [first, second] = [one.view.averages, other.view.averages];
  const averages = first && {
    ...first,
    periods: averagesIn(of, [...first.periods, ...(second?.periods ?? [])], unit),
  };
  const view: SeriesView = {
    ...one.view,
    ...ends(two),
    count: one.view.count + other.view.count,
    points: averages ? [] : (facts.flatMap((fact) => readingIn(of, fact, unit) ?? []) as SeriesView['points']),
    periods: averagesIn(of, [...one.view.periods, ...other.view.periods], unit),
    averages,
  };
  return { ...one, unit, facts, parts: [...one.parts, ...other.parts], view };
}
