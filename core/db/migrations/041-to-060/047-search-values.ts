/** 047-search-values: what searches find of kept resources; only the latest versions have rows. */
import type { TableSpec } from '../tables';

export const searchValues: readonly TableSpec[] = [
  {
    table: 'fhir_value',
    sequence: true,
    columns: {
      record_id: 'id',
      /** `seq` of the resource. */ resource: 'int',
      /** Type and search parameter. */ name: 'text:80',
      /** A code, the beginning of a text, an address or a reference. */ word: 'text:150?',
      system: 'text:150?',
      exact: 'long?',
      low: 'text:27?',
      high: 'text:27?',
      num_from: 'double?',
      num_to: 'double?',
    },
    indexes: [
      ['record_id', 'name', 'word'],
      ['record_id', 'name', 'low'],
      ['resource', 'name'],
    ],
  },
];
