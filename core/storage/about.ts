/** about: what a document says that it is as a whole, in the columns of its row. */
import type { Timestamp } from '../base/types';

/**
 * What a person calls the document, what kind of document it is, and when and where it is from. All of it may be
 * missing.
 */
export type About = {
  readonly title?: string;
  /** The kind in words, with its code beside it. */ readonly kind?: string;
  readonly code?: string;
  /** Address of the system of the code. */ readonly system?: string;
  /** Of the document: a day, or a time with its zone. */ readonly date?: string;
  /** The care that it tells of. */ readonly start?: string;
  readonly end?: string;
  readonly author?: string;
  /** The organization that keeps it. */ readonly from?: string;
  /** Name of the person whose health it tells of. */ readonly subject?: string;
  /** Day on which that person was born. */ readonly born?: string;
};

/** The whole as JSON, and beside it what is searched by. A lineage has the words of its latest version. */
export type AboutColumns = {
  readonly about: string | null;
  readonly about_system: string | null;
  readonly about_code: string | null;
  readonly about_start: Timestamp | null;
  readonly about_end: Timestamp | null;
};

export const storedAbout = (column: string | null): About | null =>
  column === null ? null : (JSON.parse(column) as About);

/** What people look for, with the day. */
export const aboutWords = (column: string | null): string | null => {
  const { title, kind, from, author, date } = storedAbout(column) ?? {};
  const words = [title, kind, from, author, date?.slice(0, 10)].filter((text) => text !== undefined);
  return words.length === 0 ? null : words.join('\n');
};
