/**
 * newest-result: the answer on top of the page of a test: its newest result, where it lies in the range of its
 * laboratory, and how it differs from the one before.
 */
import type { JSX } from 'preact';
import { plus, readExact, times, withDecimals } from '../../../../core/base/exact';
import type { PersonVisit } from '../../http/page';
import { FindingMark, findingMark } from '../../parts/finding';
import { round } from '../../parts/charts/round';
import { dateWords, knownDate, normalRange, numberWords, text, unitWords } from '../../words/facts';
import { comma, commaSeparated } from '../../words/words';
import { latestOf, StatusTag } from './latest';
import { isCounting, placedNumber, rangeIn, valueIn, type ResultSeries, type TestResult } from './results';

const FIELD = 'quantitative_result';

type Props = {
  readonly visit: PersonVisit;
  /** What the test is called. */ readonly name: string;
  /** The series of the newest result. */ readonly series: ResultSeries;
  readonly unit: string;
};

type Shown = { readonly value: string; readonly unit: string; readonly about: boolean };

/** The value in the unit of the page, or as it is written where it does not convert. */
function shownIn(result: TestResult, unit: string): Shown {
  const converted = result.unit === unit ? undefined : valueIn(result, unit);
  return converted
    ? { value: converted.text, unit, about: converted.byConvention }
    : { ...result.written, about: false };
}

function Amount({ shown, words }: { readonly shown: Shown; readonly words: PersonVisit['words'] }): JSX.Element {
  return (
    <>
      {shown.about && '≈ '}
      <bdi>{numberWords(shown.value, words)}</bdi> <bdi class="u">{unitWords(shown.unit, words)}</bdi>
    </>
  );
}

/** The day and the laboratory of a result. */
function whenAndWhere({ fact }: TestResult, { words }: PersonVisit): string {
  return commaSeparated(
    [dateWords(knownDate(fact, 'collected_at'), words, 'day'), text(fact['collected_by_org_name'])],
    words,
  );
}

function decimalsOf(value: string): number {
  return (value.split('.')[1] ?? '').length;
}

/**
 * "1.1 lower", of the one before. Nothing where one of them is no plain number, or was converted by a mass that is only
 * agreed.
 */
function differenceWords(now: Shown, before: Shown, { words }: PersonVisit): string {
  const [one, other] = [readExact(now.value), readExact(before.value)];
  if (!one || !other || now.unit !== before.unit || now.about || before.about) {
    return '';
  }
  const difference = plus(other, times(one, { top: -1n, bottom: 1n }));
  const decimals = Math.max(decimalsOf(now.value), decimalsOf(before.value));
  const by = numberWords(withDecimals(difference, decimals).replace('-', ''), words);
  if (difference.top === 0n) {
    return words.say('tests.equal');
  }
  return words.say(difference.top < 0n ? 'tests.lower' : 'tests.higher', { by });
}

function FormerResult({
  visit,
  now,
  before,
  unit,
}: Omit<Props, 'name' | 'series'> & { now: Shown; before: TestResult }) {
  const shown = shownIn(before, unit);
  const difference = differenceWords(now, shown, visit);
  return (
    <div>
      <p class="by">{visit.words.say('tests.before', { date: whenAndWhere(before, visit) })}</p>
      <p class="val mid">
        <Amount shown={shown} words={visit.words} />
        {difference !== '' && (
          <span class="u">
            {comma(visit.words)}
            {difference}
          </span>
        )}
      </p>
    </div>
  );
}

const WIDTH = 150;

/** From where to where the ruler goes, so that the range takes about half of it and the value is on it. */
function domainOf(value: number, { low, high }: ReturnType<typeof rangeIn>): readonly [number, number] {
  const span = low !== undefined && high !== undefined ? (high - low) / 2 : 0;
  const from = low === undefined || high === undefined ? 0 : low - span;
  const until = high === undefined ? low! * 2 : high + (span || high * 0.4);
  return [Math.min(from, value), Math.max(until, value * 1.05)];
}

/** The value on a ruler with the range of its laboratory; nothing where one of them is no number. */
function Ruler({ visit, name, result, unit }: Omit<Props, 'series'> & { readonly result: TestResult }) {
  const { words, models } = visit;
  const shown = shownIn(result, unit);
  const range = rangeIn(result, models.labTests, unit);
  const value = shown.unit === unit || result.unit === unit ? placedNumber(shown.value) : Number.NaN;
  if (Number.isNaN(value) || Object.keys(range).length === 0) {
    return null;
  }
  const domain = domainOf(value, range);
  const placeOf = (at: number): number => round(((at - domain[0]) / (domain[1] - domain[0] || 1)) * WIDTH);
  const [start, end] = [placeOf(range.low ?? domain[0]), placeOf(range.high ?? domain[1])];
  const ends = [range.low, range.high].filter((one) => one !== undefined);
  const at = placeOf(value);
  const isOut = findingMark(result.fact, FIELD)?.sign !== undefined;
  const said = normalRange(models.find('LabResult')!, result.fact, FIELD, words);
  return (
    <div class="ruler">
      <svg
        viewBox={`0 0 ${WIDTH} 30`}
        role="img"
        aria-label={words.say('tests.ruler', { name, value: numberWords(shown.value, words), range: said })}
      >
        <rect class="r-off" y="6" width={WIDTH} height="6" rx="3" />
        <rect class="r-in" x={start} y="6" width={round(end - start)} height="6" />
        {ends.map((one) => (
          <>
            <path class="a" d={`M${placeOf(one)} 3v12`} />
            <text class="mm" x={placeOf(one)} y="29">
              {words.number(one)}
            </text>
          </>
        ))}
        {isOut ? <path class="f-out" d={`M${at} 3l6 11h-12z`} /> : <circle class="d1" cx={at} cy="9" r="5" />}
      </svg>
    </div>
  );
}

/** The newest result that counts, and the one before it in its series. */
export function NewestResult({ visit, name, series, unit }: Props): JSX.Element {
  const { words, models } = visit;
  const newest = latestOf(series.results);
  const before = series.results.slice(series.results.indexOf(newest) + 1).find(isCounting);
  const shown = shownIn(newest, unit);
  const range = normalRange(models.find('LabResult')!, newest.fact, FIELD, words) || text(newest.fact['reference']);
  const isLast = isCounting(newest);
  return (
    <section class="card k-lab" id="newest">
      <div class="line apart">
        <div>
          <p class={/^[<>]?=?\d/.test(shown.value) ? 'val huge' : 'val mid'}>
            <Amount shown={shown} words={words} />
            <StatusTag fact={newest.fact} words={words} />
          </p>
          <FindingMark fact={newest.fact} field={FIELD} words={words} />
          <p class="by">
            <bdi>{whenAndWhere(newest, visit)}</bdi>
          </p>
          {range !== '' && <p class="by">{words.say('overview.range', { range })}</p>}
        </div>
        {isLast && series.foreign === undefined && <Ruler visit={visit} name={name} result={newest} unit={unit} />}
        {isLast && before && <FormerResult visit={visit} now={shown} before={before} unit={unit} />}
      </div>
    </section>
  );
}
