/**
 * load: loads a publisher's file into the entries of a coding system. This is done in parts, so that a million rows
 * need no more memory than a thousand.
 */
import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import { cutLines } from '../base/lines';
import { inProject } from '../base/paths';
import type { Database } from '../db/database';
import {
  putCodes,
  putCodingSystem,
  type CodeEntry,
  type PutCounts,
  type SearchableEntry,
  type WordNumbers,
} from './store';
import { formatNames, formatOf, OWN_COLUMNS, type Format } from './formats';
import { endingsOf, folded, wordsOf } from './words';

export type LoadReport = PutCounts & {
  readonly format: string;
  /** Lines that hold no entry of their own. */ readonly skipped: number;
};

type LoadOptions = {
  readonly database: Database;
  readonly clock: Clock;
  /** Called with the number of bytes read since the last call. */
  readonly progress?: (bytes: number) => void;
};

const PART = 1000;
const WORDS_REMEMBERED = 200_000;
const SEARCHED = 500;
const LONGEST = { code: 100, umlsCode: 30 } as const;

async function readFirstLine(file: string): Promise<string> {
  let handle;
  try {
    handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0);
    return buffer.subarray(0, bytesRead).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
  } catch (error) {
    throw new SetupError([
      `${file}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    ]);
  } finally {
    await handle?.close();
  }
}

type Fields = AsyncIterable<readonly string[]>;

async function* countedPieces(
  pieces: AsyncIterable<string>,
  progress: LoadOptions['progress'],
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    progress?.(Buffer.byteLength(piece));
    yield piece;
  }
}

async function* lineFields(pieces: AsyncIterable<string>, cut: Format['cut']): Fields {
  for await (const ended of cutLines(pieces)) {
    const line = ended.replace(/\r$/, '');
    yield cut === 'bars' ? line.split('|') : [line];
  }
}

function cutFields(file: string, { cut }: Format, progress: LoadOptions['progress']): Fields {
  if (cut === 'bars' || cut === 'columns') {
    return lineFields(countedPieces(createReadStream(file, 'utf8'), progress), cut);
  }
  const input = createReadStream(file);
  input.on('data', (chunk) => progress?.(chunk.length));
  return input.pipe(
    parse({
      bom: true,
      delimiter: cut === 'tabs' ? '\t' : ',',
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
    }),
  ) as Fields;
}

function lowerNames(fields: readonly string[]): readonly string[] {
  return fields.map((field) =>
    field
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
}

/** Entries of the file; undefined for lines without one. */
async function* codeEntries(fields: Fields, format: Format): AsyncGenerator<CodeEntry | undefined> {
  let read = format.header ? undefined : format.reader([]);
  for await (const line of fields) {
    if (read) {
      yield read(line);
    } else {
      read = format.reader(lowerNames(line));
    }
  }
}

function fitsTable({ code, umlsCode }: CodeEntry): boolean {
  return code.length <= LONGEST.code && (umlsCode?.length ?? 0) <= LONGEST.umlsCode;
}

function searchable(entry: CodeEntry): SearchableEntry {
  const searchValue = [...folded(entry.fullValue)].slice(0, SEARCHED).join('');
  return { ...entry, searchValue, words: wordsOf(searchValue) };
}

function add(a: PutCounts, b: PutCounts): PutCounts {
  return {
    added: a.added + b.added,
    changed: a.changed + b.changed,
    unchanged: a.unchanged + b.unchanged,
  };
}

/**
 * Adds and updates the entries of a file; loading it again changes nothing. Publishers put several lines with the same
 * code one after the other; the first one is used.
 * @throws SetupError when the file cannot be read or has none of the known formats
 */
export async function loadCodes(
  system: string,
  file: string,
  { database, clock, progress }: LoadOptions,
): Promise<LoadReport> {
  const format = formatOf(await readFirstLine(file));
  if (!format) {
    throw new SetupError([
      `${file}:1: not a file of a known coding system (${formatNames.join(', ')}); an own table is CSV whose ` +
        `first line names the columns ${OWN_COLUMNS}`,
    ]);
  }
  if (!/^[A-Za-z0-9._-]{1,50}$/.test(system)) {
    throw new SetupError([`${system}: a coding system has a short name of letters, digits, dots and hyphens`]);
  }
  await database.write((trx) => putCodingSystem(trx, system, toTimestamp(clock.now())));
  let counts: PutCounts = { added: 0, changed: 0, unchanged: 0 };
  let skipped = 0;
  let part = new Map<string, SearchableEntry>();
  let before = part;
  const numbers: WordNumbers = new Map();

  const flush = async (): Promise<void> => {
    const entries = [...part.values()];
    before = part;
    part = new Map();
    if (numbers.size > WORDS_REMEMBERED) {
      numbers.clear();
    }
    // A transaction that is retried must not rely on words that were rolled back.
    counts = add(
      counts,
      await database.transaction(async (trx) =>
        putCodes(trx, database, system, entries, { numbers, endingsOf }).catch((error: unknown) => {
          numbers.clear();
          throw error;
        }),
      ),
    );
  };

  for await (const entry of codeEntries(cutFields(file, format, progress), format)) {
    if (!entry || !fitsTable(entry) || part.has(entry.code) || before.has(entry.code)) {
      skipped += 1;
      continue;
    }
    part.set(entry.code, searchable(entry));
    if (part.size === PART) {
      await flush();
    }
  }
  await flush();
  return { ...counts, skipped, format: format.name };
}

export function fileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The coding systems from which some well-known entries come with the service, for the demo. */
const starterSystems = ['hl7-v3-vaccines', 'loinc', 'rxterms', 'snomed'] as const;

/** Loads the starter set; a publisher's file that is loaded later replaces it code by code. */
export async function loadStarterCodes(database: Database, clock: Clock): Promise<void> {
  for (const system of starterSystems) {
    await loadCodes(system, inProject('core', 'codes', 'starter', `${system}.csv`), { database, clock });
  }
}
