/** codes: rows of coding systems and their words (specification 2.17, 4.10). */
import type { Timestamp } from '../../base/types';
import { columnsOf, toColumns, type Columns } from '../columns';
import type { Database, Reads, Transaction } from '../database';
import { insertRows } from '../insert-rows';

export type CodeEntry = {
  readonly code: string;
  readonly fullValue: string;
  readonly consumerValue: string | null;
  readonly abbreviation: string | null;
  readonly umlsCode: string | null;
};

/** An entry with the texts by which it is found. */
export type SearchableEntry = CodeEntry & { readonly searchValue: string; readonly words: readonly string[] };

export const codingSystemExists = async (on: Reads, system: string): Promise<boolean> =>
  (await on('coding_system').where({ short_name: system }).first('short_name')) !== undefined;

export const putCodingSystem = (trx: Transaction, system: string, now: Timestamp): Promise<unknown> =>
  trx('coding_system')
    .insert({ short_name: system, loaded_at: now })
    .onConflict(['short_name'])
    .merge({ loaded_at: now });

/** Works in steps of a few fixed sizes, because the drivers keep a prepared statement for each statement text. */
const inSteps = async <T>(items: readonly T[], work: (step: readonly T[]) => Promise<unknown>): Promise<void> => {
  let start = 0;
  for (const size of [512, 64, 8, 1]) {
    for (; items.length - start >= size; start += size) {
      await work(items.slice(start, start + size));
    }
  }
};

const entryColumns: Columns<keyof CodeEntry> = columnsOf(
  'code',
  'fullValue',
  'consumerValue',
  'abbreviation',
  'umlsCode',
);
const storedColumns = { ...entryColumns, ...columnsOf('searchValue') };

type Row = Omit<SearchableEntry, 'words'> & { readonly seq: number };

const toRow = (entry: SearchableEntry): Record<string, unknown> =>
  toColumns<keyof typeof storedColumns>(storedColumns, entry);

const rowsByCode = async (on: Reads, system: string, codes: readonly string[]): Promise<ReadonlyMap<string, Row>> => {
  const found = new Map<string, Row>();
  await inSteps(codes, async (step) => {
    const rows = (await on('code')
      .where({ coding_system: system })
      .whereIn('code', step)
      .select({ seq: 'seq', ...storedColumns })) as Row[];
    rows.forEach((row) => found.set(row.code, row));
  });
  return found;
};

const isSame = (row: Row, entry: SearchableEntry): boolean =>
  (Object.keys(storedColumns) as (keyof typeof storedColumns)[]).every((name) => row[name] === entry[name]);

export type PutCounts = { readonly added: number; readonly changed: number; readonly unchanged: number };

/** Numbers of words, as far as they are known; the caller keeps it over several calls. */
export type WordNumbers = Map<string, number>;

const numberWords = async (
  trx: Transaction,
  { dialect }: Pick<Database, 'dialect'>,
  system: string,
  words: readonly string[],
  numbers: WordNumbers,
  endingsOf: (word: string) => readonly string[],
): Promise<void> => {
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
};

/** Adds and updates entries of one system; run it in a transaction. @param entries without a code that occurs twice */
export const putCodes = async (
  trx: Transaction,
  database: Pick<Database, 'dialect'>,
  system: string,
  entries: readonly SearchableEntry[],
  { numbers, endingsOf }: { readonly numbers: WordNumbers; readonly endingsOf: (word: string) => readonly string[] },
): Promise<PutCounts> => {
  const present = await rowsByCode(
    trx,
    system,
    entries.map(({ code }) => code),
  );
  const added = entries.filter(({ code }) => !present.has(code));
  const changed = entries.filter((entry) => present.has(entry.code) && !isSame(present.get(entry.code)!, entry));
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
};

export type WordPart = { readonly word: string; readonly part: 'whole' | 'beginning' | 'ending' | 'inside' };

/** The highest character. A word followed by it sorts after all texts that begin with the word. */
const AFTER_ALL = '\u{10FFFF}';

/** Numbers of the words that fit, undefined when there are more than `limit`. */
export const findWords = async (
  on: Reads,
  system: string,
  { word, part }: WordPart,
  limit: number,
): Promise<readonly number[] | undefined> => {
  const inEndings = part === 'ending' || part === 'inside';
  const [table, column, number] = inEndings ? ['code_word_ending', 'ending', 'word_seq'] : ['code_word', 'word', 'seq'];
  const query = on(table).where({ coding_system: system });
  const fitting =
    part === 'whole' || part === 'ending'
      ? query.where(column, word)
      : query.where(column, '>=', word).where(column, '<', `${word}${AFTER_ALL}`);
  const seqs = (await fitting.limit(limit + 1).pluck(number)) as number[];
  return seqs.length > limit ? undefined : [...new Set(seqs.map(Number))];
};

/** Numbers of the entries that have one of the words, undefined when there are more than `limit`. */
export const findCodesWith = async (
  on: Reads,
  words: readonly number[],
  limit: number,
): Promise<readonly number[] | undefined> => {
  const seqs =
    words.length === 0
      ? []
      : ((await on('code_has_word')
          .whereIn('word_seq', words)
          .limit(limit + 1)
          .pluck('code_seq')) as number[]);
  return seqs.length > limit ? undefined : [...new Set(seqs.map(Number))];
};

/** Entries among these numbers whose name contains the text, by name, then code. */
export const searchAmong = async (
  on: Reads,
  seqs: readonly number[],
  text: string,
  limit: number,
): Promise<readonly CodeEntry[]> =>
  (await on('code')
    .whereIn('seq', seqs)
    .whereRaw('instr(search_value, ?) > 0', [text])
    .orderBy(['search_value', 'code'])
    .limit(limit)
    .select(entryColumns)) as CodeEntry[];

/** At most this many names are compared in one statement, so that none blocks the process for long. */
const WINDOW = 20_000;

/** Walks all names of a system in their order until enough contain the text. */
export const searchAll = async (
  on: Reads,
  system: string,
  text: string,
  limit: number,
): Promise<readonly CodeEntry[]> => {
  const from = (name: string) => on('code').where({ coding_system: system }).where('search_value', '>=', name);
  const found: CodeEntry[] = [];
  let start: string | undefined = '';
  while (start !== undefined && found.length < limit) {
    const next = (await from(start).orderBy('search_value').offset(WINDOW).limit(1).first('search_value')) as
      { search_value: string } | undefined;
    const end: string | undefined = next === undefined || next.search_value === start ? undefined : next.search_value;
    const part = from(start)
      .whereRaw('instr(search_value, ?) > 0', [text])
      .orderBy(['search_value', 'code'])
      .limit(limit - found.length)
      .select(entryColumns);
    found.push(...((await (end === undefined ? part : part.where('search_value', '<', end))) as CodeEntry[]));
    start = end;
  }
  return found;
};
