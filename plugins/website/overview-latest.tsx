/** overview-latest: the latest of each measurement with a small chart, whatever model it comes from. */
import type { JSX } from 'preact';
import type { Model } from '../../core/datamodel/model';
import { isTakenBack } from '../../core/datamodel/taken-back';
import { pointsOf, pointWords } from './data-chart';
import { addressOf, seriesChoice } from './data-query';
import {
  dateField,
  dateWords,
  knownDate,
  measuredWords,
  positionWords,
  readingState,
  unitWords,
  type Fact,
} from './facts';
import type { Visit } from './page';
import { Part, Rows } from './parts/layout';
import { Spark } from './parts/chart';
import { commaSeparated } from './words';
import { isIn, pairWords, seriesOf, unitIn, valuesIn, type Series } from './series';
import { dayIn } from './zoned';

/** The facts of a model, in any order. */
export type Measured = { readonly model: string; readonly facts: readonly Fact[] };

type Reading = {
  readonly model: Model;
  readonly series: Series;
  readonly name: string;
  /** Newest first. */ readonly facts: readonly Fact[];
  readonly date: string;
  readonly to: string;
};

const MOST = 8;
const DRAWN = 60;

const at = (fact: Fact, date: string): number => Date.parse(String(fact[date]));

/** One for each series of the model, and for each name where a value stands beside a name. */
const readingsOf = (visit: Visit, base: string, { model: name, facts }: Measured): readonly Reading[] => {
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
    return [...new Set(own.map((fact) => String(fact[choice] ?? '')).filter(Boolean))].map((one) => ({
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

export const Latest = ({
  visit,
  base,
  measured,
  empty,
}: {
  readonly visit: Visit;
  readonly base: string;
  readonly measured: readonly Measured[];
  /** Whether to say that there is nothing. */ readonly empty: boolean;
}): JSX.Element | null => {
  const { say } = visit.words;
  const readings = measured.flatMap((one) => readingsOf(visit, base, one));
  const shown = [...readings].sort((a, b) => at(b.facts[0]!, b.date) - at(a.facts[0]!, a.date)).slice(0, MOST);
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
