/**
 * statements: turns facts from the reader into statements as from storage, without a database, and into their
 * resources.
 */
import type { Models } from '../../core/facts/model/model';
import { toResources, type FhirResource, type Statement } from '../../core/pipeline/resources/serialize';
import { allChildren, type Fact, type StoredFact } from '../../core/facts/plans';
import { statementId } from '../../core/facts/store';

export const RECORD = '01900000-0000-7000-8000-000000000001';
export const DOCUMENT = '01900000-0000-7000-8000-000000000002';

let number = 0;

export const stored = (fact: Fact): StoredFact => {
  number += 1;
  return {
    model: fact.model,
    values: fact.values,
    id: `fact ${number}`,
    recordId: RECORD,
    documentId: DOCUMENT,
    lineageId: DOCUMENT,
    parentId: null,
    createdAt: '2024-05-06T07:08:09.123456Z',
    statementId: statementId(DOCUMENT, fact),
    children: Object.fromEntries(
      Object.entries(fact.children).map(([field, inside]) => [
        field,
        Array.isArray(inside) ? (inside as readonly Fact[]).map(stored) : inside && stored(inside as Fact),
      ]),
    ),
  };
};

const nested = (parent: StoredFact): readonly Statement[] =>
  allChildren(parent).flatMap((fact) => [{ facts: [fact] as const, parent }, ...nested(fact)]);

/** All statements of a document, nested ones included. */
export const statementsOf = (facts: readonly Fact[]): readonly Statement[] => {
  const groups = new Map<string, [StoredFact, ...StoredFact[]]>();
  for (const fact of facts.filter(({ model }) => model !== 'Demographics').map(stored)) {
    const key = `${fact.model} ${fact.statementId}`;
    const group = groups.get(key);
    if (group) {
      group.push(fact);
    } else {
      groups.set(key, [fact]);
    }
  }
  return [...groups.values()].flatMap((group) => [{ facts: group }, ...group.flatMap(nested)]);
};

/** All resources that represent a document. */
export const resourcesOf = (models: Models, facts: readonly Fact[]): readonly FhirResource[] =>
  statementsOf(facts).flatMap((statement) => toResources(statement, (name) => models.find(name)?.fhir));
