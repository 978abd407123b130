/**
 * compile-search: compiles the filters of a search and the mappings of all models into branches of one statement
 * (pure).
 */
import { errors } from '../../../core/base/errors';
import type { FactTest, SearchBranch } from './fact-search';
import type { Relation, TablePlan } from '../../../core/db/plans';
import { allOf, anyOf, atPath, isSearchable, NEVER, not, presentAt, said, type Within } from './match-elements';
import type {
  ElementValue,
  FhirMapping,
  Node,
  ResourceMapping,
  SearchMapping,
} from '../../../core/facts/model/fhir-map';
import { wantsMissing, type Filter, type Sort } from './search-query';
import { resourceIds, soughtOf, type Reading } from './sought';

/** What a search needs to know of a data model. */
type SearchedModel = {
  readonly name: string;
  readonly fhir?: FhirMapping;
  readonly relations: readonly Relation[];
  readonly parent?: { readonly model: string };
};
type Models = {
  readonly all: readonly SearchedModel[];
  readonly find: (name: string) => SearchedModel | undefined;
};

/** A model, and one of the resource mappings by which its facts are expressed. */
type SearchedMapping = { readonly model: string; readonly mapping: ResourceMapping; readonly together: boolean };

/** Types of search parameters that can be compiled. */
const SEARCHED_TYPES: readonly string[] = ['token', 'date', 'reference', 'string'];

/** The search parameters that work on the resources of a mapping. */
const searchable = ({ search, elements }: ResourceMapping): readonly SearchMapping[] =>
  search.filter(
    ({ type, paths }) =>
      SEARCHED_TYPES.includes(type) && paths.every((path) => isSearchable(elements, path.split('.'))),
  );

/**
 * The parameters by which a type can be searched. If one of the type's mappings names a parameter but cannot be
 * searched by it, the parameter is left out: a search would treat the resources of that mapping as if they lacked the
 * element.
 */
export const searchableIn = (mappings: readonly ResourceMapping[]): readonly SearchMapping[] => {
  const unsearchable = mappings.flatMap((mapping) => {
    const known = searchable(mapping);
    return mapping.search.filter((one) => !known.includes(one)).map(({ name }) => name);
  });
  return mappings.flatMap(searchable).filter(({ name }) => !unsearchable.includes(name));
};

/** All mappings to one type of resource, in the order of their models. */
export const mappingsTo = (models: Models, type: string): readonly SearchedMapping[] =>
  models.all.flatMap(({ name, fhir }) =>
    (fhir?.resources ?? [])
      .filter(({ resource }) => resource === type)
      .map((mapping) => ({ model: name, mapping, together: fhir!.together })),
  );

/** What a model is made into, and what the facts are made into that are nested in one of its fields. */
type Naming = {
  readonly own: readonly Pick<ResourceMapping, 'id' | 'resource'>[];
  readonly nested: (field: string) => readonly string[];
};

/** The types of the resources to which what stands at a path refers. */
const namedAt = (of: Naming, node: Node, [name, ...rest]: readonly string[]): readonly string[] => {
  const named = (value: ElementValue): readonly string[] => {
    switch (value.kind) {
      case 'statement':
        return [value.of];
      case 'patient':
        return ['Patient'];
      case 'own':
        return of.own.filter(({ id }) => id === value.id).map(({ resource }) => resource);
      case 'facts':
        return of.nested(value.field);
      case 'parent':
        return [value.resource];
      case 'first':
        return value.values.flatMap(named);
      case 'each':
      case 'above':
        return named(value.value);
      case 'node':
        return namedAt(of, value.node, rest);
      default:
        return [];
    }
  };
  return node.flatMap((element) => {
    if ('first' in element) {
      return element.first.flatMap((other) => namedAt(of, other, [name!, ...rest]));
    }
    return element.name === name ? element.values.flatMap(named) : [];
  });
};

/**
 * The parameters of other types that refer to facts of one type, such as `result` of a report, which refers to an
 * Observation.
 */
