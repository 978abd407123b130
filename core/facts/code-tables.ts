/**
 * code-tables: reads what is known of code systems (`systems.yaml`) and which codes lead to which others
 * (`relations/*.tsv`) in the folders of models.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../base/json';
import type { Json } from '../base/types';
import { readSetupFile, readYaml } from '../config/read-yaml';
import type { LabTests } from '../lab-tests/tests';

/** A code system: its addresses, and whether one of its codes may stand for many things. */
export type CodeSystem = { readonly name: string; readonly addresses: readonly string[]; readonly isCoarse: boolean };

const RELATION_KINDS = ['same-product', 'ingredient', 'vaccine-group'] as const;

/** A table that leads codes to others: `system|code` to `system|code`. */
type CodeRelation = {
  readonly kind: (typeof RELATION_KINDS)[number] | 'series';
  readonly targets: Readonly<Record<string, string>>;
  /** Codes with two targets, which lead nowhere. */ readonly double?: readonly string[];
};

export type CodeTables = {
  readonly systems: readonly CodeSystem[];
  readonly relations: Readonly<Record<string, CodeRelation>>;
};

/** The relation that leads codes of results to the series of their test. Its rows are those of `codes.csv`. */
export const TEST_SERIES = 'test-series';

/** Capillary and whole blood of a glucose meter are one specimen. */
function specimenOf(system: string): string {
  return system === 'BldC' ? 'Bld' : system;
}

/** The tables with the series of tests as one more relation. */
export function withTestSeries(tables: CodeTables, { codes }: Pick<LabTests, 'codes'>): CodeTables {
  const targets = Object.fromEntries(
    [...codes.values()].map(({ code, test, system, series }) => [
      `LOINC|${code}`,
      `test|${test.id} ${specimenOf(system)} ${series}`,
    ]),
  );
  return { ...tables, relations: { ...tables.relations, [TEST_SERIES]: { kind: 'series', targets } } };
}

/** Name of the file of systems, which is in a folder of models and defines none. */
export const SYSTEMS = 'systems.yaml';

type Problems = string[];

function readSystem(name: string, value: Json, problem: (reason: string) => void): readonly CodeSystem[] {
  const { addresses, coarse = false } = isObject(value) ? value : {};
  const isRight = Array.isArray(addresses) && addresses.every((one) => typeof one === 'string' && one !== '');
  if (!isRight || typeof coarse !== 'boolean') {
    problem(`${name} is { addresses: [...] }, with coarse: true where one code may stand for many things`);
    return [];
  }
  return [{ name, addresses: addresses as readonly string[], isCoarse: coarse }];
}

function readSystems(folder: string, vocabBase: string, problems: Problems): readonly CodeSystem[] {
  const file = join(folder, SYSTEMS);
  if (!existsSync(file)) {
    return [];
  }
  const yaml = readYaml(readSetupFile(file, vocabBase));
  problems.push(...yaml.problems.map(({ line, message }) => `${file}:${line}: ${message}`));
  const value = yaml.value as Json;
  if (!isObject(value)) {
    problems.push(...(yaml.problems.length > 0 ? [] : [`${file}:1: the file is a mapping of a name to a code system`]));
    return [];
  }
  return Object.entries(value).flatMap(([name, system]) =>
    readSystem(name, system, (reason) => problems.push(`${file}:${yaml.lineOf([name])}: ${reason}`)),
  );
}

/** Whether following the targets from a code leads back to it. */
function isRing(targets: ReadonlyMap<string, string>, from: string): boolean {
  const visited = new Set<string>();
  for (let next = targets.get(from); next !== undefined; next = targets.get(next)) {
    if (next === from) {
      return true;
    }
    if (visited.has(next)) {
      return false;
    }
    visited.add(next);
  }
  return false;
}

function headOf(lines: readonly string[], key: string): string {
  return (
    lines
      .find((line) => line.startsWith(`# ${key}`))
      ?.slice(key.length + 2)
      .replace(/^[:\s]+/, '')
      .trim() ?? ''
  );
}

/**
 * Reads the rows of a relation: `system code system code` with tabs between. A code that leads to two others leads
 * nowhere, because nobody could tell which one is meant.
 */
export function readRelation(text: string, problem: (line: number, reason: string) => void): CodeRelation | undefined {
  const lines = text.split(/\r?\n/);
  const kind = RELATION_KINDS.find((one) => one === headOf(lines, 'kind'));
  if (!kind || ['source', 'licence', 'release'].some((key) => headOf(lines, key) === '')) {
    problem(1, `begin with lines # source, # licence, # release and # kind (${RELATION_KINDS.join(', ')})`);
    return undefined;
  }
  const targets = new Map<string, string>();
  const double = new Set<string>();
  lines.forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) {
      return;
    }
    const [system, code, toSystem, toCode, ...more] = line.split('\t').map((part) => part.trim());
    if (!system || !code || !toSystem || !toCode || more.length > 0) {
      problem(index + 1, 'a row is system, code, system, code with tabs between');
      return;
    }
    const [from, to] = [`${system}|${code}`, `${toSystem}|${toCode}`];
    if (targets.has(from) && targets.get(from) !== to) {
      double.add(from);
    }
    targets.set(from, to);
  });
  double.forEach((code) => targets.delete(code));
  const ring = [...targets.keys()].find((code) => isRing(targets, code));
  if (ring !== undefined) {
    problem(1, `${ring} leads back to itself`);
  }
  return { kind, targets: Object.fromEntries(targets), ...(double.size > 0 ? { double: [...double] } : {}) };
}

function readRelations(folder: string, vocabBase: string, problems: Problems): CodeTables['relations'] {
  const inside = join(folder, 'relations');
  const files = existsSync(inside) ? readdirSync(inside).filter((name) => name.endsWith('.tsv')) : [];
  return Object.fromEntries(
    files.flatMap((name) => {
      const file = join(inside, name);
      const relation = readRelation(readSetupFile(file, vocabBase), (line, reason) =>
        problems.push(`${file}:${line}: ${reason}`),
      );
      return relation ? [[basename(name, '.tsv'), relation] as const] : [];
    }),
  );
}

/** Reads the tables of all folders. A later folder's system or relation of the same name replaces an earlier one. */
export function readCodeTables(folders: readonly string[], vocabBase: string, problems: Problems): CodeTables {
  const systems = folders.flatMap((folder) => readSystems(folder, vocabBase, problems));
  const relations = folders.map((folder) => readRelations(folder, vocabBase, problems));
  return {
    systems: [...new Map(systems.map((system) => [system.name, system])).values()],
    relations: Object.assign({}, ...relations) as CodeTables['relations'],
  };
}
