/** reader-messages: what the server and its reader processes say to each other. Plain data only. */
import type { AppError, Problem } from '../base/errors';
import type { Fact } from '../datamodel/fact';
import type { Model } from '../datamodel/models';
import type { Outline } from '../fhir/outline';
import type { Narrative } from '../xml/narrative';
import type { Entry } from './entries';
import type { Intake } from './intake-messages';
import type { ReportPage, SerializerMethod } from './report-modules';
import type { Mark } from './stage-marks';
import type { ReadDocument } from './steps';

/** One piece of work. */
export type Task =
  | { readonly kind: 'read' | 'inspect' | 'outline' | 'narrative'; readonly bytes: Buffer }
  /** Write a report with a module. */
  | { readonly kind: 'write'; readonly file: string; readonly method: SerializerMethod; readonly page: ReportPage };

/** The modules that write reports, and what each can write. */
export type ReportWriters = readonly { readonly file: string; readonly methods: readonly SerializerMethod[] }[];

export type ToReader =
  /** Read the configuration from disk. */
  | {
      readonly kind: 'load';
      readonly folders: readonly string[];
      readonly vocabBase: string;
      readonly models: readonly Model[];
      readonly maxBytes: number;
    }
  /** Take a configuration that another reader has loaded: files may have changed since. */
  | {
      readonly kind: 'start';
      readonly entries: readonly Entry[];
      readonly models: readonly Model[];
      readonly maxBytes: number;
    }
  /** `timed`: the answer is to say when each stage began. */
  | (Task & { readonly timed?: true });

/** What became of a piece of work. `worn`: the process has grown and wants to be replaced. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly result: ReadDocument | Outline | Narrative | { readonly type: string } | { readonly text: string };
      readonly worn: boolean;
    }
  /** `entry` as in a ReadDocument; undefined when the document's kind is not known. */
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
   * `problems`: modules that were sound when the configuration was loaded; their formats and reports alone are out of
   * use.
   */
  | {
      readonly kind: 'ready';
      readonly entries: readonly Entry[];
      readonly intakes: readonly Intake[];
      readonly writers: ReportWriters;
      readonly problems: readonly string[];
    }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  /** Facts of a long answer, ahead of it, so that taking them in never holds up the server for long. */
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** With the processor time that it took, in milliseconds. */
  | (Outcome & { readonly processor: number; readonly marks?: readonly Mark[] });

/** The signal by which a reader ends itself when it needs too much memory. */
export const MEMORY_SIGNAL = 'SIGUSR2';
