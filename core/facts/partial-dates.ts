/**
 * partial-dates: how the dates of a fact are meant, as one text in its row, such as
 * ` onset:year ended:month taken:local seen:-05:00 `. Of a month or a year the column holds the first day, and of a time
 * its moment in UTC (without a zone: the time as written), so that they are compared and sorted like all others.
 */
import { childrenIn, type Clock, type PartialDate, type PartialDates, type StoredFact } from './plans';

/** The members of a fact in JSON that say which dates are months or years, and by which clocks times were written. */
export const PARTIAL_DATES = '__partial_dates__';
export const CLOCKS = '__clocks__';

/** The length of the column. In the widest rows MySQL stores the column outside the row. */
const MOST_CHARACTERS = 255;

/** The text for a row; null where every date is a day. */
export function partialDatesText(dates: PartialDates = {}): string | null {
  const entries = Object.entries(dates);
  return entries.length === 0 ? null : ` ${entries.map(([column, precision]) => `${column}:${precision} `).join('')}`;
}

export function isPrecision(how: PartialDate | Clock | undefined): how is PartialDate {
  return how === 'month' || how === 'year';
}

export function isClock(how: unknown): how is Clock {
  return typeof how === 'string' && /^(?:local|[+-]\d\d:\d\d)$/.test(how);
}

/**
 * What a fact in JSON says of its dates besides its values; nothing where all are days or times in UTC.
 * @param offsets whether it says offsets, too; without them, such times are what their values say: moments in UTC
 */
export function saidOfDates(
  dates: PartialDates = {},
  offsets = true,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const all = Object.entries(dates).filter(([, how]) => offsets || isPrecision(how) || how === 'local');
  const [partial, clocks] = [true, false].map((wanted) => all.filter(([, how]) => isPrecision(how) === wanted));
  return {
    ...(partial!.length > 0 && { [PARTIAL_DATES]: Object.fromEntries(partial!) }),
    ...(clocks!.length > 0 && { [CLOCKS]: Object.fromEntries(clocks!) }),
  };
}

/** Leaves out offsets for which a row has no room: the moment stays known. Nothing else is left out. */
export function withinRoom(dates: PartialDates): PartialDates {
  return hasRoomFor(dates)
    ? dates
    : Object.fromEntries(Object.entries(dates).filter(([, how]) => isPrecision(how) || how === 'local'));
}

/** Whether a row has room for the text. Without the text, a date would look like a day that the source did not name. */
export function hasRoomFor(dates: PartialDates): boolean {
  return (partialDatesText(dates) ?? '').length <= MOST_CHARACTERS;
}

/** Reads the text of a row; undefined where every date is a day. */
export function readPartialDates(text: unknown): PartialDates | undefined {
  if (typeof text !== 'string') {
    return undefined;
  }
  const entries = [...text.matchAll(/ (\w+):(month|year|local|[+-]\d\d:\d\d)(?= )/g)].map(([, column, how]) => [
    column!,
    how!,
  ]);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as PartialDates);
}

const MINUTE = 60_000;

/** A time in UTC as the source's clock showed it: `2024-02-01T01:30:00`, or with its offset. */
function dateAsWritten(date: string, clock: Clock): string {
  const isLocal = clock === 'local';
  const minutes = isLocal
    ? 0
    : Number(`${clock.slice(0, 1)}1`) * (Number(clock.slice(1, 3)) * 60 + Number(clock.slice(4)));
  const shown = new Date(Date.parse(`${date.slice(0, 19)}Z`) + minutes * MINUTE).toISOString().slice(0, 19);
  const fraction = date.slice(19, -1).replace(/\.?0+$/, '');
  return `${shown}${fraction}${isLocal ? '' : clock}`;
}

/** A date as far as its source said it: `2009`, `2009-03`, a time by the source's clock; a day or a time in UTC as it is. */
export function knownPart(date: string, how: PartialDate | Clock | undefined): string {
  switch (how) {
    case undefined:
      return date;
    case 'year':
      return date.slice(0, 4);
    case 'month':
      return date.slice(0, 7);
    default:
      return dateAsWritten(date, how);
  }
}

/**
 * The values of a fact, with dates as far as they are known.
 * @param offsets whether times that were written with an offset keep it; without, they are moments in UTC
 */
export function knownValues({ values, partialDates }: StoredFact, offsets = true): StoredFact['values'] {
  return partialDates === undefined
    ? values
    : {
        ...values,
        ...Object.fromEntries(
          Object.entries(partialDates)
            .filter(([, how]) => offsets || isPrecision(how) || how === 'local')
            .map(([column, how]) => [column, knownPart(String(values[column]), how)]),
        ),
      };
}

/** The values of a fact, in which times that were written with an offset are so written: they begin with the day of their source. */
export function valuesByClock({ values, partialDates = {} }: StoredFact): StoredFact['values'] {
  const offsets = Object.entries(partialDates).filter(([, how]) => !isPrecision(how) && how !== 'local');
  return offsets.length === 0
    ? values
    : { ...values, ...Object.fromEntries(offsets.map(([name, how]) => [name, knownPart(String(values[name]), how)])) };
}

/** A fact and what is nested in it, with dates as far as they are known. */
export function withKnownValues(fact: StoredFact): StoredFact {
  return {
    ...fact,
    values: knownValues(fact),
    children: Object.fromEntries(
      Object.entries(fact.children).map(([field, inside]) => {
        const known = childrenIn(fact, field).map(withKnownValues);
        return [field, Array.isArray(inside) ? known : (known[0] ?? null)];
      }),
    ),
  };
}
