/**
 * kinds: reads `kinds.yaml` of the datamodels folders: the kinds of facts that a carenet can be given, whatever document
 * they came in. A kind of a later folder replaces the one of the same name.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Joi from 'joi';
import { languages, type Language } from '../base/languages';
import { readShape } from '../config/faults';
import { readSetupFile, readYaml } from '../config/read-yaml';
import type { LabTests } from '../lab-tests/tests';
import type { Relation } from './plans';
import type { ResultsOf } from '../sharing/containment';

/** What is asked of a model. */
type Model = {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly statement?: true }[];
  readonly relations: readonly Relation[];
  readonly builtin: boolean;
  readonly file: string;
};

/** Name of the file, which is in a folder of models and defines none. */
export const KINDS = 'kinds.yaml';

/** The model whose facts belong to tests. */
export const MODEL_OF_TESTS = 'LabResult';

/** What the person writes or keeps: it is given by its document only. */
const NEVER_KINDS: readonly string[] = ['OwnWord', 'SimpleClinicalNote', 'StoredFile'];

/** Codes of one field of a model, which say whether a fact is of a kind. */
type Coded = { readonly column: string; readonly codes: readonly string[]; readonly isOnly: boolean };

export type Kind = {
  readonly name: string;
  readonly models: readonly string[];
  /** Columns that never go along, by model. */
  readonly hidden: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids of the tests whose results it is about; absent: it is about all facts of its models. */
  readonly tests?: readonly string[];
  /** The codes of the facts of a model that it is about, or those that it is not about; absent: it is about all. */
  readonly coded: ReadonlyMap<string, Coded>;
  /** The kind of which this one is a part. */ readonly partOf?: string;
  /** Whether the kind of which it is a part covers it only where it is given by its own name. */
  readonly ask: boolean;
  /** Where it has to be asked for: by what else a result is taken for one of it. In lower case. */
  readonly also: ResultsOf;
  readonly words: Readonly<Record<Language, string>>;
};

export type Kinds = { readonly all: readonly Kind[]; readonly find: (name: string) => Kind | undefined };

/** Codes by model and field. */
type Codes = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

type Entry = {
  readonly model?: string | readonly string[];
  readonly 'part-of'?: string;
  readonly tests?: string | readonly string[];
  readonly without?: readonly string[];
  readonly codes?: Codes;
  readonly 'not-codes'?: Codes;
  readonly ask?: boolean;
  readonly also?: Partial<ResultsOf>;
  readonly words: Kind['words'];
};

const oneOrMore = Joi.alternatives(Joi.string(), Joi.array().items(Joi.string()).min(1));
const LONGEST_NAME = 60;
const texts = Joi.array().items(Joi.string().min(1));

const codes = Joi.object().pattern(Joi.string(), Joi.object().pattern(Joi.string(), texts.min(1)).length(1));

const entrySchema = Joi.object({
  model: oneOrMore,
  'part-of': Joi.string(),
  tests: oneOrMore,
  without: Joi.array().items(Joi.string()),
  codes,
  'not-codes': codes,
  ask: Joi.boolean(),
  also: Joi.object({ words: texts, codes: texts }),
  words: Joi.object(
    Object.fromEntries(Object.keys(languages).map((name) => [name, Joi.string().required()])),
  ).required(),
}).xor('model', 'part-of');

const fileSchema = Joi.object().pattern(
  Joi.string()
    .pattern(/^[a-z][a-z0-9-]*$/)
    .max(LONGEST_NAME),
  entrySchema,
);

type Found = { readonly name: string; readonly entry: Entry; readonly folder: string; readonly place: () => string };

function readKindsFile(folder: string, problems: string[]): readonly Found[] {
  const file = join(folder, KINDS);
  if (!existsSync(file)) {
    return [];
  }
  const yaml = readYaml(readSetupFile(file, ''));
  problems.push(...yaml.problems.map(({ line, message }) => `${file}:${line}: ${message}`));
  if (yaml.problems.length > 0) {
    return [];
  }
  const read = readShape<Record<string, Entry>>(fileSchema, yaml.value ?? {});
  if ('faults' in read) {
    problems.push(...read.faults.map(({ path, reason }) => `${file}:${yaml.lineOf(path)}: ${reason}`));
    return [];
  }
  return Object.entries(read.value).map(([name, entry]) => ({
    name,
    entry,
    folder,
    place: () => `${file}:${yaml.lineOf([name])}`,
  }));
}

function modelNames(value: string | readonly string[] | undefined): readonly string[] {
  return [value ?? []].flat();
}

/** The columns of a field, or of a part of one: `provider_tel`. What is nested in a fact never goes along. */
function columnsNamed({ columns }: Model, name: string): readonly string[] {
  return columns.map((column) => column.name).filter((one) => one === name || one.startsWith(`${name}_`));
}

function isNested({ relations }: Model, name: string): boolean {
  return relations.some(({ field }) => field === name);
}

type Known = { readonly models: ReadonlyMap<string, Model>; readonly labTests: LabTests };

