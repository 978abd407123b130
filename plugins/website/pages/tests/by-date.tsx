/** by-date: the results of all tests by the days on which they were taken: a test a row, the newest day first. */
import type { JSX } from 'preact';
import type { LabTest } from '../../../../core/lab-tests/tests';
import type { PersonVisit } from '../../http/page';
import type { Point } from '../../parts/charts/chart';
import { Trend } from '../../parts/charts/trend';
import { findingMark, FindingMark, isMarked } from '../../parts/finding';
import type { Whose } from '../../parts/whose';
import { factLine, normalRange, numberWords, text, unitWords, withUnit, type Fact } from '../../words/facts';
import { commaSeparated } from '../../words/words';
import { isAskedFor, timeAsked } from './asked';
import { DatesChoices, datesAddress, isByDate, isOnlyOut, unitsWanted } from './dates-asked';
import { StatusTag } from './latest';
import { Choice } from './period';
import {
  chosenUnit,
  inWantedUnit,
  isCounting,
  rangeIn,
  seriesOf,
  testName,
  unitsOf,
  valueIn,
  writtenIn,
  type ResultSeries,
  type TestResult,
} from './results';
import { seriesTitle } from './series-title';

const FIELD = 'quantitative_result';
/** So many days have room beside each other on a wide screen. */
const DAYS = 7;
/** More results of one test and day are only counted; the page of the test has all of them. */
const MOST_OF_DAY = 2;

type Of = { readonly visit: PersonVisit; readonly whose: Whose };

type Value = {
  readonly value: string;
  readonly unit: string;
  /** The value as it is written, where the person wants another unit; else empty. */ readonly written: string;
};

/** A row of the table. */
type DatedTest = {
  readonly name: string;
  /** What sets it apart from others of its test; empty for the only one. */ readonly kind: string;
  readonly address: string;
  /** Whether its results can be shown in moles and in mass. */ readonly hasUnits: boolean;
  /** Newest first. */ readonly results: readonly Fact[];
  readonly valueOf: (fact: Fact) => Value;
  /** The value as a number in one unit; undefined for words, and for what is only less or more. */
  readonly numberOf: (fact: Fact) => number | undefined;
  /** The range that the laboratory gave beside it, in that unit. */
  readonly rangeOf: (fact: Fact) => ReturnType<typeof rangeIn>;
};

export type DatedGroup = { readonly title: string; readonly tests: readonly DatedTest[] };

/** The days of all results in words, the newest first; empty words for one without a date. */
export type DaysOfFacts = ReadonlyMap<Fact, string>;

function drawnNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** What is drawn of a series. @param unit of the test */
function drawnOf({ foreign, results }: ResultSeries, unit: string, { models: { labTests } }: PersonVisit) {
  const byFact = new Map(results.map((result) => [result.fact, result]));
  return {
    numberOf: (fact: Fact) => {
      const result = byFact.get(fact)!;
      return drawnNumber(foreign === undefined ? valueIn(result, unit)?.text : result.written.value);
    },
    rangeOf: (fact: Fact) => (foreign === undefined ? rangeIn(byFact.get(fact)!, labTests, unit) : {}),
  };
}

/** A row for each series of a test. Results that are wrong, or were corrected since, are left out. */
export function datedTests(test: LabTest, results: readonly TestResult[], { visit, whose }: Of): readonly DatedTest[] {
  const { words } = visit;
  const wanted = unitsWanted(visit);
  const counting = results.filter(isCounting);
  const units = unitsOf(test, counting);
  const common = chosenUnit(units, wanted);
  const series = seriesOf(counting, common);
  return series.map((one) => {
    const byFact = new Map(one.results.map((result) => [result.fact, result]));
    return {
      name: testName(test, words.language),
      kind: series.length === 1 ? '' : seriesTitle(one, test, words),
      address: `${whose.base}tests/${test.id}`,
      hasUnits: chosenUnit(units, 'moles') !== chosenUnit(units, 'mass'),
      results: [...byFact.keys()],
      ...drawnOf(one, common, visit),
      valueOf: (fact) => {
        const result = byFact.get(fact)!;
        const { value, unit, converted, byConvention } = inWantedUnit(result, units, wanted);
        const { written } = result;
        return {
          value: `${byConvention ? '≈ ' : ''}${numberWords(value, words)}`,
          unit: unitWords(unit, words),
          written: converted ? withUnit(numberWords(written.value, words), unitWords(written.unit, words), words) : '',
        };
      },
    };
  });
}

/** Results of one name whose code the service does not know, as they are written. */
export function datedName(name: string, address: string, results: readonly Fact[], visit: PersonVisit): DatedTest {
  const { words, models } = visit;
  const valueOf = (fact: Fact): Value => {
    const { value, unit } = writtenIn(fact);
    return value === ''
      ? { value: factLine(models.find('LabResult')!, fact, words), unit: '', written: '' }
      : { value: numberWords(value, words), unit: unitWords(unit, words), written: '' };
  };
  const unitNow = results[0] && writtenIn(results[0]).unit;
  const numberOf = (fact: Fact): number | undefined => {
    const { value, unit } = writtenIn(fact);
    return unit === unitNow ? drawnNumber(value) : undefined;
  };
  return { name, kind: '', address, hasUnits: false, results, valueOf, numberOf, rangeOf: () => ({}) };
}

