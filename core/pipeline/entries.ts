/**
 * entries: loads every document.yaml of the pipeline-config folders with all files that it names, cross-checks them,
 * and finds an entry by type.
 */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { problemsOf } from '../base/errors';
import { nearest } from '../base/nearest';
import { sha256 } from '../base/ids';
import { bundledFormats } from '../base/paths';
import { readSetupFile, readSetupFolder, readYaml } from '../config/read-yaml';
import { filesBelow } from '../config/walk';
import type { Models } from '../facts/model/models';
import { EDITION } from '../fhir/search-values';
import type { XmlEngine } from '../xml/engine';
import { demographicsType } from '../documents/document-types';
import { gatherSchema, gatherStylesheet, type SourceFiles } from './entry-files';
import { readEntryDefinition, type EntryDefinition } from './entry-schema';
import type { Intake } from './intake/intake-messages';
import { loadIntakes } from './intake/load-intakes';

export type EntryTransform =
  { readonly kind: 'stylesheet'; readonly source: SourceFiles } | { readonly kind: 'module'; readonly file: string };

/**
 * One document format. It is plain data and includes the text of its files, because it is sent to reader processes and
 * must not change when the files do.
 */
export type Entry = {
  readonly name: string;
  /** Document types (specification 2.6), in the order of its roots; the first is its main type. */
  readonly types: readonly string[];
  readonly type: string;
  readonly roots: readonly string[];
  readonly root: string;
  readonly namespace: string;
  /** Its document.yaml. */
  readonly file: string;
  readonly schema: SourceFiles | null;
  readonly transform: EntryTransform | null;
  /** The stylesheet that writes the document's text for people. */
  readonly narrative: SourceFiles | null;
  readonly models: readonly string[] | 'all';
  /** Digest of everything that decides what a document becomes: schema, transform and models. */
  readonly fingerprint: string;
  /** Absolute names of its `sample*.xml` and `invalid*.xml`. */
  readonly samples: readonly string[];
  readonly invalid: readonly string[];
  /** True when it says `override`, but there was no entry of its type to replace. */
  readonly overridesNothing: boolean;
  /** True when it is the service's own entry, because the folders have none of its type. */
  readonly standsIn: boolean;
};

export type Entries = {
  /** Sorted by name. */
  readonly all: readonly Entry[];
  readonly find: (type: string) => Entry | undefined;
  /** Ways of turning files that are not XML into documents, sorted by name. */
  readonly intakes: readonly Intake[];
};

/** The type of a document: a namespace that does not end in / or # gets a # (specification 2.6). */
export function documentType(namespace: string, root: string): string {
  return namespace === '' ? root : `${namespace}${/[/#]$/.test(namespace) ? '' : '#'}${root}`;
}

export function entriesOf(all: readonly Entry[], intakes: readonly Intake[] = []): Entries {
  const byType = new Map(all.flatMap((entry) => entry.types.map((type) => [type, entry])));
  return { all, find: (type) => byType.get(type), intakes };
}

/** A definition, with the places of its parts in the file. */
type Placed = {
  readonly file: string;
  readonly folderNumber: number;
  readonly definition: EntryDefinition;
  readonly placeOf: (...path: (string | number)[]) => string;
};
type Settled = Placed & { readonly roots: readonly string[]; readonly replaces: boolean; readonly standsIn?: boolean };
type Problems = string[];

/**
 * Whether a name is some spelling of a definition's name. Only `document.yaml` is read, but the others must not be
 * ignored silently.
 */
function isDefinition(name: string): boolean {
  return /^document\.ya?ml$/i.test(name);
}

/** Whether a name may be meant as a definition. Next to a definition, such a file may be an earlier version of it. */
function seemsDefinition(name: string): boolean {
  return /^documents?\.(?:ya?ml(?:\.\w+)?|json)$/i.test(name);
}

function isMeant(file: string): boolean {
  return (
    isDefinition(basename(file)) ||
    (seemsDefinition(basename(file)) && !existsSync(join(dirname(file), 'document.yaml')))
  );
}