export const naming = (models: Models, type: string): readonly { readonly source: string; readonly name: string }[] =>
  models.all
    .flatMap(({ fhir, relations }) => (fhir?.resources ?? []).map((mapping) => ({ mapping, fhir: fhir!, relations })))
    .flatMap(({ mapping, fhir, relations }) => {
      const nested = (field: string): readonly string[] => {
        const model = relations.find((relation) => relation.field === field)?.model;
        return (models.find(model ?? '')?.fhir?.resources ?? []).map(({ resource }) => resource);
      };
      const of: Naming = { own: fhir.resources, nested };
      return searchable(mapping)
        .filter(({ paths }) => paths.some((path) => namedAt(of, mapping.elements, path.split('.')).includes(type)))
        .map(({ name }) => ({ source: mapping.resource, name }));
    });

const withinModel = (models: Models, model: string): Within => ({
  model,
  mappingOf: (name) => models.find(name)?.fhir,
  nested: (name, field) => models.find(name)?.relations.find((relation) => relation.field === field)?.model,
  parents: (name) => {
    const parent = models.find(name)?.parent?.model;
    return parent === undefined ? [] : [parent];
  },
  saidAs: (resource) =>
    models.all.flatMap(({ name, fhir }) => {
      const main = fhir?.resources.find(({ id }) => id === '');
      return main?.resource === resource && main.when === undefined && main.unless === undefined ? [name] : [];
    }),
});

/** The test for `_lastUpdated`: its times are those of the version that the resource was made from. */
const updated = (reading: Reading, name: string, value: string): FactTest => {
  const { prefix, start, end } = reading.dateOf(name, value);
  const from = (stamp: string): FactTest => ({ kind: 'updated', side: 'from', value: stamp });
  const before = (stamp: string): FactTest => ({ kind: 'updated', side: 'before', value: stamp });
  switch (prefix) {
    case 'eq':
    case 'ap':
      return allOf([from(start), before(end)]);
    case 'ne':
      return anyOf([before(start), from(end)]);
    case 'gt':
    case 'sa':
      return from(end);
    case 'ge':
      return from(start);
    case 'lt':
    case 'eb':
      return before(start);
    case 'le':
      return before(end);
  }
};

const anyPath = (search: SearchMapping, test: (path: readonly string[]) => FactTest): FactTest =>
  anyOf(search.paths.map((path) => test(path.split('.'))));

/** The test of one filter on the facts of one mapping. @throws errors.invalidParameter */
const testOf = (filter: Filter, { mapping }: SearchedMapping, within: Within, reading: Reading): FactTest => {
  const { name, modifier, values } = filter;
  if (name === '_id') {
    return resourceIds(values, mapping.id);
  }
  if (name === '_lastUpdated') {
    return anyOf(values.map((value) => updated(reading, name, value)));
  }
  const search = mapping.search.find((one) => one.name === name);
  const missing = wantsMissing(filter);
  if (missing !== undefined) {
    const present = search ? anyPath(search, (path) => presentAt(mapping.elements, path, within)) : NEVER;
    return missing ? not(present) : present;
  }
  // A wrong value is refused even when there is nothing to find.
  const sought = soughtOf({ name, type: filter.parameter.type, modifier, values: [...new Set(values)] }, reading);
  const found = search
    ? anyOf(sought.map((one) => anyPath(search, (path) => atPath(mapping.elements, path, one, within))))
    : NEVER;
  return modifier === 'not' ? not(found) : found;
};

const sizeOf = (test: FactTest): number => {
  switch (test.kind) {
    case 'all':
    case 'any':
      return test.tests.reduce((sum, one) => sum + sizeOf(one), 0);
    case 'not':
    case 'nested':
    case 'parent':
    case 'sibling':
      return sizeOf(test.test);
    default:
      return 1;
  }
};

/**
 * At most this many column tests may be in one branch. SQLite takes a hundred times as long to plan a statement that is
 * ten times as long.
 */
const MOST_TESTS = 500;

/** The tests of all filters. @throws errors.invalidParameter for a search that is too long to plan */
const testsOf = (filters: readonly Filter[], test: (filter: Filter) => FactTest): readonly FactTest[] => {
  let size = 0;
  return filters.map((filter) => {
    const made = test(filter);
    size += sizeOf(made);
    if (size > MOST_TESTS) {
      throw errors.invalidParameter(filter.name, 'the search asks for too much at once: send fewer values');
    }
    return made;
  });
};

