/**
 * serialize: turns the facts of one statement into FHIR resources by the mapping of their model. The resources are
 * plain JSON in the order of R4.
 */
import type { StoredFact } from '../../facts/plans';
import type { FhirObject } from './blocks';
import { narrativeOf } from './narrative';
import { isSaid, nodeOf, resourceId } from './evaluate';
import type { FhirMapping, ResourceMapping } from '../../facts/model/fhir-map';
import { profilesOf } from '../../fhir/profiles';
import { instant } from '../../fhir/resource';

/**
 * A resource as JSON: `resourceType`, `id`, `meta` and its elements. Write it with `resourceText`, which keeps the
 * digits of numbers.
 */
export type FhirResource = FhirObject & { readonly resourceType: string; readonly id: string };

/** The facts that were made from one statement of a document, with the facts nested in them. */
export type Statement = {
  /** One fact, or several where the mapping says `together`. */
  readonly facts: readonly [StoredFact, ...StoredFact[]];
  /** The fact in which the facts are nested. */
  readonly parent?: StoredFact | undefined;
};

type MappingOf = (model: string) => FhirMapping | undefined;

function factMeta({ documentId, createdAt }: StoredFact, resource: FhirObject & { resourceType: string }): FhirObject {
  const profile = profilesOf(resource);
  return {
    versionId: documentId,
    lastUpdated: instant(createdAt),
    source: `urn:uuid:${documentId}`,
    ...(profile.length > 0 ? { profile } : {}),
  };
}

function toResource(
  mapping: ResourceMapping,
  { facts, parent }: Statement,
  mappingOf: MappingOf,
): readonly FhirResource[] {
  const [fact] = facts;
  if (!isSaid(mapping, fact)) {
    return [];
  }
  const { members = {} } = nodeOf(mapping.elements, mapping.resource, { rows: facts, fact, parent, mappingOf });
  const { text, ...rest } = { ...narrativeOf({ resourceType: mapping.resource, ...members }), ...members };
  const elements = text === undefined ? rest : { text, ...rest };
  const resource = { resourceType: mapping.resource, ...elements };
  return [
    {
      resourceType: mapping.resource,
      id: resourceId(fact.statementId, mapping.id),
      meta: factMeta(fact, resource),
      ...elements,
    },
  ];
}

/** All resources that express a statement; none for a model without a mapping. */
export function toResources(statement: Statement, mappingOf: MappingOf): readonly FhirResource[] {
  return (mappingOf(statement.facts[0].model)?.resources ?? []).flatMap((mapping) =>
    toResource(mapping, statement, mappingOf),
  );
}
