/**
 * fact-searches: searches of the types that are made of facts. A page needs one statement for its keys and a few for
 * its resources.
 */
import { factTables } from '../../../core/facts/model/fact-tables';
import type { Models } from '../../../core/facts/model/model';
import { compileSearch, mappingsTo, naming, searchableIn, sortableBy } from './compile-search';
import { resourceId } from '../map/evaluate';
import type { Versioned } from '../../../core/fhir/resource';
import { readSoughtDate } from '../../../core/fhir/search-dates';
import type { Sort } from './search-query';
import type { Reading } from './sought';
import { searchParametersOf } from '../../../core/fhir/search-parameters';
import { type SearchParameter, type SupportedType, commonParameters } from './supported';
import { type MatchKey, type SearchOrder, countFacts, searchFacts } from './fact-search';
import { type Asking, fhirBase } from '../asking';
import { resourcesOfStatements } from '../read/fact-resources';
import type { Source } from './merged-search';

const PROVENANCE = 'Provenance:target';

const modifiersOf: Readonly<Record<string, readonly string[]>> = {
  token: ['not', 'missing', 'text'],
  date: ['missing'],
  string: ['exact', 'contains', 'missing'],
  reference: ['missing'],
};

/** The search parameters of a type, as the mappings of all models define them. */
const parametersOf = (models: Models, type: string): readonly SearchParameter[] => {
  const found = new Map<string, SearchParameter>();
  for (const { name, type: kind } of searchableIn(mappingsTo(models, type).map(({ mapping }) => mapping))) {
    const definition = searchParametersOf(type).get(name)?.definition;
    found.set(name, {
      name,
      type: kind as SearchParameter['type'],
      modifiers: modifiersOf[kind] ?? [],
      ...(definition === undefined ? {} : { definition }),
      says: '',
    });
  }
  return [...commonParameters, ...found.values()];
};

/** The parameters whose elements are references, searchable or not: `_include` may name them. */
const referringOf = (models: Models, type: string): readonly string[] => [
  ...new Set(
    mappingsTo(models, type).flatMap(({ mapping }) =>
      mapping.search.filter((one) => one.type === 'reference').map(({ name }) => name),
    ),
  ),
];

/** The search parameters and orders of a type that is made of facts. */
export const searchedAs = (models: Models, type: string): Partial<SupportedType> => {
  const search = parametersOf(models, type);
  const dates = mappingsTo(models, type).flatMap(({ mapping }) => sortableBy(mapping));
  return {
    search,
    sortable: [...new Set(['_id', '_lastUpdated', ...dates])],
    includes: referringOf(models, type).map((name) => `${type}:${name}`),
    reverseIncludes: [PROVENANCE, ...naming(models, type).map(({ source, name }) => `${source}:${name}`)],
  };
};

const AS_STORED: SearchOrder = { by: 'stored', descending: true };

const ordersOf = (sort: readonly Sort[]): readonly SearchOrder[] => {
  const by = { _id: 'statement', _lastUpdated: 'updated' } as const;
  return sort.length === 0
    ? [AS_STORED]
    : sort.map(({ name, descending }) => ({ by: by[name as keyof typeof by] ?? 'column', descending }));
};

/** A place in a list: the key of its last match. */
const placeOf = ({ sorts, branch, statementId }: MatchKey): string => JSON.stringify([sorts, branch, statementId]);

const keyIn = (place: string | undefined): MatchKey | undefined => {
  if (place === undefined) {
    return undefined;
  }
  const [sorts, branch, statementId] = JSON.parse(place) as [readonly string[] | string, number, string];
  // Links of an earlier release contain one text.
  return { sorts: [sorts].flat(), branch, statementId };
};

export const readingOf = ({ services, scope }: Asking): Reading => ({
  base: fhirBase(services),
  recordId: scope.recordId,
  dateOf: (name, value) => readSoughtDate(name, value, services.clock.now()),
});

/** How many resources that refer to its matches a page has at most. */
export const MOST_REFERRING = 1000;

/**
 * Resources of one type that refer to the matches by one parameter. They are those that were stored last; one statement
 * reads their keys.
 */
export const referringFacts = async (
  asking: Asking,
  matches: readonly Versioned[],
  { source, name }: { readonly source: string; readonly name: string },
): Promise<readonly Versioned[]> => {
  const { database, models: known } = asking.services;
  const models = known();
  const tables = factTables(models);
  const parameter: SearchParameter = { name, type: 'reference', modifiers: [], says: '' };
  const values = matches.map(({ resourceType, id }) => `${resourceType}/${id}`);
  const filters = [{ name, modifier: '', values, parameter }];
  const branches = compileSearch(models, tables, mappingsTo(models, source), { filters, sort: [] }, readingOf(asking));
  if (values.length === 0 || branches.length === 0) {
    return [];
  }
  const keys = await searchFacts(database.reads, { dialect: database.dialect, tables }, asking.scope, branches, {
    orders: [AS_STORED],
    after: undefined,
    limit: MOST_REFERRING + 1,
  });
  const ids = [...new Set(keys.map(({ statementId }) => statementId))];
  const found = await resourcesOfStatements(asking, ids, new Set([source]));
  return found.filter(({ resourceType }) => resourceType === source);
};

/** The facts in the scope that are resources of a type, as a part of a search. */
export const factSource =
  (type: string): Source =>
  (asking, query) => {
    const { services, scope } = asking;
    const { database } = services;
    const models = services.models();
    const tables = factTables(models);
    const mappings = mappingsTo(models, type);
    const branches = compileSearch(
      models,
      tables,
      mappings,
      { filters: query.filters, sort: query.sort },
      readingOf(asking),
    );
    const on = { dialect: database.dialect, tables };
    return {
      count: () => countFacts(database.reads, on, scope, branches),
      keys: async (after, limit) => {
        const page = { orders: ordersOf(query.sort), after: keyIn(after), limit };
        const keys = branches.length === 0 ? [] : await searchFacts(database.reads, on, scope, branches, page);
        return keys.map((key) => ({ sorts: key.sorts, place: placeOf(key) }));
      },
      read: async (places) => {
        const keys = places.map((place) => keyIn(place)!);
        const ids = keys.map(({ statementId, branch }) => resourceId(statementId, branches[branch]!.of.mapping.id));
        const statements = [...new Set(keys.map(({ statementId }) => statementId))];
        const read = await resourcesOfStatements(asking, statements, new Set([type]));
        const byId = new Map(read.filter(({ resourceType }) => resourceType === type).map((one) => [one.id, one]));
        // A document that was replaced between the two statements has no such facts any more.
        return ids.map((id) => byId.get(id));
      },
    };
  };
