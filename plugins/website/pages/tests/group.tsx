/** group: the tests of a group, each with its latest result and a small chart; all charts have one time. */
import type { JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { LabTest } from '../../../../core/lab-tests/tests';
import { shown, type PersonVisit } from '../../http/page';
import { SmallChart, type ChartData } from '../../parts/charts/chart';
import { Head } from '../../parts/layout';
import type { Whose } from '../../parts/whose';
import { queryAddress } from '../data/query';
import { isAskedFor, readResultsOf, timeAsked } from './asked';
import { LatestValue, latestWords } from './latest';
import { PeriodChoice } from './period';
import { chosenUnit, seriesOf, testName, unitsOf, type ResultSeries, type TestResult } from './results';
import { chartOf, timeOf } from './series-chart';
import { seriesTitle } from './series-title';

type Of = { readonly visit: PersonVisit; readonly whose: Whose };
type Drawn = { readonly series: ResultSeries; readonly chart: ChartData };
type Shown = {
  readonly test: LabTest;
  /** Newest first. */ readonly results: readonly TestResult[];
  readonly unit: string;
  readonly series: readonly ResultSeries[];
};

/** The group that the address names; undefined for the list of all tests. */
export function groupAsked({ query }: PersonVisit): string | undefined {
  return query['group'];
}

function shownResults(test: LabTest, results: readonly TestResult[], { person }: PersonVisit): readonly Shown[] {
  const own = results.filter(({ code }) => code.test === test);
  const unit = chosenUnit(unitsOf(test, own), person.units);
  return own.length === 0 ? [] : [{ test, results: own, unit, series: seriesOf(own, unit) }];
}

/** The charts of a test: one for each of its series that has a number. */
async function chartsOf({ series, unit }: Shown, { models, words }: PersonVisit, time: ChartData['time']) {
  const charts: Drawn[] = [];
  for (const one of time ? series : []) {
    const chart = await chartOf(one, models.labTests, unit, words, time);
    charts.push(...(chart ? [{ series: one, chart }] : []));
  }
  return charts;
}

type CardProps = Of & { readonly shown: Shown; readonly charts: readonly Drawn[] };

function TestCard({ visit, whose, shown: { test, results, series }, charts }: CardProps): JSX.Element {
  const { words } = visit;
  return (
    <section class="card s6 k-lab" data-test={test.id}>
      <header>
        <h2>
          <a href={`${whose.base}tests/${test.id}`}>
            <bdi>{testName(test, words.language)}</bdi>
          </a>
        </h2>
      </header>
      <LatestValue visit={visit} results={results} />
      <p class="by">{latestWords(results, visit)}</p>
      {charts.map((one) => (
        <SmallChart data={one.chart} words={words}>
          {series.length === 1 ? '' : seriesTitle(one.series, test, words)}
        </SmallChart>
      ))}
    </section>
  );
}

/** @throws AppError not_found for a group that does not exist, and for one of which nothing is visible here */
export async function lookAtGroup(visit: PersonVisit, whose: Whose) {
  const { models, words } = visit;
  const { say } = words;
  const group = groupAsked(visit)!;
  const tests = models.labTests.tests.filter((test) => test.group === group);
  const results = tests.length === 0 ? [] : await readResultsOf(visit, whose, tests);
  if (results.length === 0) {
    throw errors.notFound('test');
  }
  const asked = timeAsked(visit);
  const within = results.filter(isAskedFor(asked, visit.now));
  const all = tests.flatMap((test) => shownResults(test, within, visit));
  const time = timeOf(
    all.flatMap(({ series }) => series),
    words,
  );
  const charts = await Promise.all(all.map((one) => chartsOf(one, visit, time)));
  const title = say(`tests.group-${group}`);
  return shown(
    title,
    <>
      <Head title={title} back={{ to: `${whose.base}tests`, text: say('tests.title') }}>
        {say('tests.count', { count: within.length })}
      </Head>
      <PeriodChoice
        words={words}
        chosen={asked.from === '' && asked.to === '' ? asked.period : ''}
        to={(period) => queryAddress(`${whose.base}tests`, { group, period })}
      />
      {within.length === 0 && <p class="card empty">{say('tests.none-then')}</p>}
      {charts.flat().length > 1 && <p class="by gap">{say('tests.one-time')}</p>}
      <div class="cards gap">
        {all.map((one, index) => (
          <TestCard visit={visit} whose={whose} shown={one} charts={charts[index]!} />
        ))}
      </div>
    </>,
    { record: whose.frame },
  );
}
