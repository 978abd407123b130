/** modules: code files of a deployer: loaded, and where they failed. Runs in reader processes only. */
import { pathToFileURL } from 'node:url';
import type { FileProblem } from '../xml/xsd';

/** What a module exports; a CommonJS file that was compiled from an ES module keeps its default one level deeper. */
export type Exports = Readonly<Record<string, unknown>> & { readonly default?: unknown };

export const importModule = async (file: string): Promise<Exports> => (await import(pathToFileURL(file).href)) as Exports;

/** A .js file below a package.json that says `commonjs`, as the service's own does, cannot be an ES module. */
const isMisnamed = (file: string, message: string): boolean =>
  file.endsWith('.js') && /^(Unexpected token 'export'|Cannot use import statement)/.test(message);

/** Why a module does not load, with its line where that is known. */
export const loadingProblem = (error: unknown, file: string): FileProblem => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const line = /^.*?:(\d+)\n/.exec(stack ?? '')?.[1] ?? new RegExp(`${file.replace(/[^\w]/g, '\\$&')}:(\\d+)`).exec(stack ?? '')?.[1];
  const hint = isMisnamed(file, message) ? ': give it a name that ends with .mjs' : '';
  return { file, line: Number(line ?? 1), reason: `the module does not load: ${message.split('\n')[0] ?? ''}${hint}` };
};

/** Where a module failed: the kind of error and the module's own line. Its message may quote health data. */
export const moduleFailure = (error: unknown, file: string): string => {
  const { name, stack } = error instanceof Error ? error : { name: 'something that is no Error', stack: '' };
  const line = (stack ?? '').split('\n').find((entry) => entry.includes(file));
  const place = /:(\d+):\d+\)?$/.exec(line ?? '')?.[1];
  return `its module threw ${name.slice(0, 40)}${place === undefined ? '' : ` in line ${place}`}`;
};
