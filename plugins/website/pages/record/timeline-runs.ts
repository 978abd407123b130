/** timeline-runs: readings of the same kind on several days, with nothing else between them, as one row of the timeline. */
import { mean } from 'd3-array';
import type { PersonVisit } from '../../http/page';
import { isReading, readings, readingState, unitWords, withUnit, type Fact } from '../../words/facts';
import { isCalledWrong, type Statement } from '../../words/said-once';
import { averageWords, isIn, seriesOf, unitIn, valuesIn } from '../data/series';

/** A row: the statements of a day, of a visit on that day, or of a device on that day. */
export type Row = {
  readonly day: string;
  readonly statements: readonly Statement[];
  readonly visit?: Fact;
  /** What the device measured. */ readonly device?: string;
  /** What was measured on several days, and the first of them; then the day is the last. */
  readonly run?: { readonly measured: string; readonly from: string };
};

/** So many days are a run. */
const LEAST_DAYS = 3;

/** What all statements of a row measured; empty for a visit, for a date that is no day, and where something else is said. */
function measuredIn({ day, visit, statements }: Row, measuredOf: (fact: Fact) => string): string {
  const [first = '', ...others] = new Set(statements.map(({ fact }) => measuredOf(fact)));
  return visit === undefined && /^\d{4}-\d\d-\d\d$/.test(day) && others.length === 0 ? first : '';
}

function joinedRun(run: readonly Row[], measured: string): Row {
  const [newest, oldest] = [run[0]!, run.at(-1)!];
  const statements = run.flatMap((row) => row.statements);
  return { ...newest, statements, run: { measured, from: oldest.day } };
}

/** @param rows of one month, the newest first */
export function withRuns(rows: readonly Row[], measuredOf: (fact: Fact) => string): readonly Row[] {
  const runs: { readonly key: string; readonly measured: string; readonly rows: Row[] }[] = [];
  for (const row of rows) {
    const measured = measuredIn(row, measuredOf);
    const key = measured === '' ? '' : `${row.device === undefined ? 'own' : 'device'} ${measured}`;
    const last = runs.at(-1);
    if (key !== '' && last?.key === key) {
      last.rows.push(row);
    } else {
      runs.push({ key, measured, rows: [row] });
    }
  }
  return runs.flatMap((run) => (run.rows.length < LEAST_DAYS ? run.rows : [joinedRun(run.rows, run.measured)]));
}

/**
 * "Average 71 kg", of the readings of a run, or "Average of 3 of them: 71 kg" where the person calls the others wrong;
 * empty where one is not final, has another unit or is no number, and for what no average says anything of.
 */
export function averageOf(all: readonly Fact[], { models, words }: PersonVisit): string {
  const facts = all.filter((fact) => !isCalledWrong(fact));
  const [first] = facts;
  const model = first && models.find(first.__modelname__);
  const [only, ...others] = model ? readings(model, first, words) : [];
  const series = model && seriesOf(model, words).find(({ field }) => field === only?.field);
  if (!first || !model?.fields.some(isReading) || !series || others.length > 0) {
    return '';
  }
  const unit = unitIn(series, first);
  const isLike = (fact: Fact): boolean =>
    fact.__modelname__ === model.name &&
    isIn(series, fact) &&
    unitIn(series, fact) === unit &&
    readingState(model, fact, words) === '';
  const averages = series.columns.map((_, at) => mean(facts, (fact) => valuesIn(series, fact)[at]) ?? null);
  const average = facts.every(isLike) ? withUnit(averageWords(averages, words), unitWords(unit, words), words) : '';
  if (average === '') {
    return '';
  }
  return facts.length === all.length
    ? words.say('timeline.average', { average })
    : words.say('timeline.average-of', { average, count: facts.length });
}
