/** 030-account-language: the language in which mails are written to a person. */
import type { ColumnsSpec } from '../tables';

export const accountLanguage: readonly ColumnsSpec[] = [
  {
    table: 'account',
    columns: { /** In which the website last spoke to the person; null: nobody knows it. */ language: 'text:20?' },
  },
];
