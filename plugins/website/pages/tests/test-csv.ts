/** test-csv: all results of a test, or all readings of a measure, as a file for a spreadsheet, as they are written. */
import { Readable } from 'node:stream';
import type { LabTest } from '../../../../core/lab-tests/tests';
import { operations } from '../../http/operations';
import type { Answer } from '../../http/page';
import { dateField, knownDate, type Fact } from '../../words/facts';
import { CALLED_WRONG, csvRow, type Cell } from '../data/csv';
import { isIn, unitIn, type FactsView } from '../data/series';
import { bodySources, type Of, type Source } from './body-sources';
import type { TestResult } from './results';

const COLUMNS = [
  'collected_at',
  'test_name_title',
  'test_name_identifier',
  'test_name_system',
  'quantitative_result_value_value',
  'quantitative_result_value_unit',
  'value',
  'abnormal_interpretation_title',
  'quantitative_result_normal_range_min_value',
  'quantitative_result_normal_range_min_unit',
  'quantitative_result_normal_range_max_value',
  'quantitative_result_normal_range_max_unit',
  'reference',
  'status_title',
  'collected_by_org_name',
];

function fileNamed(name: string, rows: Iterable<string> | AsyncIterable<string>): Answer {
  return {
    kind: 'file',
    body: Readable.from(rows, { objectMode: false }),
    type: 'text/csv; charset=utf-8',
    name: `${name}.csv`,
  };
}

export function testCsv({ id }: LabTest, results: readonly TestResult[]): Answer {
  const marked = results.some(({ isWrong }) => isWrong) ? [CALLED_WRONG.name] : [];
  const rows = results.map(({ fact, isWrong }) =>
    csvRow([
      ...COLUMNS.map((name) => (name === 'collected_at' ? knownDate(fact, name) : ((fact[name] as Cell | null) ?? ''))),
      ...marked.map(() => isWrong || null),
    ]),
  );
  return fileNamed(id, [csvRow([...COLUMNS, ...marked]), ...rows]);
}

/** How many facts are read at once while the file is written. */
const AT_ONCE = 1000;

function askReadings({ visit, whose }: Of, { model, series, query }: Source, place: string): Promise<FactsView> {
  const call = whose.kind === 'record' ? operations.reports.recordFacts : operations.reports.carenetFacts;
  return visit.ask(call, {
    params: { ...whose.params, DATA_MODEL: model.name },
    query: {
      ...query,
      _present: series.columns.join('|'),
      order_by: `-${dateField(model)!}`,
      limit: String(AT_ONCE),
      _place: place,
    },
  });
}

/** The column of what is called wrong, or none. */
type Marked = readonly (typeof CALLED_WRONG)[];

async function* readingRows(of: Of, source: Source, first: FactsView, marked: Marked): AsyncGenerator<string> {
  const { model, series } = source;
  for (let view = first; ;) {
    yield (view.facts as readonly Fact[])
      .filter((fact) => isIn(series, fact))
      .map((fact) =>
        csvRow([
          knownDate(fact, dateField(model)!),
          ...series.columns.map((column) => fact[column] as Cell),
          unitIn(series, fact),
          model.name,
          ...marked.map((column) => fact[column.of] as Cell),
        ]),
      )
      .join('');
    const { next } = view.pages;
    if (next === undefined) {
      return;
    }
    view = await askReadings(of, source, next);
  }
}

async function* bodyRows(of: Of, parts: readonly (readonly [Source, FactsView])[]): AsyncGenerator<string> {
  const values = parts[0]?.[0].series.columns ?? ['value'];
  const marked = parts.some(([, { hasWrong }]) => hasWrong) ? [CALLED_WRONG] : [];
  yield csvRow(['date', ...values, 'unit', 'model', ...marked.map(({ name }) => name)]);
  for (const [source, first] of parts) {
    yield* readingRows(of, source, first, marked);
  }
}

/** The first part is read before anything is sent, so that a refusal is answered with its page. */
export async function bodyCsv(of: Of): Promise<Answer> {
  const parts = await Promise.all(
    bodySources(of).map(async (source) => [source, await askReadings(of, source, '')] as const),
  );
  return fileNamed(of.measure.id, bodyRows(of, parts));
}
