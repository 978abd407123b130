/**
 * overview-latest: shows the latest reading of each measurement with a small chart, whatever its model, and the latest
 * results with the laboratory's marks.
 */
import { addPath } from '../quick/nav';
import type { JSX } from 'preact';
import type { Model, Models } from '../../../../core/facts/model/model';
import { isTakenBack } from '../../../../core/facts/model/taken-back';
import { pointsOf, pointWords } from '../data/chart';
import { queryAddress, seriesAddress } from '../data/query';
import {
  dateField,
  dateWords,
  factTitle,
  knownDate,
  modelTitle,
  normalRange,
  numberWords,
  positionWords,
  readingState,
  shortened,
  text,
  titleColumns,
  unitWords,
  withUnit,
  type Fact,
} from '../../words/facts';
import { isEveryday } from '../../words/measure-words';
import type { Visit } from '../../http/page';
import { Check, Line } from '../../parts/layout';
import { ValueWithUnit } from '../../parts/value';
import { Icon, Tile } from '../../parts/icons';
import { Spark, spanOf } from '../../parts/charts/chart';
import { Finding, rangeColumns } from '../../parts/finding';
import { checkWords } from '../../unlikely';
import { commaSeparated, type Words } from '../../words/words';
import { isIn, pairWords, seriesOf, unitIn, valuesIn, type Series } from '../data/series';
import { dayIn } from '../../words/zoned';

/** The models of measurements. Readings of the first one are shown even if many others are newer. */
const MEASURED = ['VitalSigns', 'Measurement'] as const;
const RESULT = 'LabResult';
/** Where a result stands that is no number, and where a range does. */
const IN_WORDS = ['value', 'narrative_result'];
const RANGE_IN_WORDS = 'reference';
const MODELS = [MEASURED[0], RESULT, MEASURED[1]] as const;

/** Model -> its facts, in any order. */
type Latests = Readonly<Record<string, readonly Fact[]>>;

type Reading = {
  readonly model: Model;
  readonly series: Series;
  readonly name: string;
  /** Newest first. */ readonly facts: readonly Fact[];
  readonly date: string;
  readonly to: string;
};

/** What was not measured in the year before the newest reading stands below the others. */
const YEAR_MILLISECONDS = 366 * 86_400_000;

const MOST = 8;
const MOST_OF_FIRST = 5;
const MOST_RESULTS = 6;
/** A result of more letters stands below its name, since there is no room beside it. */
const MOST_AT_END = 20;
/** The most facts of each model that the operation answers. */
const READ = 60;

/** The columns for the text next to a small chart: what is measured, its unit, and the position of the body. */
function saidBeside({ field, choice, unitColumn }: Series): readonly string[] {
  return [choice, unitColumn, `${field}_position_title`].filter((column) => column !== undefined);
}

/** The parameter that says which readings the operation reads. */
export function readingsOf(models: Models, words: Words): string {
  return MODELS.flatMap((name) => {
    const model = models.find(name);
    const date = model && dateField(model);
    if (!model || date === undefined) {
      return [];
    }
    const series = seriesOf(model, words);
    const status = ['status', 'abnormal_interpretation'].flatMap(
      (field) => model.fields.find((one) => one.name === field)?.columns ?? [],
    );
    const measured = [...series.flatMap(({ columns }) => columns), ...(name === RESULT ? IN_WORDS : [])].join(',');
    // What is measured by its name has that name in the title.
    const named = series.some(({ choice }) => choice !== undefined) ? titleColumns(model) : [];
    const range = name === RESULT ? [...rangeColumns(model), RANGE_IN_WORDS] : rangeColumns(model);
    const beside = [...series.flatMap(saidBeside), ...named, ...status, ...range];
    return [[name, date, measured, ...new Set(beside)].join('*')];
  }).join('|');
}

function at(fact: Fact, date: string): number {
  return Date.parse(String(fact[date]));
}

/** A result that is no number, in the words of its laboratory: "negative", "<5 mmol/mol". */
function resultInWords({ columns, unitColumn }: Series, fact: Fact, words: Words): string {
  const written = text(fact[columns[0] ?? '']);
  const unit = unitColumn === undefined ? '' : text(fact[unitColumn]);
  return written === ''
    ? (IN_WORDS.map((column) => text(fact[column])).find((said) => said !== '') ?? '')
    : withUnit(numberWords(written, words), unitWords(unit, words), words);
}

/** Whether the fact has a value of the series; a result may be in words. */
function isRead(series: Series, fact: Fact, words: Words): boolean {
  return isIn(series, fact) || (fact.__modelname__ === RESULT && resultInWords(series, fact, words) !== '');
}

