/** last: the last reading of what a quick form asks for, beside which a person sees what they type. */
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { inRecord } from '../../parts/record-frame';
import { dateField, dateWords, knownDate, withUnit, type Fact } from '../../words/facts';
import type { Words } from '../../words/words';
import { pairWords, seriesOf, unitIn, valuesIn } from '../data/series';
import type { QuickKind } from './kinds';

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

/** Undefined for a form that asks for no number, and before the first reading. */
export async function readLastReading(
  visit: PersonVisit,
  kind: QuickKind,
  words: Words,
): Promise<LastReading | undefined> {
  const model = visit.models.find(kind.model ?? '');
  const column = findFirstColumn(kind);
  const date = model && dateField(model);
  const series = model && seriesOf(model, words).find(({ columns }) => columns.some((one) => one === column));
  if (!model || !series || date === undefined) {
    return undefined;
  }
  const { facts } = await visit.ask(operations.reports.recordFacts, {
    params: { ...inRecord(visit), DATA_MODEL: model.name },
    query: { _present: series.columns.join('|'), order_by: `-${date}`, limit: '1' },
  });
  const [fact] = facts as readonly Fact[];
  return (
    fact && {
      value: withUnit(pairWords(valuesIn(series, fact), words), unitIn(series, fact), words),
      date: dateWords(knownDate(fact, date), words),
    }
  );
}
