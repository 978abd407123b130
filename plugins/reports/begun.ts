/** begun: reads facts that began in the time of a series, such as medicines, for marks in its chart. */
import { factTables } from '../../core/facts/model/fact-tables';
import { fieldsOf } from '../../core/facts/model/report-plan';
import type { Services } from '../../core/services';
import type { ReportScope } from '../../core/sharing/containment';
import { readRowNames } from '../../core/facts/told-store';
import { runFacts } from '../../core/facts/run-series';
import type { Id } from '../../core/base/types';
import { narrowed, narrowedSdmj, type SdmjFact } from './narrowed';

/** The most facts that are read. A chart marks few days, but one medicine is often in several documents. */
const MOST_BEGUN = 100;
const DAY = 86_400_000;
/** In other time zones days begin up to 14 hours earlier or later. */
const ROOM = 2 * DAY;

function dayAt(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * The name of a model, the column with the day on which its facts began, and further columns to read:
 * `Medication*startDate*drugName_title`.
 */
function wantedIn(services: Services, text: string) {
  const [name = '', dateName = '', ...others] = text.split('*');
  const model = services.models().find(name);
  const table = model && factTables(services.models()).get(name);
  const date = model && fieldsOf(model).get(dateName);
  return table && date && { table: narrowed(table, [dateName, ...others]), date };
}

/**
 * The facts that began last, read with one statement, and with one more where the person calls something wrong.
 * @param wrong the statements that the person calls wrong, which mark no day
 */
export async function begunWithin(
  services: Services,
  scope: ReportScope,
  { text, wrong }: { readonly text: string; readonly wrong: ReadonlySet<Id> },
  [first, last]: readonly [from: string | null, to: string | null],
): Promise<readonly SdmjFact[]> {
  const wanted = wantedIn(services, text);
  const [from, to] = [Date.parse(first ?? ''), Date.parse(last ?? '')];
  if (!wanted || !(from < to)) {
    return [];
  }
  const { table, date } = wanted;
  const leftOut = wrong.size === 0 ? undefined : await readRowNames(services.database.reads, table, scope, wrong);
  const facts = await runFacts(services.database, { table }, scope, {
    status: 'active',
    filters: [],
    ...(leftOut ? { leftOut } : {}),
    present: [[date]],
    ranges: [{ field: date, from: dayAt(from - ROOM), to: dayAt(to + ROOM) }],
    order: { by: date, descending: true },
    limit: MOST_BEGUN,
    offset: 0,
  });
  return facts.map((fact) => narrowedSdmj(services, fact));
}
