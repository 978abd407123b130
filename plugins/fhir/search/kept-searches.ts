/** kept-searches: searches the resources that documents state, by the rows that their search parameters made. */
import * as keptStore from '../../../core/documents/kept-resources-store';
import { hasOneRow, keptConditions, referringCondition } from './kept-search';
import { searchDefinitionsOf, servedTypes, type SearchDefinition } from '../../../core/fhir/search-definitions';
import { TEXT } from '../../../core/fhir/search-values';
import type { SearchQuery } from './search-query';
import type { SearchParameter } from './supported';
import { shortestWay } from '../../../core/documents/sought-rows-store';
import { resourceName, type Versioned } from '../../../core/fhir/resource';
import type { ResourceKey, ResourceOrder, ResourceSearch } from '../../../core/documents/kept-resources-store';
import { readSoughtDate } from '../../../core/fhir/search-dates';
import { fhirBase, type Asking } from '../asking';
import type { Reading } from './sought';
import { keptBySeq } from '../read/kept-resources';
import type { Source } from './merged-search';

const modifiersOf: Readonly<Record<string, readonly string[]>> = {
  token: ['not', 'missing', 'text'],
  string: ['exact', 'contains', 'missing'],
  reference: ['identifier', 'missing'],
  uri: ['above', 'below', 'missing'],
};

function modifiersFor({ type, paths }: SearchDefinition): readonly string[] {
  const isNumber = type === 'token' && paths.some((path) => path.type === 'Identifier');
  return [...(modifiersOf[type] ?? ['missing']), ...(isNumber ? ['of-type'] : [])];
}

/** The search parameters of a type that look at elements, as the standard defines them. */
export function definedParameters(type: string): readonly SearchParameter[] {
  return searchDefinitionsOf(type).map((one) => ({
    name: one.name,
    type: one.type as SearchParameter['type'],
    modifiers: modifiersFor(one),
    definition: one.definition,
    ...(one.composites[0] ? { second: one.composites[0].parts[1].type } : {}),
    says: '',
  }));
}

/** The parameters of a type by which results can be sorted. */
export function definedOrders(type: string): readonly string[] {
  return searchDefinitionsOf(type)
    .filter((one) => one.type === 'date')
    .map(({ name }) => name);
}

/** `Type:parameter` for the parameters of a type whose elements are references. */
export function definedReferences(type: string): readonly string[] {
  return searchDefinitionsOf(type)
    .filter((one) => one.type === 'reference')
    .map(({ name }) => `${type}:${name}`);
}

let references: readonly string[] | undefined;

/** `Type:parameter` for all parameters of all types whose elements are references. */
export function allReferences(): readonly string[] {
  references ??= servedTypes().flatMap(definedReferences);
  return references;
}

const AS_STORED: ResourceOrder = { by: 'stored', descending: true };

/** The order by a parameter of a type. */
export function orderBy(type: string, name: string, descending: boolean): ResourceOrder {
  const own = { _id: 'id', _lastUpdated: 'updated' } as const;
  return {
    by: own[name as keyof typeof own] ?? { name: `${type}.${name}`, isOne: hasOneRow(type, name) },
    descending,
  };
}

function ordersOf(type: string, { sort }: SearchQuery): readonly ResourceOrder[] {
  return sort.length === 0 ? [AS_STORED] : sort.map(({ name, descending }) => orderBy(type, name, descending));
}

function resourceKeyText({ sorts, seq }: ResourceKey): string {
  return JSON.stringify([sorts, seq]);
}

function keyIn(place: string | undefined): ResourceKey | undefined {
  if (place === undefined) {
    return undefined;
  }
  const [sorts, seq] = JSON.parse(place) as [readonly string[] | string, number];
  // Links of an earlier release contain one text.
  return { sorts: [sorts].flat(), seq };
}

export function readingOf({ services, scope }: Asking): Reading {
  return {
    base: fhirBase(services),
    recordId: scope.recordId,
    dateOf: (name, value) => readSoughtDate(name, value, services.clock.now()),
  };
}

/** Of more matches in a large record the number is said only if it is asked for. */
const MOST_COUNTED = 10_000;

/** The resources of a type that documents state, as a part of a search. */
export function keptSource(type: string): Source {
  return (asking, query) => {
    const { services, scope, isLarge } = asking;
    const { database } = services;
    const conditions = keptConditions(type, query.filters, readingOf(asking));
    const plain: ResourceSearch = {
      types: [type],
      conditions,
      ...(query.ofEachCode === undefined
        ? {}
        : { ofEach: { names: [`${type}.code`, `${type}.code${TEXT}`], most: query.ofEachCode } }),
    };
    let plan: Promise<ResourceSearch> | undefined;
    const planned = (): Promise<ResourceSearch> =>
      (plan ??= isLarge
        ? shortestWay(database.reads, conditions).then((way) => ({ ...plain, ...way }))
        : Promise.resolve(plain));
    return {
      count: async (isExact) => {
        const search = await planned();
        return search.isMany === true && !isExact
          ? undefined
          : keptStore.countResources(database.reads, scope, search, isLarge && !isExact ? MOST_COUNTED : undefined);
      },
      keys: async (after, limit) => {
        const orders = ordersOf(type, query);
        const search = await planned();
        const keys = await keptStore.searchResources(database.reads, scope, search, orders, keyIn(after), limit);
        return keys.map((key) => ({ sorts: key.sorts, place: resourceKeyText(key) }));
      },
      read: async (places) => {
        const seqs = places.map((place) => keyIn(place)!.seq);
        const read = await keptBySeq(asking, seqs);
        const byPlace = new Map(read.map((one) => [one.seq, one.resource]));
        return seqs.map((seq) => byPlace.get(seq));
      },
    };
  };
}

/** How many resources that refer to its matches a page has at most. */
export const MOST_REFERRING = 1000;

/** Resources that refer to some resources by one parameter, those that were stored last. */
export async function referringKept(
  asking: Asking,
  matches: readonly Versioned[],
  { source, name }: { readonly source: string; readonly name: string },
): Promise<readonly Versioned[]> {
  const { services, scope } = asking;
  const { database } = services;
  const targets = matches.map(resourceName);
  if (targets.length === 0) {
    return [];
  }
  const keys = await keptStore.searchResources(
    database.reads,
    scope,
    { types: [source], conditions: [referringCondition(scope.recordId, `${source}.${name}`, targets)] },
    [AS_STORED],
    undefined,
    MOST_REFERRING + 1,
  );
  const found = await keptBySeq(
    asking,
    keys.map(({ seq }) => seq),
  );
  return found.map(({ resource }) => resource);
}