function readEntryFile(file: string, folderNumber: number, vocabBase: string, problems: Problems): readonly Placed[] {
  const yaml = readYaml(readSetupFile(file, vocabBase));
  const placeOf = (...path: (string | number)[]): string => `${file}:${yaml.lineOf(path)}`;
  if (yaml.problems.length > 0) {
    problems.push(...yaml.problems.map(({ line, message }) => `${file}:${line}: ${message}`));
    return [];
  }
  const definition = readEntryDefinition(yaml.value);
  if ('document' in definition) {
    return [{ file, folderNumber, definition, placeOf }];
  }
  problems.push(...definition.map(({ path, reason }) => `${placeOf(...path)}: ${reason}`));
  return [];
}

/** The names of the roots; a folder that only has an intake has none. */
function rootsOf({ definition: { identify } }: Placed): readonly string[] {
  return [identify?.root ?? []].flat();
}

function namespaceOf({ definition: { identify } }: Placed): string {
  return identify?.namespace ?? '';
}

function typeOfRoot(placed: Placed, root: string): string {
  return documentType(namespaceOf(placed), root);
}

/**
 * Leaves one entry for each type. An override replaces an entry of an earlier folder; every other second entry is a
 * problem.
 */
function settleTypes(placed: readonly Placed[], problems: Problems): readonly Settled[] {
  const byType = new Map<string, Placed>();
  const replacing = new Set<Placed>();
  for (const [found, root] of placed.flatMap((one) => rootsOf(one).map((root) => [one, root] as const))) {
    const type = typeOfRoot(found, root);
    const first = byType.get(type);
    if (first && !(found.definition.override && found.folderNumber > first.folderNumber)) {
      problems.push(
        `${found.placeOf('identify')}: the type ${type} has an entry already in ` +
          `${first.file}${found.definition.override ? ' of the same folder' : '; override: true replaces one of an earlier folder'}`,
      );
    } else {
      byType.set(type, found);
      if (first) {
        replacing.add(found);
      }
    }
  }
  // An entry that loses some of its roots to an override keeps the others.
  return placed
    .map((found) => ({
      ...found,
      roots: rootsOf(found).filter((root) => byType.get(typeOfRoot(found, root)) === found),
      replaces: replacing.has(found),
    }))
    .filter(({ roots }) => roots.length > 0);
}

function checkNames(placed: readonly Placed[], problems: Problems): void {
  const byName = new Map<string, Placed>();
  for (const found of placed) {
    const first = byName.get(found.definition.document.toLowerCase());
    if (first) {
      problems.push(
        `${found.placeOf('document')}: the name ${found.definition.document} is taken already by ${first.file}: choose another`,
      );
    }
    byName.set(found.definition.document.toLowerCase(), first ?? found);
  }
}

/** A hint at what a wrong model name may mean. */
function insteadOf(name: string, models: Models): string {
  const other = models.find(name);
  if (other) {
    return `; ${other.name} differs in upper and lower case`;
  }
  const near = nearest(
    name,
    models.all.map((model) => model.name),
  );
  return near.length > 0
    ? `; the nearest: ${near.join(', ')}`
    : ': add its file to a folder that SVC_DATAMODELS_DIR names';
}

function checkModels({ definition, placeOf }: Placed, models: Models, problems: Problems): void {
  const named = definition.store?.models ?? [];
  for (const [index, name] of (named === 'all' ? [] : named).entries()) {
    const model = models.find(name);
    if (model?.name !== name) {
      problems.push(`${placeOf('store', 'models', index)}: there is no data model ${name}${insteadOf(name, models)}`);
    }
  }
}

/** Checks that a format which replaces that of demographics still says who the record is about. */
function checkDemographics(placed: Placed, vocabBase: string, problems: Problems): void {
  const { transform, store } = placed.definition;
  const isDemographics = rootsOf(placed).some((root) => typeOfRoot(placed, root) === demographicsType(vocabBase));
  if (isDemographics && !(transform && store?.models.includes('Demographics'))) {
    problems.push(
      `${placed.placeOf('store')}: documents of this type must become Demographics: it needs a transform, and ` +
        'store: { models: [Demographics] }',
    );
  }
}

