/** fact-resources: makes resources of facts, by the mappings of their models. */
import { eachInSlices, flatMapInSlices, groupedInSlices, sliced } from '../../../core/base/turns/slices';
import { factTables } from '../../../core/facts/model/fact-tables';
import type { Models } from '../../../core/facts/model/model';
import { toResources, type Statement } from '../map/serialize';
import type { Versioned } from '../../../core/fhir/resource';
import type { Services } from '../../../core/services';
import { parentsOf, statementId, type FactTables } from '../../../core/facts/store';
import { readStatementFacts } from '../search/statements';
import { allChildren, childrenIn, type Fact, type StoredFact, type TablePlan } from '../../../core/db/plans';
import type { DocumentRow } from '../../../core/documents/store';
import type { Id } from '../../../core/base/types';
import type { Asking } from '../asking';
import { pageOfStates, pageOfVersions } from './histories';
import type { ResourceReader } from './own-types';
import * as documentStore from '../../../core/documents/store';

/** The tables of the models that are mapped to some of these types, or to any type. */
export const mappedPlans = (models: Models, types?: ReadonlySet<string>): readonly TablePlan[] => {
  const tables = factTables(models);
  return models.all.flatMap(({ name, fhir }) =>
    fhir?.resources.some(({ resource }) => types === undefined || types.has(resource)) ? (tables.get(name) ?? []) : [],
  );
};

/** The types of FHIR to which models are mapped. */
export const factTypes = (models: Models): ReadonlySet<string> =>
  new Set(models.all.flatMap(({ fhir }) => fhir?.resources.map(({ resource }) => resource) ?? []));

/**
 * Groups facts into statements. The facts of a statement become one resource if their mapping says so; otherwise each
 * fact becomes one.
 */
export const statementsIn = async (
  models: Models,
  facts: readonly StoredFact[],
  parents: ReadonlyMap<string, StoredFact> = new Map(),
): Promise<readonly Statement[]> => {
  const groups = await groupedInSlices(facts, (fact) => {
    const together = models.find(fact.model)?.fhir?.together === true;
    return together ? `${fact.model} ${fact.statementId}` : `${fact.model} ${fact.id}`;
  });
  return [...groups.values()].map(([first, ...others]) => ({
    facts: [first!, ...others],
    parent: parents.get(first!.parentId ?? ''),
  }));
};

/**
 * The resources of statements, each of them once. Where the facts of a statement are not joined, the first fact becomes
 * the resource.
 */
export const resourcesOf = async (models: Models, statements: readonly Statement[]): Promise<readonly Versioned[]> => {
  const found = new Map<string, Versioned>();
  await eachInSlices(statements, (statement) => {
    for (const resource of toResources(statement, (name) => models.find(name)?.fhir)) {
      const key = `${resource.resourceType}/${resource.id}`;
      if (!found.has(key)) {
        found.set(key, resource as unknown as Versioned);
      }
    }
  });
  return [...found.values()];
};

const withParents = async (
  { database }: Pick<Services, 'database'>,
  tables: FactTables,
  facts: readonly StoredFact[],
): Promise<ReadonlyMap<string, StoredFact>> =>
  facts.some(({ parentId }) => parentId !== null)
    ? new Map((await parentsOf(database, tables, facts)).map((fact) => [fact.id, fact]))
    : new Map();

/** The facts of statements, in the tables that are mapped to some types. */
const factsOf = ({ services, scope }: Asking, ids: readonly string[], plans: readonly TablePlan[]) => {
  const { reads, dialect } = services.database;
  const models = services.models();
  return plans.length === 0 || ids.length === 0
    ? Promise.resolve([])
    : readStatementFacts(reads, dialect, factTables(models), plans, scope, ids);
};

/** The resources of facts, in the order of the facts. */
export const resourcesOfFacts = async (
  { services }: Asking,
  facts: readonly StoredFact[],
): Promise<readonly Versioned[]> => {
  const models = services.models();
  const parents = await withParents(services, factTables(models), facts);
  return resourcesOf(models, await statementsIn(models, facts, parents));
};

/** The resources of statements, in the order of their facts. @param plans the tables in which the facts may be */
export const resourcesOfStatements = async (
  asking: Asking,
  ids: readonly string[],
  types?: ReadonlySet<string>,
  plans = mappedPlans(asking.services.models(), types),
): Promise<readonly Versioned[]> => resourcesOfFacts(asking, await factsOf(asking, ids, plans));

const ID_CHARACTERS = 36;

/**
 * The id of the statement behind the id of a resource, which may have a suffix that tells several resources of one
 * statement apart.
 */
export const statementIn = (id: string): string => id.slice(0, ID_CHARACTERS);

const withInside = (fact: StoredFact): readonly StoredFact[] => [
  fact,
  ...allChildren(fact).flatMap((child) => withInside(child)),
];