/** One reading for each series of the model, and for each name if the model has a value with a name. */
function readingsIn(visit: Visit, base: string, name: string, facts: readonly Fact[]): readonly Reading[] {
  const model = visit.models.find(name);
  const date = model && dateField(model);
  if (!model || date === undefined) {
    return [];
  }
  return seriesOf(model, visit.words).flatMap((series): readonly Reading[] => {
    const own = facts
      .filter((fact) => isRead(series, fact, visit.words) && fact[date] && !isTakenBack(fact))
      .sort((a, b) => at(b, date) - at(a, date));
    const { choice } = series;
    if (choice === undefined) {
      return own.length === 0
        ? []
        : [
            {
              model,
              series,
              name: series.label,
              facts: own,
              date,
              to: seriesAddress(visit, base, model, series),
            },
          ];
    }
    const names = new Set(
      own.map((fact) => String(fact[choice] ?? '')).filter((one) => one !== '' && !isEveryday(one)),
    );
    return [...names].map((one) => {
      const measure = visit.models.labTests.body.find(({ types }) => types.includes(one));
      const read = own.filter((fact) => fact[choice] === one);
      return {
        model,
        series,
        name: factTitle(model, read[0]!, visit.words),
        facts: read,
        date,
        to: measure ? `${base}tests/${measure.id}` : queryAddress(`${base}data/${model.name}`, { [choice]: one }),
      };
    });
  });
}

/** The value and the unit of a reading. */
function Value({ reading: { series, facts }, words, mid = false }: ValueProps): JSX.Element {
  const [latest] = facts as readonly [Fact];
  return (
    <p class={mid ? 'val mid' : 'val'}>
      <ValueWithUnit value={pairWords(valuesIn(series, latest), words)} unit={unitIn(series, latest)} words={words} />
    </p>
  );
}

type ValueProps = { readonly reading: Reading; readonly words: Words; readonly mid?: boolean };

/** Position of the body, day, and what its source says of the reading: "sitting, 3 March 2026, preliminary". */
function about({ model, series, facts, date }: Reading, words: Words): string {
  const [latest] = facts as readonly [Fact];
  const when = dateWords(dayIn(words.zone, knownDate(latest, date)), words);
  return commaSeparated([positionWords(latest, series.field, words), when, readingState(model, latest, words)], words);
}

type Shown = { readonly visit: Visit; readonly reading: Reading };

/** @param all whether every reading was read, of all times */
function Measured({ visit, reading, all }: Shown & { readonly all: boolean }): JSX.Element {
  const { words } = visit;
  const { model, series, name, facts, to } = reading;
  const points = pointsOf(model, series, facts, words);
  const span = spanOf(points, all);
  const within = points.slice(-span.marks.length);
  const [first, last] = [within[0], within.at(-1)].map((point) => (point ? pointWords(point, words) : ''));
  const label = { name, count: within.length, first: first ?? '', last: last ?? '' };
  return (
    <li class="card k-meas" data-kind={model.name} data-id={facts[0]!.__id__}>
      <h3>
        <Tile name="pulse" />
        <a href={to}>
          <bdi>{name}</bdi>
        </a>
      </h3>
      <Value reading={reading} words={words} />
      <p class="by">
        <span class={visit.now - at(facts[0]!, reading.date) > YEAR_MILLISECONDS ? 'tag stale' : undefined}>
          {about(reading, words)}
        </span>
      </p>
      <Check text={checkWords(model, facts[0]!, words)} />
      <Spark span={span} words={words} label={words.say('overview.spark', label)} />
    </li>
  );
}

/** The range as the laboratory wrote it, where it gave none in numbers. */
function RangeInWords({ visit: { words }, reading: { model, series, facts } }: Shown): JSX.Element | null {
  const range = text(facts[0]?.[RANGE_IN_WORDS]);
  return range === '' || normalRange(model, facts[0]!, series.field, words) !== '' ? null : (
    <p class="by">{words.say('overview.range', { range: shortened(range) })}</p>
  );
}

function Result({ visit, reading }: Shown): JSX.Element {
  const { words } = visit;
  const { model, series, name, facts, to } = reading;
  const [latest] = facts as readonly [Fact];
  const said = isIn(series, latest) ? '' : shortened(resultInWords(series, latest, words));
  const isLong = said.length > MOST_AT_END;
  return (
    <li data-kind={model.name} data-id={latest.__id__}>
      <div>
        <a class="name" href={to}>
          <bdi>{name}</bdi>
        </a>
        {isLong && <Line text={said} />}
        <p class="by">{about(reading, words)}</p>
        <Check text={checkWords(model, latest, words)} />
      </div>
      <div class="end">
        {said === '' && <Value reading={reading} words={words} mid />}
        {said !== '' && !isLong && (
          <p class="name">
            <bdi>{said}</bdi>
          </p>
        )}
        <Finding model={model} fact={latest} field={series.field} words={words} />
        <RangeInWords visit={visit} reading={reading} />
      </div>
    </li>
  );
}

function byDate(one: Reading, other: Reading): number {
  return at(other.facts[0]!, other.date) - at(one.facts[0]!, one.date);
}

/** The newest measurements. What another device measured yesterday does not displace the weight of last week. */
function latestShown(readings: readonly Reading[]): readonly Reading[] {
  const newest = [...readings].sort(byDate);
  const first = newest.filter(({ model }) => model.name === MEASURED[0]).slice(0, MOST_OF_FIRST);
  return [...first, ...newest.filter((reading) => !first.includes(reading))].slice(0, MOST);
}

