/** begun: what began in the time of a series, such as medicines, for marks in its chart. */
import { factTables } from '../../core/datamodel/fact-tables';
import { fieldsOf } from '../../core/datamodel/report-plan';
import type { Services } from '../../core/services';
import type { ReportScope } from '../../core/storage/plans';
import { runFacts } from '../../core/storage/run-series';
import { narrowed, narrowedSdmj } from './narrowed';
import type { SdmjFact } from './series';

/** One medicine is often said in several documents, and a chart marks few days. */
const MOST_BEGUN = 100;
const DAY = 86_400_000;
/** Days begin up to 14 hours earlier or later elsewhere. */
const ROOM = 2 * DAY;

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A model, the date by which its facts begin, and what else to read of them: `Medication*startDate*drugName_title`. */
const wantedIn = (services: Services, text: string) => {
  const [name = '', dateName = '', ...others] = text.split('*');
  const model = services.models().find(name);
  const table = model && factTables(services.models()).get(name);
  const date = model && fieldsOf(model).get(dateName);
  return table && date && { table: narrowed(table, [dateName, ...others]), date };
};

/** The facts that began last, read with one statement. */
export const begunWithin = async (
  services: Services,
  scope: ReportScope,
  text: string,
  [first, last]: readonly [from: string | null, to: string | null],
): Promise<readonly SdmjFact[]> => {
  const wanted = wantedIn(services, text);
  const [from, to] = [Date.parse(first ?? ''), Date.parse(last ?? '')];
  if (!wanted || !(from < to)) {
    return [];
  }
  const { table, date } = wanted;
  const facts = await runFacts(services.database, { table }, scope, {
    status: 'active',
    filters: [],
    present: [[date]],
    ranges: [{ field: date, from: dayAt(from - ROOM), to: dayAt(to + ROOM) }],
    order: { by: date, descending: true },
    limit: MOST_BEGUN,
    offset: 0,
  });
  return facts.map((fact) => narrowedSdmj(services, fact));
};
