/** known-types: which document types sharing rules may name: ours, those with a format, and those that the record holds. */
import { errors } from '../base/errors';
import type { Id } from '../base/types';
import type { Services } from '../services';
import { recordHoldsType } from '../storage/stores/documents';
import { seedTypes, typeUri } from './document-types';

const LONGEST_TYPE = 255;

/**
 * The URI of a type by its name or URI.
 * @throws AppError not_found for a type that nothing here knows
 */
export const requireKnownType = async ({ config, database, reader }: Pick<Services, 'config' | 'database' | 'reader'>, recordId: Id, name: string): Promise<string> => {
  const type = typeUri(name, config.vocabBase);
  const seeds = seedTypes.map((seed) => typeUri(seed, config.vocabBase));
  if (type.length > LONGEST_TYPE || !(seeds.includes(type) || reader.entries.all.some((entry) => entry.type === type) || (await recordHoldsType(database.knex, recordId, type)))) {
    throw errors.notFound('document type');
  }
  return type;
};
