/** serializers: modules of a deployer that write a model's facts their own way. */
import { createRequire } from 'node:module';
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Model, Models } from '../datamodel/model';
import type { StoredFact } from '../storage/plans';

/** Facts of one page, how many there are in all, and whose they are; answers the whole body. */
export type Serialize = (facts: readonly StoredFact[], total: number, record: { readonly id: string }, carenet: { readonly id: string } | null) => string | Promise<string>;

/** What a module may export, by name or in its default export. */
const methods = ['to_json', 'to_xml', 'to_rdf'] as const;
export type SerializerMethod = (typeof methods)[number];
type Serializers = Readonly<Partial<Record<SerializerMethod, Serialize>>>;

const loaded = new Map<string, Promise<Serializers>>();

/** Follows the file: one that was changed is loaded anew at the next call. */
const load = (file: string): Promise<Serializers> => {
  const address = `${pathToFileURL(file).href}?changed=${statSync(file).mtimeMs}`;
  let found = loaded.get(address);
  if (!found) {
    delete createRequire(file).cache[file];
    found = import(address).then((module: Serializers & { readonly default?: Serializers }) => ({ ...module, ...module.default }));
    loaded.set(address, found);
    found.catch(() => loaded.delete(address));
  }
  return found;
};

/** The model's own way to write a format; undefined when it has none. */
export const ownSerializer = async (model: Model, method: SerializerMethod): Promise<Serialize | undefined> =>
  model.serializers === undefined ? undefined : (await load(model.serializers))[method];

const problemOf = async (file: string): Promise<string | undefined> => {
  try {
    const found = await load(file);
    return methods.some((method) => typeof found[method] === 'function') ? undefined : `it exports none of the functions ${methods.join(', ')}`;
  } catch (error) {
    return `it cannot be loaded: ${(error as Error).message.split('\n')[0] ?? ''}`;
  }
};

/** Loads every module that a model names, and tells which are of no use. */
export const serializerProblems = async (models: Models): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const file of new Set(models.all.flatMap(({ serializers }) => serializers ?? []))) {
    const problem = await problemOf(file);
    if (problem !== undefined) {
      problems.push(`${file}:1: ${problem}`);
    }
  }
  return problems;
};
