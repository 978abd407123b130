/** own-words: the newest note in which the person says in their own words what a clinic should know. */
import { factTables } from '../../../core/facts/model/fact-tables';
import { fieldsOf } from '../../../core/facts/model/report-plan';
import { runFacts } from '../../../core/facts/run-series';
import { readCurrentScope } from '../../../core/records/current';
import type { ReportScope } from '../../../core/sharing/containment';
import type { Services } from '../../../core/services';
import { DOCUMENT_TYPES } from '../../../core/received/clinic-profile';

const NOTE = 'SimpleClinicalNote';
const OWN_WORDS_CODE = DOCUMENT_TYPES.words.code;

/** From a circle they are told only if the note lies there. @returns undefined if nothing is written */
export async function readOwnWords(
  services: Pick<Services, 'database' | 'models'>,
  scope: ReportScope,
): Promise<string | undefined> {
  const model = services.models().find(NOTE);
  const table = model && factTables(services.models()).get(model.name);
  const fields = model && fieldsOf(model);
  const [code, created] = [fields?.get('visit_type_value'), fields?.get('created_at')];
  if (!table || !code || !created) {
    return undefined;
  }
  const current = await readCurrentScope(services, scope);
  const [fact] = await runFacts(services.database, { table }, current.scope, {
    status: 'active',
    filters: [{ field: code, values: [OWN_WORDS_CODE] }],
    order: { by: created, descending: true },
    limit: 1,
    offset: 0,
  });
  const text = fact?.values['content'];
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