/**
 * The resources of statements, by the ids of the statements; the main one first. A statement that is no resource
 * itself, such as the medication of a dispense that was sent alone, has the resources of the facts nested in it.
 */
export const readStatements = async (
  asking: Asking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Versioned[]>> => {
  const facts: readonly StoredFact[] = await factsOf(asking, ids, mappedPlans(asking.services.models()));
  const inFacts = await resourcesOfFacts(asking, await flatMapInSlices(facts, withInside));
  const byStatement = await groupedInSlices(inFacts, ({ id }) => statementIn(id));
  const stated = await groupedInSlices(facts, ({ statementId: own }) => own);
  const of = (id: string): readonly Versioned[] =>
    [...(byStatement.get(id) ?? [])].sort((one, other) => Number(one.id !== id) - Number(other.id !== id));
  return new Map(
    ids.map((id) => {
      const inside = (stated.get(id) ?? []).flatMap((fact) => allChildren(fact));
      const own = of(id);
      return [id, own.length > 0 ? own : [...new Set(inside.map((fact) => fact.statementId))].flatMap(of)];
    }),
  );
};

const readFactResource =
  (type: string): ResourceReader['read'] =>
  async (asking, id) =>
    (await resourcesOfStatements(asking, [statementIn(id)], new Set([type]))).find(
      (resource) => resource.resourceType === type && resource.id === id,
    );

/** The facts of an earlier version, as if they were stored. */
const asStored = async (fact: Fact, row: DocumentRow, parentId: string | null): Promise<StoredFact> => {
  const statement = statementId(row.lineageId, fact);
  const id = `${statement} ${JSON.stringify(fact.values)}`;
  const children: Record<string, StoredFact | readonly StoredFact[] | null> = {};
  for (const field of Object.keys(fact.children)) {
    const inside: StoredFact[] = [];
    for (const child of childrenIn(fact, field)) {
      inside.push(await asStored(child, row, id));
    }
    children[field] = Array.isArray(fact.children[field]) ? inside : (inside[0] ?? null);
  }
  await sliced();
  return {
    model: fact.model,
    values: fact.values,
    children,
    id,
    recordId: row.recordId,
    documentId: row.id,
    lineageId: row.lineageId,
    parentId,
    createdAt: row.createdAt,
    statementId: statement,
  };
};

/** The facts of a version, which are read from its document again. */
const earlierState = async (
  { services, principal, scope }: Asking,
  row: DocumentRow,
  type: string,
  id: string,
): Promise<Versioned | undefined> => {
  const content = await documentStore.findContent(services.database.reads, services.contents, scope, row.id);
  if (!content) {
    return undefined;
  }
  const models = services.models();
  // A document that the present configuration refuses has no facts.
  const read = await services.reader.read(content.content, principal.accountId).catch(() => undefined);
  const every: StoredFact[] = [];
  for (const fact of (read?.facts ?? []).filter(({ model }) => models.find(model)?.builtin !== true)) {
    withInside(await asStored(fact, row, null)).forEach((one) => every.push(one));
  }
  const byId = new Map(every.map((fact) => [fact.id, fact]));
  const stated = every.filter((fact) => fact.statementId === statementIn(id));
  const resources = await resourcesOf(models, await statementsIn(models, stated, byId));
  return resources.find((resource) => resource.resourceType === type && resource.id === id);
};

/**
 * The lineage of the document that states a resource; undefined in a carenet, where earlier versions are not visible.
 */
const lineageOf = async ({ services, scope }: Asking, { meta }: Versioned): Promise<Id | undefined> =>
  scope.carenetId === undefined
    ? (await documentStore.findDocument(services.database.reads, scope, meta.versionId))?.lineageId
    : undefined;

const factHistory =
  (type: string): ResourceReader['history'] =>
  async (asking, id, range) => {
    const current = await readFactResource(type)(asking, id);
    const lineageId = current && (await lineageOf(asking, current));
    return current && lineageId !== undefined
      ? pageOfVersions(asking, { lineageId, current }, range, (row) => earlierState(asking, row, type, id))
      : current && pageOfStates([current], range);
  };

const factVersion =
  (type: string): ResourceReader['version'] =>
  async (asking, id, versionId) => {
    const current = await readFactResource(type)(asking, id);
    if (!current || current.meta.versionId === versionId) {
      return current;
    }
    const { services, scope } = asking;
    const lineageId = await lineageOf(asking, current);
    const row = await documentStore.findDocument(services.database.reads, scope, versionId);
    return row && row.lineageId === lineageId ? earlierState(asking, row, type, id) : undefined;
  };

/** Reads resources of a type that is made of facts. */
export const factReader = (type: string): ResourceReader => ({
  read: readFactResource(type),
  version: factVersion(type),
  history: factHistory(type),
});
