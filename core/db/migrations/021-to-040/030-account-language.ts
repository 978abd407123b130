/** 030-account-language: the language in which mails are written to a person. */
import type { ColumnsSpec } from '../tables';

export const accountLanguage: readonly ColumnsSpec[] = [
  {
    table: 'account',
    columns: {
      /** Chosen by the person at the website. It has priority over the next one. */ chosen_language: 'text:20?',
      /** Language of the page on which the person last signed in. */ spoken_language: 'text:20?',
    },
  },
];
