/** of-facts: makes the resources that the facts of a document are, by the mappings of their models (pure). */
import { eachInSlices, flatMapInSlices, groupedInSlices, sliced } from '../../base/turns/slices';
import type { Id, Timestamp } from '../../base/types';
import { allChildren, childrenIn, type Fact, type StoredFact } from '../../facts/plans';
import type { Models } from '../../facts/model/model';
import { statementId } from '../../facts/store';
import { toResources, type FhirResource, type Statement } from './serialize';

export type FactOwner = {
  readonly recordId: Id;
  readonly documentId: Id;
  readonly lineageId: Id;
  readonly createdAt: Timestamp;
};

/**
 * Groups facts into statements. The facts of a statement become one resource if their mapping says so; otherwise each
 * fact becomes one.
 */
async function statementsIn(models: Models, facts: readonly StoredFact[]): Promise<readonly Statement[]> {
  const parents = new Map(facts.map((fact) => [fact.id, fact]));
  const groups = await groupedInSlices(facts, (fact) => {
    const together = models.find(fact.model)?.fhir?.together === true;
    return together ? `${fact.model} ${fact.statementId}` : `${fact.model} ${fact.id}`;
  });
  return [...groups.values()].map(([first, ...others]) => ({
    facts: [first!, ...others],
    parent: parents.get(first!.parentId ?? ''),
  }));
}

function withInside(fact: StoredFact): readonly StoredFact[] {
  return [fact, ...allChildren(fact).flatMap(withInside)];
}

/**
 * The resources of the facts of a document, each of them once. Where the facts of a statement are not joined, the first
 * fact becomes the resource.
 */
export async function resourcesOfFacts(models: Models, facts: readonly StoredFact[]): Promise<readonly FhirResource[]> {
  const every = await flatMapInSlices(facts, withInside);
  const found = new Map<string, FhirResource>();
  await eachInSlices(await statementsIn(models, every), (statement) => {
    for (const resource of toResources(statement, (name) => models.find(name)?.fhir)) {
      const key = `${resource.resourceType}/${resource.id}`;
      if (!found.has(key)) {
        found.set(key, resource);
      }
    }
  });
  return [...found.values()];
}

type Naming = { number: number };

async function asStored(fact: Fact, owner: FactOwner, parentId: string | null, naming: Naming): Promise<StoredFact> {
  const { recordId, documentId, lineageId, createdAt } = owner;
  const id = `fact ${(naming.number += 1)}`;
  const children: Record<string, StoredFact | readonly StoredFact[] | null> = {};
  for (const field of Object.keys(fact.children)) {
    const inside: StoredFact[] = [];
    for (const child of childrenIn(fact, field)) {
      inside.push(await asStored(child, owner, id, naming));
    }
    children[field] = Array.isArray(fact.children[field]) ? inside : (inside[0] ?? null);
  }
  await sliced();
  return {
    model: fact.model,
    values: fact.values,
    ...(fact.partialDates === undefined ? {} : { partialDates: fact.partialDates }),
    children,
    id,
    recordId,
    documentId,
    lineageId,
    parentId,
    createdAt,
    statementId: statementId(lineageId, fact),
  };
}

/** Facts of a document as they are read back once they are stored; their own ids are not known. */
export async function storedFacts(
  models: Models,
  owner: FactOwner,
  facts: readonly Fact[],
): Promise<readonly StoredFact[]> {
  const naming: Naming = { number: 0 };
  const found: StoredFact[] = [];
  for (const fact of facts.filter(({ model }) => models.find(model)?.builtin !== true)) {
    found.push(await asStored(fact, owner, null, naming));
  }
  return found;
}
