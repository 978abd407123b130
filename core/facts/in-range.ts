/** in-range: the condition that a stored value lies in a range. */
import type { Condition } from '../db/condition';
import type { ReportRange } from '../db/plans';

/**
 * An index finds the values between the outer bounds. Of these, `also` admits one value below `from`, and `but`
 * excludes one value.
 * @param sql the value; a value that is null is in no range
 */
export const inRange = (sql: string, { from, to, also, but }: Omit<ReportRange, 'field'>): Condition => {
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
};
