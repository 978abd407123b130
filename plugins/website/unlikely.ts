/**
 * unlikely: finds the values of a fact that no living person has, and dates in the future, by the ranges in the words of
 * its model. They are asked about when somebody types them, and marked where they came by file.
 */
import type { Likely, Model } from '../../core/facts/model/model';
import { dateWords, fieldLabel, knownDate, numberWords, withUnit, type Values } from './words/facts';
import { listText } from './parts/list';
import type { Form } from './http/page';
import type { Words } from './words/words';
import { clockTime, dayIn } from './words/zoned';

/** One value outside of what is possible: its column, the name of its field, and the value in words. */
export type Unlikely = { readonly column: string; readonly label: string; readonly value: string };

type Range = Exclude<Likely, 'past'>;

function isOutside(value: unknown, { from, to, atMost = '' }: Range, fact: Values): boolean {
  const other = fact[atMost];
  const isAbove = typeof other === 'number' && Number(value) > other;
  return typeof value === 'number' && (value < from || value > to || isAbove);
}

/** Nobody knows the zone of some times. It may be the one in which a day begins first. */
const FIRST_ZONE = 'Pacific/Kiritimati';

/**
 * The beginning of today's month or year compares with a date of which no more is known. A time is compared by its
 * moment, whatever clock showed it.
 */
function isAfter(known: string, now: number, words: Words): boolean {
  const isLocal = clockTime(known) === `${known}Z`;
  const zone = isLocal ? FIRST_ZONE : words.zone;
  const today = dayIn(zone, new Date(now).toISOString());
  const day = dayIn(zone, isLocal || clockTime(known) === undefined ? known : new Date(known).toISOString());
  return day !== '' && day > today.slice(0, day.length);
}

/** What is asked about, in the order of the model's words. */
export function findUnlikely(model: Model, fact: Values, now: number, words: Words): readonly Unlikely[] {
  return Object.entries(model.words?.likely ?? {}).flatMap(([column, likely]): readonly Unlikely[] => {
    const label = fieldLabel(model, column, words);
    if (likely === 'past') {
      const known = knownDate(fact, column);
      return isAfter(known, now, words) ? [{ column, label, value: dateWords(known, words) }] : [];
    }
    const unit = fact[column.replace(/value$/, 'unit')];
    const value = withUnit(numberWords(fact[column], words), typeof unit === 'string' ? unit : '', words);
    return isOutside(fact[column], likely, fact) ? [{ column, label, value }] : [];
  });
}

const EVENTS: readonly string[] = ['Immunization', 'Procedure'];
/** What says of an event that it was done. */
const DONE: readonly string[] = ['doseGiven', 'partialDose', 'completed'];

/** The fact without the words that it was done, where its date is still to come: nobody has been given that dose yet. */
export function withoutEarlyDone<F extends Values>(model: Model, fact: F, now: number, words: Words): F {
  const date = findUnlikely(model, fact, now, words).find(({ column }) => model.words?.likely?.[column] === 'past');
  const fields = ['administration_status', 'status'].filter((field) =>
    DONE.includes(String(fact[`${field}_identifier`])),
  );
  return date === undefined || !EVENTS.includes(model.name)
    ? fact
    : {
        ...fact,
        ...Object.fromEntries(
          fields.flatMap((field) => [
            [`${field}_title`, null],
            [`${field}_identifier`, null],
          ]),
        ),
      };
}

/** "Please check: Upper blood pressure"; empty when every value is possible. */
export function checkWords(model: Model, fact: Values, now: number, words: Words): string {
  const labels = findUnlikely(model, fact, now, words).map(({ label }) => label);
  return labels.length === 0 ? '' : words.say('facts.check', { what: listText(labels, words) });
}

/**
 * What a form sends with "Yes, keep it": the values that were asked about. Other values are asked about anew.
 */
export function sureAbout(unlikely: readonly Unlikely[]): string {
  return unlikely.map(({ column, value }) => `${column}=${value}`).join('; ');
}

/** Whether nothing is to be asked, or the person has said that exactly these values are right. */
export function isSureAbout(unlikely: readonly Unlikely[], form: Form): boolean {
  return unlikely.length === 0 || form.text('sure') === sureAbout(unlikely);
}
