/** measured: which measures have readings in a record or carenet, and when the first and the last was taken. */
import type { ReportPlan, Scalar } from '../../core/facts/plans';
import { runAggregates, spanOfEach } from '../../core/facts/run-series';
import { jsonValue } from '../../core/facts/model/column-values';
import { reportOf } from '../../core/facts/model/report-plan';
import type { RawQuery } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import { openScope, requireModel, type InScope } from './scope';
import { goodOnly } from './series';

/** A column of readings, or a value of the column that names what was measured, with its first and last date. */
type Measured = {
  readonly model: string;
  readonly name: string;
  readonly first: string;
  readonly last: string;
};

/** More names than this of things measured are not told. */
const MOST_NAMES = 200;

type Wanted = {
  readonly model: string;
  readonly date: string;
  readonly columns: readonly string[];
  readonly by: string;
};

/** Reads "Model*date*column,column" and "Model*date*column*the column that names what was measured", joined by bars. */
function measuresAsked(said: string): readonly Wanted[] {
  return said.split('|').flatMap((one) => {
    const [model = '', date = '', columns = '', by = ''] = one.split('*');
    return model === '' ? [] : [{ model, date, columns: columns.split(','), by }];
  });
}

/** One statement for each model that is asked for. */
async function readMeasuredOf(
  services: Services,
  { scope }: Awaited<ReturnType<typeof openScope>>,
  wanted: Wanted,
): Promise<readonly Measured[]> {
  const model = requireModel(services, wanted.model);
  const { fields, source } = reportOf(services.models(), model);
  const [date, by] = [fields.get(wanted.date), fields.get(wanted.by)];
  const measured = wanted.columns.flatMap((name) => fields.get(name) ?? []);
  if (!date || measured.length !== wanted.columns.length) {
    return [];
  }
  const active = { status: 'active' as const, filters: [], limit: MOST_NAMES, offset: 0 };
  const plan: ReportPlan = { ...active, ...goodOnly(model, fields), present: [measured, [date]] };
  const found = by
    ? (
        await runAggregates(services.database, source, scope, { ...plan, group: { field: by } }, [
          { operator: 'min', field: date },
          { operator: 'max', field: date },
        ])
      ).map(({ group, values: [first, last] }) => [String(group ?? ''), first, last] as const)
    : (await spanOfEach(services.database, source, scope, plan, { date, fields: measured })).map(
        ([first, last], at) => [wanted.columns[at]!, first, last] as const,
      );
  const told = (day: Scalar): string => String(jsonValue(date.kind, day));
  return found.flatMap(([name, first = null, last = null]) =>
    name === '' || last === null ? [] : [{ model: model.name, name, first: told(first), last: told(last) }],
  );
}

/**
 * What is measured, in the order in which it is asked for by `of`.
 * @throws AppError not_found for an unknown model or carenet
 */
export async function readMeasured({ params, query, services }: Call<InScope, RawQuery>): Promise<readonly Measured[]> {
  const opened = await openScope(services, params, { status: 'active' });
  const all = await Promise.all(measuresAsked(query['of'] ?? '').map((one) => readMeasuredOf(services, opened, one)));
  return all.flat();
}
