/** 007-codes: coding systems, and the words by which their entries are found (specification 2.17, 4.10). */
import type { TableSpec } from '../tables';

export const codes: readonly TableSpec[] = [
  {
    table: 'coding_system',
    columns: { short_name: 'text:50', description: 'text:255', loaded_at: 'stamp' },
    primary: ['short_name'],
  },
  {
    table: 'code',
    sequence: true,
    columns: {
      coding_system: 'text:50', code: 'text:100', full_value: 'text:250', /** Lower case, what searches compare. */ search_value: 'text:250',
      consumer_value: 'text:250?', abbreviation: 'text:100?', umls_code: 'text:30?',
    },
    unique: [['coding_system', 'code']],
    indexes: [['coding_system', 'search_value']],
  },
  {
    table: 'code_gram',
    columns: { coding_system: 'text:50', /** Three characters of search_value. */ gram: 'text:3', code_seq: 'int' },
    primary: ['coding_system', 'gram', 'code_seq'],
    indexes: [['code_seq']],
  },
];
