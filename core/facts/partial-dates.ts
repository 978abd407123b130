/**
 * partial-dates: the dates of a fact that name only a month or a year, as one text in its row, such as
 * ` onset:year ended:month `. Their columns hold the first day, so that they are compared and sorted like all others.
 */
import { childrenIn, type PartialDate, type PartialDates, type StoredFact } from '../db/plans';

/** The member of a fact in JSON that has its PartialDates. */
export const PARTIAL_DATES = '__partial_dates__';

/** The length of the column. In the widest rows MySQL stores the column outside the row. */
const MOST_CHARACTERS = 255;

/** The entry of one column in the text, as searches find it there. */
export const partialDateEntry = (column: string, precision: PartialDate): string => ` ${column}:${precision} `;

/** The text for a row; null where every date is a day. */
export const partialDatesText = (dates: PartialDates = {}): string | null => {
  const entries = Object.entries(dates);
  return entries.length === 0 ? null : ` ${entries.map(([column, precision]) => `${column}:${precision} `).join('')}`;
};

/** Whether a row has room for the text. Without the text, a date would look like a day that the source did not name. */
export const hasRoomFor = (dates: PartialDates): boolean => (partialDatesText(dates) ?? '').length <= MOST_CHARACTERS;

/** Reads the text of a row; undefined where every date is a day. */
export const readPartialDates = (text: unknown): PartialDates | undefined => {
  if (typeof text !== 'string') {
    return undefined;
  }
  const entries = [...text.matchAll(/(\w+):(month|year)/g)].map(([, column, precision]) => [column!, precision!]);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as PartialDates);
};

/** How much of a date is known, as text: `2009`, `2009-03`; a day or a time as it is. */
export const knownPart = (date: string, precision: PartialDate | undefined): string => {
  switch (precision) {
    case 'year':
      return date.slice(0, 4);
    case 'month':
      return date.slice(0, 7);
    default:
      return date;
  }
};

/** The values of a fact, with dates as far as they are known. */
export const knownValues = ({ values, partialDates }: StoredFact): StoredFact['values'] =>
  partialDates === undefined
    ? values
    : {
        ...values,
        ...Object.fromEntries(
          Object.entries(partialDates).map(([column, precision]) => [
            column,
            knownPart(String(values[column]), precision),
          ]),
        ),
      };

/** A fact and what is nested in it, with dates as far as they are known. */
export const withKnownValues = (fact: StoredFact): StoredFact => ({
  ...fact,
  values: knownValues(fact),
  children: Object.fromEntries(
    Object.entries(fact.children).map(([field, inside]) => {
      const known = childrenIn(fact, field).map(withKnownValues);
      return [field, Array.isArray(inside) ? known : (known[0] ?? null)];
    }),
  ),
});