type Loading = {
  readonly engine: XmlEngine;
  readonly folders: readonly string[];
  readonly vocabBase: string;
  readonly models: Models;
  readonly problems: Problems;
};

type Texts = readonly (readonly [string, string])[];

/** Texts by names relative to the entry, so that a format has the same fingerprint in every place. */
function relativeTexts(file: string, texts: Texts | undefined): unknown {
  return texts?.map(([path, text]) => [relative(dirname(file), path), text]) ?? null;
}

/** A transform, and its contribution to the fingerprint. */
type LoadedTransform = { readonly transform: EntryTransform | null; readonly printed: unknown };

const NO_TRANSFORM: LoadedTransform = { transform: null, printed: null };

function isCode(name: string): boolean {
  return /\.(js|mjs|cjs|json)$/.test(name);
}

/** Loads a module. Its fingerprint includes all files in the folder of its entry that it may import. */
function loadModule(named: string, { file, placeOf }: Placed, problems: Problems): LoadedTransform {
  const main = resolve(dirname(file), named);
  // A broken link has been reported when the definitions were collected.
  const others = filesBelow(dirname(file), []).filter((path) => isCode(path) && path !== main);
  try {
    const texts = [main, ...others].map((path) => [path, readSetupFile(path, '{vocab_base}')] as const);
    // A module without other files keeps the fingerprint that it had in earlier releases.
    return {
      transform: { kind: 'module', file: main },
      printed: others.length === 0 ? texts[0]?.[1] : relativeTexts(file, texts),
    };
  } catch (error) {
    const reasons = problemsOf(error).map((problem) =>
      problem.replace(/^(.*):1: /, (_all, path: string) => `${relative(dirname(file), path)}: `),
    );
    problems.push(...reasons.map((reason) => `${placeOf('transform', 'module')}: ${reason}`));
    return NO_TRANSFORM;
  }
}

function stylesheetOf(
  stage: 'transform' | 'narrative',
  stylesheet: string,
  { file, placeOf }: Placed,
  { engine, folders, vocabBase, problems }: Loading,
): SourceFiles | null {
  return gatherStylesheet(
    engine,
    { file: resolve(dirname(file), stylesheet), namedAt: () => placeOf(stage, 'stylesheet'), folders, vocabBase },
    problems,
  );
}

function loadTransform(placed: Placed, loading: Loading): LoadedTransform {
  const {
    definition: { transform },
    file,
  } = placed;
  if (!transform) {
    return NO_TRANSFORM;
  }
  if ('module' in transform) {
    return loadModule(transform.module, placed, loading.problems);
  }
  const source = stylesheetOf('transform', transform.stylesheet, placed, loading);
  return source
    ? { transform: { kind: 'stylesheet', source }, printed: relativeTexts(file, source.files) }
    : NO_TRANSFORM;
}

/** How the facts of a model, and those nested in them, become resources. */
function mappingsIn(models: Models, { fhir, relations }: Models['all'][number]): unknown {
  return [
    fhir ?? null,
    relations.map(({ model }) => {
      const inside = models.find(model);
      return inside ? mappingsIn(models, inside) : null;
    }),
  ];
}

function fingerprintOf(
  file: string,
  schema: SourceFiles | null,
  printed: unknown,
  named: readonly string[] | 'all',
  models: Models,
): string {
  const used = models.all.filter((model) => (named === 'all' ? !model.builtin : named.includes(model.name)));
  return sha256(
    JSON.stringify([
      relativeTexts(file, schema?.files),
      printed,
      used.map((model) => [model.name, model.digest, mappingsIn(models, model)]),
      EDITION,
    ]),
  );
}

function filesBeside(file: string, start: string): readonly string[] {
  return readSetupFolder(dirname(file))
    .map(({ name }) => name)
    .filter((name) => name.startsWith(start) && name.endsWith('.xml'))
    .sort()
    .map((name) => join(dirname(file), name));
}

