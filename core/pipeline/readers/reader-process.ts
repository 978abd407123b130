/** reader-process: the child process in which documents are parsed, validated and transformed; see reader-pool. */
import { existsSync, fstatSync, ftruncateSync, readdirSync, readSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { AppError, errors } from '../../base/errors';
import { noLabTests } from '../../lab-tests/tests';
import { noKinds } from '../../facts/kinds';
import type { Model, Models } from '../../facts/model/models';
import {
  describeFile,
  heldFile,
  heldFiles,
  listFile,
  type HeldFile,
  type ListedFile,
  type ReadFile,
} from '../../files/held-file';
import { type Outline, outlineOf } from '../../fhir/outline';
import { codesInPicture } from '../../received/picture-codes';
import { PrintFailure, printPaper } from '../../paper/typst';
import { type PlainElement, type XmlEngine, openXmlEngine } from '../../xml/engine';
import { gate } from '../../xml/gate';
import { mendXml } from '../../xml/mend';
import { bundleInside, isLongParameters } from '../../files/bundle-inside';
import { parametersXml } from '../../files/parameters-xml';
import type { Narrative } from '../../xml/narrative';
import { type CompiledEntry, compileEntry } from '../compile';
import { type Entry, documentType, loadEntries } from '../entries';
import { readStages } from '../pipeline';
import type { KeptResource } from '../../fhir/kept';
import type { FromReader, Outcome, Task, ToReader } from './reader-messages';
import { loadReportModules, ReportFailure } from '../report-modules';
import { mark, startMarks, takeMarks } from '../stage-marks';
import { identify, openDocument } from '../stages/identify';
import { transform } from '../stages/transform';
import { validate } from '../stages/validate';
import { DocumentRefused, type ReadDocument, type Received } from '../steps';

type Work = {
  readonly read: (received: Received) => Promise<ReadDocument>;
  readonly inspect: (bytes: Buffer) => { readonly type: string };
  readonly outline: (bytes: Buffer) => Outline;
  readonly held: (bytes: Buffer, namespace: string, at?: number) => { readonly held: HeldFile | undefined };
  readonly files: (bytes: Buffer, namespace: string) => { readonly files: readonly ListedFile[] };
  readonly words: (bytes: Buffer, namespace: string, at: number) => { readonly file: ReadFile | undefined };
  readonly narrative: (bytes: Buffer) => Narrative;
  readonly mend: (bytes: Buffer) => { readonly mended: Buffer | undefined };
  /** The texts of the codes in a picture. */
  readonly codes: (bytes: Buffer) => Promise<{ readonly codes: readonly string[] }>;
  readonly write: (task: Extract<Task, { kind: 'write' }>) => Promise<string>;
};

const STDERR = 2;
const COMPLAINT_BYTES = 4096;
/** A reader that uses more memory than this is replaced: WebAssembly memory never shrinks after a big document. */
const WORN_RSS = 536_870_912;
/**
 * Asking for the memory in use costs as much as a small document, so it is only done after big documents and now and
 * then.
 */
const BIG_DOCUMENT = 1_000_000;
const JOBS_BETWEEN_LOOKS = 500;

function send(message: FromReader): void {
  process.send?.(message);
}

/** Stderr is a file of this process alone (see reader-child): the native engines write their complaints there. */
function complaints(): string {
  const { size } = fstatSync(STDERR);
  if (size === 0) {
    return '';
  }
  const text = Buffer.alloc(Math.min(size, COMPLAINT_BYTES));
  readSync(STDERR, text, 0, text.length, 0);
  ftruncateSync(STDERR, 0);
  return text.toString('latin1');
}

function modelsOf(all: readonly Model[]): Models {
  const byName = new Map(all.map((model) => [model.name.toLowerCase(), model]));
  return { all, find: (name) => byName.get(name.toLowerCase()), labTests: noLabTests, kinds: noKinds };
}

/** The file that is blamed when nothing more is known. */
let compiling = 'the configuration';

function compilingNow(file: string): void {
  compiling = file;
  send({ kind: 'compiling', file });
}

/** A format whose module worked once and does not work now. Only its own documents are refused because of it. */
function outOfUse(entry: Entry): CompiledEntry {
  return {
    entry,
    schema: null,
    narrative: null,
    transform: () =>
      Promise.reject(errors.outOfOrder(`the module of the format ${entry.name} does not load; the log has the reason`)),
  };
}

/** @param problems receives the problems of entries, which are then out of use */
async function compileAll(
  { engine, models }: { readonly engine: XmlEngine; readonly models: Models },
  entries: readonly Entry[],
  problems: string[],
): Promise<ReadonlyMap<string, CompiledEntry>> {
  const compiled = new Map<string, CompiledEntry>();
  for (const entry of entries) {
    compilingNow(entry.file);
    const result = await compileEntry(entry, { engine, complaints, models });
    if ('entry' in result) {
      entry.types.forEach((type) => compiled.set(type, result));
    } else {
      problems.push(...result.map(({ file, line, reason }) => `${file}:${line}: ${reason}`));
      entry.types.forEach((type) => compiled.set(type, outOfUse(entry)));
    }
  }
  return compiled;
}

/** The most memory that a reader may use: its own size, and the trees of a document of the largest size. */
function memoryLimit(maxDocumentBytes: number): number {
  return 536_870_912 + 64 * maxDocumentBytes;
}

/**
 * V8 compiles code again that runs often. In a reader that starts, this took a quarter of the processor time, for code
 * that hardly runs again. Code that documents run often is still compiled, but later: after eight times the usual
 * amount of work, in WebAssembly after ten times. A V8 without such a flag writes a message to stderr and continues.
 */
['--interrupt-budget=1056768', '--wasm-tiering-budget=18000000'].forEach((flag) => setFlagsFromString(flag));
complaints();

const opening = openXmlEngine();
// The code that awaits the promise handles the error.
opening.catch(() => undefined);

type Tools = Parameters<typeof openDocument>[0];

/** The root of a document as plain data. */
function treeOf(tools: Tools, bytes: Buffer): PlainElement {
  const document = openDocument(tools, bytes, []);
  try {
    return document.tree();
  } finally {
    document.free();
  }
}

/** The work on the files that documents hold. */
function holders(tools: Tools): Pick<Work, 'held' | 'files' | 'words'> {
  const filesOf = (bytes: Buffer, namespace: string): readonly HeldFile[] => heldFiles(treeOf(tools, bytes), namespace);
  return {
    held: (bytes, namespace, at) => {
      if (at !== undefined) {
        return { held: filesOf(bytes, namespace)[at] };
      }
      return { held: heldFile(treeOf(tools, bytes), namespace) };
    },
    files: (bytes, namespace) => ({ files: filesOf(bytes, namespace).map(listFile) }),
    words: (bytes, namespace, at) => {
      const file = filesOf(bytes, namespace)[at];
      return { file: file && describeFile(file) };
    },
  };
}

/** The work that is the same for all formats. */
function lookers(tools: Tools): Pick<Work, 'inspect' | 'outline' | 'mend' | 'codes'> {
  return {
    codes: async (bytes) => ({ codes: await codesInPicture(bytes) }),
    inspect: (bytes) => {
      const document = openDocument(tools, bytes, []);
      document.free();
      return { type: documentType(document.root.namespace, document.root.name) };
    },
    outline: (bytes) => {
      const document = openDocument(tools, bytes);
      mark('outline');
      try {
        return outlineOf(document.tree());
      } finally {
        document.free();
      }
    },
    mend: (bytes) => {
      if (isLongParameters(bytes)) {
        return { mended: bundleInside(bytes, tools.maxBytes) };
      }
      const mended = parametersXml(bytes) ?? mendXml(bytes);
      if (!mended) {
        return { mended };
      }
      try {
        gate(tools.engine, mended, tools.maxBytes).free();
        return { mended };
      } catch (error) {
        if (error instanceof AppError) {
          return { mended: undefined };
        }
        throw error;
      }
    },
  };
}

async function startWork(message: Extract<ToReader, { kind: 'load' | 'start' }>): Promise<Work | null> {
  new Worker(join(__dirname, 'reader-watchdog.js'), {
    workerData: { parent: process.ppid, memoryLimit: memoryLimit(message.maxBytes) },
  }).unref();
  const engine = await opening;
  const models = modelsOf(message.models);
  const { entries, problems, intakes } =
    message.kind === 'load'
      ? loadEntries(engine, message.folders, message.vocabBase, models)
      : { entries: message.entries, problems: [] as string[], intakes: [] };
  const compiled = await compileAll({ engine, models }, entries, problems);
  const reports = await loadReportModules(message.models, compilingNow);
  problems.push(...reports.problems.map(({ file, line, reason }) => `${file}:${line}: ${reason}`));
  // A configuration that was loaded already holds the text of all its files except modules, which each process imports
  // from disk.
  if (problems.length > 0 && message.kind === 'load') {
    send({ kind: 'refused', problems: [...new Set(problems)] });
    return null;
  }
  const { maxBytes } = message;
  const identified = identify({ engine, maxBytes, find: (type) => compiled.get(type) });
  const read = readStages({
    identify: identified,
    validate: validate(engine),
    transform: transform(models),
  });
  const narrative = (bytes: Buffer): Narrative => {
    const { document, entry } = identified({ bytes });
    mark('narrative');
    try {
      return entry?.narrative ? entry.narrative(document.cleanText()) : { sections: [], cut: false };
    } finally {
      document.free();
    }
  };
  const writers = new Map(reports.modules.map((module) => [module.file, module]));
  const write: Work['write'] = async ({ file, method, page }) => {
    const writer = writers.get(file);
    if (!writer) {
      throw new ReportFailure('it is not loaded');
    }
    return writer.write(method, page);
  };
  send({
    kind: 'ready',
    entries: message.kind === 'load' ? entries : [],
    intakes,
    writers: reports.modules.map(({ file, methods }) => ({ file, methods })),
    problems: [...new Set(problems)],
    total: processorTotal(),
  });
  const tools = { engine, maxBytes };
  return { read, ...lookers(tools), ...holders(tools), narrative, write };
}

/** The processor time of this process, in seconds. */
function processorTotal(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

let jobs = 0;
function isWorn(task: Task): boolean {
  jobs += 1;
  return (
    (('bytes' in task && task.bytes.length > BIG_DOCUMENT) || jobs % JOBS_BETWEEN_LOOKS === 0) &&
    process.memoryUsage.rss() > WORN_RSS
  );
}

/**
 * The place of a fault of the service itself: the kind of error and the line, without the message, which may quote the
 * document.
 */
function faultPlace(error: unknown): string {
  return error instanceof Error
    ? `${error.name}${/\n\s+(at .*)/.exec(error.stack ?? '')?.[1] ?? ''}`.slice(0, 300)
    : typeof error;
}

const FACTS_AT_ONCE = 200;

/** The most characters of kept resources in one message. */
const KEPT_CHARACTERS = 200_000;

/** Sends many kept resources ahead in parts. @returns the last part */
function sendKeptAhead(kept: readonly KeptResource[]): readonly KeptResource[] {
  let part: KeptResource[] = [];
  let characters = 0;
  for (const one of kept) {
    if (characters > KEPT_CHARACTERS) {
      send({ kind: 'kept', kept: part });
      [part, characters] = [[], 0];
    }
    part.push(one);
    characters += one.text.length;
  }
  return part;
}

/** Sends long lists of facts ahead in parts; the last part is sent with the answer. */
function sendAhead(read: ReadDocument): ReadDocument {
  let sent = 0;
  for (; read.facts.length - sent > FACTS_AT_ONCE; sent += FACTS_AT_ONCE) {
    send({ kind: 'facts', facts: read.facts.slice(sent, sent + FACTS_AT_ONCE) });
  }
  const rest = sent === 0 ? read : { ...read, facts: read.facts.slice(sent) };
  return read.kept === undefined ? rest : { ...rest, kept: sendKeptAhead(read.kept) };
}

function failedOutcome(error: AppError, worn: boolean): Outcome {
  const { status, code, message, details, headers } = error;
  return {
    kind: 'failed',
    entry: error instanceof DocumentRefused ? error.entry : undefined,
    status,
    code,
    message,
    details,
    headers,
    worn,
  };
}

async function runTask(work: Work, task: Task): Promise<Extract<FromReader, { kind: 'done' }>['result']> {
  if (task.kind === 'write') {
    mark('write');
    return { text: await work.write(task) };
  }
  if (task.kind === 'print') {
    mark('print');
    return { pdf: await printPaper(task) };
  }
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  if (task.kind === 'held') {
    return work.held(bytes, task.namespace, task.at);
  }
  if (task.kind === 'files') {
    return work.files(bytes, task.namespace);
  }
  if (task.kind === 'words') {
    return work.words(bytes, task.namespace, task.at);
  }
  return task.kind === 'read'
    ? sendAhead(await work.read({ bytes, strict: task.strict === true }))
    : work[task.kind](bytes);
}

async function runSafely(work: Work, task: Task): Promise<Outcome> {
  try {
    return { kind: 'done', result: await runTask(work, task), worn: isWorn(task) };
  } catch (error) {
    if (error instanceof AppError) {
      return failedOutcome(error, isWorn(task));
    }
    if (error instanceof ReportFailure || error instanceof PrintFailure) {
      return { kind: 'broken', reason: error.message, worn: isWorn(task) };
    }
    // The WebAssembly module failed, or a stack or string grew too long: this process cannot be trusted any more.
    return error instanceof Error && (error.name === 'RuntimeError' || error instanceof RangeError)
      ? failedOutcome(errors.transformFailed('it is too complex'), true)
      : { kind: 'broken', reason: faultPlace(error), worn: isWorn(task) };
  } finally {
    // Empties the file behind stderr: nobody reads what modules write there, and it uses memory.
    complaints();
  }
}

/**
 * Readers run at a lower priority than the server, which has other callers to answer. When others want the whole
 * processor, a quarter remains for the readers; with a tenth, small documents had to wait, too.
 */
const NICER_BY = 5;
const niceness = Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICER_BY);
/**
 * On Linux each thread has its own priority, and the threads that collect garbage and compile were started before this
 * line.
 */
const THREADS = '/proc/self/task';
(existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [process.pid]).forEach((thread) =>
  setPriority(thread, niceness),
);

let work: Work | null = null;
process.on('message', (message: ToReader) => {
  if (message.kind === 'load' || message.kind === 'start') {
    startWork(message).then(
      (ready) => {
        work = ready;
      },
      (error: unknown) =>
        send({ kind: 'refused', problems: [`${compiling}: it cannot be loaded: ${(error as Error).message}`] }),
    );
  } else if (work) {
    const began = process.cpuUsage();
    startMarks(message.timed === true);
    void runSafely(work, message).then((outcome) => {
      const { user, system } = process.cpuUsage(began);
      const marks = takeMarks();
      send({ ...outcome, processor: (user + system) / 1000, total: processorTotal(), ...(marks ? { marks } : {}) });
    });
  }
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches every process of the terminal; the server decides when its readers end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
