/** test: the results of one laboratory test over the years, as they are written and in one unit. */
import type { ComponentChildren, JSX } from 'preact';
import { errors } from '../../../../core/base/errors';
import { groupedBy } from '../../../../core/base/grouped-by';
import { flatMapInSlices, mapInSlices } from '../../../../core/base/turns/slices';
import type { LabTest, LabTests } from '../../../../core/lab-tests/tests';
import { operations } from '../../http/operations';
import { Chart, type Band, type ChartData, type Mark } from '../../parts/chart';
import { FindingMark, findingMark } from '../../parts/finding';
import { Head, Part, Tag } from '../../parts/layout';
import { Pager } from '../../parts/pager';
import { whoseOf, type Whose } from '../../parts/whose';
import { page, shown, type PersonVisit } from '../../http/page';
import {
  dateWords,
  knownDate,
  normalRange,
  numberWords,
  text,
  unitWords,
  withUnit,
  type Fact,
  factAddress,
} from '../../words/facts';
import { paperWords } from '../../words/said-once';
import type { Words } from '../../words/words';
import { shownAt } from '../../words/zoned';
import { queryAddress } from '../data/query';
import { bodyPage, measureIn, saveTarget } from './body';
import { Choice, dayOr, PERIODS } from './period';
import {
  chosenUnit,
  isCounting,
  placedNumber,
  rangeIn,
  resultOf,
  seriesOf,
  testName,
  testsOf,
  unitsOf,
  valueIn,
  type ResultSeries,
  type TestResult,
} from './results';

const FIELD = 'quantitative_result';
type Asked = { readonly period: string; readonly from: string; readonly to: string; readonly unit: string };
type Of = { readonly visit: PersonVisit; readonly whose: Whose; readonly test: LabTest; readonly asked: Asked };

function isAskedFor({ period, from, to }: Asked, now: number) {
  return ({ date }: TestResult): boolean => {
    const day = date.slice(0, 10);
    const least = PERIODS[period];
    return (
      (from === '' || day >= from) &&
      (to === '' || (day !== '' && day <= to)) &&
      (least === undefined || Date.parse(date) >= now - least)
    );
  };
}

