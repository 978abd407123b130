/**
 * report-modules: loads a deployer's modules that write a model's facts in their own way. It runs in reader processes
 * only.
 */
import { existsSync } from 'node:fs';
import type { Model } from '../facts/model/model';
import type { StoredFact } from '../facts/plans';
import type { FileProblem } from '../xml/xsd';
import { importModule, loadingProblem, moduleFailure } from './modules';

/** The functions that a module may export, by name or in its default export. */
const methods = ['to_json', 'to_xml', 'to_rdf'] as const;
export type SerializerMethod = (typeof methods)[number];

/** A page of facts, their total number, and the record and carenet to which they belong. */
export type ReportPage = {
  readonly facts: readonly StoredFact[];
  readonly total: number;
  readonly record: { readonly id: string };
  readonly carenet: { readonly id: string } | null;
};

type ReportModule = {
  readonly file: string;
  readonly methods: readonly SerializerMethod[];
  readonly write: (method: SerializerMethod, page: ReportPage) => Promise<string>;
};

type Functions = Readonly<Partial<Record<SerializerMethod, (...page: unknown[]) => unknown>>>;

/** The reason of a failure, for the operator; it quotes no fact. */
export class ReportFailure extends Error {}

function writeWith(file: string, functions: Functions): ReportModule['write'] {
  return async (method, { facts, total, record, carenet }) => {
    let text: unknown;
    try {
      text = await functions[method]?.(facts, total, record, carenet);
    } catch (error) {
      throw new ReportFailure(moduleFailure(error, file));
    }
    if (typeof text !== 'string') {
      throw new ReportFailure(`its ${method} made no text`);
    }
    return text;
  };
}

async function loadOne(file: string): Promise<ReportModule | FileProblem> {
  try {
    const module = await importModule(file);
    const functions = { ...module, ...(module.default as Functions | undefined) } as Functions;
    const found = methods.filter((method) => typeof functions[method] === 'function');
    return found.length > 0
      ? { file, methods: found, write: writeWith(file, functions) }
      : { file, line: 1, reason: `it exports none of the functions ${methods.join(', ')}` };
  } catch (error) {
    return loadingProblem(error, file);
  }
}

/** Loads every module that a model names, and calls `loading` with each file beforehand. */
export async function loadReportModules(
  models: readonly Model[],
  loading: (file: string) => void,
): Promise<{ readonly modules: readonly ReportModule[]; readonly problems: readonly FileProblem[] }> {
  const modules: ReportModule[] = [];
  const problems: FileProblem[] = [];
  // A missing file is reported with its model.
  for (const file of new Set(
    models.flatMap(({ serializers }) => serializers ?? []).filter((name) => existsSync(name)),
  )) {
    loading(file);
    const loaded = await loadOne(file);
    if ('reason' in loaded) {
      problems.push(loaded);
    } else {
      modules.push(loaded);
    }
  }
  return { modules, problems };
}