function loadEntry(placed: Settled, loading: Loading): Entry {
  const { definition, file, placeOf } = placed;
  const { engine, folders, vocabBase, models, problems } = loading;
  checkModels(placed, models, problems);
  checkDemographics(placed, vocabBase, problems);
  const schema = definition.validate
    ? gatherSchema(
        engine,
        {
          file: resolve(dirname(file), definition.validate.schema),
          namedAt: () => placeOf('validate', 'schema'),
          folders,
          vocabBase,
        },
        problems,
      )
    : null;
  const { transform, printed } = loadTransform(placed, loading);
  const named = definition.store?.models ?? [];
  return {
    name: definition.document,
    types: placed.roots.map((root) => typeOfRoot(placed, root)),
    type: typeOfRoot(placed, placed.roots[0]!),
    roots: placed.roots,
    root: placed.roots[0]!,
    namespace: namespaceOf(placed),
    file,
    schema,
    transform,
    narrative: definition.narrative
      ? stylesheetOf('narrative', definition.narrative.stylesheet, placed, loading)
      : null,
    models: named,
    fingerprint: fingerprintOf(file, schema, printed, named, models),
    samples: placed.standsIn ? [] : filesBeside(file, 'sample'),
    invalid: placed.standsIn ? [] : filesBeside(file, 'invalid'),
    overridesNothing: definition.override && !placed.replaces,
    standsIn: placed.standsIn ?? false,
  };
}

function definitionsIn(folder: string, folderNumber: number, vocabBase: string, problems: Problems): readonly Placed[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    problems.push(`${folder}: there is no such folder (SVC_PIPELINE_CONFIG_DIR)`);
    return [];
  }
  return filesBelow(folder, problems)
    .filter(isMeant)
    .flatMap((file) => {
      if (basename(file) !== 'document.yaml') {
        problems.push(`${file}:1: a file of this name is not read: name it document.yaml`);
        return [];
      }
      try {
        return readEntryFile(file, folderNumber, vocabBase, problems);
      } catch (error) {
        problems.push(...problemsOf(error));
        return [];
      }
    });
}

/** Adds the service's own format of demographics if the folders have none: no record can exist without demographics. */
function standIns(placed: readonly Placed[], vocabBase: string, problems: Problems): readonly Settled[] {
  return placed.some((found) => rootsOf(found).some((root) => typeOfRoot(found, root) === demographicsType(vocabBase)))
    ? []
    : readEntryFile(join(bundledFormats, 'demographics', 'document.yaml'), -1, vocabBase, problems).map((found) => ({
        ...found,
        replaces: false,
        roots: rootsOf(found),
        standsIn: true,
      }));
}

/**
 * Reads every document.yaml of the folders, at any depth, and the files it names. Later folders add to earlier ones.
 * There is always a format of demographics.
 * @returns the entries, the ways of taking files in, and every problem as `file:line: reason`; if there are problems,
 * the entries must not be used
 */
export function loadEntries(
  engine: XmlEngine,
  folders: readonly string[],
  vocabBase: string,
  models: Models,
): { entries: Entry[]; intakes: readonly Intake[]; problems: string[] } {
  const problems: Problems = [];
  const definitions = folders.flatMap((folder, number) => definitionsIn(folder, number, vocabBase, problems));
  const own = settleTypes(definitions, problems);
  const placed = [...own, ...standIns(own, vocabBase, problems)];
  checkNames([...placed, ...definitions.filter((found) => rootsOf(found).length === 0)], problems);
  const intakes = loadIntakes(
    // Nothing is left of an entry that an override replaces.
    definitions.filter((found) => rootsOf(found).length === 0 || own.some(({ file }) => file === found.file)),
    { vocabBase, models, problems },
  );
  const entries = placed.map((found) =>
    loadEntry(found, {
      engine,
      folders: found.standsIn ? [bundledFormats] : folders,
      vocabBase,
      models,
      problems,
    }),
  );
  return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), intakes, problems };
}