function Choices({ visit, whose, test, asked, units }: Of & { readonly units: readonly string[] }): JSX.Element {
  const { say } = visit.words;
  const to = (more: Partial<Asked>): string =>
    queryAddress(`${whose.base}tests/${test.id}`, { ...visit.query, ...more } as Readonly<Record<string, string>>);
  const period = (name: string) => ({
    text: say(`tests.period-${name}`),
    to: to({ period: name, from: '', to: '' }),
    chosen: asked.period === name && asked.from === '' && asked.to === '',
  });
  return (
    <div class="line apart gap">
      <Choice label={say('tests.period')} choices={['1m', '3m', '1y', '5y', 'all'].map(period)} />
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

/** As many points as the chart has columns of pixels, each column keeping its first, last, least and greatest. */
const COLUMNS = 300;

type Point = { readonly at: number; readonly number: number; readonly result: TestResult; readonly value: string };

function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= COLUMNS * 2) {
    return points;
  }
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const byColumn = groupedBy(points, ({ at }) =>
    String(Math.floor(((at - first) / (last - first || 1)) * (COLUMNS - 1))),
  );
  return [...byColumn.values()].flatMap((some) => {
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
function testNames({ results }: ResultSeries, words: Words): readonly string[] {
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

/** The points of a series, oldest first. */
function pointsOf(series: ResultSeries, unit: string, words: Words): Promise<readonly Point[]> {
  return flatMapInSlices(counting(series), (result): readonly Point[] => {
    const value = series.foreign === '' ? valueIn(result, unit)?.text : result.written.value;
    const number = value === undefined ? Number.NaN : placedNumber(value);
    const at = shownAt(words.zone, result.date);
    return value === undefined || Number.isNaN(number) || Number.isNaN(at) ? [] : [{ at, number, result, value }];
  });
}

async function marksOf(series: ResultSeries, unit: string, words: Words): Promise<readonly Mark[]> {
  const points = thinned(await pointsOf(series, unit, words));
  return mapInSlices(points, ({ at, number, result, value }): Mark => {
    const said = withUnit(numberWords(value, words), unitWords(series.foreign || unit, words), words);
    return {
      at,
      values: [number],
      title: `${dateWords(knownDate(result.fact, 'collected_at'), words)}: ${said}`,
      ...signsOf(result),
    };
  });
}

async function chartOf(
  series: ResultSeries,
  tests: LabTests,
  unit: string,
  words: Words,
): Promise<ChartData | undefined> {
  const marks = await marksOf(series, unit, words);
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || marks.length < 2 || first.at === last.at) {
    return undefined;
  }
  const name = testNames(series, words).join(', ');
  return {
    marks,
    means: [],
    events: [],
    bands: series.foreign === '' ? await bandsOf(series, tests, unit, words) : [],
    bandName: words.say('tests.range'),
    unit: unitWords(series.foreign || unit, words),
    names: [name],
    label: words.say('tests.chart', { name, count: marks.length, first: first.title, last: last.title }),
  };
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  corrected: 'tests.corrected',
  amended: 'tests.corrected',
  preliminary: 'tests.preliminary',
};

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
  readonly kind?: 'num' | 'own';
  readonly of: (result: TestResult) => ComponentChildren;
};

function Written({ result, words, name }: WrittenProps): JSX.Element {
  const { value, unit } = result.written;
  const status = STATUS_TEXTS[text(result.fact['status_identifier'])];
  return (
    <>
      <bdi>{withUnit(numberWords(value, words), unitWords(unit, words), words)}</bdi>
      {name !== '' && (
        <div class="by">
          <bdi>{name}</bdi>
        </div>
      )}
      {status !== undefined && (
        <>
          {' '}
          <Tag tone="wait">{words.say(status)}</Tag>
        </>
      )}
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
    kind: 'num',
    of: (result) => <bdi>{convertedWords(result, unit, words)}</bdi>,
  };
  return [
    {
      text: words.say('tests.as-written'),
      kind: 'own',
      of: (result) => <Written result={result} words={words} name={nameOf(result)} />,
    },
    ...(converts ? [converted] : []),
    { text: words.say('tests.mark'), of: ({ fact }) => <FindingMark fact={fact} field={FIELD} words={words} /> },
    { text: words.say('tests.range'), of: (result) => usualRangeWords(result, visit) },
    { text: words.say('tests.name'), of: ({ fact }) => text(fact['test_name_title']) },
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

/** LOINC's systems -> the texts that say them. */
const SPECIMENS: Readonly<Record<string, string>> = {
  Ser: 'serum',
  Plas: 'serum',
  'Ser/Plas': 'serum',
  PPP: 'serum',
  'Ser/Plas/Bld': 'blood',
  Bld: 'blood',
  BldC: 'blood',
  BldV: 'blood',
  RBC: 'blood',
  BldA: 'arterial',
  Urine: 'urine',
  'Urine sed': 'urine',
  Stool: 'stool',
};

/** What sets a series apart from the main one: another specimen, another method, a unit that does not convert. */
function seriesTitle(series: ResultSeries, page: LabTest, words: Words): string {
  const { say } = words;
  const isOther = series.results.every(({ code }) => code.test !== page);
  const known = Object.hasOwn(SPECIMENS, series.system) ? SPECIMENS[series.system] : undefined;
  const specimen = known === undefined ? series.system : say(`tests.in-${known}`);
  const kind = series.name === '' ? specimen : `${specimen}, ${series.name.replaceAll('-', ' ')}`;
  const what = isOther ? `${testName(series.test, words.language)}, ${kind}` : kind;
  return series.foreign === ''
    ? say('tests.series', { what })
    : say('tests.series-unit', { what, unit: unitWords(series.foreign, words) });
}

/** @throws AppError not_found for a test that does not exist, and for one of which nothing is visible here */
async function readTest(
  visit: PersonVisit,
  whose: Whose,
): Promise<{ readonly test: LabTest; readonly results: readonly TestResult[] }> {
  const { labTests } = visit.models;
  const test = labTests.find(visit.params['TEST'] ?? '');
  if (!test) {
    throw errors.notFound('test');
  }
  const all = testsOf(labTests, test);
  const codes = [...labTests.codes.values()].filter((code) => all.includes(code.test)).map(({ code }) => code);
  const { facts, wrong, former, tests } = await visit.ask(
    whose.kind === 'record' ? operations.reports.recordResults : operations.reports.carenetResults,
    {
      params: whose.params,
      query: { codes: codes.join(','), test: all.map(({ id }) => id).join(',') },
    },
  );
  const known = { wrong: new Set(wrong), former: new Set(former), tests };
  const results = await flatMapInSlices(facts as unknown as readonly Fact[], (fact): readonly TestResult[] => {
    const result = resultOf(labTests, fact, known);
    return result ? [result] : [];
  });
  if (results.length === 0) {
    throw errors.notFound('test');
  }
  return { test, results };
}

async function lookAtTest(visit: PersonVisit) {
  const measure = measureIn(visit);
  if (measure) {
    return bodyPage(visit, measure);
  }
  const whose = await whoseOf(visit);
  const { test, results } = await readTest(visit, whose);
  const { words } = visit;
  const { say } = words;
  const units = unitsOf(test, results);
  const unit = visit.query['unit'] || chosenUnit(units, visit.person.units);
  const wrongUnit = unit !== '' && !units.includes(unit);
  const chosen = wrongUnit ? (units[0] ?? '') : unit;
  const period = visit.query['period'] ?? 'all';
  const asked: Asked = {
    period: Object.hasOwn(PERIODS, period) ? period : 'all',
    from: dayOr(visit.query['from']),
    to: dayOr(visit.query['to']),
    unit: chosen,
  };
  const within = results.filter(isAskedFor(asked, visit.now));
  const title = testName(test, words.language);
  const all = seriesOf(within, chosen);
  const charts = await Promise.all(all.map((series) => chartOf(series, visit.models.labTests, chosen, words)));
  return shown(
    title,
    <>
      <Head title={<bdi>{title}</bdi>} back={{ to: `${whose.base}tests`, text: say('tests.title') }}>
        {say('tests.count', { count: within.length })}
      </Head>
      {wrongUnit && (
        <p class="wrong" role="alert">
          {say('tests.unit-wrong', { unit })}
        </p>
      )}
      <Choices visit={visit} whose={whose} test={test} asked={asked} units={units} />
      {within.length === 0 && <p class="card empty">{say('tests.none-then')}</p>}
      {all.map((series, index) => {
        const chart = charts[index];
        return (
          <Part
            title={all.length === 1 && series.test === test ? say('tests.results') : seriesTitle(series, test, words)}
          >
            {chart && (
              <Chart data={chart} words={words}>
                <>{say('tests.caption')}</>
              </Chart>
            )}
            <PagedTable series={series} visit={visit} base={whose.base} unit={chosen} place={`place-${index}`} />
          </Part>
        );
      })}
    </>,
    { record: whose.frame, ...(wrongUnit ? { status: 400 } : {}) },
  );
}

const PATH = 'tests/{TEST}';

export const test = [
  page({ path: `/records/{RECORD_ID}/${PATH}`, show: lookAtTest, submit: saveTarget }),
  page({ path: `/carenets/{CARENET_ID}/${PATH}`, show: lookAtTest }),
];
