/** store: rows of coding systems and their words (specification 2.17, 4.10). */
import type { Knex } from 'knex';
import type { Timestamp } from '../base/types';
import { columnsNamed, toColumns, type Columns } from '../db/columns';
import type { Condition } from '../db/condition';
import type { Database, Reads, Transaction } from '../db/database';
import { insertRows } from '../db/insert-rows';

export type CodeEntry = {
  readonly code: string;
  readonly fullValue: string;
  readonly consumerValue: string | null;
  readonly abbreviation: string | null;
  readonly umlsCode: string | null;
};

/** An entry with the texts by which it is found. */
export type SearchableEntry = CodeEntry & { readonly searchValue: string; readonly words: readonly string[] };

export async function codingSystemExists(on: Reads, system: string): Promise<boolean> {
  return (await on('coding_system').where({ short_name: system }).first('short_name')) !== undefined;
}

export function putCodingSystem(trx: Transaction, system: string, now: Timestamp): Promise<unknown> {
  return trx('coding_system')
    .insert({ short_name: system, loaded_at: now })
    .onConflict(['short_name'])
    .merge({ loaded_at: now });
}

/** Works in steps of a few fixed sizes, because the drivers keep a prepared statement for each statement text. */
async function inSteps<T>(items: readonly T[], work: (step: readonly T[]) => Promise<unknown>): Promise<void> {
  let start = 0;
  for (const size of [512, 64, 8, 1]) {
    for (; items.length - start >= size; start += size) {
      await work(items.slice(start, start + size));
    }
  }
}

const entryColumns: Columns<keyof CodeEntry> = columnsNamed(
  'code',
  'fullValue',
  'consumerValue',
  'abbreviation',
  'umlsCode',
);
const storedColumns = { ...entryColumns, ...columnsNamed('searchValue') };

type Row = Omit<SearchableEntry, 'words'> & { readonly seq: number };

function toRow(entry: SearchableEntry): Record<string, unknown> {
  return toColumns<keyof typeof storedColumns>(storedColumns, entry);
}

async function rowsByCode(on: Reads, system: string, codes: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  await inSteps(codes, async (step) => {
    const rows = (await on('code')
      .where({ coding_system: system })
      .whereIn('code', step)
      .select({ seq: 'seq', ...storedColumns })) as Row[];
    rows.forEach((row) => found.set(row.code, row));
  });
  return found;
}

function isSameEntry(row: Row, entry: SearchableEntry): boolean {
  return (Object.keys(storedColumns) as (keyof typeof storedColumns)[]).every((name) => row[name] === entry[name]);
}

export type PutCounts = { readonly added: number; readonly changed: number; readonly unchanged: number };

/** Numbers of words, as far as they are known; the caller keeps it over several calls. */
export type WordNumbers = Map<string, number>;

async function numberWords(
  trx: Transaction,
  { dialect }: Pick<Database, 'dialect'>,
  system: string,
  words: readonly string[],
  numbers: WordNumbers,
  endingsOf: (word: string) => readonly string[],
): Promise<void> {
  const missing = words.filter((word) => !numbers.has(word));
  const find = (part: readonly string[]): Promise<void> =>
    inSteps(part, async (step) => {
      const rows = (await trx('code_word')
        .where({ coding_system: system })
        .whereIn('word', step)
        .select('seq', 'word')) as { seq: number; word: string }[];
      rows.forEach(({ seq, word }) => numbers.set(word, Number(seq)));
    });
  await find(missing);
  const fresh = missing.filter((word) => !numbers.has(word));
  if (fresh.length > 0) {
    await inSteps(fresh, (step) =>
      insertRows(
        trx,
        'code_word',
        ['coding_system', 'word'],
        step.map((word) => ({ coding_system: system, word })),
        dialect.insertIgnore,
      ),
    );
    await find(fresh);
    const endings = fresh.flatMap((word) =>
      endingsOf(word).map((ending) => ({ coding_system: system, ending, word_seq: numbers.get(word)! })),
    );
    await inSteps(endings, (step) =>
      insertRows(trx, 'code_word_ending', ['coding_system', 'ending', 'word_seq'], step, dialect.insertIgnore),
    );
  }
}

