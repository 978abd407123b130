/**
 * document-reader: reads documents and runs modules outside the server's process, so that none can stall or crash it.
 * It also changes the configuration while the service runs.
 */
import { AppError, errors } from '../../base/errors';
import type { Models } from '../../facts/model/models';
import type { HeldFile, ListedFile, ReadFile } from '../../files/held-file';
import { largeEnvelope, type LargeEnvelope } from '../../files/large-envelope';
import type { Outline } from '../../fhir/outline';
import type { Narrative } from '../../xml/narrative';
import type { Printing } from '../../paper/typst';
import type { Entries } from '../entries';
import { ReaderPool, type ReaderSettings, type TellProblems } from './reader-pool';
import type { ReportPage, SerializerMethod } from '../report-modules';
import type { ReadDocument } from '../steps';

export type { ReaderSettings, TellProblems } from './reader-pool';

/** The model of files that documents hold. */
const STORED_FILE = 'StoredFile';

export type DocumentReader = {
  /**
   * Stages one to three of the pipeline: identify, validate, transform.
   * @param owner the principal for whom the work is done, here and below; each principal has a queue, and the queues
   * take turns
   * @param strict refuse a FHIR resource that stands alone and is not as R4 has it, which is left out otherwise
   * @throws AppError too_large, invalid_document, transform_failed (also when it took too long), unavailable
   */
  readonly read: (bytes: Buffer, owner?: string, strict?: boolean) => Promise<ReadDocument>;
  /** Checks well-formedness and finds the type, for documents that are kept as they are. @throws as `read` */
  readonly inspect: (bytes: Buffer, owner?: string) => Promise<{ readonly type: string }>;
  /** Lists the resources of a FHIR document before anything of it is stored. @throws as `read` */
  readonly outline: (bytes: Buffer, owner?: string) => Promise<Outline>;
  /** The document's text for people; without sections when its format writes none. @throws as `read` */
  readonly narrative: (bytes: Buffer, owner?: string) => Promise<Narrative>;
  /**
   * The file that a stored document holds; undefined when it holds none, or cannot be read any more.
   * @param namespace that of the document type File
   * @throws AppError transform_failed (also when it took too long), unavailable
   */
  readonly heldFile: (
    bytes: Buffer,
    namespace: string,
    owner?: string,
    /** The place of one file in the list of all. */ at?: number,
  ) => Promise<HeldFile | undefined>;
  /** All files that a stored document holds, at any place. @throws as `heldFile` */
  readonly heldFiles: (bytes: Buffer, namespace: string, owner?: string) => Promise<readonly ListedFile[]>;
  /** One of these files with its words. @throws as `heldFile` */
  readonly fileWords: (bytes: Buffer, namespace: string, at: number, owner?: string) => Promise<ReadFile | undefined>;
  /**
   * A file of a person as XML, if it is none and can be mended without guessing; undefined otherwise. What other
   * programs send is never mended.
   * @throws AppError unavailable, transform_failed (also when it took too long)
   */
  readonly mend: (bytes: Buffer, owner?: string) => Promise<Buffer | undefined>;
  /** The texts of the QR codes in a picture; none where it cannot be read. @throws AppError unavailable */
  readonly codes: (bytes: Buffer, owner?: string) => Promise<readonly string[]>;
  /** Whether the module `file` can write reports by `method`. */
  readonly writes: (file: string, method: SerializerMethod) => boolean;
  /** Has a module write a report. @throws ReportFailure (also when it took too long), AppError unavailable */
  readonly write: (file: string, method: SerializerMethod, page: ReportPage, owner?: string) => Promise<string>;
  /** Prints a page with a template of Typst, as a PDF. @throws ReportFailure (also when it took too long), AppError unavailable */
  readonly print: (printing: Printing, owner?: string) => Promise<Buffer>;
  /**
   * Switches to a new configuration for later documents.
   * @param admit called when everything is compiled, before any document is read with it; if it fails, the old
   * configuration stays
   * @throws SetupError with every problem; the old configuration stays then
   */
  readonly reload: (settings: ReaderSettings, models: Models, admit?: () => Promise<void>) => Promise<void>;
  /** This many documents of the largest size can be submitted at the same time without the queue refusing one. */
  readonly atOnce: number;
  /** The document formats in use now. */
  readonly entries: Entries;
  /** Finishes the submitted work, then ends all processes. */
  readonly close: () => Promise<void>;
};

