/** last: the readings that a record has of what a quick form asks for. */
import type { Model } from '../../../../core/facts/model/model';
import { isTakenBack } from '../../../../core/facts/model/taken-back';
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { inRecord } from '../../parts/record-frame';
import { dateField, dateWords, knownDate, withUnit, type Fact } from '../../words/facts';
import { isCalledWrong } from '../../words/said-once';
import type { Words } from '../../words/words';
import { pairWords, seriesOf, unitIn, valuesIn, type Series } from '../data/series';
import type { QuickKind } from './kinds';

/** Readings of one series, the newest first. */
export type Readings = {
  readonly model: Model;
  readonly series: Series;
  /** The column of their dates. */ readonly date: string;
  readonly facts: readonly Fact[];
  /** Whether there are no older ones. */ readonly isAll: boolean;
};

/** The newest ones may have been taken back, or be called wrong. */
const MOST_TRIED = 10;

/** A reading and its date, in words. */
export type LastReading = { readonly value: string; readonly date: string };

/** The column of the number that the form asks for first. */
function findFirstColumn({ fields: [first] }: QuickKind): string | undefined {
  switch (first?.kind) {
    case 'pad':
      return first.fields[0]?.[0];
    case 'number':
      return first.column;
    default:
      return undefined;
  }
}

/** The newest readings, at most as many as named; undefined for a form that asks for no number. */
export async function readReadings(
  visit: PersonVisit,
  kind: QuickKind,
  words: Words,
  most: number,
): Promise<Readings | undefined> {
  const model = visit.models.find(kind.model ?? '');
  const column = findFirstColumn(kind);
  const date = model && dateField(model);
  const series = model && seriesOf(model, words).find(({ columns }) => columns.some((one) => one === column));
  if (!model || !series || date === undefined) {
    return undefined;
  }
  const { facts } = await visit.ask(operations.reports.recordFacts, {
    params: { ...inRecord(visit), DATA_MODEL: model.name },
    query: { _present: series.columns.join('|'), order_by: `-${date}`, limit: String(most) },
  });
  const read = facts as readonly Fact[];
  return {
    model,
    series,
    date,
    facts: read.filter((fact) => !isTakenBack(fact) && !isCalledWrong(fact)),
    isAll: read.length < most,
  };
}

/**
 * The last reading, beside which a person sees what they type. Undefined for a form that asks for no number, and before
 * the first reading.
 */
export async function readLastReading(
  visit: PersonVisit,
  kind: QuickKind,
  words: Words,
): Promise<LastReading | undefined> {
  const readings = await readReadings(visit, kind, words, MOST_TRIED);
  const [fact] = readings?.facts ?? [];
  return (
    readings &&
    fact && {
      value: withUnit(pairWords(valuesIn(readings.series, fact), words), unitIn(readings.series, fact), words),
      date: dateWords(knownDate(fact, readings.date), words),
    }
  );
}
