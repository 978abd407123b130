/** known-types: which document types callers may name: ours, those with a format, and those that the record knows. */
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { Services } from '../services';
import { typesKnownTo } from '../sharing/store';
import { seedTypes, typesNamed, typeUri } from '../documents/document-types';

const LONGEST_TYPE = 255;

/** Whether this service knows the type, whatever is stored. */
export function isKnownType({ config, reader }: Pick<Services, 'config' | 'reader'>, type: string): boolean {
  return seedTypes.some((seed) => typeUri(seed, config.vocabBase) === type) || reader.entries.find(type) !== undefined;
}

type Knowing = Pick<Services, 'config' | 'database' | 'reader'>;

/** Those of the given types that this service or the record knows. */
async function knownOf(services: Knowing, recordId: Id, types: readonly string[]): Promise<readonly string[]> {
  const strange = types.filter((type) => !isKnownType(services, type));
  const known = strange.length === 0 ? [] : await typesKnownTo(services.database.reads, recordId, strange);
  return types.filter((type) => !strange.includes(type) || known.includes(type));
}

/**
 * The known types among those that a name or URI may mean: one, or two if documents without a namespace have the name
 * of one of our types.
 * @throws AppError not_found when neither this service nor the record knows any
 */
export async function requireKnownTypes(services: Knowing, recordId: Id, name: string): Promise<readonly string[]> {
  const types = typesNamed(name, services.config.vocabBase).filter(({ length }) => length <= LONGEST_TYPE);
  const known = await knownOf(services, recordId, types);
  if (known.length === 0) {
    throw errors.notFound('document type');
  }
  return known;
}

/** @throws AppError not_found when one of these full types is known neither here nor to the record */
export async function requireAllKnown(services: Knowing, recordId: Id, types: readonly string[]): Promise<void> {
  const all = [...new Set(types)];
  if ((await knownOf(services, recordId, all)).length < all.length) {
    throw errors.notFound('document type');
  }
}
