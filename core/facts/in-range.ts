/** in-range: the condition that a stored value lies in a range. */
import { toTimestamp } from '../base/clock';
import type { Days } from '../base/days-in-zone';
import type { Condition } from '../db/condition';
import type { ReportRange } from './plans';

type Range = Omit<ReportRange, 'field'>;

/**
 * An index finds the values between the outer bounds. Of these, `also` admits one value below `from`, and `but`
 * excludes one value.
 */
function inMoments(sql: string, { from, to, also, but }: Range): Condition {
  const conditions: readonly (Condition | undefined)[] = [
    also === undefined ? undefined : { text: `${sql} >= ?`, values: [also] },
    from !== undefined && also !== undefined
      ? { text: `(${sql} >= ? or ${sql} = ?)`, values: [from, also] }
      : undefined,
    from !== undefined && also === undefined ? { text: `${sql} >= ?`, values: [from] } : undefined,
    to === undefined ? undefined : { text: `${sql} <= ?`, values: [to] },
    but === undefined ? undefined : { text: `${sql} <> ?`, values: [but] },
  ];
  const there = conditions.filter((condition) => condition !== undefined);
  return { text: there.map(({ text }) => text).join(' and '), values: there.flatMap(({ values }) => values) };
}

const HOUR = 3_600_000;
/** No clock is further ahead of UTC, or behind it. */
const FURTHEST = 14 * HOUR;

/** The bounds between which all times of some days are, whatever clock showed them. */
function outerBounds({ from, to }: Days): Range {
  const first = from === undefined ? undefined : toTimestamp(Date.parse(from) - FURTHEST);
  const last = to === undefined ? undefined : toTimestamp(Date.parse(to) + 24 * HOUR + FURTHEST);
  const isInCalendar = (stamp: string | undefined): stamp is string => stamp !== undefined && /^\d/.test(stamp);
  return { ...(isInCalendar(first) && { from: first }), ...(isInCalendar(last) && { to: last }) };
}

/** Whether a time by the clock of its source is on one of some days. */
function onDays(clock: string, { from, to }: Days): Condition {
  return inMoments(`substr(${clock}, 1, 10)`, { ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
}

/**
 * @param sql the value; a value that is null is in no range
 * @param clock SQL for it as the clock of its source showed it, null where it is not known; absent where no value has one
 */
export function inRange(sql: string, range: Range, clock = 'null'): Condition {
  const moments = inMoments(sql, range);
  if (range.days === undefined || clock === 'null' || moments.text === '') {
    return moments;
  }
  const [outer, days] = [inMoments(sql, outerBounds(range.days)), onDays(clock, range.days)];
  return {
    text: `${outer.text === '' ? '' : `${outer.text} and `}case when (${clock}) is null then ${moments.text} else ${days.text} end`,
    values: [...outer.values, ...moments.values, ...days.values],
  };
}
