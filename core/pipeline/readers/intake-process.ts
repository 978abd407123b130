/**
 * intake-process: the child process that turns one file into documents. The bytes arrive on standard input, and one
 * item at a time is sent back.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MOST_FILE_BYTES } from '../../files/envelope';
import { csvIntake, type CsvSettings } from '../intake/csv-intake';
import type { FromIntake, IntakeItem, KnownTable, ToIntake } from '../intake/intake-messages';
import { intakesFor } from '../intake/known-files';
import { lookAtTable } from '../intake/table-look';
import { importModule, loadingProblem, moduleFailure } from '../modules';

type Start = Extract<ToIntake, { kind: 'start' }>;

/** The input of a module's default export. */
type IntakeInput = {
  /** Name of the file, without folders. */
  readonly name: string;
  readonly chunks: AsyncIterable<Buffer>;
  readonly options: {
    readonly vocabBase: string;
    readonly maxDocumentBytes: number;
    /** The largest file that is kept as it is. */ readonly maxFileBytes: number;
    /** The time zone of times that name none, as an IANA name. */ readonly timeZone?: string;
  };
  /** How to read a file inside of this one, if it is a table that a YAML file describes. */
  readonly tableIn: (name: string, beginning: Buffer) => TableReader | undefined;
};

type TableReader = (chunks: AsyncIterable<Buffer>) => AsyncIterable<IntakeItem>;

/** The documents of a table inside of another file; their keys are those of the same table by itself. */
function tableFinder(tables: readonly KnownTable[], settings: CsvSettings): IntakeInput['tableIn'] {
  return (name, beginning) => {
    const [known] = intakesFor(tables, name, beginning);
    return (
      known &&
      async function* (chunks) {
        for await (const item of csvIntake(chunks, known.columns, settings)) {
          yield 'leftOut' in item ? item : { ...item, of: known.name };
        }
      }
    );
  };
}

type IntakeModule = (input: IntakeInput) => AsyncIterable<IntakeItem>;

function send(message: FromIntake): void {
  process.send?.(message);
}

class Fault extends Error {}

const moduleItems = async function* (file: string, input: IntakeInput): AsyncGenerator<IntakeItem> {
  let make: unknown;
  try {
    ({ default: make } = await importModule(file));
  } catch (error) {
    const problem = loadingProblem(error, file);
    throw new Fault(`${problem.file}:${problem.line}: ${problem.reason}`);
  }
  if (typeof make !== 'function') {
    throw new Fault(`${file}:1: its default export is no function`);
  }
  try {
    yield* (make as IntakeModule)(input);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'invalid_file') {
      throw error;
    }
    throw new Fault(moduleFailure(error, file));
  }
};

const LONGEST_KEY = 200;

function isShortText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && Buffer.byteLength(value) <= longest;
}

function isBytes(value: unknown, longest = Infinity): boolean {
  return value instanceof Uint8Array && value.length <= longest;
}

/** Readings are joined by their lines, so that only XML can have them, under a key. */
function isReadings({ xml, key, readings }: Readonly<Record<string, unknown>>): boolean {
  const { inherited = [] } = (readings ?? {}) as { readonly inherited?: unknown };
  const isRule = Array.isArray(inherited) && inherited.every((name) => typeof name === 'string');
  return readings === undefined || (isRule && typeof xml === 'string' && key !== undefined);
}

function isItem(item: unknown, maxBytes: number): item is IntakeItem {
  const { xml, json, file, label, name, resource, key, of, leftOut, unread } = (item ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const contents = [xml, json, file].filter((content) => content !== undefined);
  const isFile = isBytes((file as { bytes?: unknown } | undefined)?.bytes);
  const isDocument =
    contents.length === 1 &&
    (isFile || isBytes(xml, maxBytes) || isShortText(contents[0], maxBytes)) &&
    [label, name, resource, of].every((words) => ['string', 'undefined'].includes(typeof words)) &&
    (key === undefined || isShortText(key, LONGEST_KEY)) &&
    isReadings((item ?? {}) as Readonly<Record<string, unknown>>);
  const { bytes, title } = (unread ?? {}) as { readonly bytes?: unknown; readonly title?: unknown };
  const isUnread = unread === undefined || (isBytes(bytes, MOST_FILE_BYTES) && isShortText(title, maxBytes));
  return isDocument || (isUnread && typeof leftOut === 'object' && leftOut !== null);
}

let goOn: () => void = () => undefined;

async function runIntake({ by, name, vocabBase, maxBytes, memoryLimit, timeZone }: Start): Promise<void> {
  new Worker(join(__dirname, 'reader-watchdog.js'), { workerData: { parent: process.ppid, memoryLimit } }).unref();
  const chunks = process.stdin as AsyncIterable<Buffer>;
  const settings = { vocabBase, maxBytes, timeZone };
  const limits = { maxDocumentBytes: maxBytes, maxFileBytes: MOST_FILE_BYTES };
  const options = { vocabBase, ...limits, ...(timeZone === undefined ? {} : { timeZone }) };
  if ('look' in by) {
    send({ kind: 'item', item: await lookAtTable(chunks, by.sheet) });
    send({ kind: 'done' });
    return;
  }
  const items =
    'module' in by
      ? moduleItems(by.module, { name, chunks, options, tableIn: tableFinder(by.tables ?? [], settings) })
      : csvIntake(chunks, by.columns, settings);
  for await (const item of items) {
    if (!isItem(item, maxBytes)) {
      throw new Fault(`it yielded what is neither a document of at most ${maxBytes} bytes nor what was left out`);
    }
    const wanted = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    send({ kind: 'item', item });
    // One at a time: items are only made when they are asked for, so none wait in memory.
    await wanted;
  }
  send({ kind: 'done' });
}

process.on('message', (message: ToIntake) => {
  if (message.kind === 'next') {
    goOn();
    return;
  }
  runIntake(message).catch((error: unknown) => {
    const isFault = (error as { code?: unknown }).code !== 'invalid_file';
    const words = error instanceof Error ? error.message : String(error);
    const { reason } = error as { reason?: unknown };
    send({
      kind: 'failed',
      fault: isFault,
      words: isFault && !(error instanceof Fault) ? 'it cannot be read' : words,
      ...(!isFault && typeof reason === 'string' ? { reason } : {}),
    });
  });
});
process.on('disconnect', () => process.exit(0));
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
