/** about: a document's description of itself (title, kind, dates and the like), and the columns that keep it. */
import type { Timestamp } from '../base/types';

/**
 * What a person calls the document, what kind of document it is, and when and where it is from. Every field may be
 * missing.
 */
export type About = {
  readonly title?: string;
  /** The kind in words; `code` is its code. */ readonly kind?: string;
  readonly code?: string;
  /** Address of the system of the code. */ readonly system?: string;
  /** Date of the document: a day, or a time with its zone. */ readonly date?: string;
  /** When the care that the document is about began. */ readonly start?: string;
  readonly end?: string;
  readonly author?: string;
  /** The organization for which the author wrote. */ readonly author_for?: string;
  /** The organization that keeps it. */ readonly from?: string;
  /** The sender's identifier of the document, and the address of its system. */ readonly identifier?: string;
  readonly identifier_system?: string;
  /** The code of the rules that it is written by, as IHE lists them. */ readonly format?: string;
  /** The sender's number of the visit in which it was written, and the address of its system. */
  readonly visit?: string;
  readonly visit_system?: string;
  /** Name of the person whose health the document is about. */ readonly subject?: string;
  /** Day on which that person was born. */ readonly born?: string;
};

/**
 * The description as JSON, and the parts of it that searches compare. A lineage has the words of its latest version.
 */
export type AboutColumns = {
  readonly about: string | null;
  readonly about_system: string | null;
  readonly about_code: string | null;
  readonly about_start: Timestamp | null;
  readonly about_end: Timestamp | null;
};

export function storedAbout(column: string | null): About | null {
  return column === null ? null : (JSON.parse(column) as About);
}

/** The words by which people search for a document, with its day. */
export function aboutWords(column: string | null): string | null {
  const { title, kind, from, author, date } = storedAbout(column) ?? {};
  const words = [title, kind, from, author, date?.slice(0, 10)].filter((text) => text !== undefined);
  return words.length === 0 ? null : words.join('\n');
}
