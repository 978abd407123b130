/** sent: what senders say of their statements and documents, by which the newer one of two is found. */
import type { Id } from '../base/types';

/** The sender's id of a statement, and how old it is. */
export type Sent = {
  readonly system: string;
  readonly value: string;
  /** Who gave the id, if that differs from the sender of the document. */ readonly sender?: string;
  /** When the sender said it, if that is not the date of the document. */ readonly said?: string;
  /** Number of the version. */ readonly version?: string;
};

/** A statement of which the sender says that it was never true. It makes no fact. */
export type TakenBack = Sent & { readonly model: string; readonly name: string };

/** What a document says of its sender and of its earlier versions. Every field may be missing. */
export type Source = {
  readonly sender?: string;
  /** When the document was written. */ readonly date?: string;
  /** Its own ids, with spaces between them. */ readonly id?: string;
  /** The id that all its versions share. */ readonly set?: string;
  readonly version?: string;
  /** The ids of documents that it replaces, with spaces between them. */ readonly replaces?: string;
  /** Filled when it only adds to another document. */ readonly adds?: string;
  /** Code of the kind of document. */ readonly kind?: string;
  /** The models of which it has whole lists, with spaces between them. */ readonly lists?: string;
};

/** A statement as it is stored. */
export type SentStatement = {
  readonly statementId: Id;
  readonly model: string;
  readonly name: string | null;
  readonly system: string | null;
  readonly value: string | null;
  readonly line: string | null;
  readonly said: string;
  readonly content: string;
};

/** What a document said of itself, as it is stored. */
export type SentDocument = { readonly documentId: Id; readonly said: string; readonly source: Source };

/** A statement of a list. */
export type ListedStatement = Pick<SentStatement, 'statementId' | 'model'> & {
  readonly documentId: Id;
  readonly name: string;
};
