/** overview-latest: shows the latest reading of each measurement with a small chart, whatever its model. */
import type { JSX } from 'preact';
import type { Model, Models } from '../../../../core/facts/model/model';
import { isTakenBack } from '../../../../core/facts/model/taken-back';
import { pointsOf, pointWords } from '../data/chart';
import { addressOf, seriesChoice } from '../data/query';
import {
  dateField,
  dateWords,
  knownDate,
  measuredWords,
  positionWords,
  readingState,
  unitWords,
  type Fact,
} from '../../words/facts';
import { isEveryday } from '../../words/measure-words';
import type { Visit } from '../../http/page';
import { Check, Part, Rows } from '../../parts/layout';
import { Spark } from '../../parts/chart';
import { checkWords } from '../../unlikely';
import { commaSeparated, type Words } from '../../words/words';
import { isIn, pairWords, seriesOf, unitIn, valuesIn, type Series } from '../data/series';
import { dayIn } from '../../words/zoned';

/** The models of readings. Readings of the first one are shown even if many others are newer. */
const MODELS = ['VitalSigns', 'LabResult', 'Measurement'] as const;

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

const MOST = 8;
const MOST_OF_FIRST = 5;
const DRAWN = 60;

/** The columns for the text next to a small chart: what is measured, its unit, and the position of the body. */
const saidBeside = ({ field, choice, unitColumn }: Series): readonly string[] =>
  [choice, unitColumn, `${field}_position_title`].filter((column) => column !== undefined);

/** The parameter that says which readings the operation reads. */
export const readingsOf = (models: Models, words: Words): string =>
  MODELS.flatMap((name) => {
    const model = models.find(name);
    const date = model && dateField(model);
    if (!model || date === undefined) {
      return [];
    }
    const series = seriesOf(model, words);
    const status = model.fields.find((field) => field.name === 'status')?.columns ?? [];
    const measured = series.flatMap(({ columns }) => columns).join(',');
    return [[name, date, measured, ...new Set([...series.flatMap(saidBeside), ...status])].join('*')];
  }).join('|');

const at = (fact: Fact, date: string): number => Date.parse(String(fact[date]));

/** One reading for each series of the model, and for each name if the model has a value with a name. */
const readingsIn = (visit: Visit, base: string, name: string, facts: readonly Fact[]): readonly Reading[] => {
  const model = visit.models.find(name);
  const date = model && dateField(model);
  if (!model || date === undefined) {
    return [];
  }
  return seriesOf(model, visit.words).flatMap((series): readonly Reading[] => {
    const own = facts
      .filter((fact) => isIn(series, fact) && fact[date] && !isTakenBack(fact))
      .sort((a, b) => at(b, date) - at(a, date));
    const page = `${base}data/${model.name}`;
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
              to: addressOf(page, { aggregate_by: seriesChoice('avg', series) }),
            },
          ];
    }
    const names = new Set(
      own.map((fact) => String(fact[choice] ?? '')).filter((one) => one !== '' && !isEveryday(one)),
    );
    return [...names].map((one) => ({
      model,
      series,
      name: measuredWords(model, choice, one, visit.words),
      facts: own.filter((fact) => fact[choice] === one),
      date,
      to: addressOf(page, { [choice]: one }),
    }));
  });
};

const Row = ({ visit, reading }: { visit: Visit; reading: Reading }): JSX.Element => {
  const { words } = visit;
  const { model, series, name, facts, date, to } = reading;
  const [latest] = facts as readonly [Fact];
  const unit = unitWords(unitIn(series, latest), words);
  const points = pointsOf(model, series, facts.slice(0, DRAWN), words);
  const [first, last] = [points[0], points.at(-1)].map((point) => (point ? pointWords(point, words) : ''));
  const when = dateWords(dayIn(words.zone, knownDate(latest, date)), words);
  return (
    <li>
      <div class="what">
        <a class="name" href={to}>
          <bdi>{name}</bdi>
        </a>
        <p class="by">
          {commaSeparated(
            [positionWords(latest, series.field, words), when, readingState(model, latest, words)],
            words,
          )}
        </p>
        <Check text={checkWords(model, latest, visit.now, words)} />
      </div>
      <p class="value">
        <bdi>{pairWords(valuesIn(series, latest), words)}</bdi> <bdi>{unit}</bdi>
      </p>
      <Spark
        marks={points}
        words={words}
        label={words.say('overview.spark', {
          name,
          count: points.length,
          first: first ?? '',
          last: last ?? '',
        })}
      />
    </li>
  );
};

/** The newest readings. Results of a laboratory of yesterday do not displace the blood pressure of last week. */
const shownOf = (readings: readonly Reading[]): readonly Reading[] => {
  const newest = [...readings].sort((a, b) => at(b.facts[0]!, b.date) - at(a.facts[0]!, a.date));
  const first = newest.filter(({ model }) => model.name === MODELS[0]).slice(0, MOST_OF_FIRST);
  return [...first, ...newest.filter((reading) => !first.includes(reading))].slice(0, MOST);
};

export const Latest = ({
  visit,
  base,
  latest,
  empty,
}: {
  readonly visit: Visit;
  readonly base: string;
  readonly latest: Latests;
  /** Whether to say that there is nothing. */ readonly empty: boolean;
}): JSX.Element | null => {
  const { say } = visit.words;
  const readings = MODELS.flatMap((name) => readingsIn(visit, base, name, latest[name] ?? []));
  const shown = shownOf(readings);
  if (readings.length === 0 && !empty) {
    return null;
  }
  return (
    <Part title={say('overview.latest')}>
      {readings.length === 0 && (
        <>
          <p>{say('overview.no-measurement')}</p>
          <div class="line-links more">
            <a href={`${base}add/VitalSigns`}>{say('overview.add-measurement')}</a>
          </div>
        </>
      )}
      {readings.length > 0 && (
        <Rows kind="latest">
          {readings
            .filter((reading) => shown.includes(reading))
            .map((reading) => (
              <Row visit={visit} reading={reading} />
            ))}
        </Rows>
      )}
      {readings.length > shown.length && (
        <p class="more">
          <a href={`${base}data/${readings.find((reading) => !shown.includes(reading))!.model.name}`}>
            {say('overview.more', { count: readings.length - shown.length })}
          </a>
        </p>
      )}
    </Part>
  );
};
