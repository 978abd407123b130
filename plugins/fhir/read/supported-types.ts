/**
 * supported-types: lists every type that the FHIR door supports with the present configuration, and what a client can
 * do with it.
 */
import { groupedBy } from '../../../core/base/grouped-by';
import { FHIR } from '../../../core/fhir/json-to-xml';
import { type SearchParameter, type SupportedType, commonParameters, ownTypes } from '../search/supported';
import type { Services } from '../../../core/services';
import { factTypes, storedTypes } from './stored-types';
import { isServed } from '../../../core/fhir/search-definitions';
import { definedOrders, definedParameters, definedReferences } from '../search/kept-searches';

type Knowing = Pick<Services, 'models' | 'reader'>;

/** The types of which a single resource is accepted as a document. */
export function creatableTypes({ reader }: Pick<Services, 'reader'>): ReadonlySet<string> {
  return new Set(
    reader.entries.all
      .filter(({ namespace }) => namespace === FHIR)
      .flatMap(({ roots }) => roots)
      .filter((root) => root !== 'Bundle'),
  );
}

type Searching = Pick<SupportedType, 'search' | 'sortable' | 'includes' | 'reverseIncludes'>;

/** Each parameter once: the last of a name, with the modifiers of all. */
function byName(parameters: readonly SearchParameter[]): readonly SearchParameter[] {
  return [...groupedBy(parameters, ({ name }) => name).values()].map((same) => ({
    ...same.at(-1)!,
    modifiers: [...new Set(same.flatMap(({ modifiers }) => modifiers))],
  }));
}

/** That all parameters can be named, as `_include` and `_revinclude` say it. */
const EVERY = '*';

/** How resources of a type are searched: by the standard's parameters, and by those of types of this service. */
export function searchedAs(type: string): Searching {
  const own = ownTypes.find((one) => one.type === type);
  return {
    search: byName([...commonParameters, ...definedParameters(type), ...(own?.search ?? [])]),
    // Documents are read in the order of these alone.
    sortable: [...new Set(['_id', '_lastUpdated', ...(own?.sortable ?? definedOrders(type))])],
    includes: [...new Set([EVERY, ...definedReferences(type), ...(own?.includes ?? [])])],
    // By every parameter of every type that is a reference; the standard's files do not say to which types these lead.
    reverseIncludes: [...new Set([EVERY, 'Provenance:target', ...(own?.reverseIncludes ?? [])])],
  };
}

/** There is one Patient, which is in any order at once. */
function searchOfPatient(): Pick<Searching, 'search' | 'reverseIncludes'> {
  const { search, reverseIncludes } = searchedAs('Patient');
  return { search, reverseIncludes };
}

/** Types that stylesheets state beside facts, without a model. */
const BESIDE: readonly string[] = ['CareTeam'];

const ALL: SupportedType['interactions'] = ['read', 'vread', 'history-instance', 'search-type'];

function listTypes(services: Knowing): readonly SupportedType[] {
  const created = creatableTypes(services);
  const models = services.models();
  const also = (type: string): SupportedType['interactions'] => (created.has(type) ? ['create'] : []);
  const own = ownTypes.map((one) => ({
    ...one,
    ...(isServed(one.type) && one.search.length > 0 ? searchedAs(one.type) : {}),
    ...(one.type === 'Patient' ? searchOfPatient() : {}),
    interactions: [
      ...new Set([...one.interactions, ...(isServed(one.type) ? ALL.slice(0, 3) : []), ...also(one.type)]),
    ],
  }));
  const others = [...storedTypes(models)].filter((type) => !ownTypes.some((one) => one.type === type));
  return [
    ...own,
    ...others.map((type) => ({
      type,
      says:
        factTypes(models).has(type) || BESIDE.includes(type) ? 'What documents state' : 'What documents of FHIR state',
      interactions: [...ALL, ...also(type)],
      operations: [],
      ...searchedAs(type),
    })),
  ].sort((one, other) => (one.type < other.type ? -1 : 1));
}

type Known = { readonly entries: object; readonly types: readonly SupportedType[] };

const known = new WeakMap<object, Known>();

/**
 * The types that are not made of facts, those to which the models in force are mapped, and those that are stored but
 * found as other types. The list is made once for the models and formats in force, because every search needs it.
 */
export function supportedTypes(services: Knowing): readonly SupportedType[] {
  const [models, { entries }] = [services.models(), services.reader];
  const found = known.get(models);
  if (found?.entries === entries) {
    return found.types;
  }
  const types = listTypes(services);
  known.set(models, { entries, types });
  return types;
}
