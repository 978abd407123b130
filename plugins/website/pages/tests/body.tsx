/** body: one measure of the body over the years, in the morning and in the evening, with a target of one's own. */
import type { JSX } from 'preact';
import { bodyUnit, plainUnit } from '../../../../core/lab-tests/body';
import type { BodyMeasure } from '../../../../core/lab-tests/tests';
import { newToken } from '../../../../core/base/ids';
import { go, shown, type Answer, type PersonVisit } from '../../http/page';
import { Chart } from '../../parts/charts/chart';
import { Buttons, Field, Form, Summary, type Wrong } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { recordBase } from '../../parts/record-frame';
import { ValueWithUnit } from '../../parts/value';
import { commaSeparated } from '../../words/words';
import { quickAt } from '../quick/nav';
import { whoseOf } from '../../parts/whose';
import {
  dateField,
  dateWords,
  factAddress,
  knownDate,
  modelTitle,
  numberWords,
  positionWords,
  text,
  unitWords,
  withUnit,
  type Fact,
} from '../../words/facts';
import { chartData, pointsOf, type Charted } from '../data/chart';
import { queryAddress, seriesChoice } from '../data/query';
import { averageWords, pairWords, unitIn, valuesIn } from '../data/series';
import { joinNumbers } from '../../words/measure-words';
import { isSameUnit, readingIn } from './body-readings';
import {
  measureName,
  measuringOf,
  periodIn,
  readBodySource,
  type Of,
  type Period,
  type Queried,
  type ReadSource,
} from './body-sources';
import { ByMonth } from './by-month';
import { leadWords, MorningAndEvening, partsOfDay, TargetCard, WeeksCard, type DatedReading } from './body-cards';
import { Growth, isGrowing, readChild, type Child, type GrowthReading } from './growth';
import { MeasureChips, readMeasures } from './measures';
import { Choice, PeriodChoice } from './period';
import { isTarget, readTarget, storeTarget, TARGET_FIELDS, valueCount, type Target } from './target';

/** The measure of the address; undefined for a laboratory test, and for what is neither. */
export function measureIn({ models, params }: PersonVisit): BodyMeasure | undefined {
  return models.labTests.body.find(({ id }) => id === params['TEST']);
}

function chartedOf({ visit, whose, measure }: Of, { model, series, view, facts }: ReadSource): Charted {
  const { words } = visit;
  return {
    model,
    series,
    view,
    name: measureName(measure, visit),
    words,
    newest: facts[0],
    begun: { model: undefined, now: visit.now, base: whose.base },
    query: {
      filters: {},
      status: '',
      dateRange: '',
      zone: '',
      from: '',
      to: '',
      increment: 'year',
      operator: 'avg',
      column: '',
      orderBy: '',
      limit: facts.length,
      offset: 0,
    },
  };
}

function DrawnBody({ of, source, target }: { readonly of: Of; readonly source: ReadSource; readonly target: Target }) {
  const { words } = of.visit;
  const { unit } = source;
  const data = chartData(chartedOf(of, source), unit);
  const [first, last] = [data?.marks[0]?.at, data?.marks.at(-1)?.at];
  if (!data || first === undefined || last === undefined) {
    return null;
  }
  const ends = isTarget(target) && target.unit === unit ? target.ends : [];
  const bands = ends.flatMap((one, column) =>
    Object.keys(one).length === 0 ? [] : [{ from: first, to: last, ...one, column }],
  );
  return (
    <Chart data={{ ...data, bands, bandName: words.say('body.target') }} words={words}>
      <>{words.say('body.caption', { count: source.view.count })}</>
    </Chart>
  );
}

