/**
 * search-store: finds documents by words in their label, kind, dates and facts. One statement searches all words in
 * all tables.
 */
import type { Knex } from 'knex';
import type { DocumentStatus, Id } from '../base/types';
import type { Days, DaysInZone } from '../base/days-in-zone';
import { columnSql } from '../facts/apply-plan';
import { ALWAYS, anyOf, type Condition } from '../db/condition';
import { containedIn } from '../sharing/containment';
import type { Reads } from '../db/database';
import type { Dialect } from '../db/dialect';
import { SEARCHED_CHARACTERS } from '../facts/fact-words';
import { clockDate } from '../facts/local-date';
import { inRange } from '../facts/in-range';
import type { TablePlan } from '../facts/plans';
import { readPart, type ListPart, type Seek } from '../db/page';
import {
  findDocuments,
  foldedTag,
  NEWEST_LINEAGES,
  seekDocuments,
  withoutUndone,
  type DocumentRow,
  type DocumentScope,
} from './store';
import type { FactTables } from '../facts/store';

/** One word of a search. A document is found when it contains every word. */
export type SearchWord = {
  /** Lower case. */
  readonly text: string;
  /** Without accents and forms of letters, which then do not count, in each way to write it (folded-text). */
  readonly forms?: readonly string[];
  /** The word as a number, which is compared with numbers in facts. */
  readonly number?: number;
  /** The beginning of a stored date, such as `2026-03`; an underscore matches any digit. */
  readonly date?: string;
  /**
   * Set for a word that names days with their year. Times are compared with these days, in local time, instead of
   * `date`.
   */
  readonly days?: DaysInZone & { readonly days: Days };
  /** Models whose name contains the word: all their facts match. */
  readonly models: readonly string[];
};

type DocumentSearch = Seek & {
  readonly words: readonly SearchWord[];
  /** For each word the documents whose files say it. */ readonly inFiles?: readonly (readonly Id[])[];
  /** A tag as a whole; case does not count. */ readonly tag?: string;
  readonly status: DocumentStatus;
};

type Counted = { readonly total: number | string };

function like(sql: string, pattern: string): Condition {
  return { text: `${sql} like ? escape '!'`, values: [pattern] };
}

function bracketed({ text, values }: Condition): Condition {
  return { text: `(${text})`, values };
}

function either(conditions: readonly Condition[]): Condition {
  return {
    text: conditions.length === 0 ? '1 = 0' : `(${conditions.map(({ text }) => text).join(' or ')})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The condition that a text contains a word, in whichever way it is written. */
function says(dialect: Dialect, sql: string, { text, forms: [folded, ...others] = [] }: SearchWord): Condition {
  return anyOf([
    dialect.says(sql, { text, ...(folded === undefined ? {} : { folded }) }),
    ...others.map((form) => dialect.says(sql, { text: form, folded: form })),
  ]);
}

// SQLite accepts conditions up to a thousand levels deep.
const CONDITIONS_IN_BRACKETS = 100;

function anyInGroups(conditions: readonly Condition[]): Condition {
  const groups = Array.from({ length: Math.ceil(conditions.length / CONDITIONS_IN_BRACKETS) }, (_, index) =>
    either(conditions.slice(index * CONDITIONS_IN_BRACKETS, (index + 1) * CONDITIONS_IN_BRACKETS)),
  );
  return either(groups);
}

/**
 * The condition that a stored time lies in the days that a word names; an empty list for other words.
 * @param clock SQL for it by the clock of its source (local-date)
 */
function timeIn(sql: string, { date, days }: SearchWord, clock?: string): readonly Condition[] {
  if (days !== undefined) {
    return [bracketed(inRange(sql, days, clock))];
  }
  return date === undefined ? [] : [like(sql, `${date}%`)];
}

function hasTexts({ columns }: TablePlan): boolean {
  return columns.some(({ kind }) => kind === 'text');
}

/** The columns that say something. The address of a code system says nothing: "loinc" would find every result. */
function saying({ columns }: TablePlan): TablePlan['columns'] {
  const names = new Set(columns.map(({ name }) => name));
  return columns.filter(({ name }) => !name.endsWith('_system') || !names.has(name.replace(/_system$/, '_identifier')));
}

/**
 * The condition that a fact contains a word. Nothing longer than a thousand characters is compared, but for the words of
 * long texts, which are prepared (fact-words).
 */
export function metBy(dialect: Dialect, plan: TablePlan, word: SearchWord): Condition {
  if (word.models.includes(plan.model)) {
    return ALWAYS;
  }
  const conditions = saying(plan).flatMap((column): readonly Condition[] => {
    const sql = columnSql(dialect, 'fact', column);
    switch (column.kind) {
      case 'string':
        return [says(dialect, sql, word)];
      case 'text':
        return [says(dialect, `substr(${sql}, 1, ${SEARCHED_CHARACTERS})`, word)];
      case 'datetime':
        return timeIn(sql, word, clockDate(dialect, sql, 'fact', column.name));
      case 'date':
        return word.date === undefined ? [] : [like(sql, `${word.date}%`)];
      case 'number':
      case 'integer':
        return word.number === undefined ? [] : [{ text: `${sql} = ?`, values: [word.number] }];
      default:
        return [];
    }
  });
  return anyInGroups(hasTexts(plan) ? [...conditions, says(dialect, 'fact._words', word)] : conditions);
}

/** Selects the documents of a record with facts in one table, and which words these facts contain. */
function hitsIn(dialect: Dialect, plan: TablePlan, words: readonly SearchWord[], recordId: string): Condition {
  const met = words.map((word) => metBy(dialect, plan, word));
  const flags = met.map(({ text }, index) => `max(case when ${text} then 1 else 0 end) as met_${index}`);
  return {
    text:
      `select fact._document_id as document_id, ${flags.join(', ')} from \`${plan.table}\` as fact where ` +
      'fact._record_id = ? group by fact._document_id',
    values: [...met.flatMap(({ values }) => values), recordId],
  };
}

