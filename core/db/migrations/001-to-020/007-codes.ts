/** 007-codes: coding systems, and the words by which their entries are found (specification 2.17, 4.10). */
import type { TableSpec } from '../tables';

export const codes: readonly TableSpec[] = [
  {
    table: 'coding_system',
    columns: { short_name: 'text:50', loaded_at: 'stamp' },
    primary: ['short_name'],
  },
  {
    table: 'code',
    sequence: true,
    columns: {
      coding_system: 'text:50',
      code: 'text:100',
      full_value: 'long',
      /** The value in lower case, for searches and for sorting lists. */ search_value: 'text:500',
      consumer_value: 'long?',
      abbreviation: 'long?',
      umls_code: 'text:30?',
    },
    unique: [['coding_system', 'code']],
    indexes: [['coding_system', 'search_value', 'code']],
  },
  {
    table: 'code_word',
    sequence: true,
    columns: { coding_system: 'text:50', word: 'text:100' },
    unique: [['coding_system', 'word']],
  },
  {
    table: 'code_word_ending',
    columns: {
      coding_system: 'text:50',
      /** Every ending of the word, so that each part of the word is the beginning of an ending. */ ending: 'text:100',
      word_seq: 'int',
    },
    primary: ['coding_system', 'ending', 'word_seq'],
  },
  {
    table: 'code_has_word',
    columns: { word_seq: 'int', code_seq: 'int' },
    primary: ['word_seq', 'code_seq'],
    indexes: [['code_seq']],
  },
];
