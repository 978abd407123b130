/** series-chart: the chart of the results of one test: points, the range of the laboratory, and its marks. */
import { groupedBy } from '../../../../core/base/grouped-by';
import { flatMapInSlices, mapInSlices } from '../../../../core/base/turns/slices';
import type { LabTests } from '../../../../core/lab-tests/tests';
import type { Band, ChartData, Mark } from '../../parts/charts/chart';
import { findingMark } from '../../parts/finding';
import { dateWords, knownDate, numberWords, text, unitWords, withUnit } from '../../words/facts';
import { commaSeparated, type Words } from '../../words/words';
import { shownAt } from '../../words/zoned';
import type { Word } from '../../parts/charts/words-row';
import {
  isCounting,
  isInWords,
  placedNumber,
  rangeIn,
  testName,
  titreOf,
  valueIn,
  type ResultSeries,
  type TestResult,
} from './results';

const FIELD = 'quantitative_result';

/** As many points as the chart has columns of pixels, each column keeping its first, last, least and greatest. */
const COLUMNS = 300;

type Point = {
  readonly at: number;
  readonly number: number;
  readonly result: TestResult;
  readonly value: string;
  readonly byConvention: boolean;
};

/** What comes in the time of each column, oldest first. */
function byColumn<T extends { readonly at: number }>(points: readonly T[]): readonly (readonly T[])[] {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const columns = groupedBy(points, ({ at }) =>
    String(Math.floor(((at - first) / (last - first || 1)) * (COLUMNS - 1))),
  );
  return [...columns.values()];
}

function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= COLUMNS * 2) {
    return points;
  }
  return byColumn(points).flatMap((some) => {
    const sorted = [...some].sort((one, other) => one.number - other.number);
    const kept = new Set([some[0]!, some.at(-1)!, sorted[0]!, sorted.at(-1)!]);
    return some.filter((point) => kept.has(point));
  });
}

/** What is drawn, oldest first: all but what the person calls wrong, and what was corrected since. */
function counting({ results }: ResultSeries): readonly TestResult[] {
  return results.filter(isCounting).reverse();
}

function signsOf({ fact, written }: TestResult): Pick<Mark, 'sign' | 'bound'> {
  const sign = findingMark(fact, FIELD)?.sign;
  const bound = /^([<>])/.exec(written.value)?.[1];
  return {
    ...(sign === undefined ? {} : { sign: sign.startsWith('up') ? 'up' : 'down' }),
    ...(bound === undefined ? {} : { bound: bound === '<' ? 'less' : 'more' }),
  };
}

/** The names of the tests of a series, which are two where these are one series. */
export function testNames({ results }: ResultSeries, words: Words): readonly string[] {
  return [...new Set(results.map(({ code }) => testName(code.test, words.language)))];
}

/** A step for each result that has a range of its laboratory: to the middle between it and its neighbours. */
async function bandsOf(series: ResultSeries, tests: LabTests, unit: string, words: Words): Promise<readonly Band[]> {
  const dated = await flatMapInSlices(counting(series), (result) => {
    const at = shownAt(words.zone, result.date);
    return Number.isNaN(at) ? [] : [{ at, range: rangeIn(result, tests, unit) }];
  });
  const steps = dated.flatMap(({ at, range }, index): readonly Band[] => {
    const from = ((dated[index - 1]?.at ?? at) + at) / 2;
    const to = ((dated[index + 1]?.at ?? at) + at) / 2;
    return Object.keys(range).length === 0 || to === from ? [] : [{ from, to, ...range }];
  });
  return steps.length > COLUMNS ? [] : steps;
}

/** The value as it is drawn, and where. Titres are steps: each is twice the one below it, and as high as that one. */
function placedValue(
  result: TestResult,
  { foreign }: ResultSeries,
  unit: string,
): Pick<Point, 'number' | 'value' | 'byConvention'> | undefined {
  const titre = titreOf(result);
  if (titre !== undefined) {
    return { number: Math.log2(titre), value: result.written.value, byConvention: false };
  }
  const converted = foreign === undefined ? valueIn(result, unit) : undefined;
  const value = foreign === undefined ? converted?.text : result.written.value;
  const number = value === undefined ? Number.NaN : placedNumber(value);
  return value === undefined || Number.isNaN(number)
    ? undefined
    : { number, value, byConvention: converted?.byConvention ?? false };
}

/** The points of a series, oldest first. */
function pointsOf(series: ResultSeries, unit: string, words: Words): Promise<readonly Point[]> {
  return flatMapInSlices(counting(series), (result): readonly Point[] => {
    const placed = placedValue(result, series, unit);
    const at = shownAt(words.zone, result.date);
    return placed === undefined || Number.isNaN(at) ? [] : [{ at, result, ...placed }];
  });
}