const columnIn = (value: ElementValue): string | undefined => {
  switch (value.kind) {
    case 'column':
      return value.column;
    case 'first':
      return firstOf(value.values.map(columnIn));
    case 'node':
      return columnAt(value.node, 'start') ?? columnAt(value.node, 'end');
    default:
      return undefined;
  }
};

const firstOf = (columns: readonly (string | undefined)[]): string | undefined =>
  columns.find((column) => column !== undefined);

const columnAt = (node: Node, name: string): string | undefined =>
  firstOf(
    node.map((element) => {
      if ('first' in element) {
        return firstOf(element.first.map((other) => columnAt(other, name)));
      }
      return element.name === name ? firstOf(element.values.map(columnIn)) : undefined;
    }),
  );

/** The column that a date parameter reads, by which matches are sorted. */
const sortColumnOf = ({ search, elements }: ResourceMapping, sort: Sort): string | undefined => {
  const mapping = search.find(({ name }) => name === sort.name);
  return (
    mapping && firstOf(mapping.paths.filter((path) => !path.includes('.')).map((path) => columnAt(elements, path)))
  );
};

/** The date parameters that matches can be sorted by. */
export const sortableBy = (mapping: ResourceMapping): readonly string[] =>
  searchable(mapping)
    .filter(({ type, name }) => type === 'date' && sortColumnOf(mapping, { name, descending: false }) !== undefined)
    .map(({ name }) => name);

/**
 * Compiles a search of one type. A resource matches when it meets every filter, and it meets a filter when it has any
 * of its values.
 * @returns a branch for each mapping to the type; those that cannot match anything are left out
 * @throws errors.invalidParameter for values that have no meaning
 */
export const compileSearch = (
  models: Models,
  tables: ReadonlyMap<string, TablePlan>,
  mappings: readonly SearchedMapping[],
  { filters, sort }: { readonly filters: readonly Filter[]; readonly sort: readonly Sort[] },
  reading: Reading,
): readonly (SearchBranch & { readonly of: SearchedMapping })[] =>
  mappings.flatMap((of) => {
    const within = withinModel(models, of.model);
    const plan = tables.get(of.model);
    const test = allOf([said(of.mapping), ...testsOf(filters, (filter) => testOf(filter, of, within, reading))]);
    return plan && !(test.kind === 'constant' && !test.holds)
      ? [{ plan, test, together: of.together, sortColumns: sort.map((one) => sortColumnOf(of.mapping, one)), of }]
      : [];
  });

/**
 * Search parameters that say when care began and when it ended, for all types. Care that began and has no end still
 * continues.
 */
const BEGINS = ['date', 'effective', 'authoredon', 'whenhandedover', 'onset-date', 'onset'];
const ENDS = ['date', 'effective', 'authoredon', 'whenhandedover', 'abatement-date'];

/** The days of care as they were written; an empty text sets no limit. */
type CareDates = { readonly start: string; readonly end: string };

/**
 * The test for facts of a model about care between two dates. Facts without a date of their own belong to any time. A
 * statement is included as a whole: it is enough that one of its resources fits.
 * @throws errors.invalidParameter for a text that is no date
 */
export const careTest = (models: Models, model: string, { start, end }: CareDates, reading: Reading): FactTest => {
  const within = withinModel(models, model);
  const meets = (mapping: ResourceMapping, names: readonly string[], value: string): FactTest => {
    const { elements } = mapping;
    const dates = searchable(mapping).filter(({ name, type }) => type === 'date' && names.includes(name));
    return allOf(
      dates.map((search) => {
        const sought = soughtOf({ name: search.name, type: 'date', modifier: '', values: [value] }, reading);
        const present = anyPath(search, (path) => presentAt(elements, path, within));
        return anyOf([
          not(present),
          ...sought.map((one) => anyPath(search, (path) => atPath(elements, path, one, within))),
        ]);
      }),
    );
  };
  const dated = (models.find(model)?.fhir?.resources ?? []).filter(({ search }) =>
    search.some(({ name }) => BEGINS.includes(name) || ENDS.includes(name)),
  );
  return dated.length === 0
    ? allOf([])
    : anyOf(
        dated.map((mapping) =>
          allOf([
            said(mapping),
            ...(start === '' ? [] : [meets(mapping, ENDS, `ge${start}`)]),
            ...(end === '' ? [] : [meets(mapping, BEGINS, `le${end}`)]),
          ]),
        ),
      );
};
