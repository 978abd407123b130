/** known-types: which document types callers may name: ours, those with a format, and those that the record knows. */
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { Services } from '../services';
import { recordKnowsType } from '../storage/stores/sharing';
import { seedTypes, typesNamed, typeUri } from './document-types';

const LONGEST_TYPE = 255;

/** Whether the type means something here whatever is stored. */
export const isKnownType = ({ config, reader }: Pick<Services, 'config' | 'reader'>, type: string): boolean =>
  seedTypes.some((seed) => typeUri(seed, config.vocabBase) === type) || reader.entries.find(type) !== undefined;

/**
 * The known ones of the types that a name or URI stands for: one, or two when documents in no namespace have the name of one of ours.
 * @throws AppError not_found when neither this service nor the record knows any
 */
export const requireKnownTypes = async (
  services: Pick<Services, 'config' | 'database' | 'reader'>,
  recordId: Id,
  name: string,
): Promise<readonly string[]> => {
  const types = typesNamed(name, services.config.vocabBase).filter(({ length }) => length <= LONGEST_TYPE);
  const known = await Promise.all(
    types.map(async (type) => isKnownType(services, type) || recordKnowsType(services.database.reads, recordId, type)),
  );
  if (!known.includes(true)) {
    throw errors.notFound('document type');
  }
  return types.filter((_, index) => known[index]);
};
