/** service: what coding systems answer. */
import { errors } from '../../core/base/errors';
import { findCodes } from '../../core/codes/search';
import type { Call } from '../../core/http/route';

/** The specification fixes this one as not implemented. */
export const listSystems = (): Promise<never> => Promise.reject(errors.notImplemented());

/** At most 100 entries, by name. 404 for a system that was never loaded. */
export const querySystem = async ({
  params,
  query,
  services,
}: Call<{ SYSTEM_SHORT_NAME: string }, { q: string }>): Promise<object> => {
  const {
    database: { reads },
    stores,
  } = services;
  const system = params.SYSTEM_SHORT_NAME;
  if (!(await stores.codes.codingSystemExists(reads, system))) {
    throw errors.notFound('coding system');
  }
  return (await findCodes(reads, system, query.q)).map((entry) => ({
    abbreviation: entry.abbreviation,
    code: entry.code,
    consumer_value: entry.consumerValue,
    umls_code: entry.umlsCode,
    full_value: entry.fullValue,
  }));
};
