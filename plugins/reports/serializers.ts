/** serializers: modules of a deployer that write a model's facts their own way (contract 5.2). */
import { createRequire } from 'node:module';
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Model } from '../../core/datamodel/model';
import type { StoredFact } from '../../core/storage/plans';
import type { ReportFormat } from './formats';

type Serialize = (facts: readonly StoredFact[], total: number, record: { readonly id: string }, carenet: { readonly id: string } | null) => string | Promise<string>;

/** What a module may export, by name or in its default export. */
export type Serializers = { readonly to_json?: Serialize; readonly to_xml?: Serialize; readonly to_rdf?: Serialize };

const names: Readonly<Record<ReportFormat, keyof Serializers>> = {
  'application/json': 'to_json', 'application/xml': 'to_xml', 'text/xml': 'to_xml', 'application/rdf+xml': 'to_rdf',
};

const loaded = new Map<string, Promise<Serializers>>();

/** Follows the file: one that was changed is loaded anew at the next call. */
const load = (file: string): Promise<Serializers> => {
  const address = `${pathToFileURL(file).href}?changed=${statSync(file).mtimeMs}`;
  let found = loaded.get(address);
  if (!found) {
    const require = createRequire(file);
    delete require.cache[file];
    found = import(address).then((module: Serializers & { readonly default?: Serializers }) => ({ ...module, ...module.default }));
    loaded.set(address, found);
    found.catch(() => loaded.delete(address));
  }
  return found;
};

/** The model's own way to write a format; undefined when it has none. */
export const ownSerializer = async (model: Model, format: ReportFormat): Promise<Serialize | undefined> =>
  model.serializers === undefined ? undefined : (await load(model.serializers))[names[format]];
