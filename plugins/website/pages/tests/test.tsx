/** test: the results of one laboratory test over the years, as they are written and in one unit. */
import type { ComponentChildren, JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import type { LabTest } from '../../../../core/lab-tests/tests';
import { Chart, type ChartData } from '../../parts/charts/chart';
import { FindingMark } from '../../parts/finding';
import { Head, Part, Tag } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import {
  dateWords,
  knownDate,
  normalRange,
  numberWords,
  text,
  unitWords,
  withUnit,
  factAddress,
} from '../../words/facts';
import { paperWords } from '../../words/said-once';
import { commaSeparated, type Words } from '../../words/words';
import { queryAddress } from '../data/query';
import { isAskedFor, readResultsOf, timeAsked, type AskedTime } from './asked';
import { barsWithin, medicineMeant, readMedicines, type MedicineBar } from './beside';
import { BesideForm } from './beside-form';
import { bodyPage, measureIn, saveTarget } from './body';
import { latestOf, StatusTag } from './latest';
import { NewestResult } from './newest-result';
import { Choice, PeriodChoice } from './period';
import {
  chosenUnit,
  seriesOf,
  testName,
  testsOf,
  unitsOf,
  valueIn,
  type ResultSeries,
  type TestResult,
} from './results';
import { chartOf, testNames, timeOf } from './series-chart';
import { seriesTitle } from './series-title';
import { AboutTest } from './test-about';
import { bodyCsv, testCsv } from './test-csv';

const FIELD = 'quantitative_result';
type Asked = AskedTime & {
  readonly unit: string;
  /** The id of another test, or of a line of a medicine; empty for none. */ readonly with: string;
};
type Of = { readonly visit: PersonVisit; readonly whose: Whose; readonly test: LabTest; readonly asked: Asked };

function Choices({ visit, whose, test, asked, units }: Of & { readonly units: readonly string[] }): JSX.Element {
  const { say } = visit.words;
  const to = (more: Partial<Asked>): string =>
    queryAddress(`${whose.base}tests/${test.id}`, { ...visit.query, ...more } as Readonly<Record<string, string>>);
  return (
    <div class="line apart gap">
      <PeriodChoice
        words={visit.words}
        chosen={asked.from === '' && asked.to === '' ? asked.period : ''}
        to={(period) => to({ period, from: '', to: '' })}
      />
      {units.length > 1 && (
        <Choice
          label={say('tests.unit')}
          choices={units.map((unit) => ({
            text: unitWords(unit, visit.words),
            to: to({ unit }),
            chosen: unit === asked.unit,
          }))}
        />
      )}
    </div>
  );
}

/** The range as its laboratory gave it, as numbers or in words. */
function usualRangeWords({ fact }: TestResult, visit: PersonVisit): string {
  const model = visit.models.find('LabResult')!;
  return normalRange(model, fact, FIELD, visit.words) || text(fact['reference']);
}

type WrittenProps = {
  readonly result: TestResult;
  readonly words: Words;
  /** Of the test, where the series has results of two. */ readonly name: string;
};

type Column = {
  readonly text: string;
  readonly kind?: 'own' | 'beside';
  readonly of: (result: TestResult) => ComponentChildren;
};

function Written({ result, words, name }: WrittenProps): JSX.Element {
  const { value, unit } = result.written;
  return (
    <>
      <bdi>{withUnit(numberWords(value, words), unitWords(unit, words), words)}</bdi>
      <FindingMark fact={result.fact} field={FIELD} words={words} />
      {name !== '' && (
        <div class="by">
          <bdi>{name}</bdi>
        </div>
      )}
      <StatusTag fact={result.fact} words={words} />
      {result.isFormer && (
        <>
          {' '}
          <Tag tone="off">{words.say('tests.former')}</Tag>
        </>
      )}
      {result.isWrong && (
        <>
          {' '}
          <Tag tone="off">{words.say('lines.called-wrong')}</Tag>
        </>
      )}
    </>
  );
}

function convertedWords(result: TestResult, unit: string, words: Words): string {
  const converted = result.unit === unit ? undefined : valueIn(result, unit);
  const said = converted && withUnit(numberWords(converted.text, words), unitWords(unit, words), words);
  return converted === undefined ? '' : `${converted.byConvention ? '≈ ' : ''}${said}`;
}

/** The columns of the table. That of converted values is there only if a unit differs. */
function resultColumns(series: ResultSeries, unit: string, visit: PersonVisit): readonly Column[] {
  const { words } = visit;
  const converts = series.results.some((result) => result.unit !== undefined && result.unit !== unit);
  const isMixed = testNames(series, words).length > 1;
  const nameOf = ({ code }: TestResult): string => (isMixed ? testName(code.test, words.language) : '');
  const converted: Column = {
    text: words.say('tests.converted'),
    of: (result) => convertedWords(result, unit, words),
  };
  return [
    {
      text: words.say('tests.as-written'),
      kind: 'own',
      of: (result) => <Written result={result} words={words} name={nameOf(result)} />,
    },
    ...(converts ? [converted] : []),
    { text: words.say('tests.range'), of: (result) => usualRangeWords(result, visit) },
    {
      text: words.say('tests.laboratory'),
      kind: 'beside',
      of: ({ fact }) =>
        commaSeparated([text(fact['collected_by_org_name']), text(fact['test_name_title'])], visit.words),
    },
  ];
}

/** A page of so many rows opens at once on a telephone, too. */
const MOST_ROWS = 200;

type Tabled = {
  readonly series: ResultSeries;
  /** The results on this page. */ readonly shown: readonly TestResult[];
  readonly visit: PersonVisit;
  readonly base: string;
  readonly unit: string;
};

function Table({ series, shown: results, visit, base, unit }: Tabled): JSX.Element {
  const { say } = visit.words;
  const columns = resultColumns(series, unit, visit);
  return (
    <table class="fold" role="table">
      <caption class="unseen">{say('tests.table')}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader" class="date">
            {say('tests.date')}
          </th>
          {columns.map((column) => (
            <th scope="col" role="columnheader">
              {column.text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {results.map((result) => (
          <tr role="row" data-kind="LabResult" data-id={result.fact.__id__}>
            <th scope="row" role="rowheader" class="date">
              <a href={factAddress(base, result.fact)}>
                {dateWords(knownDate(result.fact, 'collected_at'), visit.words, 'day')}
              </a>
              {result.fact.__paper__ !== undefined && <div class="by">{paperWords(result.fact, visit.words)}</div>}
            </th>
            {columns.map((column) => {
              const said = column.of(result);
              return (
                <td role="cell" class={column.kind} data-label={column.text}>
                  {typeof said === 'string' && said !== '' ? <bdi>{said}</bdi> : said}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The table of a series, page by page if it is long. @param place the name of the place in the address */
function PagedTable({ place, ...tabled }: Omit<Tabled, 'shown'> & { readonly place: string }): JSX.Element {
  const { series, visit } = tabled;
  const total = series.results.length;
  const asked = Number(/^\d{1,6}$/.exec(visit.query[place] ?? '')?.[0] ?? 0);
  const before = asked < total ? asked : 0;
  const results = series.results.slice(before, before + MOST_ROWS);
  const pages = {
    before,
    previous: before === 0 ? undefined : String(Math.max(0, before - MOST_ROWS)),
    next: before + results.length < total ? String(before + MOST_ROWS) : undefined,
  };
  return (
    <>
      <Table {...tabled} shown={results} />
      <Pager visit={visit} pages={pages} shown={results.length} total={total} place={place} query={visit.query} />
    </>
  );
}

/** @throws AppError not_found for a test that does not exist, and for one of which nothing is visible here */
async function readTest(
  visit: PersonVisit,
  whose: Whose,
): Promise<{ readonly test: LabTest; readonly results: readonly TestResult[] }> {
  const test = visit.models.labTests.find(visit.params['TEST'] ?? '');
  const results = test ? await readResultsOf(visit, whose, testsOf(visit.models.labTests, test)) : [];
  if (!test || results.length === 0) {
    throw errors.notFound('test');
  }
  return { test, results };
}

/** What stands below the first chart on the same time. */
type Beside = { readonly test: LabTest; readonly series: readonly ResultSeries[]; readonly unit: string };

/** The other test that is asked for. One of which nothing is visible is like one that does not exist. */
async function readBeside(visit: PersonVisit, whose: Whose, test: LabTest, asked: Asked): Promise<readonly Beside[]> {
  const other = visit.models.labTests.find(asked.with);
  if (!other || other === test) {
    return [];
  }
  const results = (await readResultsOf(visit, whose, testsOf(visit.models.labTests, other))).filter(
    isAskedFor(asked, visit.now),
  );
  const units = unitsOf(other, results);
  const unit = chosenUnit(units, visit.person.units);
  return [{ test: other, series: seriesOf(results, unit), unit }];
}

/** The charts of the other test, on the time of the first. */
async function chartsBeside(
  { words, models }: PersonVisit,
  beside: readonly Beside[],
  time: ChartData['time'],
): Promise<readonly ChartData[]> {
  const charts = await Promise.all(
    beside.flatMap(({ series, unit }) => series.map((one) => chartOf(one, models.labTests, unit, words, time))),
  );
  return charts.flatMap((chart) => chart ?? []);
}

type Drawings = {
  readonly all: readonly ResultSeries[];
  /** Of each series, if it has one. */ readonly charts: readonly (ChartData | undefined)[];
  /** Below the first chart. */ readonly others: readonly ChartData[];
  readonly bars: readonly MedicineBar[];
};
type DrawingsProps = Pick<Of, 'visit' | 'whose' | 'test'> & {
  readonly drawings: Drawings;
  readonly unit: string;
  /** The choice of what stands on the same time, below the first chart. */ readonly compare: JSX.Element;
};

/** Each series with its chart and its table. */
function Drawings(props: DrawingsProps): JSX.Element {
  const {
    drawings: { all, charts, others, bars },
    visit,
    whose,
    test,
    unit,
    compare,
  } = props;
  const { words } = visit;
  const { say } = words;
  const first = Math.max(0, charts.findIndex(Boolean));
  return (
    <>
      {all.map((series, index) => {
        const chart = charts[index];
        return (
          <Part
            title={all.length === 1 && series.test === test ? say('tests.results') : seriesTitle(series, test, words)}
          >
            {chart && (
              <Chart data={index === first ? { ...chart, bars } : chart} words={words}>
                <>{say('tests.caption')}</>
              </Chart>
            )}
            {index === first &&
              others.map((data) => (
                <Chart data={data} words={words}>
                  <>{say('tests.same-time')}</>
                </Chart>
              ))}
            {index === first && compare}
            <PagedTable series={series} visit={visit} base={whose.base} unit={unit} place={`place-${index}`} />
          </Part>
        );
      })}
    </>
  );
}

type Asking = Of & { readonly results: readonly TestResult[]; readonly units: readonly string[] };

/** What the time of the address shows, drawn. */
async function drawTest({ visit, whose, test, asked, results }: Asking) {
  const { words, models } = visit;
  const within = results.filter(isAskedFor(asked, visit.now));
  const all = seriesOf(within, asked.unit);
  const beside = await readBeside(visit, whose, test, asked);
  const time = timeOf([...all, ...beside.flatMap(({ series }) => series)], words);
  const others = await chartsBeside(visit, beside, time);
  const charts = await Promise.all(
    all.map((one) => chartOf(one, models.labTests, asked.unit, words, others.length > 0 ? time : undefined)),
  );
  const medicines = charts.some(Boolean) ? await readMedicines(visit, whose) : [];
  const meant = medicineMeant(medicines, asked.with);
  const bars = barsWithin(meant ? [meant] : medicines, time, visit);
  return { within, beside, medicines, meant, drawings: { all, charts, others, bars } };
}

/** What stands beside the test on the same time, and what of it there is not. */
function Compare({ visit, test, asked, drawn }: Of & { readonly drawn: Awaited<ReturnType<typeof drawTest>> }) {
  const { words } = visit;
  const { beside, medicines, meant, drawings } = drawn;
  return (
    <>
      <BesideForm visit={visit} test={test} medicines={medicines} asked={asked} />
      {beside.length > 0 && drawings.others.length === 0 && (
        <p class="by">{words.say('tests.with-nothing', { name: testName(beside[0]!.test, words.language) })}</p>
      )}
      {meant && drawings.bars.length === 0 && <p class="by">{words.say('tests.with-no-time', { name: meant.name })}</p>}
    </>
  );
}

/** The ways to add a result, and to the file of all of them. */
function TestActions({ visit, whose, test }: Omit<Of, 'asked'>): JSX.Element {
  const { say } = visit.words;
  return (
    <span class="buttons no-print">
      {whose.kind === 'record' && (
        <a class="button" href={`${whose.base}add/LabResult`}>
          {say('overview.add-result')}
        </a>
      )}
      <a class="button" href={`${whose.base}tests/${test.id}.csv`}>
        CSV
      </a>
    </span>
  );
}

/** The series of the result that is the latest of the page's test. */
function latestSeries({ test, results, asked }: Asking): ResultSeries {
  const own = results.filter(({ code }) => code.test === test);
  const latest = latestOf(own.length === 0 ? results : own);
  return seriesOf(results, asked.unit).find((one) => one.results.includes(latest))!;
}

function unitAsked(visit: PersonVisit, units: readonly string[]): { readonly unit: string; readonly wrong: boolean } {
  const unit = visit.query['unit'] || chosenUnit(units, visit.person.units);
  const wrong = unit !== '' && !units.includes(unit);
  return { unit: wrong ? (units[0] ?? '') : unit, wrong };
}

async function lookAtTest(visit: PersonVisit) {
  const measure = measureIn(visit);
  if (measure) {
    return bodyPage(visit, measure);
  }
  const whose = await whoseOf(visit);
  const { test, results } = await readTest(visit, whose);
  const { say, language } = visit.words;
  const units = unitsOf(test, results);
  const { unit, wrong } = unitAsked(visit, units);
  const asked = { ...timeAsked(visit), unit, with: visit.query['with'] ?? '' };
  const asking = { visit, whose, test, asked, results, units };
  const drawn = await drawTest(asking);
  const title = testName(test, language);
  return shown(
    title,
    <>
      <Head
        title={<bdi>{title}</bdi>}
        back={{ to: `${whose.base}tests`, text: say('tests.title') }}
        action={<TestActions {...asking} />}
      >
        {say(`tests.group-${test.group}`)}. {say('tests.count', { count: drawn.within.length })}
      </Head>
      {wrong && (
        <p class="wrong" role="alert">
          {say('tests.unit-wrong', { unit: visit.query['unit']! })}
        </p>
      )}
      <NewestResult visit={visit} name={title} series={latestSeries(asking)} unit={unit} />
      <Choices {...asking} />
      {drawn.within.length === 0 && <p class="card empty">{say('tests.none-then')}</p>}
      <div class="k-lab">
        <Drawings {...asking} drawings={drawn.drawings} unit={unit} compare={<Compare {...asking} drawn={drawn} />} />
      </div>
      <AboutTest visit={visit} whose={whose} bars={drawn.drawings.bars} results={drawn.within} />
    </>,
    { record: whose.frame, ...(wrong ? { status: 400 } : {}) },
  );
}

/** All results of the test, or all readings of the measure, as a file. */
async function downloadTest(visit: PersonVisit): Promise<Answer> {
  const whose = await whoseOf(visit);
  const measure = measureIn(visit);
  if (measure) {
    return bodyCsv({ visit, whose, measure, unit: '' });
  }
  const { test, results } = await readTest(visit, whose);
  return testCsv(test, results);
}

const PATH = 'tests/{TEST}';

export const test = [
  page({ path: `/records/{RECORD_ID}/${PATH}`, show: lookAtTest, submit: saveTarget }),
  page({ path: `/carenets/{CARENET_ID}/${PATH}`, show: lookAtTest }),
  ...forBoth((begin) => page({ path: `${begin}/${PATH}.csv`, show: downloadTest })),
];
