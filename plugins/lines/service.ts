/** service: decides which lines a caller gets, and reads what is nested in their facts. */
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import type { ReportScope } from '../../core/sharing/containment';
import type { StoredFact } from '../../core/facts/plans';
import type { DocumentRow } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';
import { withNested } from '../../core/facts/facts-across';
import { factTables } from '../../core/facts/model/fact-tables';
import { readPaperDates } from '../../core/facts/told-store';
import type { Models } from '../../core/facts/model/model';
import type { Line, Says } from '../../core/lines/lines';
import { readLinesOf } from '../../core/records/lines';
import { requireSeen } from '../../core/records/seen';
import type { Services } from '../../core/services';
import { sourcesAsked, type Format, type LineQuery, type LinesQuery } from './inputs';

/** Path parameters with either RECORD_ID or CARENET_ID. */
type InScope = Readonly<Record<string, string>>;

/** Lines with all that is written of them. */
export type LinesView = {
  readonly recordId: string;
  readonly model: string;
  readonly total: number;
  readonly lines: readonly Line[];
  /** Facts with what is nested in them, by id. */ readonly facts: ReadonlyMap<string, StoredFact>;
  readonly models: Models;
  readonly format: Format;
  /** For doors: lines that are perhaps the same as a single one. */ readonly beside: readonly Line[];
  /** For doors: documents of the statements. */ readonly documents: readonly SourceDocument[];
  /** The dates of documents that stay closed, of which it shows facts by their kind. */
  readonly paperDates: ReadonlyMap<string, string>;
};

/** What names a document as a source. */
type SourceDocument = Pick<DocumentRow, 'id' | 'type' | 'label' | 'about' | 'createdAt'>;

/** One line, or where it is if the id is that of another statement of it. */
export type LineView = LinesView | { readonly location: string };

const MOST = 1000;

async function linesScope(services: Services, params: InScope): Promise<ReportScope> {
  const { RECORD_ID: recordId, CARENET_ID: carenetId = '' } = params;
  return recordId === undefined ? (await requireSeen(services, carenetId)).scope : { recordId };
}

/** What is not clear goes on as far as anybody knows. */
function isAsked({ standing }: Line, wanted: LinesQuery['standing']): boolean {
  return wanted === 'all' || standing === wanted || (wanted === 'open' && standing === 'unclear');
}

async function viewOf(
  services: Services,
  { recordId }: ReportScope,
  model: string,
  found: Pick<LinesView, 'lines' | 'total' | 'format'> &
    Partial<Pick<LinesView, 'beside' | 'documents' | 'paperDates'>>,
): Promise<LinesView> {
  const models = services.models();
  const facts = found.lines.flatMap(({ says }) => says.flatMap(({ told }) => told.facts));
  const nested = await withNested(services.database.reads, services.database.dialect, factTables(models), facts);
  return {
    beside: [],
    documents: [],
    paperDates: new Map(),
    ...found,
    recordId,
    model: models.find(model)!.name,
    facts: new Map(nested.map((fact) => [fact.id, fact])),
    models,
  };
}

/** The documents of these statements that the scope opens, and the dates of those that stay closed. */
async function sourcesOf(
  services: Services,
  scope: ReportScope,
  model: string,
  says: readonly Says[],
): Promise<Pick<LinesView, 'documents' | 'paperDates'>> {
  const ids = [...new Set(says.map(({ told }) => told.documentId))];
  const { reads } = services.database;
  const documents = await documentStore.findDocuments(reads, scope, ids);
  const models = services.models();
  const paperDates = await readPaperDates(reads, [factTables(models).get(models.find(model)!.name)!], scope);
  return { documents, paperDates };
}

/** The newest statements of a line, and the one whose words it has. */
function saidFirst({ says, shown }: Line, most: number): readonly Says[] {
  return says.filter(({ told }, at) => at < most || told.id === shown.id);
}

/** Events in the order of their days, the newest first and those without a day last; things as they were. */
function inOrderOfDays(lines: readonly Line[], models: Models, name: string): readonly Line[] {
  return models.find(name)?.same?.what !== 'thing'
    ? [...lines].sort((one, other) => Number(one.first < other.first) - Number(one.first > other.first))
    : lines;
}

export async function listLines({ params, query, services }: Call<InScope, LinesQuery>): Promise<LinesView> {
  const scope = await linesScope(services, params);
  const { MODEL: model = '' } = params;
  const asked = (await readLinesOf(services, scope, model)).filter((line) => isAsked(line, query.standing));
  const all = query._order === 'newest' ? inOrderOfDays(asked, services.models(), model) : asked;
  const limit = Math.min(query.limit, services.config.maxLimit, MOST);
  const lines = all.slice(query.offset, query.offset + limit);
  const most = sourcesAsked(query);
  const says = most === 0 ? [] : lines.flatMap((line) => saidFirst(line, most));
  const sources = says.length === 0 ? {} : await sourcesOf(services, scope, model, says);
  return viewOf(services, scope, model, { lines, total: all.length, format: query.response_format, ...sources });
}

export async function readLine({ params, query, services }: Call<InScope, LineQuery>): Promise<LineView> {
  const scope = await linesScope(services, params);
  const { MODEL: model = '', LINE_ID: id = '' } = params;
  const all = await readLinesOf(services, scope, model);
  const line = all.find(({ says }) => says.some(({ told }) => told.id === id.toLowerCase()));
  if (!line) {
    throw errors.notFound('line');
  }
  if (line.id !== id.toLowerCase()) {
    return { location: lineAddress(services, params, line.id) };
  }
  const beside = all.filter((other) => line.perhaps.includes(other.id));
  const sources = await sourcesOf(services, scope, model, line.says);
  const found = { lines: [line], total: 1, beside, ...sources };
  return viewOf(services, scope, model, { ...found, format: query.response_format });
}

function lineAddress(services: Services, { RECORD_ID, CARENET_ID, MODEL = '' }: InScope, id: string): string {
  const within = RECORD_ID === undefined ? `carenets/${CARENET_ID}` : `records/${RECORD_ID}`;
  return `${services.baseUrl()}/${within}/lines/${encodeURIComponent(MODEL)}/${id}`;
}
