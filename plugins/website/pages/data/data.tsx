/**
 * data: the page of the facts of one data model, whichever it is: a sentence, filters, a chart, averages, a table, and
 * everything as CSV.
 */
import { Readable } from 'node:stream';
import type { Model } from '../../../../core/facts/model/model';
import { isTakenBack } from '../../../../core/facts/model/taken-back';
import type { Fields } from '../../../../core/http/operation';
import { operations } from '../../http/operations';
import { chartData, ChartPart, latestOf, PeriodsPart, trendWords, type Charted } from './chart';
import { begunModel, begunQuery } from './begun';
import { CALLED_WRONG, csvRow, type Cell } from './csv';
import { DataFilters } from './filters';
import { queryAddress, askedQuery, dataQuery, keptQuery, reportQuery, sentByForm, type DataQuery } from './query';
import { FactsTable } from './table';
import { Pager } from '../../parts/pager';
import { canBeWritten } from '../../words/kinds-to-write';
import { dateField, dateWords, knownDate, measuredWords, modelTitle, type Fact } from '../../words/facts';
import { isCalledWrong } from '../../words/said-once';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Head, Part } from '../../parts/layout';
import { isIn, seriesOf, unitIn, type FactsView, type Series, type SeriesView } from './series';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { requireModel } from '../lines/list';
import { MeasureChips, readMeasures, MEASURED, type Measures } from '../tests/measures';

function isFirst({ query }: PersonVisit): boolean {
  return (query['place'] ?? '') === '';
}

function askFacts({ ask }: PersonVisit, { kind, params }: Whose, model: Model, query: Fields): Promise<FactsView> {
  return ask(kind === 'record' ? operations.reports.recordFacts : operations.reports.carenetFacts, {
    params: { ...params, DATA_MODEL: model.name },
    query,
  });
}

function readSeries({ ask }: PersonVisit, { kind, params }: Whose, model: Model, query: Fields): Promise<SeriesView> {
  return ask(kind === 'record' ? operations.reports.recordSeries : operations.reports.carenetSeries, {
    params: { ...params, DATA_MODEL: model.name },
    query,
  });
}

/** A bar separates the values of a filter, so a text with a bar in it cannot be a filter. */
function filterFor(column: string | undefined, value: unknown): Fields {
  return column !== undefined && typeof value === 'string' && value !== '' && !value.includes('|')
    ? { [column]: value }
    : {};
}

function isFixed(model: Model, column: string | undefined): boolean {
  return model.columns.find(({ name }) => name === column)?.equals !== undefined;
}

type Drawn = { readonly charted: Charted; readonly unit: string };

/** The series that is drawn: the chosen one, else the first of which the page has readings. */
function seriesFor(all: readonly Series[], query: DataQuery, facts: readonly Fact[]): Series | undefined {
  return (
    all.find(({ columns }) => columns.includes(query.column)) ??
    all.find((one) => facts.some((fact) => isIn(one, fact)))
  );
}

async function readChart(
  visit: PersonVisit,
  from: Whose,
  model: Model,
  query: DataQuery,
  facts: readonly Fact[],
): Promise<Drawn | undefined> {
  const { words } = visit;
  const series = seriesFor(seriesOf(model, words), query, facts);
  const date = dateField(model);
  if (!series || date === undefined) {
    return undefined;
  }
  const newest = facts.find((fact) => isIn(series, fact) && !isTakenBack(fact) && !isCalledWrong(fact));
  const choice = series.choice;
  const chosen =
    choice === undefined ? {} : { ...filterFor(choice, newest?.[choice]), ...filterFor(choice, query.filters[choice]) };
  const unit = unitIn(series, newest);
  const view = await readSeries(visit, from, model, {
    ...askedQuery(query),
    ...chosen,
    ...(isFixed(model, series.unitColumn) ? {} : filterFor(series.unitColumn, unit)),
    _columns: series.columns.join('|'),
    _date: date,
    _increment: query.increment,
    _zone: words.zone,
    ...begunQuery(visit.models, series),
    ...(choice === undefined ? {} : { _choices: choice }),
    ...(series.unitColumn === undefined ? {} : { _unit: series.unitColumn }),
  });
  const name = (choice !== undefined && measuredWords(model, choice, chosen[choice] ?? '', words)) || series.label;
  return {
    charted: {
      model,
      series,
      view,
      name,
      words,
      query,
      begun: { model: begunModel(visit.models), now: visit.now, base: from.base },
      newest: query.orderBy === '' && query.offset === 0 && isFirst(visit) ? newest : undefined,
    },
    unit,
  };
}

