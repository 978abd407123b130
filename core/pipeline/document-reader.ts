/**
 * document-reader: reads documents and runs modules outside the server's process, so that none can stall or crash it;
 * changes configuration online.
 */
import type { Models } from '../datamodel/models';
import type { Outline } from '../fhir/outline';
import type { Narrative } from '../xml/narrative';
import type { Entries } from './entries';
import { ReaderPool, type ReaderSettings, type TellProblems } from './reader-pool';
import type { ReportPage, SerializerMethod } from './report-modules';
import type { ReadDocument } from './steps';

export type { ReaderSettings, TellProblems } from './reader-pool';

export type DocumentReader = {
  /**
   * Stages one to three of the pipeline: identify, validate, transform.
   * @param owner here and below the principal for whom it is done: each has a line of their own, served in turn
   * @throws AppError too_large, invalid_document, transform_failed (also when it took too long), unavailable
   */
  readonly read: (bytes: Buffer, owner?: string) => Promise<ReadDocument>;
  /** Well-formedness and type only, for documents that are kept as they are. @throws as `read` */
  readonly inspect: (bytes: Buffer, owner?: string) => Promise<{ readonly type: string }>;
  /** What a document of FHIR is about, before anything of it is stored. @throws as `read` */
  readonly outline: (bytes: Buffer, owner?: string) => Promise<Outline>;
  /** The text that a document has for people; no sections where its format writes none. @throws as `read` */
  readonly narrative: (bytes: Buffer, owner?: string) => Promise<Narrative>;
  /** Whether the module `file` writes reports by `method`. */
  readonly writes: (file: string, method: SerializerMethod) => boolean;
  /** Lets a module write a report. @throws ReportFailure (also when it took too long), AppError unavailable */
  readonly write: (file: string, method: SerializerMethod, page: ReportPage, owner?: string) => Promise<string>;
  /**
   * Takes a new configuration for later documents.
   * @param admit called when all of it is compiled, before any document is read by it; when it fails, the old one stays
   * @throws SetupError with every problem; then the old one stays
   */
  readonly reload: (settings: ReaderSettings, models: Models, admit?: () => Promise<void>) => Promise<void>;
  /**
   * So many documents of the largest size can be handed in at the same time without one being refused for the queue's
   * sake.
   */
  readonly atOnce: number;
  /** The document formats in use now. */
  readonly entries: Entries;
  /** Finishes what was handed in, then ends all processes. */
  readonly close: () => Promise<void>;
};

/** The principal in whose line documents wait that nobody in particular sent. */
const THE_SERVICE = '';

/**
 * Loads the pipeline configuration, compiles all of it, and starts the reader processes.
 * @param tell told of modules that a process which was started later could not load; each imports them from disk
 * @throws SetupError with every problem of the configuration, `file:line: reason`
 */
export const openReader = async (
  settings: ReaderSettings,
  models: Models,
  tell: TellProblems = () => undefined,
): Promise<DocumentReader> => {
  let current = new ReaderPool(settings, models, tell);
  await current.open();
  const retired = new Set<Promise<void>>();
  return {
    read: async (bytes, owner = THE_SERVICE) => (await current.submit({ kind: 'read', bytes }, owner)) as ReadDocument,
    inspect: async (bytes, owner = THE_SERVICE) =>
      (await current.submit({ kind: 'inspect', bytes }, owner)) as { type: string },
    outline: async (bytes, owner = THE_SERVICE) => (await current.submit({ kind: 'outline', bytes }, owner)) as Outline,
    narrative: async (bytes, owner = THE_SERVICE) =>
      (await current.submit({ kind: 'narrative', bytes }, owner)) as Narrative,
    writes: (file, method) => current.writers.some((writer) => writer.file === file && writer.methods.includes(method)),
    write: async (file, method, page, owner = THE_SERVICE) =>
      ((await current.submit({ kind: 'write', file, method, page }, owner)) as { text: string }).text,
    reload: async (newSettings, newModels, admit) => {
      const next = new ReaderPool(newSettings, newModels, tell);
      await next.open();
      try {
        await admit?.();
      } catch (error) {
        await next.close();
        throw error;
      }
      const ending = current.close().finally(() => retired.delete(ending));
      retired.add(ending);
      current = next;
    },
    get atOnce() {
      return current.atOnce;
    },
    get entries() {
      return current.entries;
    },
    close: async () => {
      await Promise.all([current.close(), ...retired]);
    },
  };
};