/** What is words in a series, or a ratio, oldest first. It stands in a row under the chart, as it was said. */
async function drawnWords(series: ResultSeries, words: Words): Promise<readonly Word[]> {
  const all = await flatMapInSlices(counting(series), (result): readonly Word[] => {
    const at = shownAt(words.zone, result.date);
    const text = result.written.value;
    const isNone = text === '' || titreOf(result) !== undefined || !isInWords(result) || Number.isNaN(at);
    return isNone ? [] : [{ at, text, title: `${pointDate(result, words)}: ${text}` }];
  });
  return byColumn(all).flatMap((some) => some.at(-1) ?? []);
}

/** The heights of titres, by their numbers. */
function stepsOf({ results }: ResultSeries): NonNullable<ChartData['steps']> {
  const titres = new Set(results.filter(isCounting).flatMap((result) => titreOf(result) ?? []));
  return [...titres].sort((one, other) => one - other).map((one) => ({ at: Math.log2(one), text: `1:${one}` }));
}

function pointDate({ fact }: TestResult, words: Words): string {
  return dateWords(knownDate(fact, 'collected_at'), words);
}

/** The value with its unit. One that was converted has, in brackets, what its laboratory wrote. */
function pointWords(
  { result, value, byConvention }: Point,
  { foreign }: ResultSeries,
  unit: string,
  words: Words,
): string {
  const shown = withUnit(numberWords(value, words), unitWords(foreign ?? unit, words), words);
  if (foreign !== undefined || result.unit === unit || titreOf(result) !== undefined) {
    return shown;
  }
  const written = withUnit(numberWords(result.written.value, words), unitWords(result.written.unit, words), words);
  return `${byConvention ? '≈ ' : ''}${shown} (${written})`;
}

/** So many forms can be told apart at once. */
const FORMS = 3;

function laboratoryOf({ fact }: TestResult): string {
  return text(fact['collected_by_org_name']);
}

/** The laboratories of the points, those with the most first; the last form is for all others. Empty where there is one. */
function laboratoriesOf(series: ResultSeries): readonly string[] {
  const all = [...groupedBy(counting(series), laboratoryOf)].sort(([, one], [, other]) => other.length - one.length);
  const names = all.map(([name]) => name);
  return names.length < 2 ? [] : names.slice(0, names.length > FORMS ? FORMS - 1 : FORMS);
}

function sourcesWords(laboratories: readonly string[], series: ResultSeries, { say }: Words): readonly string[] {
  const names = laboratories.map((name) => name || say('tests.no-laboratory'));
  const isMore = counting(series).some((result) => !laboratories.includes(laboratoryOf(result)));
  return isMore ? [...names, say('tests.other-laboratories')] : names;
}

/** @param laboratories those with a form of their own */
async function marksOf(
  series: ResultSeries,
  unit: string,
  words: Words,
  laboratories: readonly string[],
): Promise<readonly Mark[]> {
  const points = thinned(await pointsOf(series, unit, words));
  const formOf = (result: TestResult): number => {
    const at = laboratories.indexOf(laboratoryOf(result));
    return at < 0 ? laboratories.length : at;
  };
  return mapInSlices(points, (point): Mark => ({
    at: point.at,
    values: [point.number],
    title: `${pointDate(point.result, words)}: ${pointWords(point, series, unit, words)}`,
    ...signsOf(point.result),
    ...(laboratories.length > 1 ? { form: formOf(point.result) } : {}),
  }));
}

/** @param time what is drawn beside others: then one result is enough */
export async function chartOf(
  series: ResultSeries,
  tests: LabTests,
  unit: string,
  words: Words,
  time?: ChartData['time'],
): Promise<ChartData | undefined> {
  const laboratories = laboratoriesOf(series);
  const marks = await marksOf(series, unit, words, laboratories);
  const inWords = await drawnWords(series, words);
  const drawn = [...marks, ...inWords].sort((one, other) => one.at - other.at);
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (!first || !last || (!time && first.at === last.at)) {
    return undefined;
  }
  const [name, steps] = [commaSeparated(testNames(series, words), words), stepsOf(series)];
  return {
    marks,
    ...(time ? { time } : {}),
    ...(steps.length > 0 ? { steps } : {}),
    words: inWords,
    means: [],
    events: [],
    bands: series.foreign === undefined ? await bandsOf(series, tests, unit, words) : [],
    bandName: words.say('tests.range'),
    unit: unitWords(series.foreign ?? unit, words),
    names: [name],
    ...(laboratories.length > 1 ? { sources: sourcesWords(laboratories, series, words) } : {}),
    label: words.say('tests.chart', { name, count: drawn.length, first: first.title, last: last.title }),
  };
}

/** The time of the points of series, or undefined where it is no time. */
export function timeOf(all: readonly ResultSeries[], words: Words): ChartData['time'] {
  const times = all.flatMap(counting).map(({ date }) => shownAt(words.zone, date));
  const known = times.filter((at) => !Number.isNaN(at)).sort((one, other) => one - other);
  const [first, last] = [known[0], known.at(-1)];
  return first === undefined || last === undefined || first === last ? undefined : [first, last];
}
