/** models: loads every model file of the datamodels folders, cross-checks them, and reports all problems at once. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { problemsOf } from '../../base/errors';
import { sha256 } from '../../base/ids';
import type { Json } from '../../base/types';
import { readSetupFile, readYaml } from '../../config/read-yaml';
import { filesBelow } from '../../config/walk';
import { KINDS, loadKinds } from '../kinds';
import { loadLabTests, TESTS_FOLDER } from '../../lab-tests/load';
import { readDefinition, type Definition, type Path, type Report } from './definition-schema';
import { readCodeTables, SYSTEMS, withTestSeries, type CodeTables } from '../code-tables';
import { demographicsColumns } from './demographics';
import { readFhirMappings } from './fhir-mapping';
import type { Model, Models } from './model';
import { readModelWords } from './model-words';
import { readRdfMappings } from './rdf-mapping';
import { readSameRules } from './same-rules';
import { widthProblem } from './table-plan';

export type { Column, Model, Models } from './model';

/** Report names that have another meaning. */
const takenNames = ['AggregateReport'];

/**
 * Endings of the files next to a model file: how its facts are expressed in RDF and in FHIR, how people call them, and
 * when two of them are one thing.
 */
const companions = ['.rdf.yaml', '.fhir.yaml', '.words.yaml', '.same.yaml'];
function isCompanion(name: string): boolean {
  return companions.some((ending) => name.endsWith(ending));
}

/** Files that define no model: code systems, and kinds of facts. */
function isTable(name: string): boolean {
  return name === SYSTEMS || name === KINDS;
}

function isDefinitionFile(name: string): boolean {
  return /\.(yaml|json|sdml)$/.test(name) && !isCompanion(name) && !isTable(name);
}

/** Whether a file is named almost like one of the above, and would be ignored: `a.yml`, `A.YAML`, `a.rdf.yml`. */
function isMisnamed(name: string): boolean {
  return /\.(ya?ml|json|sdml)$/i.test(name) && !isCompanion(name) && !isDefinitionFile(name) && !isTable(name);
}

function rightName(name: string): string {
  return name.replace(/(\.rdf|\.fhir|\.words|\.same)?\.[^.]+$/i, (ending) =>
    ending.toLowerCase().replace('.yml', '.yaml'),
  );
}

/** A model with the place where it was found, for messages about two of them. */
type Placed = {
  readonly model: Model;
  readonly place: () => string;
  readonly serializersPlace?: () => string;
  /** Name of the outermost model in which it is nested; its own name when it is not nested. */
  readonly family: string;
  readonly override: boolean;
  readonly folderNumber: number;
};
type Problems = string[];

/**
 * A digest of every setting that decides how a document becomes facts of this model. When it changes, documents must be
 * reprocessed.
 */
function digestOfModel({ name, columns, relations, nested, oneof }: Definition): string {
  return sha256(
    JSON.stringify({
      name,
      columns,
      relations,
      oneof,
      nested: nested.map(({ definition }) => digestOfModel(definition)),
    }),
  );
}

function modelsOf(
  definition: Definition,
  file: string,
  placeOf: (path: Path) => string,
  within: Pick<Placed, 'override' | 'family' | 'folderNumber'>,
  parent?: Model['parent'],
): readonly Placed[] {
  const { name, columns, fields, relations, nested, serializers, oneof } = definition;
  const model: Model = {
    name,
    table: `fact_${name.toLowerCase()}`,
    columns,
    fields,
    relations,
    ...(oneof ? { oneof } : {}),
    ...(parent ? { parent } : {}),
    digest: digestOfModel(definition),
    builtin: false,
    file,
    ...(serializers === undefined ? {} : { serializers: resolve(dirname(file), serializers) }),
  };
  const inner = nested.flatMap(({ field, many, definition: child }) =>
    modelsOf(child, file, placeOf, within, { model: name, field, many }),
  );
  return [
    {
      model,
      place: () => placeOf(definition.path),
      serializersPlace: () => placeOf([...definition.path, 'serializers']),
      ...within,
    },
    ...inner,
  ];
}

function checkModel({ model, place, serializersPlace }: Placed, problems: Problems): void {
  const width = widthProblem(model.columns);
  if (width !== undefined) {
    problems.push(`${place()}: ${model.name}: ${width}`);
  }
  if (model.serializers !== undefined && !existsSync(model.serializers)) {
    problems.push(`${(serializersPlace ?? place)()}: ${model.name}: there is no file ${model.serializers}`);
  }
  if (takenNames.some((name) => name.toLowerCase() === model.name.toLowerCase())) {
    problems.push(`${place()}: the model name ${model.name} is reserved`);
  }
}

function readModelText(file: string, vocabBase: string, problems: Problems): string | undefined {
  try {
    return readSetupFile(file, vocabBase);
  } catch (error) {
    problems.push(...problemsOf(error));
    return undefined;
  }
}

