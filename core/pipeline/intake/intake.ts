/** intake: turns one file that is not XML into documents, as a stream, in a process of its own. */
import type { ChildProcess } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { AppError, errors } from '../../base/errors';
import { COMMON } from '../../config/read-yaml';
import { wrapFile } from '../../files/envelope';
import { sha256 } from '../../base/ids';
import { needsZone, type CsvColumns } from './csv-columns';
import type { TableLook } from './table-look';
import { textOfBeginning } from './known-files';
import { isWorkbook, wideEncoding } from './plain-cells';
import { killGroup } from '../readers/process-groups';
import { startShutIn } from '../readers/reader-child';
import type { FromIntake, Intake, IntakeDocument, IntakeItem, ToIntake } from './intake-messages';

export { BEGINNING_BYTES, intakesFor } from './known-files';
export type { Intake, IntakeDocument, IntakeItem, LeftOutItem, LeftOutOfFile } from './intake-messages';

const MEMORY_LIMIT = 536_870_912;
const HEAP_MEGABYTES = 256;

/** Whether the times of the readings depend on the time zone of the person who brings the file. */
export function asksForZone({ by }: Intake): boolean {
  return 'columns' in by && needsZone(by.columns);
}

export type IntakeSettings = {
  readonly vocabBase: string;
  readonly maxDocumentBytes: number;
  /** How long the process may neither read bytes nor produce anything. */
  readonly transformSeconds: number;
  /** The time zone of times that name none (IANA name); needed where `asksForZone`. */
  readonly timeZone?: string | undefined;
};

/** Writes the file to the process as fast as the process reads it. */
async function pump(child: ChildProcess, chunks: AsyncIterable<Buffer>, took: () => void): Promise<void> {
  const { stdin } = child;
  // A process that has read enough closes its end.
  stdin?.on('error', () => undefined);
  for await (const chunk of chunks) {
    if (!stdin?.writable) {
      return;
    }
    await new Promise<void>((resolve) => stdin.write(chunk, () => resolve()));
    took();
  }
  stdin?.end();
}

type Arrival = FromIntake | { readonly kind: 'ended' } | { readonly kind: 'unreadable'; readonly error: unknown };

/** Calls `tooLong` when `seconds` pass without `restart`; the time between `pause` and `restart` is not counted. */
function stallClock(
  seconds: number,
  tooLong: () => void,
): { readonly restart: () => void; readonly pause: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const pause = (): void => clearTimeout(timer);
  return {
    pause,
    restart: () => {
      pause();
      timer = setTimeout(tooLong, seconds * 1000);
    },
  };
}

/** A whole file that is not what it should be. */
export class FileRefusal extends AppError {
  /** @param reason a keyword for the reason, which a page can turn into a sentence in another language */
  constructor(
    words: string,
    readonly reason?: string,
  ) {
    const { status, code, message } = errors.invalidDocument(words);
    super(status, code, message);
  }
}

/** The reason why the items ended; undefined after the regular end. */
function failureToArrive(message: Exclude<Arrival, { kind: 'item' }>, hungFor: number | undefined): Error | undefined {
  switch (message.kind) {
    case 'done':
      return undefined;
    case 'unreadable':
      return message.error instanceof Error ? message.error : new Error(String(message.error));
    case 'failed':
      return message.fault ? errors.transformFailed(message.words) : new FileRefusal(message.words, message.reason);
    case 'ended':
      return errors.transformFailed(
        hungFor === undefined
          ? 'the process that read it ended or needed too much memory'
          : `it took longer than ${hungFor} seconds`,
      );
  }
}

/** The bytes to store. @throws AppError as `wrapFile` for a file that fits into no document */
export function intakeBytes(document: IntakeDocument, vocabBase: string): Buffer {
  if ('file' in document) {
    return wrapFile({ ...document.file, bytes: Buffer.from(document.file.bytes) }, vocabBase);
  }
  return contentOf(document);
}

/** The bytes of the document, or of the file that is to be wrapped in one. */
export function contentOf(document: IntakeDocument): Buffer {
  if ('file' in document) {
    return Buffer.from(document.file.bytes);
  }
  const content = 'xml' in document ? document.xml : document.json;
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
}

/** The intake's own folder, and the sibling folder that holds what several formats share. */
function foldersOf({ file, by }: Intake): readonly string[] {
  if (file === '') {
    return [];
  }
  const folder = dirname('module' in by ? by.module : file);
  return [folder, join(dirname(folder), COMMON)];
}

