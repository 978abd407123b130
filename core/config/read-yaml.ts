/** read-yaml: reads YAML or JSON files that deployers write, and finds the line of every part for messages. */
import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { SetupError } from '../base/errors';

/** Folder of a pipeline-config folder that holds what several formats share. */
export const COMMON = 'common';

type Path = readonly (string | number)[];

type YamlFile = {
  /** Undefined when there are problems. */
  readonly value: unknown;
  /** Syntax errors, duplicate keys and endless aliases. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
  /** Line (from 1) of the part at `path`; of the nearest enclosing part when there is none. */
  readonly lineOf: (path: Path) => number;
};

/** Puts the vocabulary's address wherever a file says {vocab_base}. */
export function fillVocabBase(text: string, vocabBase: string): string {
  return text.replaceAll('{vocab_base}', () => vocabBase);
}

function unreadableReason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${code ?? 'unknown reason'})`;
}

/**
 * The text of a file that a deployer wrote, with {vocab_base} filled in.
 * @throws SetupError naming the file when it is missing, unreadable or not UTF-8
 */
export function readSetupFile(file: string, vocabBase: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new SetupError([`${file}:1: ${unreadableReason(error)}`]);
  }
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD') && !bytes.equals(Buffer.from(text, 'utf8'))) {
    throw new SetupError([`${file}:1: the file is not UTF-8 text: save it in UTF-8`]);
  }
  return fillVocabBase(text.replace(/^\uFEFF/, ''), vocabBase);
}

/**
 * What is in a folder that a deployer made.
 * @throws SetupError naming the folder when it cannot be read
 */
export function readSetupFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new SetupError([
      `${folder}: the folder cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    ]);
  }
}

type Step = { readonly node: unknown; readonly start: number | undefined };

function startOfNode(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** The node under one key or index, and where it starts: at its key when it has one. */
function stepInto(node: unknown, step: string | number): Step | undefined {
  if (isMap(node)) {
    const pair = node.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
    );
    return pair && { node: pair.value, start: startOfNode(pair.key) };
  }
  const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? undefined : { node: item, start: startOfNode(item) };
}

function offsetOfPath(contents: unknown, path: Path): number {
  let found: Step = { node: contents, start: startOfNode(contents) };
  for (const step of path) {
    const next = stepInto(found.node, step);
    if (!next) {
      break;
    }
    found = { node: next.node, start: next.start ?? found.start };
  }
  return found.start ?? 0;
}

type Misplaced = { readonly place: number; readonly message: string };

/**
 * Aliases that name no anchor, or an anchor that contains them. The library notices the former late and without a
 * place, and the latter not at all.
 */
function wrongAliases(document: Document): readonly Misplaced[] {
  const found: Misplaced[] = [];
  visit(document, {
    Alias: (_key, alias, path) => {
      const node = alias.resolve(document);
      if (!node || path.includes(node)) {
        found.push({
          place: alias.range?.[0] ?? 0,
          message: `not valid YAML: the alias names ${node ? 'a part that contains the alias itself' : 'no anchor'}`,
        });
      }
    },
  });
  return found;
}

/**
 * After a syntax error the parser only guesses, so nothing that follows the first one is reported. A duplicate key does
 * not confuse the parser.
 */
function firstFaults<F extends { readonly code: string; readonly pos: readonly [number, number] }>(
  faults: readonly F[],
): readonly F[] {
  const inOrder = [...faults].sort((a, b) => a.pos[0] - b.pos[0]);
  const first = inOrder.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
  return first === -1 ? inOrder : inOrder.slice(0, first + 1);
}

/** The value, problems and lines of a text from a parser that knows the place of every part. */
function readWithPlaces(text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const lineAt = (offset: number): number => lines.linePos(offset).line || 1;
  const lineOf = (path: Path): number => lineAt(offsetOfPath(document.contents, path));
  const problems = [
    ...firstFaults([...document.errors, ...document.warnings]).map((fault) => ({
      line: lineAt(fault.pos[0]),
      message:
        'not valid YAML: ' +
        `${fault.code === 'MULTIPLE_DOCS' ? 'a second document begins here, and a file holds one' : (fault.message.split('\n')[0] ?? '')}`,
    })),
    ...wrongAliases(document).map(({ place, message }) => ({ line: lineAt(place), message })),
  ];
  if (problems.length > 0) {
    return { value: undefined, problems, lineOf };
  }
  try {
    return { value: document.toJS() as unknown, problems, lineOf };
  } catch (error) {
    return {
      value: undefined,
      problems: [{ line: 1, message: `not valid YAML: ${(error as Error).message}` }],
      lineOf,
    };
  }
}

/**
 * What the quick parser may read otherwise: anchors, aliases, tags, keys that are null or no scalars (also where a list
 * or a map stands in the place of one), directives, tabs, merge keys, and some ways to write numbers.
 */
const ONLY_WITH_PLACES =
  /(?:^|[\s[{,])(?:[&*!?]|(?:null|~)?:(?:\s|$))|^%|\t|\d_\d|\b0b[01]|[-+](?:\.\d|0[xo])|<<|[,{]\s*[[{]|[\]}]\s*:(?:\s|$)/im;

type Quick = { readonly value: unknown };

/** Undefined for a text in which something is wrong or doubtful. */
function readQuickly(text: string): Quick | undefined {
  if (ONLY_WITH_PLACES.test(text)) {
    return undefined;
  }
  let isDoubtful = false;
  const onWarning = (): void => {
    isDoubtful = true;
  };
  try {
    const value: unknown = load(text, { schema: CORE_SCHEMA, onWarning });
    return isDoubtful ? undefined : { value: value ?? null };
  } catch {
    return undefined;
  }
}

/**
 * Parses YAML or JSON text (JSON is YAML too). Never throws: what is wrong is in `problems`. A quicker parser reads the
 * bundled files in a fifth of the time, which is a third of the start of a process. Places are looked for when a
 * message needs one.
 */
export function readYaml(text: string): YamlFile {
  const quick = readQuickly(text);
  if (quick === undefined) {
    return readWithPlaces(text);
  }
  let withPlaces: YamlFile | undefined;
  return {
    value: quick.value,
    problems: [],
    lineOf: (path) => (withPlaces ??= readWithPlaces(text)).lineOf(path),
  };
}
