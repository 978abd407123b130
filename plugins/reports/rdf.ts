/** rdf: facts as graphs in the platform's vocabulary: lists and single facts by their address. */
import { errors } from '../../core/base/errors';
import type { Id } from '../../core/base/types';
import { factTables } from '../../core/datamodel/fact-tables';
import type { Model } from '../../core/datamodel/model';
import type { Part } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { describeFacts } from '../../core/rdf/describe';
import type { Services } from '../../core/services';
import type { ReportPlan, StoredFact } from '../../core/storage/plans';
import { runReport } from '../../core/storage/run-report';
import { findFact, parentsOf } from '../../core/storage/stores/facts';
import type { XmlElement } from '../../core/xml/write';

/** Everything that is active, newest first. */
export const everything: ReportPlan = {
  status: 'active', filters: [], limit: Number.MAX_SAFE_INTEGER, offset: 0,
  order: { by: { kind: 'datetime', columns: ['_created_at'] }, descending: true },
};

const placeOf = ({ baseUrl, config }: Services, recordId: Id) => ({ baseUrl: baseUrl(), platformBase: config.platformBase, recordId });

/** The graph of some facts of one record, with those that they are nested in. */
export const factsGraph = async (services: Services, recordId: Id, facts: readonly StoredFact[]): Promise<XmlElement> => {
  const parents = await parentsOf(services.database, factTables(services.models()), facts);
  return describeFacts(facts, parents, services.models(), placeOf(services, recordId));
};

const modelsAt = (services: Services, path: string): readonly Model[] => {
  const models = services.models().all.filter(({ rdf }) => rdf?.path === path);
  if (models.length === 0) {
    throw errors.notFound('list of facts');
  }
  return models;
};

/** Where a path stands for several models, the facts of one follow those of the other. */
const listAt = async (services: Services, recordId: Id, path: string, { limit, offset, status }: Part): Promise<XmlElement> => {
  const tables = factTables(services.models());
  const pages: (readonly StoredFact[])[] = [];
  let wanted = limit === undefined ? everything.limit : Math.min(limit, services.config.maxLimit);
  let before = 0;
  for (const { name } of modelsAt(services, path)) {
    if (wanted > 0) {
      const plan = { ...everything, status, limit: wanted, offset: Math.max(offset - before, 0) };
      const { facts, total } = await runReport(services.database, tables, { table: tables.get(name)! }, { recordId }, plan);
      pages.push(facts);
      wanted -= facts.length;
      before += total;
    }
  }
  return factsGraph(services, recordId, pages.flat());
};

const factAt = async (services: Services, recordId: Id, path: string, id: Id): Promise<XmlElement> => {
  const tables = factTables(services.models());
  for (const { name } of modelsAt(services, path)) {
    const fact = await findFact(services.database, tables, tables.get(name)!, recordId, id);
    if (fact) {
      return factsGraph(services, recordId, [fact]);
    }
  }
  throw errors.notFound('fact');
};

type InList = { RECORD_ID: string; MODEL_NAME: string };
type InFact = InList & { MODEL_ID: string };

export const listAllergies = ({ params, query, services }: Call<{ RECORD_ID: string }, Part>): Promise<XmlElement> => listAt(services, params.RECORD_ID, 'allergies', query);

export const readAllergy = ({ params, services }: Call<{ RECORD_ID: string; MODEL_ID: string }>): Promise<XmlElement> =>
  factAt(services, params.RECORD_ID, 'allergies', params.MODEL_ID);

export const listFacts = ({ params, query, services }: Call<InList, Part>): Promise<XmlElement> => listAt(services, params.RECORD_ID, params.MODEL_NAME, query);

/** Of any status but void; of this record only. */
export const readFact = ({ params, services }: Call<InFact>): Promise<XmlElement> =>
  factAt(services, params.RECORD_ID, params.MODEL_NAME, params.MODEL_ID);