type Content = { readonly value: Json; readonly placeOf: (path: Path) => string };

function modelContent(file: string, vocabBase: string, problems: Problems): Content | undefined {
  const text = readModelText(file, vocabBase, problems);
  const yaml = text === undefined ? undefined : readYaml(text);
  problems.push(...(yaml?.problems ?? []).map(({ line, message }) => `${file}:${line}: ${message}`));
  return yaml && yaml.problems.length === 0
    ? { value: yaml.value as Json, placeOf: (path) => `${file}:${yaml.lineOf(path)}` }
    : undefined;
}

/** The name of the mapping that goes with a model file: `medication.yaml` and `medication.rdf.yaml`. */
function mappingFile(file: string): string {
  return join(dirname(file), basename(file).replace(/\.(yaml|json|sdml)$/, '.rdf.yaml'));
}

function wordsFile(mapping: string): string {
  return mapping.replace(/\.rdf\.yaml$/, '.words.yaml');
}
function fhirFile(mapping: string): string {
  return mapping.replace(/\.rdf\.yaml$/, '.fhir.yaml');
}
function sameFile(mapping: string): string {
  return mapping.replace(/\.rdf\.yaml$/, '.same.yaml');
}

/** Adds the words of one file to the model of the model file of its name, to the first one that is not nested. */
function addWords(placed: readonly Placed[], file: string, vocabBase: string, problems: Problems): readonly Placed[] {
  const content = existsSync(file) ? modelContent(file, vocabBase, problems) : undefined;
  const spoken = placed.find(({ model }) => !model.parent);
  if (!content || !spoken) {
    return placed;
  }
  const words = readModelWords(
    content.value,
    spoken.model,
    placed.map(({ model }) => model),
    (path, reason) => problems.push(`${content.placeOf(path)}: ${reason}`),
  );
  return placed.map((one) => (one === spoken ? { ...one, model: { ...one.model, words } } : one));
}

type ReadMappings<M> = (value: Json, models: readonly Model[], report: Report) => ReadonlyMap<string, M>;

/** Adds the mappings of one file to the models of every model file of its name. */
function addMappings<K extends 'rdf' | 'fhir' | 'same'>(
  placed: readonly Placed[],
  file: string,
  { kind, read }: { readonly kind: K; readonly read: ReadMappings<NonNullable<Model[K]>> },
  vocabBase: string,
  problems: Problems,
): readonly Placed[] {
  const content = existsSync(file) ? modelContent(file, vocabBase, problems) : undefined;
  if (!content) {
    return placed;
  }
  const report: Report = (path, reason) => problems.push(`${content.placeOf(path)}: ${reason}`);
  const models = placed.map(({ model }) => model);
  const mappings = read(content.value, models, report);
  return placed.map((one) => {
    const mapping = mappings.get(one.model.name);
    return mapping ? { ...one, model: { ...one.model, [kind]: mapping } } : one;
  });
}

function readModelFile(file: string, folderNumber: number, vocabBase: string, problems: Problems): readonly Placed[] {
  const content = modelContent(file, vocabBase, problems);
  if (!content) {
    return [];
  }
  const { value, placeOf } = content;
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return list.flatMap((item, index) => {
    const definition = readDefinition(item, Array.isArray(value) ? [index] : [], (path, reason) =>
      problems.push(`${placeOf(path)}: ${reason}`),
    );
    return definition
      ? modelsOf(definition, file, placeOf, { override: definition.override, family: definition.name, folderNumber })
      : [];
  });
}

const demographics: Model = {
  name: 'Demographics',
  table: 'demographics',
  columns: demographicsColumns,
  fields: demographicsColumns.map(({ name }) => ({ name, type: 'String', columns: [name] })),
  relations: [],
  digest: sha256(JSON.stringify(demographicsColumns)),
  builtin: true,
  file: '',
};

function isReplacedBy(found: Placed, by: Placed): boolean {
  return by.override && by.folderNumber > found.folderNumber && by.family.toLowerCase() === found.family.toLowerCase();
}

/**
 * Models that ask for it replace those of earlier folders, together with the models nested there. They inherit mappings
 * and words that they lack.
 */
function settleOverrides(placed: readonly Placed[]): readonly Placed[] {
  const replaced = placed.filter((found) => placed.some((other) => isReplacedBy(found, other)));
  return placed
    .filter((found) => !replaced.includes(found))
    .map((found) => {
      const before = replaced.find(
        (other) => isReplacedBy(other, found) && other.model.name === found.model.name,
      )?.model;
      const rdf = found.model.rdf ?? before?.rdf;
      const fhir = found.model.fhir ?? before?.fhir;
      const words = found.model.words ?? before?.words;
      const same = found.model.same ?? before?.same;
      const outermost = found.override && found.family === found.model.name;
      const overridesNothing = outermost && !placed.some((other) => isReplacedBy(other, found));
      const inherited = {
        ...(overridesNothing ? { overridesNothing } : {}),
        ...(rdf ? { rdf } : {}),
        ...(fhir ? { fhir } : {}),
        ...(words ? { words } : {}),
        ...(same ? { same } : {}),
      };
      return { ...found, model: { ...found.model, ...inherited } };
    });
}