/** Adds and updates entries of one system; run it in a transaction. @param entries without a code that occurs twice */
export async function putCodes(
  trx: Transaction,
  database: Pick<Database, 'dialect'>,
  system: string,
  entries: readonly SearchableEntry[],
  { numbers, endingsOf }: { readonly numbers: WordNumbers; readonly endingsOf: (word: string) => readonly string[] },
): Promise<PutCounts> {
  const present = await rowsByCode(
    trx,
    system,
    entries.map(({ code }) => code),
  );
  const added = entries.filter(({ code }) => !present.has(code));
  const changed = entries.filter((entry) => present.has(entry.code) && !isSameEntry(present.get(entry.code)!, entry));
  await inSteps(added, (step) =>
    insertRows(
      trx,
      'code',
      ['coding_system', ...Object.values(storedColumns)],
      step.map((entry) => ({ coding_system: system, ...toRow(entry) })),
    ),
  );
  for (const entry of changed) {
    await trx('code').where({ coding_system: system, code: entry.code }).update(toRow(entry));
  }
  await inSteps(changed, (step) =>
    trx('code_has_word')
      .whereIn(
        'code_seq',
        step.map(({ code }) => present.get(code)!.seq),
      )
      .delete(),
  );
  const touched = [...added, ...changed];
  const stored = await rowsByCode(
    trx,
    system,
    touched.map(({ code }) => code),
  );
  await numberWords(trx, database, system, [...new Set(touched.flatMap(({ words }) => words))], numbers, endingsOf);
  const pairs = touched.flatMap(({ code, words }) =>
    words.map((word) => ({ word_seq: numbers.get(word)!, code_seq: stored.get(code)!.seq })),
  );
  pairs.sort((a, b) => a.word_seq - b.word_seq || a.code_seq - b.code_seq);
  await inSteps(pairs, (step) =>
    insertRows(trx, 'code_has_word', ['word_seq', 'code_seq'], step, database.dialect.insertIgnore),
  );
  return { added: added.length, changed: changed.length, unchanged: entries.length - touched.length };
}

export type WordPart = { readonly word: string; readonly part: 'whole' | 'beginning' | 'ending' | 'inside' };

/** The highest character. A word followed by it sorts after all texts that begin with the word. */
const AFTER_ALL = '\u{10FFFF}';

/** The names that have a fitting word; a name may come several times. */
function namesWith(system: string, { word, part }: WordPart): Condition {
  const inEndings = part === 'ending' || part === 'inside';
  const [table, column, number] = inEndings ? ['code_word_ending', 'ending', 'word_seq'] : ['code_word', 'word', 'seq'];
  const [fits, values] =
    part === 'whole' || part === 'ending'
      ? [`fitting.${column} = ?`, [word]]
      : [`fitting.${column} >= ? and fitting.${column} < ?`, [word, `${word}${AFTER_ALL}`]];
  return {
    text:
      `from ${table} as fitting join code_has_word as has on has.word_seq = fitting.${number} ` +
      `where fitting.coding_system = ? and ${fits}`,
    values: [system, ...values],
  };
}

/** How many names have each of the words, in one statement. @param most counting ends here */
export async function countNames(
  on: Reads,
  system: string,
  words: readonly WordPart[],
  most: number,
): Promise<readonly number[]> {
  const parts = words.map((word) => namesWith(system, word));
  const counts = parts.map(
    ({ text }, place) =>
      `select ${place} as place, count(*) as names from (select 1 as one ${text} limit ?) as counted_${place}`,
  );
  const rows = await on.rows<{ place: number | string; names: number | string }>(
    counts.join(' union all '),
    parts.flatMap(({ values }) => [...values, most]),
  );
  const found = new Map(rows.map(({ place, names }) => [Number(place), Number(names)]));
  return words.map((_, place) => found.get(place) ?? 0);
}

/** The entries whose name contains the text, by name, then code; the database stops at `limit`. */
function entriesWith(on: Reads, text: string, limit: number): Knex.QueryBuilder {
  return on('code')
    .whereRaw('instr(search_value, ?) > 0', [text])
    .orderBy(['search_value', 'code'])
    .limit(limit)
    .select(entryColumns);
}

/** Looks at the names that have the word. */
export async function searchByWord(
  on: Reads,
  system: string,
  word: WordPart,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<readonly CodeEntry[]> {
  const names = namesWith(system, word);
  return (await entriesWith(on, text, limit).whereRaw(`seq in (select has.code_seq ${names.text})`, [
    ...names.values,
  ])) as CodeEntry[];
}

/** Walks the names of a system in their order, which its index gives, until enough contain the text. */
export async function searchAll(on: Reads, system: string, text: string, limit: number): Promise<readonly CodeEntry[]> {
  return (await entriesWith(on, text, limit).where({ coding_system: system })) as CodeEntry[];
}