/** The averages of the mornings and of the evenings of what is shown; nothing where one of them has no reading. */
function PartsOfDay({ of: { visit }, source }: { readonly of: Of; readonly source: ReadSource }): JSX.Element | null {
  const { words } = visit;
  const points = pointsOf(source.model, source.series, source.view.points as readonly Fact[], words);
  const parts = partsOfDay(points, source.series.columns.length);
  return parts === undefined ? null : (
    <dl class="pairs gap">
      {parts.map(({ name, count, values }) => (
        <>
          <dt>{words.say(`body.${name}`)}</dt>
          <dd>
            <bdi>{withUnit(averageWords(values, words), unitWords(source.unit, words), words)}</bdi>{' '}
            <span class="by">{words.say('body.average-of', { count })}</span>
          </dd>
        </>
      ))}
    </dl>
  );
}

const RECENT_DAYS = 30;

/** The newest reading, and those of the 30 days until today as they are drawn, the oldest first. */
function recentIn(of: Of, { model, series, facts, unit }: ReadSource): Recent {
  const { visit } = of;
  const from = new Date(visit.now - RECENT_DAYS * 86_400_000).toISOString().slice(0, 10);
  const drawn = facts.flatMap((fact) => readingIn(measuringOf(of, series), fact, unit) ?? []);
  const points: readonly DatedReading[] = pointsOf(model, series, drawn, visit.words);
  return { newest: facts[0], points: points.filter(({ at }) => at >= Date.parse(from)) };
}
type Recent = { readonly newest: Fact | undefined; readonly points: readonly DatedReading[] };

/** The newest reading in large digits. */
function Newest({ of: { visit }, source, recent }: CardProps): JSX.Element | null {
  const { words } = visit;
  const { model, series } = source;
  const fact = recent.newest;
  const position = fact ? positionWords(fact, series.field, words) : '';
  return fact ? (
    <div>
      <p class="val huge">
        <ValueWithUnit value={pairWords(valuesIn(series, fact), words)} unit={unitIn(series, fact)} words={words} />
      </p>
      <p class="by">{commaSeparated([dateWords(knownDate(fact, dateField(model)!), words), position], words)}</p>
    </div>
  ) : null;
}
type CardProps = { readonly of: Of; readonly source: ReadSource; readonly recent: Recent };

/** What the readings say in short, side by side. */
function BodyCards({ of, source, recent, target }: CardProps & { readonly target: Target }): JSX.Element {
  const { words } = of.visit;
  const { unit, series, view } = source;
  const marks = view.averages?.increment === 'month' ? [] : (chartData(chartedOf(of, source), unit)?.marks ?? []);
  return (
    <div class="cards gap">
      <TargetCard words={words} target={target} />
      <WeeksCard words={words} target={target} unit={unit} marks={marks} />
      <MorningAndEvening words={words} unit={unit} columns={series.columns.length} recent={recent.points} />
    </div>
  );
}

/** The words, as a link to the document where that may be opened. */
function InDocument({ to, children }: { readonly to: string | undefined; readonly children: string }): JSX.Element {
  return to === undefined ? <>{children}</> : <a href={to}>{children}</a>;
}

