/** person-search: tells whether the person of a record, or who reads it, meets the parameters of a search (pure). */
import { toTimestamp } from '../../../core/base/clock';
import type { SearchValue } from '../../../core/documents/kept-resources-store';
import type { JsonObject } from '../../../core/fhir/from-xml';
import type { Versioned } from '../../../core/fhir/resource';
import { shortStamp } from '../../../core/fhir/search-dates';
import { searchValuesOf } from '../../../core/fhir/search-values';
import type { Filter } from './search-query';
import { meetsFilters } from './seen-search';
import type { Reading } from './sought';

/** When a resource was changed last, to the millisecond. */
function changedValue({ meta }: Versioned): SearchValue {
  const from = Date.parse(meta.lastUpdated ?? '');
  return {
    name: '_lastUpdated',
    word: shortStamp(toTimestamp(from)),
    high: shortStamp(toTimestamp(from + 1)),
  };
}

/** Whether the person has died: as R4 has it, everybody has an answer, and a date means yes. */
function deceasedValue(person: Versioned): SearchValue {
  const isDead = person['deceasedDateTime'] !== undefined || person['deceasedBoolean'] === true;
  return { name: 'deceased', word: String(isDead) };
}

/** @throws errors.invalidParameter */
export function meetsPerson(person: Versioned, filters: readonly Filter[], reading: Reading): boolean {
  const { id, resourceType: type } = person;
  const own = searchValuesOf(type, person as unknown as JsonObject, `Patient/${reading.recordId}`);
  const values = [
    ...own.filter(({ name }) => name !== 'deceased'),
    changedValue(person),
    ...(type === 'Patient' ? [deceasedValue(person)] : []),
  ];
  return meetsFilters(filters, reading)({ id, values });
}
