/** asked: the results of some tests that are visible in a place, and those of the time that an address asks for. */
import { flatMapInSlices } from '../../../../core/base/turns/slices';
import type { LabTest } from '../../../../core/lab-tests/tests';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import type { Fact } from '../../words/facts';
import { dayOr, PERIODS } from './period';
import { resultOf, type TestResult } from './results';

export type AskedTime = { readonly period: string; readonly from: string; readonly to: string };

/** The time of the address; what is no time is all of it. */
export function timeAsked({ query }: PersonVisit): AskedTime {
  const { period = 'all' } = query;
  return {
    period: Object.hasOwn(PERIODS, period) ? period : 'all',
    from: dayOr(query['from']),
    to: dayOr(query['to']),
  };
}

export function isAskedFor({ period, from, to }: AskedTime, now: number) {
  return ({ date }: Pick<TestResult, 'date'>): boolean => {
    const day = date.slice(0, 10);
    const least = PERIODS[period];
    return (
      (from === '' || day >= from) &&
      (to === '' || (day !== '' && day <= to)) &&
      (least === undefined || Date.parse(date) >= now - least)
    );
  };
}

/** The results of some tests, newest first. */
export async function readResultsOf(
  visit: PersonVisit,
  whose: Whose,
  tests: readonly LabTest[],
): Promise<readonly TestResult[]> {
  const { labTests } = visit.models;
  const codes = [...labTests.codes.values()].filter(({ test }) => tests.includes(test)).map(({ code }) => code);
  const view = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordResults : operations.reports.carenetResults,
    { params: whose.params, query: { codes: codes.join(','), test: tests.map(({ id }) => id).join(',') } },
  );
  const known = { wrong: new Set(view.wrong), former: new Set(view.former), tests: view.tests };
  return flatMapInSlices(view.facts as unknown as readonly Fact[], (fact): readonly TestResult[] => {
    const result = resultOf(labTests, fact, known);
    return result ? [result] : [];
  });
}
