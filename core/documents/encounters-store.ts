/** encounters: which resources of FHIR name the same encounter, by the rows that searches find. */
import { marks } from '../db/condition';
import type { Reads } from '../db/connection';
import type { Id } from '../base/types';
import { placesOf } from './sought-rows-store';

/** The search parameters of R4 by which a resource that can become a fact names its encounter. */
const NAMING = [
  ...[
    'Observation',
    'Condition',
    'Procedure',
    'MedicationRequest',
    'DiagnosticReport',
    'CarePlan',
    'ServiceRequest',
  ].map((type) => `${type}.encounter`),
  ...['MedicationStatement', 'MedicationAdministration', 'MedicationDispense'].map((type) => `${type}.context`),
];
const MOST = 400;

/**
 * The ids of resources, which are those of their statements, that name an encounter of these statements: a statement is
 * the encounter itself, or a resource that names it, as a measurement does in which the encounter is nested.
 */
export async function statementsNaming(on: Reads, recordId: Id, statementIds: readonly Id[]): Promise<readonly Id[]> {
  if (statementIds.length === 0) {
    return [];
  }
  const words = statementIds.map((id) => `Encounter/${id}`);
  const naming = placesOf(recordId, NAMING);
  const rows = await on.rows<{ id: Id }>(
    'select distinct kept.id as id from search_value as naming join fhir_resource as kept on kept.seq = naming.resource ' +
      `where naming.place in (${marks(naming)}) and (naming.word in (${marks(words)}) ` +
      'or naming.word in (select own.word from fhir_resource as named join search_value as own ' +
      `on own.resource = named.seq where named.record_id = ? and named.id in (${marks(statementIds)}) ` +
      `and own.place in (${marks(naming)}) and own.word is not null)) limit ?`,
    [...naming, ...words, recordId, ...statementIds, ...naming, MOST],
  );
  return rows.map(({ id }) => id);
}
