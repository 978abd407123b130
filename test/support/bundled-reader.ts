/** bundled-reader: a reader of the bundled formats and models, with time for a busy machine. */
import { loadConfig } from '../../core/config/load';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { unhurried } from './unhurried';

/** @param settings other settings, such as one process only */
export function openBundledReader(settings: Readonly<Record<string, string>> = {}): Promise<DocumentReader> {
  const config = loadConfig({ ...unhurried, ...settings });
  return openReader(config, readModels(config));
}
