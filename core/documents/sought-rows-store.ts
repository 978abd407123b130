/**
 * sought-rows: conditions of a search that are met by rows. They are asked in two ways: the rows are listed, or looked
 * up for each resource. In a large record the way with less work is taken, which the databases do not find: they have no
 * statistics of one record.
 */
import { hash } from 'node:crypto';
import type { Id } from '../base/types';
import type { Reads } from '../db/connection';
import { NEVER, type Condition } from '../db/condition';
import { inParts } from '../db/in-parts';

const HIGH_BITS = 0x1f_ff_ff;
const LOW_RANGE = 0x1_00_00_00_00;

/**
 * The number under which the rows of one search parameter of one record stand, in the place of both names, which every
 * row and every index would repeat: 53 bits of a hash, which both databases and JavaScript hold exactly.
 */
function searchPlace(recordId: Id, name: string): number {
  const bytes = hash('sha256', `${recordId} ${name}`, 'buffer');
  return (bytes.readUInt32BE(0) & HIGH_BITS) * LOW_RANGE + bytes.readUInt32BE(4);
}

/** @param names such as `Observation.code` */
export function placesOf(recordId: Id, names: readonly string[]): readonly number[] {
  return names.map((name) => searchPlace(recordId, name));
}

/** Finds the places of a record, each computed once. */
export function placesIn(recordId: Id): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    const place = known.get(name) ?? searchPlace(recordId, name);
    known.set(name, place);
    return place;
  };
}

/** What resources meet of which a statement lists the numbers. */
type SoughtRows = {
  /** Selects, as `seq`, all resources of the record that meet it. */ readonly list: Condition;
  /** The same as a condition on one resource, `kept`. */ readonly each: Condition;
  /** The condition is that a resource does not meet it. */ readonly isNot: boolean;
  /**
   * The rows are of this parameter alone, and must pass the test, which calls them `found`. A resource has at most one
   * such row, or one of each word and system.
   */
  readonly of?: { readonly name: string; readonly test: Condition; readonly oneOf?: 'resource' | 'word' };
};

export type SoughtCondition = Condition & { readonly sought?: SoughtRows };

function negated({ text, values }: Condition, isNot: boolean): Condition {
  return isNot ? { text: `not (${text})`, values } : { text, values };
}

/** SQLite knows no numbers of rows, and would rather read a whole range of another index. */
export const BY_RESOURCE = 'indexed by search_value_resource_place';

function lookedUp(on: Reads, condition: SoughtCondition): SoughtCondition {
  const { sought } = condition;
  if (!sought) {
    return condition;
  }
  const { text, values } = negated(sought.each, sought.isNot);
  return {
    // MariaDB would turn what it sees as a condition into a list of all rows that meet it.
    text: on.database === 'sqlite' ? text.replace('search_value as found', `$& ${BY_RESOURCE}`) : `(${text}) = 1`,
    values,
    sought,
  };
}

/** A condition that rows meet; as it stands, the rows are listed. */
export function metByRows(sought: SoughtRows): SoughtCondition {
  const { list, isNot } = sought;
  return { ...negated({ text: `kept.seq in (${list.text})`, values: list.values }, isNot), sought };
}

/** The same condition, negated. */
export function notMet(condition: SoughtCondition): SoughtCondition {
  const { sought } = condition;
  return sought ? metByRows({ ...sought, isNot: !sought.isNot }) : negated(condition, true);
}

/** So many rows are listed and sorted within some tens of milliseconds. */
const FEW = 10_000;

/**
 * How many resources of a whole record meet a condition, by its rows in the index alone, which takes a tenth of reading
 * the resources. Undefined: a resource may have several of the rows.
 */
export async function countByRows(on: Reads, recordId: Id, condition: SoughtCondition): Promise<number | undefined> {
  const { of, isNot = true } = condition.sought ?? {};
  if (of?.oneOf === undefined || isNot) {
    return undefined;
  }
  const [place] = placesOf(recordId, [of.name]);
  const rows = await on.rows<{ n: number | string }>(
    `select count(*) as n from search_value as found where found.place = ? and (${of.test.text})` +
      (of.oneOf === 'word' ? ' group by found.word, found.system limit 2' : ''),
    [place!, ...of.test.values],
  );
  if (rows.length > 1) {
    return undefined;
  }
  // The rows of documents that were archived or taken back stay.
  const met = lookedUp(on, condition);
  const [unused] = await on.rows<{ n: number | string }>(
    'select count(*) as n from document_lineage as lineage join fhir_resource as kept ' +
      'on kept.document_id = lineage.latest_id where lineage.record_id = ? ' +
      `and lineage.status in ('archived', 'void') and ${met.text}`,
    [recordId, ...met.values],
  );
  return Number(rows[0]?.n ?? 0) - Number(unused!.n);
}

