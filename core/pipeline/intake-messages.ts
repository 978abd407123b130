/**
 * intake-messages: what a file that is not XML is turned into, and what the server and an intake process say to each
 * other.
 */
import type { CsvColumns } from './csv-columns';

/** A file inside the file that goes into a document of its own as it is (pipeline-config/file). */
export type InnerFile = {
  readonly bytes: Uint8Array;
  readonly title: string;
  /** As `FileToWrap` (core/files/envelope). */
  readonly date?: string;
  readonly kind?: string;
};

export type IntakeDocument = (
  | { /** Its text, or its bytes as they came. */ readonly xml: string | Uint8Array }
  | { /** FHIR. */ readonly json: string }
  | { readonly file: InnerFile }
) & {
  /** What people call it. Without it the document is called by what it says, in the language of whoever looks. */
  readonly label?: string;
  /** How it is told when it cannot be stored; its label or the title of its file when this is not said. */
  readonly name?: string;
  /** Type of the FHIR resource in it, as it says itself: whoever shows what cannot be stored has a word for it. */
  readonly resource?: string;
  /**
   * Names the document among those of this intake, in every file of the same source: a later file that has other
   * content for it makes a new version of the document. At most 200 characters. Without it the same content is stored
   * once.
   */
  readonly key?: string;
};

/** What of the file is in no document, how often, and why, in English. */
export type LeftOutOfFile = {
  readonly what: string;
  readonly count: number;
  readonly words: string;
  /** A word for why, of which whoever shows it may know a sentence in another language; a column for `cell`. */
  readonly reason?: string;
  /** For `cell`, `below` and `above`. */ readonly column?: string;
};

/** What an intake yields: a document, or what of the file is in none. */
export type IntakeItem = IntakeDocument | { readonly leftOut: LeftOutOfFile };

/** One way of turning files into documents: the part `intake` of a document.yaml. */
export type Intake = {
  readonly name: string;
  /** Its document.yaml. */
  readonly file: string;
  readonly files: readonly string[];
  readonly begins?: string;
  readonly by: { readonly module: string } | { readonly columns: CsvColumns };
  /** Absolute names of its samples, and of files that must be refused. */
  readonly samples: readonly string[];
  readonly invalid: readonly string[];
};

/** A file that is not what it should be. The words go to the person who gave it, and into no log. */
export class InvalidFile extends Error {
  readonly code = 'invalid_file';

  /** @param reason a word for why, of which whoever shows it may know a sentence in another language */
  constructor(
    words: string,
    readonly reason?: 'columns' | 'dates' | 'encoding',
  ) {
    super(words);
  }
}

export type ToIntake =
  | {
      readonly kind: 'start';
      readonly by: Intake['by'];
      readonly name: string;
      readonly vocabBase: string;
      readonly maxBytes: number;
      readonly memoryLimit: number;
      /** IANA name. */ readonly timeZone?: string | undefined;
    }
  | { readonly kind: 'next' };

export type FromIntake =
  | { readonly kind: 'item'; readonly item: IntakeItem }
  | { readonly kind: 'done' }
  /** `words` for a person; `fault`: the module's own, told to the operator; `reason` as that of InvalidFile. */
  | { readonly kind: 'failed'; readonly words: string; readonly fault: boolean; readonly reason?: string };
