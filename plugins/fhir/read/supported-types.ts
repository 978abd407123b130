/**
 * supported-types: lists every type that the FHIR door supports with the present configuration, and what a client can
 * do with it.
 */
import { FHIR } from '../../../core/fhir/json-to-xml';
import { commonParameters, ownTypes, sortableAlone, type SupportedType } from '../search/supported';
import type { Services } from '../../../core/services';
import { factTypes } from './fact-resources';
import { searchedAs } from '../search/fact-searches';

type Knowing = Pick<Services, 'models' | 'reader'>;

/** The types of which a single resource is accepted as a document. */
export const creatableTypes = ({ reader }: Pick<Services, 'reader'>): ReadonlySet<string> =>
  new Set(
    reader.entries.all
      .filter(({ namespace }) => namespace === FHIR)
      .flatMap(({ roots }) => roots)
      .filter((root) => root !== 'Bundle'),
  );

const others = (
  type: string,
  interactions: SupportedType['interactions'],
  says: string,
  more: Partial<SupportedType> = {},
): SupportedType => ({
  type,
  says,
  interactions,
  search: [],
  sortable: [],
  includes: [],
  reverseIncludes: [],
  operations: [],
  ...more,
});

const typesOf = (services: Knowing): readonly SupportedType[] => {
  const created = creatableTypes(services);
  const models = services.models();
  const facts = new Set([...factTypes(models)].filter((type) => !ownTypes.some((one) => one.type === type)));
  const also = (type: string): SupportedType['interactions'] => (created.has(type) ? ['create'] : []);
  return [
    ...ownTypes.map((one) => ({ ...one, interactions: [...one.interactions, ...also(one.type)] })),
    ...[...facts].map((type) =>
      others(
        type,
        ['read', 'vread', 'history-instance', 'search-type', ...also(type)],
        'What documents state',
        searchedAs(models, type),
      ),
    ),
    ...[...created]
      .filter((type) => !facts.has(type) && !ownTypes.some((one) => one.type === type))
      .map((type) =>
        others(
          type,
          ['read', 'search-type', 'create'],
          'It is kept as a document; what it states is found as other types',
          {
            search: commonParameters,
            sortable: sortableAlone,
            // There are no resources of these types, so there is no Provenance to include.
            reverseIncludes: ['Provenance:target'],
          },
        ),
      ),
  ].sort((one, other) => (one.type < other.type ? -1 : 1));
};

type Known = { readonly entries: object; readonly types: readonly SupportedType[] };

const known = new WeakMap<object, Known>();

/**
 * The types that are not made of facts, those to which the models in force are mapped, and those that are stored but
 * found as other types. The list is made once for the models and formats in force, because every search needs it.
 */
export const supportedTypes = (services: Knowing): readonly SupportedType[] => {
  const [models, { entries }] = [services.models(), services.reader];
  const found = known.get(models);
  if (found?.entries === entries) {
    return found.types;
  }
  const types = typesOf(services);
  known.set(models, { entries, types });
  return types;
};
