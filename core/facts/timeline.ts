/** timeline: facts of all models by their own dates, the newest first, read with two statements. */
import { daysInZone, type Days } from '../base/days-in-zone';
import { columnSql } from './apply-plan';
import { ALWAYS, marks, NEVER, type Condition } from '../db/condition';
import { factsFrom } from './facts-in-scope';
import type { Reads } from '../db/database';
import type { Dialect } from '../db/dialect';
import { NOT_NESTED, readAcross, withNested } from './facts-across';
import { inRange } from './in-range';
import { clockDate, yearsAhead } from './local-date';
import { isDescending, partOf, type Keys, type ListPart, type Place, type Seek } from '../db/page';
import type { ReportRange, StoredFact, TablePlan } from './plans';
import type { ReportScope } from '../sharing/containment';
import { seenTable } from './seen-by-kind';
import type { FactTables } from './store';

/** A table and the column with the date of its facts; undefined when its facts have no date. */
export type Dated = {
  readonly plan: TablePlan;
  readonly date: string | undefined;
  /** A condition on `fact` that its facts meet; absent: all of them. */ readonly where?: Condition;
  /** Facts that are nested in others count, too. */ readonly isNested?: boolean;
};

/** The first and the last day, in local time. With either of them, facts without a date are left out. */
export type DaysOf = Days & { /** An IANA name; absent: UTC. */ readonly zone?: string };

type TimelineQuery = DaysOf & Seek;

type Key = { readonly holder: number | string; readonly seq: number | string; readonly happened: string | null };

function dateSql(dialect: Dialect, { plan, date }: Dated): string {
  const column = plan.columns.find(({ name }) => name === date);
  return column ? columnSql(dialect, 'fact', column) : 'null';
}

function rangeOf({ plan, date }: Dated, { from, to, zone = 'UTC' }: DaysOf): Omit<ReportRange, 'field'> {
  const days: Days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const isDay = plan.columns.some(({ name, kind }) => name === date && kind === 'date');
  return isDay ? days : { ...daysInZone(zone, days), days };
}

/** SQL for the date by the clock of its source (local-date). */
function clockSql(dialect: Dialect, dated: Dated): string {
  const isTime = dated.plan.columns.some(({ name, kind }) => name === dated.date && kind === 'datetime');
  return isTime ? clockDate(dialect, dateSql(dialect, dated), 'fact', dated.date!) : 'null';
}

const NOTHING_MORE: Condition = { text: '', values: [] };

/** The `from` and `where` clauses for the facts of active documents in one table. */
function branch(
  dialect: Dialect,
  scope: ReportScope,
  days: DaysOf,
  dated: Dated,
): Condition & { readonly date: string } {
  const date = dateSql(dialect, dated);
  const range = inRange(date, rangeOf(dated, days), clockSql(dialect, dated));
  const isAsked = days.from !== undefined || days.to !== undefined;
  const { plan, where = NOTHING_MORE, isNested } = dated;
  const parts = [
    { text: isNested ? '' : NOT_NESTED, values: [] },
    { text: isAsked ? `${date} is not null` : '', values: [] },
    range,
    // An `or` in the condition must not reach beyond it.
    { text: where.text === '' ? '' : `(${where.text})`, values: where.values },
  ].filter(({ text }) => text !== '');
  const condition = {
    text: parts.map(({ text }) => text).join(' and '),
    values: parts.flatMap(({ values }) => values),
  };
  return { date, ...factsFrom(plan, scope, condition) };
}

/**
 * The condition that a fact of one table is beyond a place in the timeline. The newest facts come first, and facts
 * without a date last. Facts of the same date are sorted by table, then those that were stored last come first.
 * @param side position of the table relative to that of the fact at the place: -1 before it, 0 the same, 1 after it
 */
function beyondPlace(date: string, side: number, { keys, back }: Place): Condition {
  const [happened = null, , seq = 0] = keys;
  if (happened === null) {
    const rest = [
      [ALWAYS, NEVER],
      [
        { text: `(${date} is not null or fact._seq > ?)`, values: [seq] },
        { text: `(${date} is null and fact._seq < ?)`, values: [seq] },
      ],
      [
        { text: `${date} is not null`, values: [] },
        { text: `${date} is null`, values: [] },
      ],
    ] as const;
    return rest[side + 1]![back ? 0 : 1]!;
  }
  const same = side === 0 ? ` or (${date} = ? and fact._seq ${back ? '>' : '<'} ?)` : '';
  const values = side === 0 ? [happened, happened, seq] : [happened];
  return back
    ? { text: `(${date} ${side < 0 ? '>=' : '>'} ?${same})`, values }
    : { text: `(${date} ${side > 0 ? '<=' : '<'} ?${same} or ${date} is null)`, values };
}

