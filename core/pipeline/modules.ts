/** modules: loads code files of a deployer, and finds the place where they failed. Runs in reader processes only. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileProblem } from '../xml/xsd';

/** What a module exports; a CommonJS file that was compiled from an ES module keeps its default one level deeper. */
export type Exports = Readonly<Record<string, unknown>> & { readonly default?: unknown };

export const importModule = async (file: string): Promise<Exports> =>
  (await import(pathToFileURL(file).href)) as Exports;

/** A .js file below a package.json that says `commonjs`, as the service's own does, cannot be an ES module. */
const isMisnamed = (file: string, message: string): boolean =>
  file.endsWith('.js') && /^(Unexpected token 'export'|Cannot use import statement)/.test(message);

type Place = { readonly file: string; readonly line: number };

const placeOf = (name: string, line: string): Place => ({
  file: name.startsWith('file:') ? fileURLToPath(name) : name,
  line: Number(line),
});

/**
 * Node writes the place of an error that has no frame of its own above it, such as that of a CommonJS file that does
 * not parse.
 */
const placeAbove = (stack: string): Place | undefined => {
  const [, name, line] = /^((?:file:\/\/)?\/[^\n]*):(\d+)\n/.exec(stack) ?? [];
  return name === undefined || line === undefined ? undefined : placeOf(name, line);
};

const framesOf = (stack: string): readonly Place[] =>
  [...stack.matchAll(/(?:\(|at |async )((?:file:\/\/)?\/[^\n]*?):(\d+):\d+\)?$/gm)].map(([, name, line]) =>
    placeOf(name as string, line as string),
  );

const PARSE_MILLISECONDS = 10_000;

/** Node tells where an ES module does not parse on the stderr of a process that ends by it, and nowhere else. */
const placeOfSyntaxError = (file: string): Place | undefined => {
  const { stderr } = spawnSync(process.execPath, ['-e', 'import(process.argv[1])', pathToFileURL(file).href], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: PARSE_MILLISECONDS,
    killSignal: 'SIGKILL',
  });
  const [, name, line] = /^((?:file:\/\/)?\/[^\n]*):(\d+)\n[^\n]*\n[ \t]*\^+\n\s*SyntaxError/m.exec(stderr) ?? [];
  return name === undefined || line === undefined ? undefined : placeOf(name, line);
};

/** Where an ES module names another that is not there: Node tells both files, but no line. */
const placeOfImport = (message: string): Place | undefined => {
  const [, missing, importer] =
    /^Cannot find (?:module|package) '([^'\n]+)' imported from ([^\n]+)/.exec(message) ?? [];
  if (missing === undefined || importer === undefined || !existsSync(importer)) {
    return undefined;
  }
  return {
    file: importer,
    line:
      readFileSync(importer, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(basename(missing))) + 1 || 1,
  };
};

/** Why a module does not load, with the file, which may be one that it imports, and the line where they are known. */
export const loadingProblem = (error: unknown, file: string): FileProblem => {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = placeAbove(stack) ??
    placeOfImport(message) ??
    framesOf(stack).find((frame) => frame.file.startsWith(`${dirname(file)}${sep}`)) ??
    (name === 'SyntaxError' ? placeOfSyntaxError(file) : undefined) ?? { file, line: 1 };
  const hint = isMisnamed(place.file, message) ? ': give it a name that ends with .mjs' : '';
  const words = (message.split('\n')[0] ?? '').replace(/ imported from .*/, '');
  return { ...place, reason: `the module does not load: ${words}${hint}` };
};

/** Where a module failed: the kind of error and the module's own line. Its message may quote health data. */
export const moduleFailure = (error: unknown, file: string): string => {
  const { name, stack = '' } = error instanceof Error ? error : { name: 'something that is no Error' };
  const place = framesOf(stack).find((frame) => frame.file === file);
  return `its module threw ${name.slice(0, 40)}${place === undefined ? '' : ` in line ${place.line}`}`;
};