type Props = {
  readonly visit: Visit;
  readonly base: string;
  readonly latest: Latests;
  /** The models that have facts here, with readings or without. */ readonly models: readonly string[];
  /** Whether one may add here, and so says that there is nothing. */ readonly own: boolean;
};

/** For each model with readings that are not shown, the link to all of them. */
function Others({ visit, base, readings }: Pick<Props, 'visit' | 'base'> & { readings: readonly Reading[] }) {
  const models = [...new Set(readings.map(({ model }) => model))];
  return models.length === 0 ? null : (
    <p class="more line">
      {models.map((model) => (
        <a href={`${base}data/${model.name}`}>
          {visit.words.say('overview.more-of', {
            what: modelTitle(model, visit.words),
            count: readings.filter((reading) => reading.model === model).length,
          })}
        </a>
      ))}
    </p>
  );
}

/** What was measured long before the rest, each with its year. */
function LessOften({ visit, readings }: Pick<Props, 'visit'> & { readonly readings: readonly Reading[] }) {
  const { words } = visit;
  return readings.length === 0 ? null : (
    <p class="line small gap">
      <span class="soft">{words.say('overview.less-often')}</span>
      {readings.map((reading) => {
        const { series, facts, name, to, model } = reading;
        const [latest] = facts as readonly [Fact];
        const value = withUnit(pairWords(valuesIn(series, latest), words), unitIn(series, latest), words);
        return (
          <a class="tag stale" href={to} data-kind={model.name} data-id={latest.__id__}>
            <Icon name="clock" />
            <bdi>{name}</bdi> <bdi>{value}</bdi> <bdi>{about(reading, words)}</bdi>
          </a>
        );
      })}
    </p>
  );
}

function Add({ to, text }: { readonly to: string; readonly text: string }): JSX.Element {
  return (
    <a class="plus" href={to}>
      <Icon name="add" />
      <span class="unseen">{text}</span>
    </a>
  );
}

/** Says that nothing was measured, or leads to measurements of which none is a number that counts. */
function NoReadings({ visit, base, models }: Pick<Props, 'visit' | 'base' | 'models'>): JSX.Element {
  const { say } = visit.words;
  const there = MEASURED.flatMap((name) => (models.includes(name) ? (visit.models.find(name) ?? []) : []));
  return there.length === 0 ? (
    <p class="card empty">{say('overview.no-measurement')}</p>
  ) : (
    <div class="card">
      <p>{say('overview.not-as-number')}</p>
      <p class="more line">
        {there.map((model) => (
          <a href={`${base}data/${model.name}`}>{modelTitle(model, visit.words)}</a>
        ))}
      </p>
    </div>
  );
}

export function Latest({ visit, base, latest, models, own }: Props): JSX.Element | null {
  const { say } = visit.words;
  const readings = MEASURED.flatMap((name) => readingsIn(visit, base, name, latest[name] ?? []));
  const newest = Math.max(...readings.map(({ facts, date }) => at(facts[0]!, date)));
  const old = readings.filter(({ facts, date }) => newest - at(facts[0]!, date) > YEAR_MILLISECONDS);
  const shown = latestShown(readings.filter((reading) => !old.includes(reading)));
  if (readings.length === 0 && !own) {
    return null;
  }
  return (
    <section data-kind={MEASURED[0]}>
      <div class="title-row">
        <h2>
          <a href={`${base}data/${MEASURED[0]}`}>{say('overview.latest')}</a>
        </h2>
        {own && <Add to={`${base}${addPath(MEASURED[0])}`} text={say('overview.add-measurement')} />}
      </div>
      {readings.length === 0 && <NoReadings visit={visit} base={base} models={models} />}
      {readings.length > 0 && (
        <ul class="tiles">
          {readings
            .filter((reading) => shown.includes(reading))
            .map((reading) => (
              <Measured visit={visit} reading={reading} all={(latest[reading.model.name] ?? []).length < READ} />
            ))}
        </ul>
      )}
      <LessOften visit={visit} readings={old} />
      <Others
        visit={visit}
        base={base}
        readings={readings.filter((reading) => !shown.includes(reading) && !old.includes(reading))}
      />
    </section>
  );
}

/** The latest result of each test, the newest first, marked as its laboratory marked it. */
export function Results({ visit, base, latest, own }: Props): JSX.Element | null {
  const model = visit.models.find(RESULT);
  const readings = [...readingsIn(visit, base, RESULT, latest[RESULT] ?? [])].sort(byDate);
  return !model || readings.length === 0 ? null : (
    <section class="card k-lab" data-kind={RESULT}>
      <header>
        <Tile name="lab" />
        <h2>
          <a href={`${base}data/${RESULT}`}>{modelTitle(model, visit.words)}</a>
        </h2>
        {own && <Add to={`${base}add/${RESULT}`} text={visit.words.say('overview.add-result')} />}
      </header>
      <ul class="list">
        {readings.slice(0, MOST_RESULTS).map((reading) => (
          <Result visit={visit} reading={reading} />
        ))}
      </ul>
      <Others visit={visit} base={base} readings={readings.slice(MOST_RESULTS)} />
    </section>
  );
}
