/** modules: loads code files of a deployer, and finds the place where they failed. It runs in reader processes only. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FileProblem } from '../xml/xsd';

/**
 * The exports of a module. A CommonJS file that was compiled from an ES module has its default export one level deeper.
 */
export type Exports = Readonly<Record<string, unknown>> & { readonly default?: unknown };

export async function importModule(file: string): Promise<Exports> {
  return (await import(pathToFileURL(file).href)) as Exports;
}

/** Whether a .js file is an ES module although a package.json above it says `commonjs`, as the service's own does. */
function isMisnamed(file: string, message: string): boolean {
  return file.endsWith('.js') && /^(Unexpected token 'export'|Cannot use import statement)/.test(message);
}

type Place = { readonly file: string; readonly line: number };

function modulePlace(name: string, line: string): Place {
  return {
    file: name.startsWith('file:') ? fileURLToPath(name) : name,
    line: Number(line),
  };
}

/**
 * The place that Node writes above the stack of an error without a frame of its own, such as that of a CommonJS file
 * that does not parse.
 */
function placeAbove(stack: string): Place | undefined {
  const [, name, line] = /^((?:file:\/\/)?\/[^\n]*):(\d+)\n/.exec(stack) ?? [];
  return name === undefined || line === undefined ? undefined : modulePlace(name, line);
}

function framesOf(stack: string): readonly Place[] {
  return [...stack.matchAll(/(?:\(|at |async )((?:file:\/\/)?\/[^\n]*?):(\d+):\d+\)?$/gm)].map(([, name, line]) =>
    modulePlace(name as string, line as string),
  );
}

const PARSE_MILLISECONDS = 10_000;

/**
 * The place where an ES module does not parse. Node reports it only on the stderr of a process that ends because of it.
 */
function placeOfSyntaxError(file: string): Place | undefined {
  const { stderr } = spawnSync(process.execPath, ['-e', 'import(process.argv[1])', pathToFileURL(file).href], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: PARSE_MILLISECONDS,
    killSignal: 'SIGKILL',
  });
  const [, name, line] = /^((?:file:\/\/)?\/[^\n]*):(\d+)\n[^\n]*\n[ \t]*\^+\n\s*SyntaxError/m.exec(stderr) ?? [];
  return name === undefined || line === undefined ? undefined : modulePlace(name, line);
}

/** The place of an import of a missing module: Node names both files, but no line. */
function placeOfImport(message: string): Place | undefined {
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
}

/** Why a module does not load, with the file, which may be one that it imports, and the line if they are known. */
export function loadingProblem(error: unknown, file: string): FileProblem {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const place = placeAbove(stack) ??
    placeOfImport(message) ??
    framesOf(stack).find((frame) => frame.file.startsWith(`${dirname(file)}${sep}`)) ??
    (name === 'SyntaxError' ? placeOfSyntaxError(file) : undefined) ?? { file, line: 1 };
  const hint = isMisnamed(place.file, message) ? ': give it a name that ends with .mjs' : '';
  const words = (message.split('\n')[0] ?? '').replace(/ imported from .*/, '');
  return { ...place, reason: `the module does not load: ${words}${hint}` };
}

/**
 * Where a module failed: the kind of error and the module's own line. The error's message is left out because it may
 * quote health data.
 */
export function moduleFailure(error: unknown, file: string): string {
  const { name, stack = '' } = error instanceof Error ? error : { name: 'something that is no Error' };
  const place = framesOf(stack).find((frame) => frame.file === file);
  return `its module threw ${name.slice(0, 40)}${place === undefined ? '' : ` in line ${place.line}`}`;
}