/** What is drawn of more readings than a page lists: the average of each week or month, newest first, folded. */
function Averages({ of, source }: { readonly of: Of; readonly source: ReadSource }): JSX.Element {
  const { words } = of.visit;
  const marks = chartData(chartedOf(of, source), source.unit)?.marks ?? [];
  return (
    <details class="fold">
      <summary>{words.say('body.averages', { unit: unitWords(source.unit, words) })}</summary>
      <ul class="rows">
        {[...marks].reverse().map(({ title }) => (
          <li>
            <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The reading in the unit that is drawn, where it is written in another one. */
function convertedWords(of: Of, { series, unit }: ReadSource, fact: Fact): string {
  const measuring = measuringOf(of, series);
  const read = isSameUnit(measuring, unitIn(series, fact), unit) ? undefined : readingIn(measuring, fact, unit);
  const { words } = of.visit;
  const values = series.columns.map((column) => numberWords(text(read?.[column]), words));
  return read ? withUnit(joinNumbers(values, words), unitWords(unit, words), words) : '';
}

function BodyTable({ of, source }: { readonly of: Of; readonly source: ReadSource }): JSX.Element {
  const { visit, whose } = of;
  const { words } = visit;
  const date = dateField(source.model)!;
  const converted = source.facts.map((fact) => convertedWords(of, source, fact));
  const isMixed = converted.some((text) => text !== '');
  const areTwo = source.parts.length > 1;
  return (
    <table class="fit">
      <caption class="unseen">{words.say('tests.results')}</caption>
      <thead>
        <tr>
          <th scope="col">{words.say('body.when')}</th>
          <th scope="col" class="num">
            {words.say(isMixed ? 'tests.as-written' : 'body.value')}
          </th>
          {isMixed && (
            <th scope="col" class="num">
              {words.say('tests.converted')}
            </th>
          )}
          {areTwo && <th scope="col">{words.say('body.written-in')}</th>}
        </tr>
      </thead>
      <tbody>
        {source.facts.map((fact, index) => (
          <tr data-kind={areTwo ? fact.__modelname__ : source.model.name} data-id={fact.__id__}>
            <th scope="row" class="date">
              <InDocument to={factAddress(whose.base, fact)}>{dateWords(knownDate(fact, date), words)}</InDocument>
            </th>
            <td class="num">
              <bdi>{withUnit(pairWords(valuesIn(source.series, fact), words), unitIn(source.series, fact), words)}</bdi>
            </td>
            {isMixed && (
              <td class="num">
                <bdi>{converted[index]}</bdi>
              </td>
            )}
            {areTwo && <td>{modelTitle(visit.models.find(fact.__modelname__) ?? source.model, words)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The texts of the fields, for each value of a reading. */
const TARGET_LABELS = [
  { low: 'body.low', high: 'body.high' },
  { low: 'body.lower-low', high: 'body.lower-high' },
] as const;

/** What a person wants the readings to be, and the form that says so; a circle sees none of it. */
function TargetForm({ of: { visit, measure }, target, wrong }: TargetProps): JSX.Element {
  const { say } = visit.words;
  const { form, words } = visit;
  const unit = unitWords(measure.unit, words);
  const values = valueCount(measure);
  const fieldOf = (index: number, end: 'low' | 'high'): JSX.Element => {
    const name = TARGET_FIELDS[index]![end];
    const kept = String(target?.ends[index]?.[end] ?? '').replace('.', words.say('body.point'));
    const value = wrong ? form.text(name) : kept;
    const label = say(TARGET_LABELS[index]![end]);
    return <Field label={label} name={name} value={value} unit={unit} decimal wrong={wrong} />;
  };
  return (
    <div id="target">
      <Part title={say('body.target')} hint={say(values > 1 ? 'body.target-pair' : 'body.target-hint')}>
        <Form visit={visit}>
          <input type="hidden" name="form" value={form.text('form') || newToken()} />
          {TARGET_FIELDS.slice(0, values).map((_, index) => (
            <div class="side">
              {fieldOf(index, 'low')}
              {fieldOf(index, 'high')}
            </div>
          ))}
          <Buttons text={say('form.save')} />
        </Form>
      </Part>
    </div>
  );
}
type TargetProps = { readonly of: Of; readonly target: Target; readonly wrong: Wrong | undefined };

/** The units in which the measure can be shown, each once. */
function shownUnits({ units }: BodyMeasure): readonly string[] {
  const plain = units.map(plainUnit);
  return units.filter((_, index) => plain.indexOf(plain[index]!) === index);
}

/** What the page shows: a time, and a unit where the measure has several. */
function BodyChoices({
  of,
  period,
  unit,
}: {
  readonly of: Of;
  readonly period: Period;
  readonly unit: string;
}): JSX.Element {
  const { visit, whose, measure } = of;
  const { words } = visit;
  const asked = { period: period.name === 'all' ? '' : period.name, from: period.from, to: period.to, unit: of.unit };
  const to = (more: Queried): string => queryAddress(`${whose.base}tests/${measure.id}`, { ...asked, ...more });
  const units = shownUnits(measure);
  return (
    <>
      <PeriodChoice
        words={words}
        chosen={period.from === '' && period.to === '' ? period.name : ''}
        to={(name) => to({ period: name, from: '', to: '' })}
      />
      {units.length > 1 && (
        <Choice
          label={words.say('tests.unit')}
          choices={units.map((one) => ({
            text: unitWords(one, words),
            to: to({ unit: one }),
            chosen: bodyUnit(visit.models.labTests, measure, unit) === one,
          }))}
        />
      )}
    </>
  );
}

/** The form that adds a reading, the short one where there is one, and the file of all readings. */
function MeasureActions({
  of: { visit, whose, measure },
  hasReadings,
}: {
  readonly of: Of;
  readonly hasReadings: boolean;
}) {
  const short = measure.field === 'weight' ? 'weight' : 'blood-pressure';
  const isShort = measure.field === 'weight' || measure.field === 'bp' || measure.field === 'heart_rate';
  return (
    <span class="buttons no-print">
      {whose.kind === 'record' && (
        <a class="button first" href={isShort ? quickAt(visit, short) : `${recordBase(visit)}add/${addedTo(measure)}`}>
          {visit.words.say('overview.add-measurement')}
        </a>
      )}
      {hasReadings && (
        <a class="button" href={`${whose.base}tests/${measure.id}.csv`}>
          CSV
        </a>
      )}
    </span>
  );
}

/** The model in which a person writes the measure down. */
function addedTo({ field }: BodyMeasure): string {
  return field === undefined ? 'Measurement' : 'VitalSigns';
}

/** The readings of both kinds, as they are drawn; where a page lists too many, their averages. */
function growthReadings(of: Of, source: ReadSource): readonly GrowthReading[] {
  const { model, series, view, unit } = source;
  const points = pointsOf(model, series, view.points as readonly Fact[], of.visit.words);
  const averages = view.averages ? (chartData(chartedOf(of, source), unit)?.marks ?? []) : [];
  const all = [...points, ...averages.map((mark) => ({ ...mark, date: new Date(mark.at).toISOString().slice(0, 10) }))];
  return all.flatMap(({ at, date, values: [value] }) => (typeof value === 'number' ? [{ at, date, value, unit }] : []));
}

/** The part with the curves of WHO, for a measure that has them; a circle sees none, since it may not know the age. */
function GrowthPart({ of, source, child }: { readonly of: Of; readonly source: ReadSource; readonly child: Child }) {
  const { visit, measure } = of;
  const table = visit.models.labTests.growth.get(measure.id);
  return table ? (
    <Growth
      visit={visit}
      child={child}
      table={table}
      readings={growthReadings(of, source)}
      name={measureName(measure, visit)}
    />
  ) : null;
}

/** Of more readings than this, the older ones are folded. */
const MOST_SHOWN = 12;

/** The chart of what is shown; nothing where there is too little for one. */
function Drawing({ of, source, target }: { readonly of: Of; readonly source: ReadSource; readonly target: Target }) {
  return chartData(chartedOf(of, source), source.unit) === undefined ? null : (
    <section class="card k-meas">
      <DrawnBody of={of} source={source} target={target} />
      <PartsOfDay of={of} source={source} />
    </section>
  );
}

/** The newest readings, with the older ones folded below them. */
function ShortTable({ of, source }: { readonly of: Of; readonly source: ReadSource }): JSX.Element {
  const older = source.facts.length - MOST_SHOWN;
  return (
    <>
      <BodyTable of={of} source={{ ...source, facts: source.facts.slice(0, MOST_SHOWN) }} />
      {older > 0 && (
        <details class="fold">
          <summary>{of.visit.words.say('body.older', { count: older })}</summary>
          <BodyTable of={of} source={{ ...source, facts: source.facts.slice(MOST_SHOWN) }} />
        </details>
      )}
    </>
  );
}

/** The table of the readings; where there are too many, of the newest ones, with the averages and the way to all. */
function Readings({ of, source }: Omit<CardProps, 'recent'>): JSX.Element {
  const { whose } = of;
  const { say } = of.visit.words;
  const areAll = source.view.averages === null;
  return (
    <Part title={say('body.readings')}>
      {areAll ? (
        <ShortTable of={of} source={source} />
      ) : (
        <>
          <BodyTable of={of} source={{ ...source, facts: source.facts.slice(0, MOST_SHOWN) }} />
          <Averages of={of} source={source} />
        </>
      )}
      {!areAll &&
        source.parts.map(({ model, series, count }) => (
          <p class="more">
            <a href={queryAddress(`${whose.base}data/${model.name}`, { aggregate_by: seriesChoice('avg', series) })}>
              {say('body.more', { count })}
            </a>
          </p>
        ))}
    </Part>
  );
}

/** The page of a measure. @param wrong what is wrong with the target that was sent */
export async function bodyPage(visit: PersonVisit, measure: BodyMeasure, wrong?: Wrong): Promise<Answer> {
  const whose = await whoseOf(visit);
  const { say } = visit.words;
  const { unit = '' } = visit.query;
  const isWrongUnit = unit !== '' && !measure.units.includes(unit);
  const of: Of = { visit, whose, measure, unit: isWrongUnit ? '' : unit };
  const isWhole = whose.kind === 'record';
  const child = isWhole && visit.models.labTests.growth.has(measure.id) ? await readChild(visit) : undefined;
  const measures = await readMeasures(visit, whose);
  const span = measures.spanOf(measure);
  const period = periodIn(visit, span?.last, child !== undefined && isGrowing(child, visit.now));
  const target = isWhole ? await readTarget(visit, measure) : undefined;
  const main = await readBodySource(of, period, span);
  const recent = main && recentIn(of, main);
  const title = measureName(measure, visit);
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={TARGET_FIELDS.flatMap(({ low, high }) => [low, high])} />
      <Head
        title={<bdi>{title}</bdi>}
        back={{ to: `${whose.base}data/VitalSigns`, text: say('body.all') }}
        action={<MeasureActions of={of} hasReadings={main !== undefined} />}
      >
        {main &&
          recent &&
          leadWords({ words: visit.words, columns: main.series.columns.length, recent: recent.points })}
      </Head>
      <MeasureChips visit={visit} whose={whose} measure={measure} measures={measures} />
      <div class="line apart">
        {main && recent && <Newest of={of} source={main} recent={recent} />}
        <BodyChoices of={of} period={period} unit={main?.unit ?? of.unit} />
      </div>
      {isWrongUnit && (
        <p class="wrong" role="alert">
          {say('tests.unit-wrong', { unit })}
        </p>
      )}
      {!main && <p class="card empty">{say('body.none')}</p>}
      {main && <Drawing of={of} source={main} target={target} />}
      {main && child && <GrowthPart of={of} source={main} child={child} />}
      {main && recent && <BodyCards of={of} source={main} recent={recent} target={target} />}
      {main && recent && (
        <div class="col gap">
          <ByMonth
            visit={visit}
            points={pointsOf(main.model, main.series, main.view.points as readonly Fact[], visit.words)}
            columns={main.series.columns.length}
            unit={main.unit}
          />
          <Readings of={of} source={main} />
        </div>
      )}
      {isWhole && <TargetForm of={of} target={target} wrong={wrong} />}
    </>,
    { record: whose.frame, ...(wrong || isWrongUnit ? { status: 400 } : {}) },
  );
}

/** Keeps the target that was typed; empty fields take it back. */
export async function saveTarget(visit: PersonVisit): Promise<Answer> {
  const measure = measureIn(visit);
  const wrong = await storeTarget(visit, measure);
  return wrong ? bodyPage(visit, measure!, wrong) : go(`${recordBase(visit)}tests/${measure!.id}`);
}
