/**
 * xslt: compiles a stylesheet once and applies it. It is the only file that calls libxslt, and runs in reader processes
 * only.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { libxmljs, parse, type Stylesheet as Compiled } from 'xslt';
import { errors } from '../base/errors';
import { scratchFolder } from '../base/scratch';
import type { FileProblem } from './xsd';

export type Stylesheet = {
  /** @throws AppError transform_failed when the stylesheet stops or any of its instructions fails */
  readonly apply: (text: string) => string;
};

/**
 * Removes and returns what libxslt wrote to stderr since the last call: libxslt has no other way to report most
 * failures.
 */
export type Complaints = () => string;

/** The folder that all files are in. */
function sharedFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (files.some((file) => relative(folder, file).startsWith('..')) && dirname(folder) !== folder) {
    folder = dirname(folder);
  }
  return folder;
}

/**
 * Compiles a stylesheet with includes. libxslt reads included files itself, so they are first written, with
 * placeholders filled in, to a folder that it can read.
 */
function compileWithIncludes(file: string, files: ReadonlyMap<string, string>): Compiled {
  const folder = mkdtempSync(join(scratchFolder(), 'svc-stylesheet-'));
  const shared = sharedFolder([...files.keys()]);
  try {
    const place = (path: string): string => join(folder, relative(shared, path));
    for (const [path, text] of files) {
      mkdirSync(dirname(place(path)), { recursive: true });
      writeFileSync(place(path), text);
    }
    return parse(libxmljs.parseXml(files.get(file) as string, { baseUrl: place(file), nocdata: true }));
  } catch (error) {
    throw new Error((error as Error).message.replaceAll(folder, shared), { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compile(file: string, files: ReadonlyMap<string, string>): Compiled {
  return files.size > 1
    ? compileWithIncludes(file, files)
    : parse(libxmljs.parseXml(files.get(file) as string, { baseUrl: file, nocdata: true }));
}

/**
 * libxslt's messages for more than 3,000 nested templates, 15,000 simultaneous variables and parameters, or 1,000
 * nested function calls.
 */
const TOO_DEEP = /^xsltApplyXSLTTemplate: A potential infinite template recursion|: detected a recursion$/m;
function tooDeep(place: string): string {
  return `its templates or functions call each other too deeply${place}: without an end, or for too many steps`;
}

/**
 * Where a stylesheet failed, by names and numbers of the stylesheet alone: the rest of the message may quote the
 * document.
 */
function failureWords(complaint: string, files: ReadonlyMap<string, string>): string {
  const names = new Set([...files.keys()].map((path) => basename(path)));
  const [, path, line, element] =
    /runtime error: file ([^\n]{1,1000}) line (\d{1,9}) element ([\w-]{1,40})/.exec(complaint) ?? [];
  if (path !== undefined && names.has(basename(path))) {
    return TOO_DEEP.test(complaint)
      ? tooDeep(`, seen in line ${line} of ${basename(path)}`)
      : `the instruction ${element} in line ${line} of ${basename(path)} failed`;
  }
  if (TOO_DEEP.test(complaint)) {
    return tooDeep('');
  }
  return /^(?:runtime error|XPath error|xmlXPath|xslt|exslt)/m.test(complaint)
    ? 'an instruction of its stylesheet failed'
    : 'its stylesheet refused it (xsl:message)';
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/**
 * The text that a line of the stylesheet must contain to be the one that libxslt means: the name or the pattern that it
 * quotes, or else the element.
 */
function signOf(message: string): string {
  const pattern = /(?:failed to compile '(.+)'|pattern is malformed: (.+))$/.exec(message);
  const name = /(?:variable|param|template|key|parameter|attribute-set|duplicate name) '?([\w.-][\w:.-]*)'?/.exec(
    message,
  )?.[1];
  return (
    pattern?.[1] ??
    pattern?.[2] ??
    (name === undefined ? `:${/xsl:([a-z-]+)/.exec(message)?.[1] ?? ' '}` : `name="${name}"`)
  );
}

/**
 * The place of a fault. libxslt says what is wrong but not where, so it is the last line that fits the message, in the
 * stylesheet itself or else in the files that it includes.
 */
function findFault(message: string, file: string, files: ReadonlyMap<string, string>): Omit<FileProblem, 'reason'> {
  const sign = signOf(message);
  for (const [path, text] of files) {
    const lines = text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] as string).split('\n');
    const line = lines.findLastIndex((one) => one.includes(sign)) + 1;
    if (line > 0) {
      return { file: path, line };
    }
  }
  return { file, line: 1 };
}

/**
 * Compiles the stylesheet `file`; its includes are taken from `files` (absolute name -> text).
 * @returns the stylesheet, or the reason why it does not compile
 */
export function compileStylesheet(
  file: string,
  files: ReadonlyMap<string, string>,
  complaints: Complaints,
): Stylesheet | readonly FileProblem[] {
  let compiled: Compiled;
  complaints();
  try {
    compiled = compile(file, files);
  } catch (error) {
    const message = (error as Error).message.trim();
    return [{ ...findFault(message, file, files), reason: `the stylesheet does not compile: ${message}` }];
  } finally {
    complaints();
  }
  const apply = (text: string): string => {
    let output: string;
    // Discards what a module wrote there meanwhile, which is no complaint about this document.
    complaints();
    try {
      output = compiled.apply(libxmljs.parseXml(text, { nonet: true, huge: true }), {}, { outputFormat: 'string' });
    } catch {
      throw errors.transformFailed(failureWords(complaints() || 'runtime error', files));
    }
    const complaint = complaints();
    if (complaint !== '') {
      throw errors.transformFailed(failureWords(complaint, files));
    }
    return output;
  };
  return { apply };
}