/** The models that were there before any was replaced. */
function withoutOverrides(placed: readonly Placed[]): readonly Placed[] {
  return placed.filter((found) => !placed.some((other) => isReplacedBy(other, found)));
}

function collectModels(
  placed: readonly Placed[],
  folders: readonly string[],
  { codes, labTests }: Pick<Models, 'codes' | 'labTests'>,
  problems: Problems,
): Models {
  const byName = new Map<string, Pick<Placed, 'model' | 'place'>>([
    ['demographics', { model: demographics, place: () => 'the service itself' }],
  ]);
  for (const found of placed) {
    const key = found.model.name.toLowerCase();
    const first = byName.get(key);
    if (first) {
      problems.push(
        `${found.place()}: the model ${found.model.name} is defined already by ${first.place()} (upper and lower case ` +
          'count as the same): rename or remove one, or see __override__ in datamodels/README.md',
      );
    } else {
      checkModel(found, problems);
      byName.set(key, found);
    }
  }
  const all = [...byName.values()].map(({ model }) => model).sort((a, b) => (a.name < b.name ? -1 : 1));
  const kinds = loadKinds(folders, { models: all, labTests }, problems);
  return { all, find: (name) => byName.get(name.toLowerCase())?.model, codes, labTests, kinds };
}

function modelFiles(folder: string, problems: Problems): readonly string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    problems.push(`${folder}: there is no such folder (SVC_DATAMODELS_DIR)`);
    return [];
  }
  const tests = join(folder, TESTS_FOLDER);
  const found = filesBelow(folder, problems).filter((file) => dirname(file) !== tests);
  const files = found.filter((file) => isDefinitionFile(basename(file)));
  const mapped = new Set(
    files.map(mappingFile).flatMap((mapping) => [mapping, fhirFile(mapping), wordsFile(mapping), sameFile(mapping)]),
  );
  problems.push(
    ...found
      .filter((file) => isMisnamed(basename(file)))
      .map((file) => `${file}:1: a file of this name is not read: name it ${rightName(basename(file))}`),
    ...found
      .filter((file) => isCompanion(basename(file)) && !mapped.has(file))
      .map(
        (file) =>
          `${file}:1: there is no model file of this name beside it: day.words.yaml and day.fhir.yaml belong to day.yaml`,
      ),
  );
  return files;
}

type Reading = { readonly vocabBase: string; readonly codes: CodeTables };

function readFolder(
  folder: string,
  folderNumber: number,
  { vocabBase, codes }: Reading,
  problems: Problems,
): readonly Placed[] {
  const systems = new Set(codes.systems.map(({ name }) => name));
  const files = modelFiles(folder, problems);
  return [...new Set(files.map(mappingFile))].flatMap((mapping) => {
    const described = files.filter((file) => mappingFile(file) === mapping);
    const placed = described.flatMap((file) => readModelFile(file, folderNumber, vocabBase, problems));
    const inRdf = addMappings(placed, mapping, { kind: 'rdf', read: readRdfMappings }, vocabBase, problems);
    const inFhir = addMappings(inRdf, fhirFile(mapping), { kind: 'fhir', read: readFhirMappings }, vocabBase, problems);
    const read = (value: Json, models: readonly Model[], report: Report) =>
      readSameRules(value, models, report, systems);
    const joined = addMappings(inFhir, sameFile(mapping), { kind: 'same', read }, vocabBase, problems);
    return addWords(joined, wordsFile(mapping), vocabBase, problems);
  });
}

/**
 * Reads the model files (`.yaml`, `.json`, `.sdml`) of the folders, at any depth. `{vocab_base}` is replaced.
 * @returns the models, and every problem as `file:line: reason`; if there are problems, the models must not be used
 */
export function loadModels(
  folders: readonly string[],
  vocabBase: string,
  { overrides = true }: { readonly overrides?: boolean } = {},
): { models: Models; problems: string[] } {
  const problems: Problems = [];
  const codes = readCodeTables(folders, vocabBase, problems);
  const placed = folders.flatMap((folder, number) => readFolder(folder, number, { vocabBase, codes }, problems));
  const settled = overrides ? settleOverrides(placed) : withoutOverrides(placed);
  const labTests = loadLabTests(folders, problems);
  return {
    models: collectModels(settled, folders, { codes: withTestSeries(codes, labTests), labTests }, problems),
    problems,
  };
}
