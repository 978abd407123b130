/**
 * entry-files: gathers a schema or stylesheet with everything that it includes, as text. It refuses references to files
 * outside.
 */
import { dirname, relative, resolve } from 'node:path';
import type { XmlDocument, XmlElement } from 'libxml2-wasm' with { 'resolution-mode': 'import' };
import { problemsOf } from '../base/errors';
import { COMMON, readSetupFile } from '../config/read-yaml';
import { plainFileName, type XmlEngine } from '../xml/engine';
import { checkStylesheet, XSLT } from '../xml/stylesheet-rules';

const XSD = 'http://www.w3.org/2001/XMLSchema';

/** A main file and all files it includes: absolute names and texts, in the order in which they are first named. */
export type SourceFiles = { readonly file: string; readonly files: readonly (readonly [string, string])[] };

type Wanted = {
  readonly file: string;
  /** `file:line` of the document.yaml that names it. */
  readonly namedAt: () => string;
  readonly folders: readonly string[];
  readonly vocabBase: string;
};

type Reference = { readonly line: number; readonly location: string };
type Kind = {
  readonly references: (root: XmlElement) => readonly Reference[];
  /** Folders that included files must be in. */
  readonly home: readonly string[];
  readonly homeInWords: string;
};

function attribute(element: XmlElement, name: string): string | undefined {
  return element.attrs.find((found) => found.name === name)?.value;
}

function referencesBy(namespace: string, names: readonly string[], location: string) {
  return (root: XmlElement): readonly Reference[] =>
    (root.find('*') as XmlElement[])
      .filter((element) => element.namespaceUri === namespace && names.includes(element.name))
      .flatMap((element) => {
        const found = attribute(element, location);
        return found === undefined ? [] : [{ line: element.line, location: found }];
      });
}

function isInside(file: string, folder: string): boolean {
  return !relative(folder, file).startsWith('..');
}

function parseTree(engine: XmlEngine, file: string, text: string, problems: string[]): XmlDocument | null {
  const { document, faults } = engine.parse(Buffer.from(text), file);
  const fault = document === 0 || faults.length > 0 ? faults[0] : undefined;
  const doctype = document !== 0 && engine.hasDoctype(document);
  engine.free(document);
  if (document === 0 || fault || doctype) {
    const why = doctype
      ? 'a DOCTYPE is not allowed: delete it'
      : `not well-formed XML: ${fault?.message.trim() ?? 'it is empty'}`;
    problems.push(`${file}:${Math.max(fault?.line ?? 1, 1)}: ${why}`);
    return null;
  }
  try {
    return engine.tree(text, file);
  } catch (error) {
    // Documents may have such names. The files of a format may not, since the engines would not agree on them.
    problems.push(`${file}:1: ${(error as Error).message.trim().split('\n')[0]}`);
    return null;
  }
}

type Gathered = { readonly file: string; readonly text: string; readonly tree: XmlDocument };

/** Characters that a URI may not contain: libxml2 and libxslt refuse such references, each with other words. */
const NO_URI = /[^!-~]|["<>\\^`{|}[\]]|%(?![0-9A-Fa-f]{2})/;

function resolveReference(
  from: string,
  { line, location }: Reference,
  kind: Kind,
  problems: string[],
): string | undefined {
  const file = resolve(dirname(from), plainFileName(location));
  if (/^[a-z][a-z0-9+.-]+:|^\/\//i.test(location)) {
    problems.push(`${from}:${line}: ${location} is not fetched: put a copy beside this file and name that`);
  } else if (!kind.home.some((folder) => isInside(file, folder))) {
    problems.push(`${from}:${line}: ${location} is outside ${kind.homeInWords}: put a copy there`);
  } else if (NO_URI.test(location)) {
    problems.push(
      `${from}:${line}: ${location} is not written as a URI: write ${encodeURI(plainFileName(location))}, or give the file another name`,
    );
  } else {
    return file;
  }
  return undefined;
}

/** `whole` is true when every named file exists. */
type Found = { readonly files: readonly Gathered[]; readonly whole: boolean };

/** Follows references from file to file; each file is read once, however often it is named. */
function gather(engine: XmlEngine, wanted: Wanted, kind: Kind, problems: string[]): Found {
  const found = new Map<string, Gathered | null>();
  const before = problems.length;
  const waiting: { readonly file: string; readonly namedAt: () => string }[] = [wanted];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (found.has(next.file)) {
      continue;
    }
    let text: string;
    try {
      text = readSetupFile(next.file, wanted.vocabBase);
    } catch (error) {
      problems.push(
        ...problemsOf(error).map((problem) =>
          problem.replace(`${next.file}:1:`, `${next.namedAt()}: ${relative(dirname(wanted.file), next.file)}:`),
        ),
      );
      found.set(next.file, null);
      continue;
    }
    const tree = parseTree(engine, next.file, text, problems);
    found.set(next.file, tree && { file: next.file, text, tree });
    for (const reference of tree ? kind.references(tree.root) : []) {
      const file = resolveReference(next.file, reference, kind, problems);
      if (file !== undefined) {
        waiting.push({ file, namedAt: () => `${next.file}:${reference.line}` });
      }
    }
  }
  return { files: [...found.values()].filter((file) => file !== null), whole: problems.length === before };
}

function sourceFiles(file: string, gathered: readonly Gathered[]): SourceFiles {
  gathered.forEach(({ tree }) => tree.dispose());
  return { file, files: gathered.map((found) => [found.file, found.text]) };
}

/**
 * A schema with its includes and imports, which stay inside the pipeline-config folders. Problems are added to the
 * list; if there are any, the result is null.
 */
export function gatherSchema(engine: XmlEngine, wanted: Wanted, problems: string[]): SourceFiles | null {
  const kind: Kind = {
    references: referencesBy(XSD, ['include', 'import', 'redefine'], 'schemaLocation'),
    home: wanted.folders,
    homeInWords: 'the pipeline-config folders',
  };
  const { files, whole } = gather(engine, wanted, kind, problems);
  const source = sourceFiles(wanted.file, files);
  return whole ? source : null;
}

/**
 * A stylesheet with its includes and imports, which stay inside its own folder or a shared one, checked by the rules
 * for stylesheets; null if there are problems.
 */
export function gatherStylesheet(engine: XmlEngine, wanted: Wanted, problems: string[]): SourceFiles | null {
  const kind: Kind = {
    references: referencesBy(XSLT, ['include', 'import'], 'href'),
    home: [dirname(wanted.file), ...wanted.folders.map((folder) => resolve(folder, COMMON))],
    homeInWords: 'the folder of its stylesheet and the folders `common` of pipeline-config',
  };
  const { files, whole } = gather(engine, wanted, kind, problems);
  const broken = checkStylesheet(engine, files, whole);
  problems.push(...broken.map(({ file, line, reason }) => `${file}:${line}: ${reason}`));
  const source = sourceFiles(wanted.file, files);
  return whole && broken.length === 0 ? source : null;
}
