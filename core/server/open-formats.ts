/**
 * open-formats: loads models, the modules that they name, and the document formats together, so that all their problems
 * are reported at once.
 */
import type { Logger } from 'pino';
import { SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import { loadModels, type Models } from '../facts/model/models';
import { openReader, type DocumentReader, type TellProblems } from '../pipeline/readers/document-reader';
import { makeLog } from './log';

export type Formats = { readonly models: Models; readonly reader: DocumentReader };

/**
 * @param tell as in `openReader`
 * @throws SetupError with every problem of the data models, of the modules that they name, and of the document formats
 */
export async function openFormats(config: Config, tell?: TellProblems): Promise<Formats> {
  const { models, problems } = loadModels(config.datamodelsDirs, config.vocabBase);
  let reader: DocumentReader;
  try {
    reader = await openReader(config, models, tell);
  } catch (error) {
    throw error instanceof SetupError ? new SetupError([...problems, ...error.problems]) : error;
  }
  if (problems.length > 0) {
    await reader.close();
    throw new SetupError(problems);
  }
  return { models, reader };
}

/** The log, and the formats. Loading them is the slowest part of a start, so it begins before everything else. */
export type Beginning = { readonly log: Logger; readonly formats: Promise<Formats> };

/**
 * Loads the formats in a process of their own while this process loads the rest of the code. Problems of the formats
 * are reported when the result is awaited.
 */
export function begin(config: Config): Beginning {
  const log = makeLog(config.logLevel);
  const formats = openFormats(config, (problems) =>
    log.error({ problems }, 'a new reader process could not load all formats and modules'),
  );
  formats.catch(() => undefined);
  return { log, formats };
}
