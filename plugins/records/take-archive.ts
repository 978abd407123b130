/** take-archive: writes the archive of a record as `svc export` does. */
import { openArchive, type OpenArchive } from '../../core/archive/export';
import { factTables } from '../../core/facts/model/fact-tables';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { requireRecord } from '../../core/records/require';

export async function takeArchive({ params, services }: Call<InRecord>): Promise<OpenArchive> {
  const { id } = await requireRecord(services, params.RECORD_ID);
  const { config, contents, database, clock, models } = services;
  return openArchive({ config, contents, database, clock, tables: factTables(models()) }, id);
}