type ToRead = { readonly name: string; readonly chunks: AsyncIterable<Buffer> };

type Start = Extract<ToIntake, { kind: 'start' }>;

function beginningWith(
  by: Start['by'],
  name: string,
  { vocabBase, maxDocumentBytes, timeZone }: IntakeSettings,
): Start {
  return {
    kind: 'start',
    by,
    name: basename(name),
    vocabBase,
    maxBytes: maxDocumentBytes,
    memoryLimit: MEMORY_LIMIT + 16 * maxDocumentBytes,
    timeZone,
  };
}

/** The items that the process makes of one file, one at a time. */
async function* intakeItems(
  by: Start['by'],
  folders: readonly string[],
  { name, chunks }: ToRead,
  settings: IntakeSettings,
): AsyncGenerator<IntakeItem | TableLook> {
  const { transformSeconds } = settings;
  const child = startShutIn({ script: 'intake-process.js', heap: HEAP_MEGABYTES, stdin: 'pipe' }, folders);
  const arrived: Arrival[] = [];
  let wake: () => void = () => undefined;
  const arrive = (message: Arrival): void => {
    arrived.push(message);
    wake();
  };
  let hung = false;
  const clock = stallClock(transformSeconds, () => {
    hung = true;
    killGroup(child);
  });
  let waits = true;
  child.on('message', arrive);
  ['error', 'exit'].forEach((end) => child.once(end, () => arrive({ kind: 'ended' })));
  const say = (message: ToIntake): void => {
    child.send(message, () => undefined);
    clock.restart();
  };
  say(beginningWith(by, name, settings));
  pump(child, chunks, () => waits && clock.restart()).catch((error: unknown) => arrive({ kind: 'unreadable', error }));
  try {
    for (;;) {
      const message = arrived.shift();
      if (!message) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (message.kind === 'item') {
        waits = false;
        clock.pause();
        yield message.item;
        waits = true;
        say({ kind: 'next' });
      } else {
        const failure = failureToArrive(message, hung ? transformSeconds : undefined);
        if (failure !== undefined) {
          throw failure;
        }
        return;
      }
    }
  } finally {
    clock.pause();
    killGroup(child);
  }
}

/**
 * The documents of one file, in its order, and the parts that are in none of them. The file is only read as far as
 * documents are asked for; a caller that stops asking ends the process.
 * @throws AppError invalid_document for a file that is not what it should be, transform_failed when the module fails,
 * hangs or needs too much memory
 */
export function runIntake(intake: Intake, file: ToRead, settings: IntakeSettings): AsyncGenerator<IntakeItem> {
  return intakeItems(intake.by, foldersOf(intake), file, settings) as AsyncGenerator<IntakeItem>;
}

/**
 * Whether a file that no format knows may be a table, by its name and its beginning. Devices give texts the name of a
 * workbook; a workbook before XLSX, and a page that is called one, are none.
 */
export function mayBeTable(name: string, beginning: Buffer): boolean {
  const isText = !beginning.includes(0) || wideEncoding(beginning) !== undefined;
  const isSheet = isWorkbook(beginning) || (isText && /^\s*[^\s<]/.test(textOfBeginning(beginning)));
  return /\.(csv|tsv)$/i.test(name) || (/\.xlsx?$/i.test(name) && isSheet);
}

/**
 * What a table looks like that no format knows.
 * @param sheet the name of the sheet of a workbook; without it, the first one with a table
 * @throws AppError as `runIntake`
 */
export async function lookAtFile(file: ToRead, settings: IntakeSettings, sheet?: string): Promise<TableLook> {
  for await (const look of intakeItems({ look: true, sheet }, [], file, settings)) {
    return look as TableLook;
  }
  throw new FileRefusal('it is no table');
}

/** The intake of a table that a person has described. Tables with the same heads have the same name. */
export function describedIntake(look: TableLook, columns: CsvColumns): Intake {
  return {
    name: `table-${headsDigest(look).slice(0, 16)}`,
    file: '',
    files: [],
    by: { columns },
    samples: [],
    invalid: [],
  };
}

/** What tables of the same heads have in common. */
export function headsDigest({ columns, sheet }: Pick<TableLook, 'columns' | 'sheet'>): string {
  return sha256(Buffer.from(JSON.stringify([sheet, ...columns.map(({ head }) => head)])));
}
