/** reader-messages: the messages between the server and its reader processes; plain data only. */
import type { AppError, Problem } from '../../base/errors';
import type { Fact } from '../../facts/model/fact';
import type { Model } from '../../facts/model/models';
import type { HeldFile, ListedFile, ReadFile } from '../../files/held-file';
import type { Outline } from '../../fhir/outline';
import type { Narrative } from '../../xml/narrative';
import type { Printing } from '../../paper/typst';
import type { Entry } from '../entries';
import type { Intake } from '../intake/intake-messages';
import type { ReportPage, SerializerMethod } from '../report-modules';
import type { Mark } from '../stage-marks';
import type { ReadDocument, Received } from '../steps';
import type { KeptResource } from '../../fhir/kept';

/** One piece of work. */
export type Task =
  | { readonly kind: 'inspect' | 'outline' | 'narrative' | 'mend' | 'codes'; readonly bytes: Buffer }
  | ({ readonly kind: 'read' } & Received)
  /**
   * Find the file that the document holds, or the one at this place in its list; `namespace` is that of the document
   * type File.
   */
  | { readonly kind: 'held'; readonly bytes: Buffer; readonly namespace: string; readonly at?: number }
  /** List the files that the document holds. */
  | { readonly kind: 'files'; readonly bytes: Buffer; readonly namespace: string }
  /** Find one of these files with its words, if it is a text. */
  | { readonly kind: 'words'; readonly bytes: Buffer; readonly namespace: string; readonly at: number }
  /** Print a page with a template. */
  | ({ readonly kind: 'print' } & Printing)
  /** Write a report with a module. */
  | { readonly kind: 'write'; readonly file: string; readonly method: SerializerMethod; readonly page: ReportPage };

/** The modules that write reports, and what each can write. */
export type ReportWriters = readonly { readonly file: string; readonly methods: readonly SerializerMethod[] }[];

export type ToReader =
  /** Tells the reader to load the configuration from disk. */
  | {
      readonly kind: 'load';
      readonly folders: readonly string[];
      readonly vocabBase: string;
      readonly models: readonly Model[];
      readonly maxBytes: number;
    }
  /**
   * Tells the reader to use a configuration that another reader has loaded, because the files may have changed since.
   */
  | {
      readonly kind: 'start';
      readonly entries: readonly Entry[];
      readonly models: readonly Model[];
      readonly maxBytes: number;
    }
  /** With `timed`, the answer says when each stage began. */
  | (Task & { readonly timed?: true });

/** The outcome of one piece of work. `worn` means that the process has grown and should be replaced. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly result:
        | ReadDocument
        | Outline
        | Narrative
        | { readonly type: string }
        | { readonly text: string }
        | { readonly pdf: Buffer }
        | { readonly codes: readonly string[] }
        | { readonly held: HeldFile | undefined }
        | { readonly files: readonly ListedFile[] }
        | { readonly file: ReadFile | undefined }
        | { readonly mended: Buffer | undefined };
      readonly worn: boolean;
    }
  /** `entry` is that of a ReadDocument; undefined when the document's kind is unknown. */
  | {
      readonly kind: 'failed';
      readonly entry: string | null | undefined;
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: readonly Problem[];
      readonly headers: AppError['headers'];
      readonly worn: boolean;
    }
  /** A fault of the service itself or of a module that writes reports; no text of the document. */
  | { readonly kind: 'broken'; readonly reason: string; readonly worn: boolean };

export type FromReader =
  | { readonly kind: 'compiling'; readonly file: string }
  /**
   * `problems` concern modules that worked when the configuration was loaded; only their formats and reports are out of
   * use.
   */
  | {
      readonly kind: 'ready';
      readonly entries: readonly Entry[];
      readonly intakes: readonly Intake[];
      readonly writers: ReportWriters;
      readonly problems: readonly string[];
      /** The processor time of the process until then, in seconds. */ readonly total: number;
    }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  /** Facts of a long answer, sent ahead of it in parts, so that receiving them never blocks the server for long. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** As `facts`, the kept resources of a long answer. */
  | { readonly kind: 'kept'; readonly kept: readonly KeptResource[] }
  /** The outcome with the processor time that it took, in milliseconds, and that of the whole process, in seconds. */
  | (Outcome & { readonly processor: number; readonly total: number; readonly marks?: readonly Mark[] });

/** The signal by which a reader ends itself when it needs too much memory. */
export const MEMORY_SIGNAL = 'SIGUSR2';