type About = { visit: PersonVisit; drawn: Drawn | undefined; total: number; filtered: boolean; title: string };

function Sentence({ visit, drawn, total, filtered, title }: About) {
  const { say, rich } = visit.words;
  if (total === 0 && filtered) {
    return <>{say('data.nothing')}</>;
  }
  const latest = drawn && latestOf(drawn.charted);
  if (!drawn || !latest) {
    return <>{say('data.count', { count: total })}</>;
  }
  const date = dateWords(knownDate(latest.fact, dateField(drawn.charted.model)!), visit.words);
  return (
    <>
      {rich(drawn.charted.name === title ? 'data.latest' : 'data.latest-of', {
        name: drawn.charted.name,
        value: latest.said,
        date,
        b: (chunks) => <b class="together">{chunks}</b>,
      })}{' '}
      {trendWords(drawn.charted)}
    </>
  );
}

/** The order of the facts: the newest first by their own date, unless the query names another order. */
function orderQuery({ orderBy }: DataQuery, date: string | undefined): Fields {
  if (orderBy !== '') {
    return { order_by: orderBy };
  }
  return date === undefined ? {} : { order_by: `-${date}` };
}

/** The title of the page, which is about the whole model, one of its readings, or one of the names in it. */
function dataTitle(model: Model, query: DataQuery, visit: PersonVisit): string {
  const { words } = visit;
  const all = seriesOf(model, words);
  const chosen = all.find(({ columns }) => columns.includes(query.column));
  const named = all.flatMap(({ choice }) => (choice === undefined ? [] : (query.filters[choice] ?? [])))[0];
  return named ?? (all.length > 1 && chosen ? chosen.label : modelTitle(model, words));
}

type Read = {
  readonly model: Model;
  readonly from: Whose;
  readonly query: DataQuery;
  readonly view: FactsView;
  readonly drawn: Drawn | undefined;
  /** What has a page of its own, for a model of measures. */ readonly measures: Measures | undefined;
};

function All({ visit, read: { model, from, view, drawn }, title }: { visit: PersonVisit; read: Read; title: string }) {
  const { words } = visit;
  const shown = {
    model,
    words,
    now: visit.now,
    facts: view.facts as readonly Fact[],
    series: seriesOf(model, words),
    chosen: drawn?.charted.series,
  };
  return (
    <div id="readings">
      <Part title={words.say('data.all')} hint={words.say('data.number', { count: view.total })}>
        {view.facts.length === 0 ? (
          view.total === 0 && <a href={`${from.base}data/${model.name}`}>{words.say('data.unfiltered')}</a>
        ) : (
          <FactsTable shown={shown} base={from.base} title={title} />
        )}
        <Pager
          visit={visit}
          pages={view.pages}
          shown={view.facts.length}
          total={view.total}
          query={keptQuery(visit.query)}
        />
      </Part>
    </div>
  );
}

function dataPage(visit: PersonVisit, read: Read): Answer {
  const { model, from, query, view, drawn, measures } = read;
  const { say } = visit.words;
  const all = modelTitle(model, visit.words);
  const title = dataTitle(model, query, visit);
  const here = `${from.base}data/${model.name}`;
  // Without any fact there is nothing to filter. If no fact matches the filters, they stay on the page, and it says so.
  const filtered = Object.keys(reportQuery(query)).length > 0;
  const isEmpty = view.total === 0 && !filtered;
  const back = title === all ? { to: from.base, text: say('frame.overview') } : { to: here, text: all };
  const csv = queryAddress(`${here}.csv`, { ...reportQuery(query), order_by: query.orderBy });
  const chart = drawn && chartData(drawn.charted, drawn.unit);
  const download = view.total > 0 && (
    <a class="button no-print" href={csv}>
      CSV<span class="unseen"> {say('data.csv', { count: view.total })}</span>
    </a>
  );
  return shown(
    title,
    <>
      <Head title={<bdi>{title}</bdi>} back={back} action={download}>
        <Sentence visit={visit} drawn={drawn} total={view.total} filtered={filtered} title={title} />
      </Head>
      {measures && <MeasureChips visit={visit} whose={from} measures={measures} />}
      {!isEmpty && model.same !== undefined && (
        <p class="small no-print">
          {say('lines.raw')}. <a href={`${from.base}list/${model.name}`}>{say('lines.to-list')}</a>
        </p>
      )}
      {!isEmpty && <DataFilters visit={visit} model={model} query={query} drawn={drawn?.charted} />}
      {drawn && chart && <ChartPart charted={drawn.charted} data={chart} />}
      {drawn && <PeriodsPart charted={drawn.charted} unit={drawn.unit} />}
      {!isEmpty && <All visit={visit} read={read} title={title} />}
      {isEmpty && from.kind === 'record' && canBeWritten(visit.models, model) && (
        <p class="aside">
          <a class="button" href={`${from.base}add/${model.name}`}>
            {say('data.add')}
          </a>
        </p>
      )}
    </>,
    { record: from.frame },
  );
}

