/** rdf: writes lists of facts and single facts as graphs in the platform's vocabulary. */
import { errors } from '../../core/base/errors';
import type { Id } from '../../core/base/types';
import { factTables } from '../../core/facts/model/fact-tables';
import type { Model } from '../../core/facts/model/model';
import type { Part } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { graphPieces, type ToDescribe } from '../../core/rdf/describe';
import type { Services } from '../../core/services';
import type { ReportPlan, StoredFact } from '../../core/facts/plans';
import { openReport } from '../../core/facts/run-report';
import { findFact, parentsOf } from '../../core/facts/store';

/** Everything that is active, newest first. */
export const everything: ReportPlan = {
  status: 'active',
  filters: [],
  limit: Number.MAX_SAFE_INTEGER,
  offset: 0,
  order: { by: { kind: 'datetime', columns: ['_created_at'] }, descending: true },
};

/** The graph of facts of one record, with the facts in which they are nested. */
async function* factsGraph(
  services: Services,
  recordId: Id,
  models: readonly Model[],
  pages: AsyncIterable<readonly StoredFact[]>,
): AsyncGenerator<string> {
  const all = services.models();
  const parts = async function* (): AsyncGenerator<ToDescribe> {
    for await (const facts of pages) {
      yield { facts, parents: await parentsOf(services.database, factTables(all), facts) };
    }
  };
  yield* graphPieces(parts(), models, all, {
    baseUrl: services.baseUrl(),
    platformBase: services.config.platformBase,
    recordId,
  });
}

/** The graph of facts that were read already. */
export async function graphText(
  services: Services,
  recordId: Id,
  model: Model,
  facts: readonly StoredFact[],
): Promise<string> {
  let text = '';
  for await (const piece of factsGraph(
    services,
    recordId,
    [model],
    (async function* () {
      yield facts;
    })(),
  )) {
    text += piece;
  }
  return text;
}

/** @throws AppError not_found */
function modelsAt(services: Services, path: string): readonly Model[] {
  const models = services.models().all.filter(({ rdf }) => rdf?.path === path);
  if (models.length === 0) {
    throw errors.notFound('list of facts');
  }
  return models;
}

/** Where several models have the same path, the facts of one model follow those of the other. */
async function* readPathFacts(
  services: Services,
  recordId: Id,
  models: readonly Model[],
  { limit, offset, status }: Part,
): AsyncGenerator<readonly StoredFact[]> {
  const tables = factTables(services.models());
  let wanted = limit === undefined ? everything.limit : Math.min(limit, services.config.maxLimit);
  let before = 0;
  for (const { name } of models) {
    if (wanted > 0) {
      const plan = { ...everything, status, limit: wanted, offset: Math.max(offset - before, 0) };
      const { length, total, pages } = await openReport(
        services.database,
        tables,
        { table: tables.get(name)! },
        { recordId },
        plan,
      );
      yield* pages();
      wanted -= length;
      before += total;
    }
  }
}

async function listAt(services: Services, recordId: Id, path: string, part: Part): Promise<AsyncGenerator<string>> {
  const models = modelsAt(services, path);
  return factsGraph(services, recordId, models, readPathFacts(services, recordId, models, part));
}

async function factAt(services: Services, recordId: Id, path: string, id: Id): Promise<AsyncGenerator<string>> {
  const tables = factTables(services.models());
  for (const model of modelsAt(services, path)) {
    const fact = await findFact(services.database, tables, tables.get(model.name)!, recordId, id);
    if (fact) {
      return factsGraph(
        services,
        recordId,
        [model],
        (async function* () {
          yield [fact];
        })(),
      );
    }
  }
  throw errors.notFound('fact');
}

type InList = { RECORD_ID: string; MODEL_NAME: string };
type InFact = InList & { MODEL_ID: string };

export function listAllergies({
  params,
  query,
  services,
}: Call<{ RECORD_ID: string }, Part>): Promise<AsyncGenerator<string>> {
  return listAt(services, params.RECORD_ID, 'allergies', query);
}

export function readAllergy({
  params,
  services,
}: Call<{ RECORD_ID: string; MODEL_ID: string }>): Promise<AsyncGenerator<string>> {
  return factAt(services, params.RECORD_ID, 'allergies', params.MODEL_ID);
}

export function listFacts({ params, query, services }: Call<InList, Part>): Promise<AsyncGenerator<string>> {
  return listAt(services, params.RECORD_ID, params.MODEL_NAME, query);
}

/** Reads a fact of this record, of any status but void. */
export function readFact({ params, services }: Call<InFact>): Promise<AsyncGenerator<string>> {
  return factAt(services, params.RECORD_ID, params.MODEL_NAME, params.MODEL_ID);
}
