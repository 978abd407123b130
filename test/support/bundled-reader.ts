/** bundled-reader: a reader of the bundled formats and models, with time for a busy machine. */
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import { readModels } from '../../core/server/migrate-all';
import { unhurried } from './unhurried';

/** @param change of the settings, such as one process only */
export function openBundledReader(change: Partial<Config> = {}): Promise<DocumentReader> {
  const config = { ...loadConfig(unhurried), ...change };
  return openReader(config, readModels(config));
}
