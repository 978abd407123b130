/** open-formats: models, the modules that they name and the document formats, loaded together, so that all their problems are told at once. */
import { SetupError } from '../base/errors';
import type { Config } from '../config/schema';
import { loadModels, type Models } from '../datamodel/models';
import { openReader, type DocumentReader, type TellProblems } from '../pipeline/reader-pool';

export type Formats = { readonly models: Models; readonly reader: DocumentReader };

/**
 * @param tell as in `openReader`
 * @throws SetupError with every problem of the data models, of the modules that they name, and of the document formats
 */
export const openFormats = async (config: Config, tell?: TellProblems): Promise<Formats> => {
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
};