/** At most this many documents are found by the words of their files, the newest ones. */
const MOST_BY_FILES = 2000;

function amongIds(sql: string, ids: readonly Id[]): readonly Condition[] {
  return ids.length === 0 ? [] : [{ text: `${sql} in (${ids.map(() => '?').join(', ')})`, values: ids }];
}

/**
 * The condition that a document contains a word: in its facts, its label, its description of itself, its type, or its
 * date.
 * @param inFiles documents whose files say the word
 */
function metByDocument(dialect: Dialect, word: SearchWord, index: number, inFiles: readonly Id[] = []): Condition {
  return either([
    ...amongIds('lineage.latest_id', inFiles.slice(0, MOST_BY_FILES)),
    { text: `hits.met_${index} = 1`, values: [] },
    says(dialect, 'lineage.label', word),
    says(dialect, 'lineage.about_words', word),
    says(dialect, "substr(lineage.type, instr(lineage.type, '#') + 1)", word),
    ...timeIn('lineage.latest_created_at', word),
    ...(word.date === undefined ? [] : [like('lineage.about_words', `%${word.date}%`)]),
  ]);
}

/** Lineages with a tag; through a carenet nobody sees tags, and none is asked for. */
function tagged(tag: string | undefined) {
  return (lineages: Knex.QueryBuilder): Knex.QueryBuilder =>
    tag === undefined ? lineages : lineages.whereRaw('instr(lineage.folded_tags, ?) > 0', [foldedTag(tag)]);
}

/**
 * Finds the latest versions that contain every word, the newest first, and counts them. It reads each fact of the
 * record once.
 */
async function search(
  on: Reads,
  dialect: Dialect,
  tables: FactTables,
  { recordId, carenetId }: DocumentScope,
  { words, inFiles, status, tag, ...seek }: DocumentSearch,
): Promise<{ readonly part: ListPart<{ readonly id: string }>; readonly total: number }> {
  const hits = [...tables.values()].map((plan) => hitsIn(dialect, plan, words, recordId));
  const flags = words.map((_, index) => `max(met_${index}) as met_${index}`).join(', ');
  const union = hits.map(({ text }) => text).join(' union all ');
  const matching = (): Knex.QueryBuilder => {
    const lineages = on('document_lineage as lineage')
      .leftJoin(
        on.raw(
          `(select document_id, ${flags} from (${union}) as met group by document_id) as hits`,
          hits.flatMap(({ values }) => values),
        ),
        'hits.document_id',
        'lineage.latest_id',
      )
      .where({ 'lineage.record_id': recordId, 'lineage.status': status });
    const query = tagged(tag)(withoutUndone(lineages, status));
    words
      .map((word, index) => metByDocument(dialect, word, index, inFiles?.[index]))
      .forEach(({ text, values }) => void query.whereRaw(text, [...values]));
    return carenetId === undefined ? query : containedIn(query, 'lineage', carenetId);
  };
  const found = matching().select('lineage.latest_id as id', on.raw('count(*) over () as total'));
  const part = await readPart<{ readonly id: string } & Counted>(found, NEWEST_LINEAGES, true, seek);
  // After the first page `total` counts only the remaining rows, so all are counted separately.
  const [counted] = seek.place ? ((await matching().count({ total: '*' })) as Counted[]) : part.rows;
  return { part, total: Number(counted?.total ?? 0) };
}

type FoundPart = { readonly part: ListPart<DocumentRow>; readonly total: number };

/**
 * A page of the latest versions that contain every word, the newest first. Without words it is the list of documents.
 */
export async function findByWords(
  on: Reads,
  dialect: Dialect,
  tables: FactTables,
  scope: DocumentScope,
  asked: DocumentSearch,
): Promise<FoundPart> {
  const { part, total } = await (asked.words.length === 0
    ? seekDocuments(on, scope, asked.status, asked, tagged(asked.tag))
    : search(on, dialect, tables, scope, asked));
  const ids = part.rows.map(({ id }) => id);
  const found = new Map((await findDocuments(on, scope, ids)).map((row) => [row.id, row]));
  return { total, part: { ...part, rows: ids.map((id) => found.get(id)).filter((row) => row !== undefined) } };
}
