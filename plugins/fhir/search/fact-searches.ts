/**
 * fact-searches: searches of the types that are made of facts. A page needs one statement for its keys and a few for
 * its resources.
 */
import { groupedBy } from '../../../core/base/grouped-by';
import { flatMapInSlices, mapInSlices } from '../../../core/base/turns/slices';
import { factTables } from '../../../core/facts/model/fact-tables';
import type { Models } from '../../../core/facts/model/model';
import { compileSearch, mappingsTo, naming, searchableIn, sortableBy } from './compile-search';
import { provenanceOf } from '../map/document-reference';
import { resourceId } from '../map/evaluate';
import type { Resource, Versioned } from '../../../core/fhir/resource';
import { readSoughtDate } from './search-dates';
import { readReference, type SearchQuery, type Sort, type Unused } from './search-query';
import type { Reading } from './sought';
import { searchParametersOf } from '../../../core/fhir/search-parameters';
import { commonParameters, type SearchParameter, type SupportedType } from './supported';
import { countFacts, searchFacts, type MatchKey, type SearchOrder } from './fact-search';
import { fhirBase, mayAlso, type Asking } from '../asking';
import { resourcesOfStatements, statementIn } from '../read/fact-resources';
import { ownReaders } from '../read/own-types';
import type { Searcher } from './searcher';
import * as referenceStore from '../read/document-references-store';

const PROVENANCE = 'Provenance:target';