async function showData(visit: PersonVisit): Promise<Answer> {
  const model = requireModel(visit);
  const again = sentByForm(model, visit);
  if (again !== undefined) {
    return go(again);
  }
  const query = dataQuery(model, visit.query);
  const from = await whoseOf(visit);
  const view = await askFacts(visit, from, model, {
    ...askedQuery(query),
    limit: String(query.limit),
    offset: String(query.offset),
    _place: visit.query['place'] ?? '',
    ...orderQuery(query, dateField(model)),
  });
  const drawn = await readChart(visit, from, model, query, view.facts as readonly Fact[]);
  const measures = MEASURED.includes(model.name) ? await readMeasures(visit, from) : undefined;
  return dataPage(visit, { model, from, query, view, drawn, measures });
}

/** How many facts are read at once while the file is written. */
const AT_ONCE = 1000;

/** The models of which senders have whole lists. */
const LISTED = new Set(['Allergy', 'AllergyExclusion', 'Equipment', 'Medication', 'Problem']);
/** The date of the newer list of its sender that does not have the fact any more, beside the columns of the model. */
const MISSING_SINCE = { name: 'not_in_newer_list', of: '__missing_since__' };

/** The date of the document of a fact that a circle sees by its kind: nothing else is told of that document. */
const PAPER = { name: 'from_document_of', of: '__paper__' };

/**
 * What stands beside the columns of the model: what newer lists lack, in a circle the dates of closed documents, and
 * where the person calls something wrong, what that is.
 */
function besideColumns(
  { name }: Model,
  from: Whose,
  { hasWrong }: FactsView,
): readonly { readonly name: string; readonly of: string }[] {
  return [
    ...(LISTED.has(name) ? [MISSING_SINCE] : []),
    ...(from.kind === 'carenet' ? [PAPER] : []),
    ...(hasWrong ? [CALLED_WRONG] : []),
  ];
}

/** A value as SDMJ writes it, and a date as its source said it. */
function cellsOf({ columns }: Model, fact: Fact, beside: ReturnType<typeof besideColumns>): readonly Cell[] {
  return [
    ...columns.map(({ name, kind }) =>
      kind === 'datetime' || kind === 'date' ? knownDate(fact, name) : (fact[name] as Cell),
    ),
    ...beside.map(({ of }) => fact[of] as Cell),
  ];
}

/** The file with the columns of the report and those beside them. Facts that others add meanwhile move no row. */
async function* csvOf(visit: PersonVisit, from: Whose, model: Model, first: FactsView, query: Fields) {
  const beside = besideColumns(model, from, first);
  yield csvRow([...model.columns, ...beside].map(({ name }) => name));
  for (let view = first; ;) {
    yield (view.facts as readonly Fact[]).map((fact) => csvRow(cellsOf(model, fact, beside))).join('');
    const { next } = view.pages;
    if (next === undefined) {
      return;
    }
    view = await askFacts(visit, from, model, { ...query, _place: next });
  }
}

async function downloadFacts(visit: PersonVisit): Promise<Answer> {
  const model = requireModel(visit);
  const from = await whoseOf(visit);
  const query = dataQuery(model, visit.query);
  const asked = { ...askedQuery(query), ...orderQuery(query, dateField(model)), limit: String(AT_ONCE) };
  // The first part is read before anything is sent, so that a refusal is answered with its page.
  const first = await askFacts(visit, from, model, asked);
  return {
    kind: 'file',
    body: Readable.from(csvOf(visit, from, model, first, asked), { objectMode: false }),
    type: 'text/csv; charset=utf-8',
    name: `${model.name}.csv`,
  };
}

export const data = [
  ...forBoth((begin) => page({ path: `${begin}/data/{Model}`, show: showData })),
  ...forBoth((begin) => page({ path: `${begin}/data/{Model}.csv`, show: downloadFacts })),
];