function readKeys(
  on: Reads,
  dialect: Dialect,
  scope: ReportScope,
  tables: readonly Dated[],
  { limit, place, ...days }: TimelineQuery,
): Promise<readonly Key[]> {
  const down = isDescending(true, place) ? 'desc' : 'asc';
  const at = tables.findIndex(({ plan }) => plan.model === place?.keys[1]);
  const branches = tables.map((dated, holder) => {
    const all = branch(dialect, scope, days, dated);
    const rest = place ? beyondPlace(all.date, Math.sign(holder - at), place) : ALWAYS;
    return {
      text:
        `select * from (select ${holder} as holder, fact._seq as seq, ${all.date} as happened ${all.text} and ${rest.text} ` +
        `order by ${all.date} ${down}, fact._seq ${down} limit ?) as dated_${holder}`,
      values: [...all.values, ...rest.values, limit + 1],
    };
  });
  return on.rows<Key>(
    `select holder, seq, happened from (${branches.map(({ text }) => text).join(' union all ')}) as timeline ` +
      `order by happened ${down}, holder ${down === 'desc' ? 'asc' : 'desc'}, seq ${down} limit ?`,
    [...branches.flatMap(({ values }) => values), limit + 1],
  );
}

/** A page has at most this number of facts beyond its limit. */
const MOST_TOGETHER = 450;

function isTogether(one: Key, other: Key): boolean {
  return Number(one.holder) === Number(other.holder) && one.happened === other.happened;
}

/**
 * The keys of a page. A page ends where the date or the model changes, so that facts of the same model and date are on
 * one page. It ends earlier only when more facts of a model have the same date, or no date, than fit on a page.
 */
async function timelineKeys(
  on: Reads,
  dialect: Dialect,
  scope: ReportScope,
  tables: readonly Dated[],
  query: TimelineQuery,
): Promise<ListPart<Key>> {
  const { limit, place } = query;
  const keysIn = ({ holder, seq, happened }: Key): Keys => [happened, tables[Number(holder)]!.plan.model, Number(seq)];
  const found = await readKeys(on, dialect, scope, tables, query);
  const [last, next] = found.slice(limit - 1);
  if (!last || !next || !isTogether(last, next)) {
    return partOf(found, query, keysIn);
  }
  const there = { keys: keysIn(last), back: place?.back ?? false };
  const rest = await readKeys(on, dialect, scope, tables, { ...query, limit: MOST_TOGETHER, place: there });
  const others = rest.findIndex((key) => !isTogether(key, last));
  const together = others === -1 ? Math.min(rest.length, MOST_TOGETHER) : others;
  return partOf([...found.slice(0, limit), ...rest], { limit: limit + together, place }, keysIn);
}

/**
 * A page of the timeline, with nested facts. The keys come from the index of each table, and only the facts of the page
 * are read in full.
 */
export async function readTimeline(
  on: Reads,
  dialect: Dialect,
  tables: FactTables,
  scope: ReportScope,
  dated: readonly Dated[],
  query: TimelineQuery,
): Promise<ListPart<StoredFact>> {
  const part: ListPart<Key> =
    dated.length === 0 ? { rows: [], more: false } : await timelineKeys(on, dialect, scope, dated, query);
  const keys = part.rows;
  const wanted = dated.flatMap(({ plan }, holder) => {
    const seqs = keys.filter((key) => Number(key.holder) === holder).map(({ seq }) => Number(seq));
    return seqs.length === 0
      ? []
      : [
          {
            plan,
            where: `fact._seq in (${marks(seqs)})`,
            values: seqs,
            limit: seqs.length,
            from: seenTable(plan, scope),
          },
        ];
  });
  if (wanted.length === 0) {
    return { rows: [], more: false };
  }
  const facts = await withNested(on, dialect, tables, await readAcross(on, dialect, wanted));
  const found = new Map(facts.map((fact) => [`${fact.model} ${fact.seq}`, fact]));
  return {
    ...part,
    rows: keys
      .map(({ holder, seq }) => found.get(`${dated[Number(holder)]!.plan.model} ${Number(seq)}`))
      .filter((fact) => fact !== undefined),
  };
}

/** How many facts each model has in each year of local time; the year of facts without a date is null. */
export type YearCount = { readonly model: string; readonly year: string | null; readonly count: number };

export async function countYears(
  on: Reads,
  dialect: Dialect,
  scope: ReportScope,
  dated: readonly Dated[],
  days: DaysOf,
): Promise<readonly YearCount[]> {
  if (dated.length === 0) {
    return [];
  }
  const branches = dated.map((one) => branch(dialect, scope, days, one));
  const selects = branches.map(({ date, text }, holder) => {
    const clock = clockSql(dialect, dated[holder]!);
    const [year, ahead] = [`substr(${date}, 1, 4)`, yearsAhead(date, days.zone ?? 'UTC', clock)];
    const groups = ahead === '0' ? year : `${year}, ${ahead}`;
    return `select ${holder} as holder, ${year} as year, ${ahead} as ahead, count(*) as n ${text} group by ${groups}`;
  });
  const rows = await on.rows<{
    holder: number | string;
    year: string | null;
    ahead: number | string;
    n: number | string;
  }>(
    selects.join(' union all '),
    branches.flatMap(({ values }) => values),
  );
  const counts = new Map<string, YearCount>();
  for (const { holder, year, ahead, n } of rows) {
    const own = year === null ? null : String(Number(year) + Number(ahead)).padStart(4, '0');
    const { model } = dated[Number(holder)]!.plan;
    const before = counts.get(`${model} ${own}`)?.count ?? 0;
    counts.set(`${model} ${own}`, { model, year: own, count: before + Number(n) });
  }
  return [...counts.values()];
}