type CellProps = {
  readonly visit: PersonVisit;
  readonly facts: readonly Fact[];
  readonly test: DatedTest;
  /** The unit that stands beside the name of the row. */ readonly unit: string;
  /** The result whose range is shown. */ readonly ranged: Fact | undefined;
  readonly isNewest: boolean;
};

function ResultCell({ visit, facts, test, unit, ranged, isNewest }: CellProps): JSX.Element {
  const { words, models } = visit;
  const marked = facts.some((fact) => findingMark(fact, FIELD)?.sign !== undefined);
  const classes = [isNewest ? 'newest' : '', marked ? 'out-cell' : ''].filter(Boolean).join(' ');
  return (
    <td class={classes || undefined}>
      {facts.length === 0 && (
        <span class="soft" aria-hidden="true">
          ·
        </span>
      )}
      {facts.slice(0, MOST_OF_DAY).map((fact) => {
        const shown = test.valueOf(fact);
        const range = fact === ranged ? normalRange(models.find('LabResult')!, fact, FIELD, words) : '';
        const small = [shown.unit === unit ? '' : shown.unit, shown.written, range].filter((one) => one !== '');
        return (
          <div>
            <bdi>{shown.value}</bdi>
            <StatusTag fact={fact} words={words} />
            {findingMark(fact, FIELD)?.words !== 'normal' && <FindingMark fact={fact} field={FIELD} words={words} />}
            {small.map((one) => (
              <span class="orig">
                <bdi>{one}</bdi>
              </span>
            ))}
          </div>
        );
      })}
      {facts.length > MOST_OF_DAY && <span class="orig">{words.say('tests.count', { count: facts.length })}</span>}
    </td>
  );
}

/** The values of a test in their time, the oldest first. */
function trendPoints({ results, numberOf }: DatedTest): readonly Point[] {
  return results
    .flatMap((fact): readonly Point[] => {
      const [at, value] = [Date.parse(text(fact['collected_at'])), numberOf(fact)];
      return Number.isNaN(at) || value === undefined ? [] : [[at, value]];
    })
    .reverse();
}

/** The values as a line; nothing for a single one. */
function TrendCell({ test, points, shown: { visit, daysOf } }: Drawn): JSX.Element {
  const { words } = visit;
  const drawn = test.results.filter((fact) => test.numberOf(fact) !== undefined);
  const [newest, oldest] = [drawn[0], drawn.at(-1)];
  const said = (fact: Fact): string => {
    const { value, unit } = test.valueOf(fact);
    return `${daysOf.get(fact)}: ${withUnit(value, unit, words)}`;
  };
  return (
    <td class="wide-only">
      {newest && oldest && points.length > 1 && (
        <Trend
          points={points}
          range={test.rangeOf(newest)}
          isOut={isMarked(newest, FIELD)}
          label={words.say('tests.trend-of', {
            name: commaSeparated([test.name, test.kind], words),
            count: points.length,
            first: said(oldest),
            last: said(newest),
          })}
        />
      )}
    </td>
  );
}

type Shown = {
  readonly visit: PersonVisit;
  /** The days of the columns. */ readonly days: readonly string[];
  readonly daysOf: DaysOfFacts;
  readonly hasNewest: boolean;
  /** What is drawn of each test; empty where nothing is. */
  readonly trends: ReadonlyMap<DatedTest, readonly Point[]>;
};
type Drawn = { readonly test: DatedTest; readonly points: readonly Point[]; readonly shown: Shown };

function TestRow({ test, shown }: { readonly test: DatedTest; readonly shown: Shown }): JSX.Element | null {
  const { visit, days, daysOf, hasNewest, trends } = shown;
  const ranged = test.results.find((fact) => days.includes(daysOf.get(fact)!));
  if (ranged === undefined) {
    return null;
  }
  const { unit } = test.valueOf(ranged);
  return (
    <tr>
      <th scope="row">
        <a class="name" href={test.address}>
          <bdi>{test.name}</bdi>
        </a>
        <span class="orig">
          <bdi>{commaSeparated([test.kind, unit], visit.words)}</bdi>
        </span>
      </th>
      {trends.size > 0 && <TrendCell test={test} points={trends.get(test) ?? []} shown={shown} />}
      {days.map((day, at) => (
        <ResultCell
          visit={visit}
          facts={test.results.filter((fact) => daysOf.get(fact) === day)}
          test={test}
          unit={unit}
          ranged={ranged}
          isNewest={hasNewest && at === 0}
        />
      ))}
    </tr>
  );
}

/** All days on which something was taken, the newest first; results without a date are the last. */
function allDays(groups: readonly DatedGroup[], daysOf: DaysOfFacts): readonly string[] {
  const shown = new Set(groups.flatMap(({ tests }) => tests.flatMap(({ results }) => results)));
  return [...new Set([...daysOf].flatMap(([fact, day]) => (shown.has(fact) ? [day] : [])))];
}

