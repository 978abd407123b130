/** service: what coding systems answer. */
import { errors } from '../../core/base/errors';
import { findCodes } from '../../core/codes/search';
import type { Call } from '../../core/http/route';
import * as codeStore from '../../core/codes/store';

/** The specification fixes this one as not implemented. */
export function listSystems(): Promise<never> {
  return Promise.reject(errors.notImplemented());
}

/** At most 100 entries, by name. 404 for a system that was never loaded; 429 when one network asks too much. */
export async function querySystem({
  params,
  query,
  services,
  request,
}: Call<{ SYSTEM_SHORT_NAME: string }, { q: string }>): Promise<object> {
  const {
    database: { reads },
  } = services;
  const system = params.SYSTEM_SHORT_NAME;
  if (!(await codeStore.codingSystemExists(reads, system))) {
    throw errors.notFound('coding system');
  }
  const found = await services.codeSearches(request.ipAddress, (spend) =>
    findCodes(reads.long, system, query.q, spend),
  );
  return found.map((entry) => ({
    abbreviation: entry.abbreviation,
    code: entry.code,
    consumer_value: entry.consumerValue,
    umls_code: entry.umlsCode,
    full_value: entry.fullValue,
  }));
}