const modifiersOf: Readonly<Record<string, readonly string[]>> = {
  token: ['not', 'missing'],
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

const orderOf = (sort: Sort | undefined): SearchOrder => {
  const by = { _id: 'statement', _lastUpdated: 'updated' } as const;
  if (!sort) {
    return { by: 'stored', descending: true };
  }
  return { by: by[sort.name as keyof typeof by] ?? 'column', descending: sort.descending };
};

/** A place in a list: the key of its last match. */
const placeOf = ({ sort, branch, statementId }: MatchKey): string => JSON.stringify([sort, branch, statementId]);

const keyIn = (place: string | undefined): MatchKey | undefined => {
  if (place === undefined) {
    return undefined;
  }
  const [sort, branch, statementId] = JSON.parse(place) as [string, number, string];
  return { sort, branch, statementId };
};

const valuesAt = (value: unknown, path: readonly string[]): readonly unknown[] => {
  if (Array.isArray(value)) {
    return value.flatMap((one) => valuesAt(one, path));
  }
  const [name, ...rest] = path;
  if (name === undefined) {
    return value === undefined ? [] : [value];
  }
  return typeof value === 'object' && value !== null
    ? valuesAt((value as Readonly<Record<string, unknown>>)[name], rest)
    : [];
};

type Target = { readonly type: string; readonly id: string };

/** The resources of this record to which the elements of some parameters refer. */
const referencesIn = async (
  models: Models,
  type: string,
  matches: readonly Versioned[],
  names: readonly string[],
): Promise<readonly Target[]> => {
  const paths = mappingsTo(models, type).flatMap(({ mapping }) =>
    mapping.search.filter(({ name }) => names.includes(name)).flatMap((search) => search.paths),
  );
  const each = [...new Set(paths)].map((path) => path.split('.'));
  const values = await flatMapInSlices(matches, (match) => each.flatMap((path) => valuesAt(match, path)));
  const found = await flatMapInSlices(values, (value) => {
    const text = (value as { readonly reference?: unknown }).reference;
    const target = typeof text === 'string' ? readReference(text, '') : undefined;
    return target?.type === undefined ? [] : [{ type: target.type, id: target.id }];
  });
  return [...new Map(found.map((target) => [`${target.type}/${target.id}`, target])).values()];
};

/** Reads `_include=Observation:encounter` and `Observation:encounter:Encounter`; `*` names all parameters. */
const includedNames = (type: string, { includes }: SearchQuery, references: readonly string[]) =>
  includes.flatMap((include) => {
    const [source, name = '', target] = include.split(':');
    const names = include === '*' || name === '*' ? references : references.filter((one) => one === name);
    return source === type || include === '*' ? names.map((one) => ({ name: one, target })) : [];
  });

const include = async (
  asking: Asking,
  models: Models,
  type: string,
  matches: readonly Versioned[],
  query: SearchQuery,
): Promise<readonly Resource[]> => {
  const wanted = includedNames(type, query, referringOf(models, type));
  const targets: Target[] = [];
  for (const { name, target } of wanted) {
    const named = await referencesIn(models, type, matches, [name]);
    const permitted = named.filter((one) => mayAlso(asking, one.type, 'r'));
    permitted.filter((one) => target === undefined || one.type === target).forEach((one) => targets.push(one));
  }
  const isMatch = new Set(matches.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const keys = new Set(targets.map((one) => `${one.type}/${one.id}`).filter((key) => !isMatch.has(key)));
  const patient = keys.has(`Patient/${asking.scope.recordId}`)
    ? await ownReaders['Patient']!.read(asking, asking.scope.recordId)
    : undefined;
  const ids = [...new Set(targets.filter((one) => one.type !== 'Patient').map(({ id }) => statementIn(id)))];
  const facts = await resourcesOfStatements(asking, ids, new Set(targets.map((one) => one.type)));
  return [...(patient ? [patient] : []), ...facts.filter(({ resourceType, id }) => keys.has(`${resourceType}/${id}`))];
};

/** The Provenance of the matches, one for each of their documents, which names the matches on this page. */
const provenances = async (asking: Asking, matches: readonly Versioned[]): Promise<readonly Resource[]> => {
  const { database } = asking.services;
  const documents = [...new Set(matches.map(({ meta }) => meta.versionId))];
  if (documents.length === 0) {
    return [];
  }
  const rows = await referenceStore.listReferences(database.reads, asking.scope, {
    conditions: [referenceStore.conditionsOn.ids(documents)],
    oldestFirst: false,
    after: null,
    limit: documents.length,
  });
  const stated = groupedBy(matches, ({ meta }) => meta.versionId);
  return mapInSlices(rows, (row) =>
    provenanceOf(
      row,
      (stated.get(row.id) ?? []).map(({ resourceType, id }) => `${resourceType}/${id}`),
    ),
  );
};

const readingOf = ({ services, scope }: Asking): Reading => ({
  base: fhirBase(services),
  recordId: scope.recordId,
  dateOf: (name, value) => readSoughtDate(name, value, services.clock.now()),
});

/** How many resources that refer to its matches a page has at most. */
const MOST_REFERRING = 1000;

type Referring = { readonly resources: readonly Resource[]; readonly unused: readonly Unused[] };

/**
 * Resources of one type that refer to the matches by one parameter. They are those that were stored last; one statement
 * reads their keys.
 */
const referring = async (
  asking: Asking,
  matches: readonly Versioned[],
  { source, name }: { readonly source: string; readonly name: string },
): Promise<Referring> => {
  const { database, models: known } = asking.services;
  const models = known();
  const tables = factTables(models);
  const parameter: SearchParameter = { name, type: 'reference', modifiers: [], says: '' };
  const values = matches.map(({ resourceType, id }) => `${resourceType}/${id}`);
  const filters = [{ name, modifier: '', values, parameter }];
  const branches = compileSearch(
    models,
    tables,
    mappingsTo(models, source),
    { filters, sort: undefined },
    readingOf(asking),
  );
  if (values.length === 0 || branches.length === 0) {
    return { resources: [], unused: [] };
  }
  const keys = await searchFacts(database.reads, { dialect: database.dialect, tables }, asking.scope, branches, {
    order: orderOf(undefined),
    after: undefined,
    limit: MOST_REFERRING + 1,
  });
  const ids = [...new Set(keys.slice(0, MOST_REFERRING).map(({ statementId }) => statementId))];
  const found = await resourcesOfStatements(asking, ids, new Set([source]));
  const reason = `there are more than ${MOST_REFERRING} of ${source}:${name} for this page: search for them`;
  return {
    resources: found.filter(({ resourceType }) => resourceType === source),
    unused: keys.length > MOST_REFERRING ? [{ name: '_revinclude', reason }] : [],
  };
};

/** All resources that refer to the matches by the parameters that the search names. */
const allReferring = async (
  asking: Asking,
  models: Models,
  type: string,
  matches: readonly Versioned[],
  { reverseIncludes }: SearchQuery,
): Promise<Referring> => {
  const asked = ({ source, name }: { readonly source: string; readonly name: string }): boolean =>
    reverseIncludes.some((value) => {
      const [from, parameter, target = type] = value.split(':');
      return value === '*' || (from === source && (parameter === name || parameter === '*') && target === type);
    });
  const known = reverseIncludes.length === 0 ? [] : naming(models, type);
  const wanted = known.filter((one) => asked(one) && mayAlso(asking, one.source, 'r'));
  const found = await Promise.all(wanted.map((one) => referring(asking, matches, one)));
  return {
    resources: found.flatMap(({ resources }) => resources),
    unused: found.flatMap(({ unused }) => unused),
  };
};

/** Searches a type that is made of facts. */
export const factSearcher =
  (type: string): Searcher =>
  async (asking, { query, after, total }) => {
    const { services, scope } = asking;
    const { database } = services;
    const models = services.models();
    const tables = factTables(models);
    const [sort] = query.sort;
    const branches = compileSearch(
      models,
      tables,
      mappingsTo(models, type),
      { filters: query.filters, sort },
      readingOf(asking),
    );
    const on = { dialect: database.dialect, tables };
    const countOnly = query.count === 0 || query.shown.summary === 'count';
    const [keys, counted] = await Promise.all([
      countOnly || branches.length === 0
        ? []
        : searchFacts(database.reads, on, scope, branches, {
            order: orderOf(sort),
            after: keyIn(after),
            limit: query.count + 1,
          }),
      query.total === 'none' && !countOnly ? undefined : (total ?? countFacts(database.reads, on, scope, branches)),
    ]);
    const page = keys.slice(0, query.count);
    const ids = page.map(({ statementId, branch }) => resourceId(statementId, branches[branch]!.of.mapping.id));
    const read = await resourcesOfStatements(asking, [...new Set(page.map((key) => key.statementId))], new Set([type]));
    const byId = new Map(read.filter(({ resourceType }) => resourceType === type).map((one) => [one.id, one]));
    // A document that was replaced between the two statements has no such facts any more.
    const matches = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    const stated =
      query.reverseIncludes.includes(PROVENANCE) && mayAlso(asking, 'Provenance', 'r')
        ? await provenances(asking, matches)
        : [];
    const { resources: referring, unused } = await allReferring(asking, models, type, matches, query);
    return {
      matches,
      included: [
        ...(query.includes.length > 0 ? await include(asking, models, type, matches, query) : []),
        ...referring,
        ...stated,
      ],
      unused,
      total: counted,
      next: keys.length > page.length ? placeOf(page.at(-1)!) : undefined,
    };
  };
