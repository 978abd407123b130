/** by-date: the results of all tests by the days on which they were taken: a test a row, the newest day first. */
import type { JSX } from 'preact';
import type { LabTest } from '../../../../core/lab-tests/tests';
import type { PersonVisit } from '../../http/page';
import { findingMark, FindingMark } from '../../parts/finding';
import type { Whose } from '../../parts/whose';
import { factLine, normalRange, numberWords, unitWords, withUnit, type Fact } from '../../words/facts';
import { commaSeparated } from '../../words/words';
import { queryAddress } from '../data/query';
import { StatusTag } from './latest';
import { Choice } from './period';
import {
  chosenUnit,
  inWantedUnit,
  isCounting,
  seriesOf,
  testName,
  unitsOf,
  writtenIn,
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
  /** Newest first. */ readonly results: readonly Fact[];
  readonly valueOf: (fact: Fact) => Value;
};

export type DatedGroup = { readonly title: string; readonly tests: readonly DatedTest[] };

/** The days of all results in words, the newest first; empty words for one without a date. */
export type DaysOfFacts = ReadonlyMap<Fact, string>;

/** A row for each series of a test. Results that are wrong, or were corrected since, are left out. */
export function datedTests(test: LabTest, results: readonly TestResult[], { visit, whose }: Of): readonly DatedTest[] {
  const { words, person } = visit;
  const counting = results.filter(isCounting);
  const units = unitsOf(test, counting);
  const series = seriesOf(counting, chosenUnit(units, person.units));
  return series.map((one) => {
    const byFact = new Map(one.results.map((result) => [result.fact, result]));
    return {
      name: testName(test, words.language),
      kind: series.length === 1 ? '' : seriesTitle(one, test, words),
      address: `${whose.base}tests/${test.id}`,
      results: [...byFact.keys()],
      valueOf: (fact) => {
        const result = byFact.get(fact)!;
        const { value, unit, converted, byConvention } = inWantedUnit(result, units, person.units);
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
  return { name, kind: '', address, results, valueOf };
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

type Shown = {
  readonly visit: PersonVisit;
  /** The days of the columns. */ readonly days: readonly string[];
  readonly daysOf: DaysOfFacts;
  readonly hasNewest: boolean;
};

function TestRow({ test, shown }: { readonly test: DatedTest; readonly shown: Shown }): JSX.Element | null {
  const { visit, days, daysOf, hasNewest } = shown;
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

/** Whether the address asks for the table by days. */
export function isByDate({ query }: PersonVisit): boolean {
  return query['by'] === 'date';
}

function datesAddress({ whose }: Of, place: number): string {
  return queryAddress(`${whose.base}tests`, { by: 'date', ...(place > 0 ? { place: String(place) } : {}) });
}

/** The choice between the newest result of each test and all of them by date. */
export function OrderChoice(of: Of): JSX.Element {
  const { say } = of.visit.words;
  return (
    <Choice
      label={say('tests.order')}
      choices={[
        { text: say('tests.order-newest'), to: `${of.whose.base}tests`, chosen: !isByDate(of.visit) },
        { text: say('tests.order-date'), to: datesAddress(of, 0), chosen: isByDate(of.visit) },
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
        <a class="button" rel="next" href={datesAddress(of, place + DAYS)}>
          {say('tests.earlier')}
        </a>
      )}
      {place > 0 && (
        <a class="button" rel="prev" href={datesAddress(of, Math.max(0, place - DAYS))}>
          {say('tests.later')}
        </a>
      )}
    </nav>
  );
}

/** The table. It has the newest days; links lead to those before and after. */
export function ResultsByDate({
  groups,
  daysOf,
  ...of
}: Of & { readonly groups: readonly DatedGroup[]; readonly daysOf: DaysOfFacts }): JSX.Element {
  const { say } = of.visit.words;
  const all = allDays(groups, daysOf);
  const place = placeAsked(of.visit, all.length);
  const days = all.slice(place, place + DAYS);
  const shown: Shown = { visit: of.visit, days, daysOf, hasNewest: place === 0 && days[0] !== '' };
  const isShown = ({ results }: DatedTest): boolean => results.some((fact) => days.includes(daysOf.get(fact)!));
  return (
    <>
      <div class="card k-lab gap">
        <div class="matrix-box" role="region" aria-label={say('tests.dates')} tabIndex={0}>
          <table class="matrix k-lab">
            <caption class="unseen">{say('tests.dates')}</caption>
            <thead>
              <tr>
                <th scope="col">{say('tests.test')}</th>
                {days.map((day, at) => (
                  <th scope="col" class={shown.hasNewest && at === 0 ? 'newest' : undefined}>
                    {day || say('tests.undated')}
                  </th>
                ))}
              </tr>
            </thead>
            {groups
              .filter(({ tests }) => tests.some(isShown))
              .map(({ title, tests }) => (
                <tbody>
                  <tr class="panel">
                    <th scope="rowgroup" colSpan={days.length + 1}>
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
      </div>
      {all.length > DAYS && <OtherDays of={of} place={place} count={all.length} />}
    </>
  );
}
