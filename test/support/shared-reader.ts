/**
 * shared-reader: one document reader for all services of a test process that read the same formats, because loading
 * these takes most of a second.
 */
import { projectRoot } from '../../core/base/paths';
import type { Config } from '../../core/config/schema';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { makeLog } from '../../core/server/log';
import { begin, openFormats, type Beginning, type Formats } from '../../core/server/open-formats';

/** Shared formats, by everything that a reader depends on. They end with the process. */
const opened = new Map<string, Promise<Formats>>();

/**
 * A reader that stays open when the service closes it. When the service loads other formats, a reader of its own
 * replaces it.
 */
const lent = (shared: DocumentReader): DocumentReader => {
  let current = shared;
  return {
    read: (...document) => current.read(...document),
    inspect: (...document) => current.inspect(...document),
    outline: (...document) => current.outline(...document),
    narrative: (...document) => current.narrative(...document),
    heldFile: (...document) => current.heldFile(...document),
    heldFiles: (...document) => current.heldFiles(...document),
    fileWords: (...document) => current.fileWords(...document),
    mend: (...document) => current.mend(...document),
    codes: (...picture) => current.codes(...picture),
    writes: (...report) => current.writes(...report),
    write: (...report) => current.write(...report),
    print: (...page) => current.print(...page),
    reload: async (settings, models, admit) => {
      if (current !== shared) {
        return current.reload(settings, models, admit);
      }
      const own = await openReader(settings, models);
      try {
        await admit?.();
      } catch (error) {
        await own.close();
        throw error;
      }
      current = own;
    },
    get atOnce() {
      return current.atOnce;
    },
    get entries() {
      return current.entries;
    },
    close: () => (current === shared ? Promise.resolve() : current.close()),
  };
};

/** Folders that no test writes to. */
const comesWithTheService = (folder: string): boolean => folder.startsWith(projectRoot);

/**
 * Like `begin` of core/server/open-formats.ts, with the shared reader when only formats and models of this project are
 * read.
 */
export const beginShared = (config: Config): Beginning => {
  const { pipelineConfigDirs, datamodelsDirs, vocabBase, maxDocumentBytes, transformSeconds, xmlWorkers } = config;
  if (![...pipelineConfigDirs, ...datamodelsDirs].every(comesWithTheService)) {
    return begin(config);
  }
  const folders = [pipelineConfigDirs, datamodelsDirs];
  const key = JSON.stringify([folders, vocabBase, maxDocumentBytes, transformSeconds, xmlWorkers]);
  const shared = opened.get(key) ?? openFormats(config);
  opened.set(key, shared);
  const formats = shared.then(({ models, reader }) => ({ models, reader: lent(reader) }));
  formats.catch(() => undefined);
  return { log: makeLog(config.logLevel), formats };
};
