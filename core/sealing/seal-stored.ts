/**
 * seal-stored: seals contents that earlier releases stored in clear, while the service runs, and checks sealed
 * contents.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { toTimestamp, type Clock } from '../base/clock';
import { sha256 } from '../base/ids';
import type { Database } from '../db/database';
import { UnreadableContent, type Contents } from './contents-store';
import { contentOfDocument } from './rows-store';
import {
  type RawRow,
  contentPages,
  giveKeys,
  holdsContents,
  markOf,
  nextInClear,
  openRow,
  sealedTables,
  sealPortion,
  type KeyedRow,
  type SealedTable,
} from './tables-store';

export type SealTools = { readonly database: Database; readonly contents: Contents; readonly clock: Clock };

/** A pause in which other processes can write, because SQLite has no queue for its write lock. */
const PAUSE_MILLISECONDS = 5;

/**
 * An empty database seals from its first row on. A database of an earlier release seals from the first `svc seal` on:
 * until then processes of that release may run beside this one, and they could not read sealed contents.
 */
export async function beginWhereEmpty({ database, contents, clock }: SealTools): Promise<void> {
  if ((await contents.newKey(database.reads)) === null && !(await holdsContents(database.reads))) {
    await database.transaction((trx) => contents.begin(trx, database.dialect, toTimestamp(clock.now())));
  }
}

async function giveAllKeys({ database, contents }: SealTools): Promise<void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const from: number = after;
    after = await database.transaction((trx) => giveKeys(trx, contents, from));
  }
}

async function sealTable(
  { database, contents }: SealTools,
  table: SealedTable,
  step: (count: number) => void,
): Promise<number> {
  let done = 0;
  let last: RawRow | undefined;
  for (;;) {
    const keys = await nextInClear(database.reads, table, last);
    if (keys.length === 0) {
      return done;
    }
    const sealed = await database.transaction((trx) => sealPortion(trx, contents, table, keys));
    done += sealed;
    step(sealed);
    last = keys.at(-1);
    await pause(PAUSE_MILLISECONDS);
  }
}

/**
 * Seals all new contents from now on, then the existing ones in portions. If a run is interrupted, run it again. On
 * SQLite no clear text stays in the file.
 * @param step called with the number of contents that were just sealed
 * @returns how many contents were sealed
 */
export function sealStored(tools: SealTools, step: (count: number) => void = () => undefined): Promise<number> {
  const { database, contents, clock } = tools;
  return database.dialect.erasing(async () => {
    await database.transaction((trx) => contents.begin(trx, database.dialect, toTimestamp(clock.now())));
    await giveAllKeys(tools);
    let done = 0;
    for (const table of sealedTables) {
      done += await sealTable(tools, table, step);
    }
    // Another request may have been creating a record when sealing began.
    await giveAllKeys(tools);
    return done;
  });
}

type ContentReport = {
  readonly sealed: number;
  readonly clear: number;
  readonly documents: number;
  /** Names contents that cannot be decrypted or have changed, without their text. */
  readonly problems: readonly string[];
};

/** Decrypts every content and compares it with its stored digest. */
export async function checkContents(
  { database, contents }: Omit<SealTools, 'clock'>,
  step: (count: number) => void = () => undefined,
): Promise<ContentReport> {
  const { reads } = database;
  const common = await contents.common(reads);
  const counts = { sealed: 0, clear: 0, documents: 0 };
  const problems: string[] = [];
  const check = async ({ table, digest }: SealedTable, { row, key }: KeyedRow): Promise<void> => {
    const clear = (row[markOf(table)!] ?? null) === null;
    counts[clear ? 'clear' : 'sealed'] += 1;
    counts.documents += table === 'document' ? 1 : 0;
    try {
      const sealer = key === undefined ? common : contents.under(key);
      const opened = openRow(table, sealer, row);
      const whole = table === 'document' ? await contentOfDocument(reads, sealer, opened) : opened['content'];
      if (digest && sha256(whole as Buffer) !== row['digest']) {
        problems.push(`${table} ${String(row['id'])} is not what was stored: its digest differs`);
      }
    } catch (error) {
      if (!(error instanceof UnreadableContent)) {
        throw error;
      }
      problems.push(`${error.what} is not what was stored, or needs another key: it does not open`);
    }
  };
  for (const table of sealedTables) {
    for await (const rows of contentPages(reads, table)) {
      for (const row of rows) {
        await check(table, row);
      }
      step(rows.length);
    }
  }
  return { ...counts, problems };
}
