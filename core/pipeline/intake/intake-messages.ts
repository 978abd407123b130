/**
 * intake-messages: the messages between the server and an intake process, and the items into which a file that is not
 * XML is turned.
 */
import type { ReadingsRule } from '../../documents/readings';
import type { CsvColumns } from './csv-columns';
import type { TableLook } from './table-look';

/** A file inside the file, which goes unchanged into a document of its own (pipeline-config/file). */
export type InnerFile = {
  readonly bytes: Uint8Array;
  readonly title: string;
  /** As in `FileToWrap` (core/files/envelope). */
  readonly date?: string;
  readonly kind?: string;
};

export type IntakeDocument = (
  | { /** Its text, or its original bytes. */ readonly xml: string | Uint8Array }
  | { /** FHIR JSON. */ readonly json: string }
  | { readonly file: InnerFile }
) & {
  /** The document's label for people. Without one, the document is called by what it says, in the reader's language. */
  readonly label?: string;
  /** Its name in a message that it cannot be stored; if absent, its label or the title of its file. */
  readonly name?: string;
  /**
   * Type of the FHIR resource in it, as the resource itself says: the page that lists what cannot be stored has a word
   * for the type.
   */
  readonly resource?: string;
  /**
   * Identifies the document among those of this intake, in every file of the same source. When a later file has other
   * content for it, a new version of the document is made. At most 200 characters. Without a key, the same content is
   * stored once.
   */
  readonly key?: string;
  /**
   * The document has readings, one a line (core/documents/readings). It is joined with the documents of the same key, so
   * that no reading of an earlier file is lost. Several items of a file may have the same key then.
   */
  readonly readings?: ReadingsRule;
  /** Name of the intake that its key belongs to, if it is that of a table in an archive. */ readonly of?: string;
};

/** A part of the file that is in no document: what it is, how often it occurs, and why it was left out, in English. */
export type LeftOutOfFile = {
  readonly what: string;
  readonly count: number;
  readonly words: string;
  /**
   * A keyword for the reason, which a page can turn into a sentence in another language; `column` names the column for
   * `cell`.
   */
  readonly reason?: string;
  /** The column, for `cell`, `below`, `above` and `impossible`; the heads, for `other-heads`. */ readonly column?: string;
  /**
   * For `order`, which tells how something was read and leaves nothing out: a date as it is written, the day as which
   * it was read, and the other day that it may be.
   */
  readonly dates?: { readonly written: string; readonly read: string; readonly other: string };
  /** The file in an archive that it is about, and how many others of its kind say the same. */
  readonly file?: string;
  readonly moreFiles?: number;
  /** It can be kept as a file, in which nothing is read. */ readonly isOffered?: true;
};

/** A part of the file that is in no document. `unread`: it is a file, which is kept as a file if the person says so. */
export type LeftOutItem = {
  readonly leftOut: LeftOutOfFile;
  readonly unread?: Pick<InnerFile, 'bytes' | 'title'>;
};

/** An item that an intake yields: a document, or a part of the file that is in none. */
export type IntakeItem = IntakeDocument | LeftOutItem;

/** A table that is described by a YAML file, as an archive may hold it. */
export type KnownTable = Pick<Intake, 'name' | 'files' | 'begins'> & { readonly columns: CsvColumns };

/** One way of turning files into documents: the part `intake` of a document.yaml. */
export type Intake = {
  readonly name: string;
  /** Its document.yaml. */
  readonly file: string;
  readonly files: readonly string[];
  readonly begins?: string;
  /** `tables`: those that the module may read inside its file. */
  readonly by: { readonly module: string; readonly tables?: readonly KnownTable[] } | { readonly columns: CsvColumns };
  /** Absolute names of its samples, and of files that must be refused. */
  readonly samples: readonly string[];
  readonly invalid: readonly string[];
};

export type ToIntake =
  | {
      readonly kind: 'start';
      /** `look`: the only item is what the columns of the table look like (TableLook), of a workbook those of a sheet. */
      readonly by: Intake['by'] | { readonly look: true; readonly sheet?: string | undefined };
      readonly name: string;
      readonly vocabBase: string;
      readonly maxBytes: number;
      readonly memoryLimit: number;
      /** An IANA name. */ readonly timeZone?: string | undefined;
    }
  | { readonly kind: 'next' };

export type FromIntake =
  | { readonly kind: 'item'; readonly item: IntakeItem | TableLook }
  | { readonly kind: 'done' }
  /**
   * `words` are for a person. `fault` means that the module itself failed, which is reported to the operator. `reason`
   * is that of InvalidFile.
   */
  | { readonly kind: 'failed'; readonly words: string; readonly fault: boolean; readonly reason?: string };
