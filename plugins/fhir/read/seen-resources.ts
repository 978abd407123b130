/**
 * seen-resources: the resources of facts that a carenet sees by their kind, while their documents stay closed. They are
 * made of the columns that the kind shows, each time they are asked for: so they say nothing else, whatever came, and
 * refer to nothing but the Patient. They have no version and no time of storing, and are marked as a part.
 */
import { flatMapInSlices, mapInSlices } from '../../../core/base/turns/slices';
import { toTimestamp } from '../../../core/base/clock';
import type { SearchValue } from '../../../core/documents/kept-resources-store';
import type { JsonObject } from '../../../core/fhir/from-xml';
import { searchValuesOf } from '../../../core/fhir/search-values';
import type { Versioned } from '../../../core/fhir/resource';
import { resourceText } from '../../../core/fhir/write';
import { factTables } from '../../../core/facts/model/fact-tables';
import { readFactsByKind } from '../../../core/facts/told-store';
import { resourcesOfFacts } from '../../../core/pipeline/resources/of-facts';
import type { FhirResource } from '../../../core/pipeline/resources/serialize';
import type { Asking } from '../asking';
import { SUBSETTED } from '../map/shown';
import { pageOfStates } from './histories';
import { readKept } from './kept-resources';
import type { ResourceReader } from './own-types';

/** Types that name people, places and material beside a fact. What a kind shows of them stands in the fact's resource. */
const BESIDE: readonly string[] = ['Practitioner', 'Organization', 'Location', 'Specimen'];

export type SeenResource = {
  readonly resource: Versioned;
  /** What searches find of it. */ readonly values: readonly SearchValue[];
};

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** A value without references to anything but the Patient; undefined for one that is empty then. */
function withoutReferences(value: unknown, patient: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one) => withoutReferences(one, patient)).filter((one) => one !== undefined);
    return items.length === 0 ? undefined : items;
  }
  // Numbers that are kept with all their digits are objects, too.
  if (typeof value !== 'object' || value === null || !isPlain(value)) {
    return value;
  }
  const members = Object.entries(value).flatMap(([name, one]) => {
    const isForeign = name === 'reference' && typeof one === 'string' && one !== patient;
    const left = isForeign ? undefined : withoutReferences(one, patient);
    return left === undefined ? [] : [[name, left] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** Whether a resource leads to no document, because its fact is seen by its kind. */
export function isSeenResource({ meta }: Versioned): boolean {
  return meta.versionId === undefined;
}

function asSeen({ meta, ...made }: FhirResource, patient: string): JsonObject {
  const { profile } = (meta ?? {}) as { readonly profile?: readonly string[] };
  return {
    resourceType: made.resourceType,
    id: made.id,
    meta: { ...(profile === undefined ? {} : { profile }), tag: [SUBSETTED] },
    ...(withoutReferences(made, patient) as object),
  } as unknown as JsonObject;
}

/** The resources of some types that the caller sees by their kind, in the order in which they are seen. */
export async function readSeen(
  { services, scope }: Asking,
  types: ReadonlySet<string>,
): Promise<readonly SeenResource[]> {
  const models = services.models();
  const tables = factTables(models);
  const plans = [...(scope.kinds?.keys() ?? [])].flatMap((name) => {
    const mapped = models.find(name)?.fhir?.resources.some(({ resource }) => types.has(resource)) ?? false;
    return mapped ? (tables.get(name) ?? []) : [];
  });
  if (plans.length === 0) {
    return [];
  }
  // What lies in the future is told by the day on which it is read, since nothing tells when it was stored.
  const createdAt = toTimestamp(services.clock.now());
  const facts = await mapInSlices(await readFactsByKind(services.database, plans, scope), (fact) => ({
    ...fact,
    createdAt,
  }));
  const patient = `Patient/${scope.recordId}`;
  return flatMapInSlices(await resourcesOfFacts(models, facts), (made): readonly SeenResource[] => {
    if (!types.has(made.resourceType) || BESIDE.includes(made.resourceType)) {
      return [];
    }
    const seen = asSeen(made, patient);
    return [{ resource: readKept(resourceText(seen)), values: searchValuesOf(made.resourceType, seen, patient) }];
  });
}

/** Reads the resources of a type that a carenet sees by their kind. Each has one state, which has no name. */
export function seenReader(type: string): ResourceReader {
  const read: ResourceReader['read'] = async (asking, id) =>
    (await readSeen(asking, new Set([type]))).find(({ resource }) => resource.id === id)?.resource;
  return {
    read,
    version: async () => undefined,
    history: async (asking, id, range) => {
      const found = await read(asking, id);
      return found && pageOfStates([found], range);
    },
  };
}
