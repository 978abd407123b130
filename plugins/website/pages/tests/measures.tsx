/** measures: the measures of the body that have readings, as links from the page of one to those of the others. */
import type { JSX } from 'preact';
import type { BodyMeasure } from '../../../../core/lab-tests/tests';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import type { Whose } from '../../parts/whose';
import { dateField } from '../../words/facts';
import { isEveryday } from '../../words/measure-words';
import { seriesOf } from '../data/series';
import { measureName, type Span } from './body-sources';

const [VITALS, OTHERS] = ['VitalSigns', 'Measurement'] as const;
/** The models whose readings are those of measures. */
export const MEASURED: readonly string[] = [VITALS, OTHERS];

export type Measures = {
  /** In the order of `body.csv`. */ readonly measured: readonly BodyMeasure[];
  /** How many other things were measured, of which each has its readings at the page of their model. */
  readonly more: number;
  /** When a measure was taken, and in how many models its readings are; undefined where it has none. */
  readonly spanOf: (measure: BodyMeasure) => Span | undefined;
};

/** The columns of both models whose dates are asked for. */
function askedOf({ models, words }: PersonVisit): string {
  const [vitals, others] = [models.find(VITALS), models.find(OTHERS)];
  const columns = vitals ? seriesOf(vitals, words).flatMap((series) => series.columns) : [];
  const value = others && seriesOf(others, words).find(({ field }) => field === 'value');
  return [
    ...(vitals && columns.length > 0 ? [[vitals.name, dateField(vitals), columns.join(',')].join('*')] : []),
    ...(others && value ? [[others.name, dateField(others), value.columns.join(','), 'type'].join('*')] : []),
  ].join('|');
}

/** What has readings in the record or carenet. */
export async function readMeasures(visit: PersonVisit, { kind, params }: Whose): Promise<Measures> {
  const { models, words } = visit;
  const call = kind === 'record' ? operations.reports.recordMeasured : operations.reports.carenetMeasured;
  const said: ValueOf<typeof operations.reports.recordMeasured> = await visit.ask(call, {
    params,
    query: { of: askedOf(visit) },
  });
  const vitals = models.find(VITALS);
  const columnsOf = ({ field }: BodyMeasure): readonly string[] =>
    (vitals ? seriesOf(vitals, words) : []).find((series) => series.field === field)?.columns ?? [];
  const { body } = models.labTests;
  const spanOf = (measure: BodyMeasure): Span | undefined => {
    const own = said.filter(({ model, name }) =>
      (model === VITALS ? columnsOf(measure) : measure.types).includes(name),
    );
    const [first] = own.map((one) => one.first).sort();
    const last = own
      .map((one) => one.last)
      .sort()
      .at(-1);
    const models = new Set(own.map(({ model }) => model)).size;
    return first === undefined || last === undefined ? undefined : { first, last, models };
  };
  const others = said.filter(
    ({ model, name }) => model === OTHERS && !isEveryday(name) && !body.some(({ types }) => types.includes(name)),
  );
  return { measured: body.filter((measure) => spanOf(measure) !== undefined), more: others.length, spanOf };
}

type Props = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  /** The one that the page is about; undefined on a page of all. */ readonly measure?: BodyMeasure;
  readonly measures: Measures;
};

/** Links to the other measures; none where there is no other one. */
export function MeasureChips({ visit, whose, measure, measures: { measured, more } }: Props): JSX.Element | null {
  const { say } = visit.words;
  const isAlone = more === 0 && measured.every((one) => one === measure);
  return isAlone ? null : (
    <nav class="chips roll no-print" aria-label={say('body.all')} tabindex={0}>
      {measured.map((one) => (
        <a class="chip" href={`${whose.base}tests/${one.id}`} aria-current={one === measure ? 'page' : undefined}>
          <bdi>{measureName(one, visit)}</bdi>
        </a>
      ))}
      {more > 0 && (
        <a class="chip" href={`${whose.base}data/${OTHERS}`}>
          {say('body.more-measures', { count: more })}
        </a>
      )}
    </nav>
  );
}