/** What a kind of some tests names: a group of tests, or tests. */
function testsNamed({ tests }: LabTests, names: readonly string[]): readonly string[] {
  return tests.filter(({ id, group }) => names.includes(id) || names.includes(group)).map(({ id }) => id);
}

/** The columns of a model that never go along: those named, and those that lead to other facts. */
function hiddenOf(model: Model, without: readonly string[]): ReadonlySet<string> {
  const leading = model.columns.filter(({ statement }) => statement === true).map(({ name }) => name);
  return new Set([...leading, ...without.flatMap((name) => columnsNamed(model, name))]);
}

function faultsOf({ name, entry, folder }: Found, all: ReadonlyMap<string, Found>, known: Known): readonly string[] {
  const whole = entry['part-of'] === undefined ? undefined : all.get(entry['part-of']);
  const models = modelNames((whole ?? { entry }).entry.model);
  const found = models.flatMap((one) => known.models.get(one) ?? []);
  const mayLack = found.some(({ file }) => !file.startsWith(folder));
  const { tests } = known.labTests;
  return [
    ...(entry['part-of'] !== undefined && whole?.entry.model === undefined
      ? [`${name} is a part of ${entry['part-of']}, which is no kind with a model`]
      : []),
    ...models.filter((one) => !known.models.has(one)).map((one) => `there is no model ${one}`),
    ...found
      .filter((one) => one.builtin || NEVER_KINDS.includes(one.name))
      .map((one) => `${one.name} is no kind of facts`),
    ...(entry['part-of'] !== undefined && entry.tests === undefined ? ['a part of a kind names its tests'] : []),
    ...(entry.also !== undefined && entry.ask !== true ? ['also belongs to a kind with ask'] : []),
    ...(entry.tests !== undefined && models.some((one) => one !== MODEL_OF_TESTS)
      ? [`only facts of ${MODEL_OF_TESTS} have tests`]
      : []),
    ...modelNames(entry.tests)
      .filter((one) => tests.every(({ id, group }) => one !== id && one !== group))
      .map((one) => `tests.csv has no test and no group ${one}`),
    ...[...codedIn(entry)].flatMap(([model, { column }]) =>
      models.includes(model) && found.every((one) => one.name !== model || one.columns.some((c) => c.name === column))
        ? []
        : [`${model} is no model of it with codes in ${column}`],
    ),
    ...(entry.without ?? [])
      .filter(
        (one) => !mayLack && found.every((model) => columnsNamed(model, one).length === 0 && !isNested(model, one)),
      )
      .map((one) => `${one} is no field of ${models.join(', ')}`),
  ];
}

/** Codes by model, as they stand in the file. */
function codedIn(entry: Entry): ReadonlyMap<string, Coded> {
  const read = (named: Codes, isOnly: boolean): readonly (readonly [string, Coded])[] =>
    Object.entries(named).flatMap(([model, fields]) =>
      Object.entries(fields).map(
        ([field, own]) => [model, { column: `${field}_identifier`, codes: own, isOnly }] as const,
      ),
    );
  return new Map([...read(entry['not-codes'] ?? {}, false), ...read(entry.codes ?? {}, true)]);
}

function makeKind({ name, entry }: Found, all: ReadonlyMap<string, Found>, { models, labTests }: Known): Kind {
  const whole = (entry['part-of'] === undefined ? undefined : all.get(entry['part-of'])?.entry) ?? entry;
  const own = modelNames(whole.model);
  const without = [...(whole.without ?? []), ...(entry.without ?? [])];
  return {
    name,
    models: own,
    hidden: new Map(own.map((one) => [one, hiddenOf(models.get(one)!, without)])),
    ...(entry.tests === undefined ? {} : { tests: testsNamed(labTests, modelNames(entry.tests)) }),
    ...(entry['part-of'] === undefined ? {} : { partOf: entry['part-of'] }),
    coded: codedIn(whole),
    ask: entry.ask ?? false,
    also: { codes: entry.also?.codes ?? [], words: (entry.also?.words ?? []).map((word) => word.toLowerCase()) },
    words: entry.words,
  };
}

/**
 * Reads the kinds of all folders.
 * @param problems gets every problem as `file:line: reason`
 */
export function loadKinds(
  folders: readonly string[],
  { models, labTests }: { readonly models: readonly Model[]; readonly labTests: LabTests },
  problems: string[],
): Kinds {
  const all = new Map(folders.flatMap((one) => readKindsFile(one, problems)).map((found) => [found.name, found]));
  const known = { models: new Map(models.map((model) => [model.name, model])), labTests };
  const right = [...all.values()].filter((found) => {
    const faults = faultsOf(found, all, known);
    problems.push(...faults.map((fault) => `${found.place()}: ${fault}`));
    return faults.length === 0;
  });
  const kinds = new Map(right.map((found) => [found.name, makeKind(found, all, known)]));
  return { all: [...kinds.values()], find: (name) => kinds.get(name) };
}

export const noKinds: Kinds = { all: [], find: () => undefined };