type Way = {
  /** Each of them is looked up. */ readonly conditions: readonly SoughtCondition[];
  /**
   * Selects the few resources among which the matches are. Undefined: every condition is met by many, and these are gone
   * through in the order of the answer.
   */
  readonly leading: Condition | undefined;
  /**
   * Very many resources meet each condition: counting those that meet all would look up each of them, and takes a
   * hundred times as long as the page.
   */
  readonly isMany: boolean;
};

/** Counts the rows of each list, no further than it must. */
async function countRows(on: Reads, lists: readonly Condition[], most: number): Promise<readonly number[]> {
  if (lists.length === 0) {
    return [];
  }
  const counts = lists.map(
    ({ text }, index) => `(select count(*) from (${text} limit ?) as rows_${index}) as n_${index}`,
  );
  const values = lists.flatMap((list) => [...list.values, most + 1]);
  const [row] = await on.rows<Readonly<Record<string, number | string>>>(`select ${counts.join(', ')}`, values);
  return lists.map((_, index) => Number(row![`n_${index}`]));
}

/**
 * How a search of a large record is asked: the shortest list leads if it is short, and all else is looked up.
 * @param few the longest list that is short
 */
export async function shortestWay(on: Reads, conditions: readonly SoughtCondition[], few = FEW): Promise<Way> {
  const listed = conditions.filter(({ sought }) => sought !== undefined && !sought.isNot);
  const lists = listed.map(({ sought }) => sought!.list);
  const counts = await countRows(on, lists, few);
  const least = Math.min(...counts);
  if (least === 0) {
    return { conditions: [NEVER], leading: undefined, isMany: false };
  }
  const leading = least > few ? undefined : listed[counts.indexOf(least)];
  return {
    conditions: conditions.filter((one) => one !== leading).map((one) => lookedUp(on, one)),
    leading: leading?.sought!.list,
    isMany: leading === undefined && listed.length > 0 && conditions.every(({ sought }) => sought !== undefined),
  };
}

export type KnownWord = { readonly word: string; readonly system: string | null };

/** SQLite reads all rows for a `distinct`; this seeks each word behind the one before, and so its systems. */
const SEEK_WORDS =
  'with recursive words(word) as (select * from (select min(word) from search_value where place = ?) ' +
  'union all select (select min(later.word) from search_value as later where later.place = ? and later.word > words.word) ' +
  'from words where words.word is not null limit ?), ' +
  'pairs(word, system) as (select word, (select min(first.system) from search_value as first ' +
  'where first.place = ? and first.word = words.word) from words where word is not null ' +
  'union all select word, (select min(later.system) from search_value as later where later.place = ? ' +
  'and later.word = pairs.word and later.system > pairs.system) from pairs where system is not null limit ?) ' +
  'select word, system from pairs where system is not null union all select word, null from words where word is not null ' +
  'and exists (select 1 from search_value as plain where plain.place = ? and plain.word = words.word and plain.system is null) ' +
  'limit ?';

/** The different codes, with their systems, or texts of one search parameter in a record. @param most so many of them */
export function differentWords(on: Reads, recordId: Id, name: string, most: number): Promise<readonly KnownWord[]> {
  const [place] = placesOf(recordId, [name]);
  return on.database === 'sqlite'
    ? on.rows<KnownWord>(SEEK_WORDS, [place!, place!, most, place!, place!, 2 * most, place!, most])
    : on.rows<KnownWord>(
        'select distinct found.word as word, found.system as system from search_value as found ' +
          'where found.place = ? and found.word is not null limit ?',
        [place!, most],
      );
}

/** A union has so many selects in one statement. */
const WORDS_IN_STATEMENT = 50;

/** Those of the texts of one search parameter that a resource has which has no code of another. */
export async function textsWithoutCode(
  on: Reads,
  recordId: Id,
  { text, coded, words }: { readonly text: string; readonly coded: string; readonly words: readonly string[] },
): Promise<readonly string[]> {
  const byResource = on.database === 'sqlite' ? BY_RESOURCE : '';
  const one =
    'select * from (select found.word as word from search_value as found where found.place = ? and found.word = ? ' +
    `and not exists (select 1 from search_value as other ${byResource} where other.resource = found.resource ` +
    'and other.place = ? and other.word is not null) limit 1) as one';
  const places = [placesOf(recordId, [text])[0]!, placesOf(recordId, [coded])[0]!] as const;
  const rows: { readonly word: string }[] = [];
  for (const some of inParts(words, WORDS_IN_STATEMENT)) {
    const values = some.flatMap((word) => [places[0], word, places[1]]);
    rows.push(...(await on.rows<{ readonly word: string }>(some.map(() => one).join(' union all '), values)));
  }
  return rows.map(({ word }) => word);
}