function placeAsked({ query }: PersonVisit, count: number): number {
  const asked = /^\d{1,5}$/.test(query['place'] ?? '') ? Number(query['place']) : 0;
  return asked < count ? asked : 0;
}

/** The choice between the newest result of each test and all of them by date. */
export function OrderChoice(of: Of): JSX.Element {
  const { say } = of.visit.words;
  return (
    <Choice
      label={say('tests.order')}
      choices={[
        { text: say('tests.order-newest'), to: `${of.whose.base}tests`, chosen: !isByDate(of.visit) },
        { text: say('tests.order-date'), to: datesAddress(of, {}), chosen: isByDate(of.visit) },
      ]}
    />
  );
}

/** The ways to the days before and after the shown ones. */
function OtherDays({ of, place, count }: { readonly of: Of; readonly place: number; readonly count: number }) {
  const { say } = of.visit.words;
  return (
    <nav class="line apart gap" aria-label={say('tests.days')}>
      {place + DAYS < count && (
        <a class="button" rel="next" href={datesAddress(of, { place: String(place + DAYS) })}>
          {say('tests.earlier')}
        </a>
      )}
      {place > 0 && (
        <a class="button" rel="prev" href={datesAddress(of, { place: String(Math.max(0, place - DAYS)) })}>
          {say('tests.later')}
        </a>
      )}
    </nav>
  );
}

/** The tests with the results that are asked for: of a time, or only those of which one is marked. */
function narrowed(groups: readonly DatedGroup[], visit: PersonVisit): readonly DatedGroup[] {
  const { period } = timeAsked(visit);
  const isInTime = isAskedFor({ period, from: '', to: '' }, visit.now);
  return groups.map(({ title, tests }) => ({
    title,
    tests: tests
      .map((test) => ({
        ...test,
        results: test.results.filter((fact) => isInTime({ date: text(fact['collected_at']) })),
      }))
      .filter(({ results }) => !isOnlyOut(visit) || results.some((fact) => isMarked(fact, FIELD))),
  }));
}

/** The days, the newest first, with the tests of which something was taken on one of them. */
function datesShown(groups: readonly DatedGroup[], daysOf: DaysOfFacts, all: readonly string[], visit: PersonVisit) {
  const place = placeAsked(visit, all.length);
  const days = all.slice(place, place + DAYS);
  const isShown = ({ results }: DatedTest): boolean => results.some((fact) => days.includes(daysOf.get(fact)!));
  const rows = groups
    .map(({ title, tests }) => ({ title, tests: tests.filter(isShown) }))
    .filter(({ tests }) => tests.length > 0);
  const drawn = rows.flatMap(({ tests }) => tests.map((test) => [test, trendPoints(test)] as const));
  const trends = new Map(drawn.filter(([, points]) => points.length > 1));
  return { place, rows, shown: { visit, days, daysOf, hasNewest: place === 0 && days[0] !== '', trends } };
}

function DatesTable({ rows, shown }: { readonly rows: readonly DatedGroup[]; readonly shown: Shown }): JSX.Element {
  const { visit, days, hasNewest, trends } = shown;
  const { say } = visit.words;
  return (
    <div class="matrix-box" role="region" aria-label={say('tests.dates')} tabIndex={0}>
      <table class="matrix k-lab">
        <caption class="unseen">{say('tests.dates')}</caption>
        <thead>
          <tr>
            <th scope="col">{say('tests.test')}</th>
            {trends.size > 0 && (
              <th scope="col" class="wide-only">
                {say('tests.trend')}
              </th>
            )}
            {days.map((day, at) => (
              <th scope="col" class={hasNewest && at === 0 ? 'newest' : undefined}>
                {day || say('tests.undated')}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map(({ title, tests }) => (
          <tbody>
            <tr class="panel">
              <th scope="rowgroup" colSpan={days.length + (trends.size > 0 ? 2 : 1)}>
                {title}
              </th>
            </tr>
            {tests.map((test) => (
              <TestRow test={test} shown={shown} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** The table. It has the newest days; links lead to those before and after. */
export function ResultsByDate({
  groups,
  daysOf,
  ...of
}: Of & { readonly groups: readonly DatedGroup[]; readonly daysOf: DaysOfFacts }): JSX.Element {
  const { say } = of.visit.words;
  const asked = narrowed(groups, of.visit);
  const all = allDays(asked, daysOf);
  const { place, rows, shown } = datesShown(asked, daysOf, all, of.visit);
  return (
    <>
      <DatesChoices {...of} hasUnits={groups.some(({ tests }) => tests.some(({ hasUnits }) => hasUnits))} />
      <div class="card k-lab gap">
        {all.length === 0 ? (
          <p>{say(isOnlyOut(of.visit) ? 'tests.none-out' : 'tests.none-then')}</p>
        ) : (
          <DatesTable rows={rows} shown={shown} />
        )}
      </div>
      {shown.trends.size > 0 && <p class="by wide-only">{say('tests.trend-what')}</p>}
      {all.length > DAYS && <OtherDays of={of} place={place} count={all.length} />}
    </>
  );
}