/** Undefined for a stored document that cannot be read any more: limits may have become lower since. */
async function ifReadable<T>(work: Promise<unknown>): Promise<T | undefined> {
  try {
    return (await work) as T;
  } catch (error) {
    if (error instanceof AppError && ['invalid_document', 'too_large'].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
}

/** None for a picture that cannot be read. */
async function codesOf(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    return ((await work) as { codes: readonly string[] }).codes;
  } catch (error) {
    if (error instanceof AppError && error.code === 'transform_failed') {
      return [];
    }
    throw error;
  }
}

async function mendedOf(work: Promise<unknown>): Promise<Buffer | undefined> {
  const { mended } = (await work) as { mended?: Uint8Array };
  return mended && Buffer.from(mended);
}

/** Its readers saw a file of one byte in place of the large one. */
function withSize(read: ReadDocument, bytes: number): ReadDocument {
  const facts = read.facts.map((fact) =>
    fact.model === STORED_FILE && fact.values['bytes'] !== undefined
      ? { ...fact, values: { ...fact.values, bytes } }
      : fact,
  );
  return { ...read, facts };
}

/** The principal for documents that nobody in particular sent. */
const THE_SERVICE = '';

/** How documents are read that may hold a large file: in its place, the readers get a file of one byte. */
function openingLarge(
  { vocabBase, maxDocumentBytes }: ReaderSettings,
  submit: ReaderPool['submit'],
): Pick<DocumentReader, 'read' | 'narrative' | 'heldFile' | 'heldFiles' | 'fileWords'> {
  const largeIn = (bytes: Buffer): LargeEnvelope | undefined => largeEnvelope(bytes, vocabBase, maxDocumentBytes);
  return {
    read: async (bytes, owner = THE_SERVICE, strict = false) => {
      const large = largeIn(bytes);
      if (!large && bytes.length > maxDocumentBytes) {
        throw errors.tooLarge(`${maxDocumentBytes} bytes`);
      }
      if (large && !(await large.isBase64())) {
        throw errors.invalidDocument('its content is not written in base64');
      }
      const task = { kind: 'read', bytes: large?.short ?? bytes, strict } as const;
      const read = (await submit(task, owner)) as ReadDocument;
      return large ? withSize(read, large.bytes) : read;
    },
    narrative: async (bytes, owner = THE_SERVICE) =>
      (await submit({ kind: 'narrative', bytes: largeIn(bytes)?.short ?? bytes }, owner)) as Narrative,
    heldFile: async (bytes, namespace, owner = THE_SERVICE, at) => {
      const large = largeIn(bytes);
      const place = at === undefined ? {} : { at };
      const task = { kind: 'held', bytes: large?.short ?? bytes, namespace, ...place } as const;
      const held = (await ifReadable<{ held?: HeldFile }>(submit(task, owner)))?.held;
      return large && held ? { ...held, bytes: await large.decode() } : held;
    },
    heldFiles: async (bytes, namespace, owner = THE_SERVICE) => {
      const large = largeIn(bytes);
      const task = { kind: 'files', bytes: large?.beginning() ?? bytes, namespace } as const;
      const files = (await ifReadable<{ files: readonly ListedFile[] }>(submit(task, owner)))?.files ?? [];
      return large ? files.map((file) => ({ ...file, bytes: large.bytes })) : files;
    },
    fileWords: async (bytes, namespace, at, owner = THE_SERVICE) => {
      const large = largeIn(bytes);
      const task = { kind: 'words', bytes: large?.beginning() ?? bytes, namespace, at } as const;
      const file = (await ifReadable<{ file?: ReadFile }>(submit(task, owner)))?.file;
      return large && file ? { ...file, bytes: large.bytes, words: file.words && { ...file.words, cut: true } } : file;
    },
  };
}

/**
 * Loads the pipeline configuration, compiles all of it, and starts the reader processes.
 * @param tell receives the problems of modules that a process started later could not load; each process imports them
 * from disk
 * @throws SetupError with every problem of the configuration, `file:line: reason`
 */
export async function openReader(
  settings: ReaderSettings,
  models: Models,
  tell: TellProblems = () => undefined,
): Promise<DocumentReader> {
  let current = new ReaderPool(settings, models, tell);
  await current.open();
  const retired = new Set<Promise<void>>();
  return {
    ...openingLarge(settings, (task, owner) => current.submit(task, owner)),
    inspect: async (bytes, owner = THE_SERVICE) =>
      (await current.submit({ kind: 'inspect', bytes }, owner)) as { type: string },
    outline: async (bytes, owner = THE_SERVICE) => (await current.submit({ kind: 'outline', bytes }, owner)) as Outline,
    mend: (bytes, owner = THE_SERVICE) => mendedOf(current.submit({ kind: 'mend', bytes }, owner)),
    codes: (bytes, owner = THE_SERVICE) => codesOf(current.submit({ kind: 'codes', bytes }, owner)),
    writes: (file, method) => current.writers.some((writer) => writer.file === file && writer.methods.includes(method)),
    write: async (file, method, page, owner = THE_SERVICE) =>
      ((await current.submit({ kind: 'write', file, method, page }, owner)) as { text: string }).text,
    print: async (printing, owner = THE_SERVICE) =>
      Buffer.from(((await current.submit({ kind: 'print', ...printing }, owner)) as { pdf: Uint8Array }).pdf),
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
}
